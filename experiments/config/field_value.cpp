#include "experiments/config/field_value.hpp"

#include "experiments/config/number_text.hpp"

namespace kvarium {
namespace {

struct TextOf {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

std::string to_string(FieldType type) {
  switch (type) {
    case FieldType::boolean:
      return "true or false";
    case FieldType::integer:
      return "an integer";
    case FieldType::number:
      return "a number";
    case FieldType::text:
      return "a text";
  }
  return "a value";
}

std::string to_string(const FieldValue& value) { return std::visit(TextOf{}, value); }

}  // namespace kvarium
