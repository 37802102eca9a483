#include "experiments/yaml/yaml_node.hpp"

#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {

const YamlNode* YamlNode::find(const std::string& key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return node.quoted ? "the quoted text " + quote(node.text) : quote(node.text);
    case YamlNode::Kind::sequence:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
    case YamlNode::Kind::invalid:
      return "an unreadable value";
  }
  return "nothing";
}

}  // namespace kvarium
