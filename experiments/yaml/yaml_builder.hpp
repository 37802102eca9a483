#pragma once

#include <yaml-cpp/eventhandler.h>

#include <string>
#include <vector>

#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// Builds one document's YamlNode from parser events and reports what the strict form refuses: duplicate keys,
/// keys that are no text, aliases, merge keys and tags. Works on events because the library's own node tree
/// hides duplicates and aliases. Errors: InputError for nesting deeper than 32 levels.
class YamlBuilder final : public YAML::EventHandler {
 public:
  YamlBuilder(std::string source, ErrorList& errors) : source_(std::move(source)), errors_(errors) {}

  /// The finished document. Precondition: the parser has handled one document.
  YamlNode take_document() { return std::move(document_); }
  Place document_place() const { return document_place_; }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  /// A collection under construction; `children` of a map are its keys and values in turn.
  struct Level {
    YamlNode node;
    std::vector<YamlNode> children;
  };

  Place place_of(const YAML::Mark& mark) const;
  void refuse_tag(const Place& place, const std::string& tag);
  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag);
  void finish(YamlNode node);
  void add_entry(YamlNode& map, YamlNode key, YamlNode value);

  std::string source_;
  ErrorList& errors_;
  std::vector<Level> levels_;
  YamlNode document_;
  Place document_place_;
};

}  // namespace kvarium
