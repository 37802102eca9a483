#include "experiments/yaml/yaml_parser.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "core/check.hpp"
#include "experiments/yaml/text_file.hpp"
#include "experiments/yaml/yaml_builder.hpp"

namespace kvarium {
namespace {

/// Without white space at the end: the library misses the end of a quoted text that no quote closes unless the
/// document ends in that very line.
std::string trim_end(const std::string& text) { return text.substr(0, text.find_last_not_of(" \t\r\n") + 1); }

YamlNode parse_document(const std::string& text, const std::string& source, ErrorList& errors) {
  std::istringstream stream(trim_end(text));
  YAML::Parser parser(stream);
  YamlBuilder builder(source, errors);
  KVARIUM_VALIDATE(parser.HandleNextDocument(builder), source, ": holds no YAML document; write one");
  YamlNode document = builder.take_document();
  if (parser.HandleNextDocument(builder)) {
    errors.add(builder.document_place(), "a second YAML document begins", "keep one document in a file");
  }
  return document;
}

Place end_of(const std::string& text, const std::string& source) {
  const std::size_t line_start = text.rfind('\n') + 1;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return {source, static_cast<int>(lines) + 1, static_cast<int>(text.size() - line_start) + 1};
}

/// Where the library found the error; what lacks its end it reports at the text's start.
Place place_of(const YAML::Exception& error, const std::string& text, const std::string& source) {
  const bool lacks_end = error.mark.line == 0 && error.mark.column == 0 && error.msg.starts_with("end of ");
  return lacks_end ? end_of(text, source) : Place{source, error.mark.line + 1, error.mark.column + 1};
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& source, ErrorList& errors) {
  validate_text(text, source);
  try {
    return parse_document(text, source, errors);
  } catch (const YAML::Exception& error) {
    throw InputError(to_string(place_of(error, trim_end(text), source)) + ": not valid YAML (" + error.msg +
                     "); correct it there");
  }
}

}  // namespace kvarium
