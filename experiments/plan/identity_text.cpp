#include "experiments/plan/identity_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/plan/canonical_json.hpp"

namespace kvarium {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    parts.push_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  parts.push_back(path);
  return parts;
}

/// Separates a key from what stands before it.
void append_key(std::string_view key, std::string& out) {
  if (out.back() != '{') out += ',';
  append_canonical_text(key, out);
  out += ':';
}

/// `,"device":...}`: what follows `base`, whose name sorts before all others'.
std::string text_after_base(const PointConfig& point) {
  const nlohmann::json others{
      {"schema", experiment_schema}, {"kind", point.kind}, {"seed", point.seed}, {"device", to_string(point.device)}};
  return "," + canonical_json(others).substr(1);
}

}  // namespace

IdentityText::IdentityText(PointConfig& point, const std::vector<const Field*>& changing)
    : after_base_(text_after_base(point)) {
  const auto changes = [&](const Field& field) { return std::ranges::find(changing, &field) != changing.end(); };
  const std::vector<Field>& fields = base_fields().fields();
  const std::vector<FieldPointer> members = field_pointers(point.base);
  const bool has_presets = point.base.fault.preset != "none" ||
                           changes(fields[static_cast<std::size_t>(base_fields().find("fault.preset"))]);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_of_preset = has_presets && fields[i].path.starts_with("fault.");
    if (!changes(fields[i]) && !is_of_preset && get_value(members[i]) == fields[i].default_value) continue;
    keys_.push_back({split(fields[i].path), members[i], &fields[i].default_value});
  }
  // Names are ASCII, whose order in UTF-16 is that of their bytes.
  std::ranges::sort(keys_, {}, &Key::path);
}

void IdentityText::move_to(const Key& key) {
  const std::size_t num_sections = key.path.size() - 1;
  std::size_t common = 0;
  while (common < std::min(num_sections, open_.size()) && open_[common] == key.path[common]) ++common;
  text_.append(open_.size() - common, '}');
  open_.resize(common);
  for (; common < num_sections; ++common) {
    append_key(key.path[common], text_);
    text_ += '{';
    open_.push_back(key.path[common]);
  }
}

const std::string& IdentityText::text() {
  text_ = "{\"base\":{";
  open_.clear();
  for (const Key& key : keys_) {
    const FieldValue value = get_value(key.member);
    if (value == *key.default_value) continue;
    move_to(key);
    append_key(key.path.back(), text_);
    append_canonical_value(value, text_);
  }
  text_.append(open_.size() + 1, '}');
  return text_ += after_base_;
}

}  // namespace kvarium
