#include "experiments/yaml/yaml_builder.hpp"

#include <fmt/format.h>
#include <yaml-cpp/mark.h>

#include <unordered_map>

#include "core/check.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

constexpr std::size_t deepest_nesting = 32;

/// Reports keys that stand twice and removes all but the first.
void refuse_duplicates(YamlNode& map, ErrorList& errors) {
  std::unordered_map<std::string, int> lines;
  std::vector<YamlEntry> distinct;
  for (YamlEntry& entry : map.entries) {
    const auto [first, is_new] = lines.emplace(entry.key, entry.place.line);
    if (is_new) {
      distinct.push_back(std::move(entry));
    } else {
      errors.add(entry.place, fmt::format("key {} stands twice (first in line {})", quote(entry.key), first->second),
                 "remove one");
    }
  }
  map.entries = std::move(distinct);
}

}  // namespace

Place YamlBuilder::place_of(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

void YamlBuilder::refuse_tag(const Place& place, const std::string& tag) {
  // "?" and "!" are what the parser itself gives plain and quoted scalars.
  if (tag.empty() || tag == "?" || tag == "!") return;
  errors_.add(place, fmt::format("tag {} is not supported", quote(tag)), "remove it");
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) { document_place_ = place_of(mark); }

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t) {
  YamlNode node;
  node.place = place_of(mark);
  finish(std::move(node));
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t) {
  YamlNode node;
  node.kind = YamlNode::Kind::invalid;
  node.place = place_of(mark);
  errors_.add(node.place, "aliases (*name) are not supported", "write the value out");
  finish(std::move(node));
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.place = place_of(mark);
  node.text = value;
  node.quoted = tag == "!";
  refuse_tag(node.place, tag);
  finish(std::move(node));
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                                  YAML::EmitterStyle::value) {
  open(YamlNode::Kind::sequence, mark, tag);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                             YAML::EmitterStyle::value) {
  open(YamlNode::Kind::map, mark, tag);
}

void YamlBuilder::open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
  const Place place = place_of(mark);
  // The parser recurses once a level, so this keeps hostile input from exhausting the stack.
  KVARIUM_VALIDATE(levels_.size() < deepest_nesting, to_string(place), ": lists and maps nest deeper than ",
                   deepest_nesting, " levels; write fewer levels");
  refuse_tag(place, tag);
  Level level;
  level.node.kind = kind;
  level.node.place = place;
  levels_.push_back(std::move(level));
}

void YamlBuilder::OnSequenceEnd() {
  Level level = std::move(levels_.back());
  levels_.pop_back();
  level.node.items = std::move(level.children);
  finish(std::move(level.node));
}

void YamlBuilder::OnMapEnd() {
  Level level = std::move(levels_.back());
  levels_.pop_back();
  for (std::size_t i = 0; i + 1 < level.children.size(); i += 2) {
    add_entry(level.node, std::move(level.children[i]), std::move(level.children[i + 1]));
  }
  refuse_duplicates(level.node, errors_);
  finish(std::move(level.node));
}

void YamlBuilder::add_entry(YamlNode& map, YamlNode key, YamlNode value) {
  if (key.kind == YamlNode::Kind::invalid) return;
  if (key.kind != YamlNode::Kind::scalar) {
    errors_.add(key.place, fmt::format("a key is {}", describe(key)), "write a name before the colon");
  } else if (key.text == "<<" && !key.quoted) {
    errors_.add(key.place, "merge keys (<<) are not supported", "write the keys out");
  } else {
    map.entries.push_back({std::move(key.text), key.place, std::move(value)});
  }
}

void YamlBuilder::finish(YamlNode node) {
  if (levels_.empty()) {
    document_ = std::move(node);
  } else {
    levels_.back().children.push_back(std::move(node));
  }
}

}  // namespace kvarium
