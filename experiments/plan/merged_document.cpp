#include "experiments/plan/merged_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/check.hpp"
#include "core/text.hpp"
#include "experiments/config/source_path.hpp"
#include "experiments/plan/document_text.hpp"
#include "experiments/plan/merge_yaml.hpp"
#include "experiments/yaml/quoted_text.hpp"
#include "experiments/yaml/text_file.hpp"
#include "experiments/yaml/yaml_parser.hpp"

namespace kvarium {
namespace {

const char* const extends_key = "extends";
const char* const form = "write 'extends: base.yaml'";

/// Makes sources below a key relative to the folder that holds `prefix`.
void move_sources(YamlNode& value, const std::filesystem::path& prefix) {
  if (value.kind == YamlNode::Kind::scalar && !is_generated(value.text)) {
    value.text = (prefix / value.text).lexically_normal().string();
  }
  for (YamlNode& item : value.items) move_sources(item, prefix);
}

/// The same wherever a document names sources: `base.cache.source`, or `cache.source` of a sweep.
void move_all_sources(YamlNode& node, const std::string& path, const std::filesystem::path& prefix) {
  for (YamlNode& item : node.items) move_all_sources(item, path, prefix);
  for (YamlEntry& entry : node.entries) {
    const std::string inner = path.empty() ? entry.key : path + "." + entry.key;
    const bool is_swept = path.starts_with("sweep") && entry.key == "cache.source";
    if (is_swept || inner == "base.cache.source") {
      move_sources(entry.value, prefix);
    } else {
      move_all_sources(entry.value, inner, prefix);
    }
  }
}

/// Takes `extends` out of a document; nothing where it has none.
std::optional<YamlEntry> take_extends(YamlNode& document) {
  const auto found = std::ranges::find(document.entries, extends_key, &YamlEntry::key);
  if (found == document.entries.end()) return {};
  YamlEntry entry = *found;
  document.entries.erase(found);
  return entry;
}

/// One file, however it is named.
std::filesystem::path identity_of(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(file, ignored);
}

class Reader {
 public:
  explicit Reader(ErrorList& errors) : errors_(errors) {}

  YamlNode read(const std::string& text, const std::string& file, const std::filesystem::path& folder) {
    chain_.push_back(identity_of(file));
    YamlNode document = parse_yaml(text, file, errors_);
    const auto extends = take_extends(document);
    if (!extends || extends->value.kind == YamlNode::Kind::invalid) return document;
    return merge_yaml(read_parent(*extends, folder), document);
  }

  std::vector<std::string> parents() const { return parents_; }

 private:
  YamlNode read_parent(const YamlEntry& extends, const std::filesystem::path& folder) {
    YamlNode nothing;
    nothing.kind = YamlNode::Kind::map;
    if (extends.value.kind != YamlNode::Kind::scalar || extends.value.text.empty()) {
      errors_.add(extends.place, fmt::format("extends holds {}, no name of a file", describe(extends.value)), form);
      return nothing;
    }
    const std::filesystem::path name = extends.value.text;
    const std::filesystem::path file = (folder / name).lexically_normal();
    const auto text = parent_text(file, extends.value.place);
    if (!text) return nothing;
    parents_.push_back(file.string());
    YamlNode parent = read(*text, file.string(), file.parent_path());
    if (name.has_parent_path()) move_all_sources(parent, "", name.parent_path());
    return parent;
  }

  /// Text of a parent, or nothing when it is reported as wrong.
  std::optional<std::string> parent_text(const std::filesystem::path& file, const Place& place) {
    if (std::ranges::find(chain_, identity_of(file)) != chain_.end()) {
      errors_.add(place, fmt::format("extends {} comes back to a file that is being extended", quote(file.string())),
                  "remove one of the keys extends");
      return {};
    }
    try {
      return read_text_file(file);
    } catch (const InputError& error) {
      errors_.add(place, error.what());
      return {};
    }
  }

  ErrorList& errors_;
  std::vector<std::filesystem::path> chain_;
  std::vector<std::string> parents_;
};

}  // namespace

MergedDocument read_merged(const ExperimentSource& source, ErrorList& errors) {
  Reader reader(errors);
  MergedDocument document{reader.read(source.text, source.file, source.folder), {}};
  document.parents = reader.parents();
  return document;
}

std::string whole_text(const ExperimentSource& source, const MergedDocument& document) {
  if (document.parents.empty()) return source.text;
  std::vector<std::string> names;
  for (const std::string& parent : document.parents) names.push_back(quote(parent));
  return fmt::format("# {} with what it extends merged in: {}\n{}", quote(source.file), join(names),
                     document_text(document.node));
}

}  // namespace kvarium
