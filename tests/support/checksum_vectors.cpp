#include "tests/support/checksum_vectors.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kvarium::test {
namespace {

using Json = nlohmann::json;

Json load_vectors(const std::string& name) {
  std::ifstream file(std::string(KVARIUM_TEST_DATA) + "/vectors/" + name);
  return Json::parse(file);
}

/// The little-endian splitmix64 stream of a seed.
std::vector<std::uint64_t> stream(std::uint64_t seed, std::size_t bytes) {
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  std::uint64_t state = seed;
  for (std::uint64_t& word : words) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    word = z ^ (z >> 31);
  }
  return words;
}

std::uint64_t parse_hex(const Json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

std::vector<std::uint64_t> flatten(const Json& rows) {
  std::vector<std::uint64_t> values;
  for (const Json& row : rows) {
    for (const Json& value : row) values.push_back(parse_hex(value));
  }
  return values;
}

ViewCase read_view(const Json& json) {
  ViewCase item;
  item.name = json["name"];
  item.view.piece_width = json["piece_bytes"];
  const auto shape = json["shape"].get<std::vector<std::int64_t>>();
  const auto strides = json["strides"].get<std::vector<std::int64_t>>();
  item.view.shape = {shape[0], shape[1], shape[2], shape[3], shape[4]};
  item.view.strides = {strides[0], strides[1], strides[2], strides[3], strides[4]};
  for (std::size_t i = 0; i < json["layer_seeds"].size(); ++i) {
    item.memory.push_back(stream(json["layer_seeds"][i], json["layer_bytes"][i]));
    const auto base = reinterpret_cast<std::int64_t>(item.memory.back().data());
    const std::int64_t offset = json["offset"].get<std::int64_t>() * item.view.piece_width;
    item.layers.push_back({base + offset, json["layers"][i][0], json["layers"][i][1]});
  }
  item.block_ids = json["block_ids"].get<std::vector<std::int64_t>>();
  item.first_tokens = json["first_tokens"].get<std::vector<std::int64_t>>();
  item.valid_tokens = json["valid_tokens"].get<std::vector<std::int64_t>>();
  item.initial = flatten(json["out_initial"]);
  item.expected = flatten(json["out_expected"]);
  // A case without rows says nothing of its columns.
  for (const ChecksumLayer& layer : item.layers) item.num_columns = std::max(item.num_columns, layer.column + 1);
  if (!json["out_initial"].empty()) item.num_columns = static_cast<std::int64_t>(json["out_initial"][0].size());
  return item;
}

CellCase read_cells(const Json& json) {
  CellCase item;
  item.name = json["name"];
  item.element_bytes = json["element_bytes"];
  item.head_size = json["head_size"];
  item.num_kv_heads = json["num_kv_heads"];
  item.block_size = json["block_size"];
  item.num_blocks = json["num_blocks"];
  item.piece_width = json["piece_bytes"];
  item.layer = json["layer"];
  item.first_head = json["first_head"];
  const auto bytes = static_cast<std::size_t>(item.num_blocks * item.block_size * item.num_kv_heads * item.head_size *
                                              item.element_bytes);
  item.key = stream(json["key_seed"], bytes);
  item.value = stream(json["value_seed"], bytes);
  item.block_ids = json["block_ids"].get<std::vector<std::int64_t>>();
  item.first_tokens = json["first_tokens"].get<std::vector<std::int64_t>>();
  item.valid_tokens = json["valid_tokens"].get<std::vector<std::int64_t>>();
  for (const Json& value : json["expected"]) item.expected.push_back(parse_hex(value));
  return item;
}

RestatedCase read_restated(const Json& json) {
  RestatedCase item;
  item.name = json["name"];
  item.layer = json["layer"];
  item.first_head = json["first_head"];
  item.num_heads = json["num_heads"];
  item.piece_width = json["piece_bytes"];
  item.first_token = json["first_token"];
  item.valid_tokens = json["valid_tokens"];
  item.expected = parse_hex(json["expected"]);
  return item;
}

}  // namespace

std::vector<RestatedCase> restated_cases() {
  std::vector<RestatedCase> cases;
  const Json vectors = load_vectors("weighted_sum_restated.json");
  for (const Json& json : vectors["cases"]) cases.push_back(read_restated(json));
  return cases;
}

std::vector<ViewCase> view_cases() {
  std::vector<ViewCase> cases;
  const Json vectors = load_vectors("layers_checksum.json");
  for (const Json& json : vectors["views"]) cases.push_back(read_view(json));
  return cases;
}

std::vector<CellCase> cell_cases() {
  std::vector<CellCase> cases;
  const Json vectors = load_vectors("layers_checksum.json");
  for (const Json& json : vectors["cells"]) cases.push_back(read_cells(json));
  return cases;
}

}  // namespace kvarium::test
