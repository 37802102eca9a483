#include "experiments/commands/listings.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "experiments/commands/text_table.hpp"
#include "experiments/commands/tuning_listing.hpp"
#include "experiments/config/devices.hpp"
#include "experiments/config/field_table.hpp"
#include "experiments/config/number_text.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/layers_checksum.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/fault_presets.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

/// One row for each item of a registry.
template <class Item, class Row>
Json list_registry(const Registry<Item>& registry, Row row) {
  Json rows = Json::array();
  for (const std::string& name : registry.names()) {
    Json item{{"name", name}};
    item.update(row(registry.at(name)));
    rows.push_back(std::move(item));
  }
  return rows;
}

Json list_variants() {
  return list_registry(attention_families(), [](const AttentionFamily& family) -> Json {
    const AttentionTraits traits = family.traits();
    return {{"device", to_string(traits.device)},
            {"batch_invariant", traits.batch_invariant},
            {"uses_block_n", traits.uses_block_n},
            {"description", traits.description}};
  });
}

Json list_checksums() {
  return list_registry(checksum_families(), [](const ChecksumFamily& family) -> Json {
    const ChecksumTraits traits = family.traits();
    return {{"bits", traits.width_bits},       {"order_sensitive", traits.order_sensitive},
            {"additive", traits.additive},     {"layout_independent", traits.layout_independent},
            {"masks_tail", traits.masks_tail}, {"implementations", layers_checksum_families().names()},
            {"settings", traits.settings},     {"description", traits.description},
            {"blind_to", traits.blind_classes}};
  });
}

Json list_faults() {
  return list_registry(fault_models(), [](const FaultModel& model) -> Json {
    const FaultTraits traits = model.traits();
    return {{"class", traits.fault_class}, {"settings", traits.parameter_names}, {"description", traits.description}};
  });
}

Json list_presets() {
  Json rows = Json::array();
  for (const FaultPreset& preset : fault_presets()) {
    Json settings = Json::array();
    for (const FaultParameterInfo& info : fault_parameter_infos()) {
      if (!info.is_default(preset.parameters)) settings.push_back(info.name + "=" + info.text(preset.parameters));
    }
    rows.push_back({{"name", preset.name},
                    {"model", preset.model},
                    {"settings", settings},
                    {"description", preset.description},
                    {"source", preset.source}});
  }
  return rows;
}

Json list_kinds() {
  return list_registry(experiment_kinds(), [](const ExperimentKind& kind) -> Json {
    return {{"description", kind.description()}};
  });
}

Json list_devices() {
  Json rows = Json::array();
  for (const DeviceStatus& status : device_statuses()) {
    rows.push_back({{"name", to_string(status.device)},
                    {"configured", status.is_configured},
                    {"description", status.description},
                    {"reason", status.reason}});
  }
  return rows;
}

/// Values a key takes, as far as they can be listed.
Json allowed_values(const FieldInfo& info) {
  if (info.choices) return info.choices();
  if (!info.rule.empty()) return {info.rule};
  std::vector<std::string> bounds;
  if (!std::isinf(info.minimum)) bounds.push_back("from " + number_text(info.minimum));
  if (!std::isinf(info.maximum)) bounds.push_back("to " + number_text(info.maximum));
  return bounds;
}

Json list_keys() {
  Json rows = Json::array();
  for (const Field& field : experiment_fields().fields()) {
    rows.push_back({{"name", field.path},
                    {"default", field.info.required ? "(required)" : to_string(field.default_value)},
                    {"unit", field.info.unit},
                    {"description", field.info.description},
                    {"takes", to_string(field.type)},
                    {"allowed", allowed_values(field.info)}});
  }
  return rows;
}

std::string cell_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_array()) return join(value.get<std::vector<std::string>>(), "; ");
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

const std::vector<Listing>& listings() {
  static const std::vector<Listing> all{
      {"variants", "Attention families", list_variants},
      {"checksums", "Checksum families and what each promises", list_checksums},
      {"faults", "Fault models and the settings each takes", list_faults},
      {"presets", "Faults with settings that something measured or reported gives them", list_presets},
      {"kinds", "Kinds of experiment", list_kinds},
      {"devices", "Where kernels can run", list_devices},
      {"tunings", "What variant.family auto consults on this machine", list_tunings},
      {"keys", "Keys of an experiment file, beside sweep", list_keys},
  };
  return all;
}

std::string listing_text(const Json& rows) {
  if (rows.empty()) return "none\n";
  std::vector<std::string> headings;
  for (const auto& [key, value] : rows.front().items()) headings.push_back(key);
  TextTable table(headings);
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const Json& value : row) cells.push_back(cell_text(value));
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace kvarium
