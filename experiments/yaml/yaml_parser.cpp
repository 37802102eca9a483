#include "experiments/yaml/yaml_parser.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "core/check.hpp"
#include "experiments/yaml/text_file.hpp"
#include "experiments/yaml/yaml_builder.hpp"

namespace kvarium {
namespace {

YamlNode parse_document(const std::string& text, const std::string& source, ErrorList& errors) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  YamlBuilder builder(source, errors);
  KVARIUM_VALIDATE(parser.HandleNextDocument(builder), source, ": holds no YAML document; write one");
  YamlNode document = builder.take_document();
  if (parser.HandleNextDocument(builder)) {
    errors.add(builder.document_place(), "a second YAML document begins", "keep one document in a file");
  }
  return document;
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& source, ErrorList& errors) {
  validate_text(text, source);
  try {
    return parse_document(text, source, errors);
  } catch (const YAML::Exception& error) {
    const Place place{source, error.mark.line + 1, error.mark.column + 1};
    throw InputError(to_string(place) + ": not valid YAML (" + error.msg + "); correct it there");
  }
}

}  // namespace kvarium
