#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_layers.hpp"
#include "python/bindings/kernel_section.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

/// The enumerator whose name stands at that place of `names`.
template <class Enum>
Enum named(const char* setting, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, name);
  KVARIUM_VALIDATE(found != names.end(), "unknown ", setting, " '", name, "'; use one of ", join(names));
  return static_cast<Enum>(found - names.begin());
}

/// Settings left open keep the defaults of ChecksumParameters; those that the family does not take are refused.
ChecksumParameters parameters_of(const std::string& family, std::optional<int> piece_width,
                                 const std::optional<std::string>& byte_order, std::optional<std::uint64_t> seed,
                                 std::optional<int> sampled_buffers, std::optional<int> edge_width,
                                 const std::optional<std::string>& canary_data) {
  ChecksumParameters parameters;
  if (piece_width) parameters.piece_width = *piece_width;
  if (byte_order) parameters.byte_order = named<ByteOrder>("byte_order", *byte_order, byte_order_names());
  if (seed) parameters.seed = *seed;
  if (sampled_buffers) parameters.sampled_buffers = *sampled_buffers;
  if (edge_width) parameters.edge_width = *edge_width;
  if (canary_data) parameters.canary_data = named<CanaryData>("canary_data", *canary_data, canary_data_names());
  for (const ChecksumSetting& setting : checksum_settings()) {
    const auto problem = checksum_setting_problem(family, setting, parameters);
    KVARIUM_VALIDATE(!problem, *problem);
  }
  return parameters;
}

/// Values [num_rows, words_per_row] uint64 of block rows over all layers.
py::array_t<std::uint64_t> run_checksum(const std::string& family_name, const CacheLayers& layers,
                                        const Array& block_ids, const Array& first_tokens, const Array& valid_tokens,
                                        const OptionalArray& token_ids, const ChecksumParameters& parameters) {
  const ChecksumFamily& family = checksum_families().at(family_name);
  const ChecksumRows rows{address<std::int64_t>(block_ids), address<std::int64_t>(first_tokens),
                          address<std::int64_t>(valid_tokens), block_ids.shape(0), address<std::int64_t>(token_ids)};
  const std::int64_t words = family.words_per_row(layers.layers(), parameters);
  std::vector<std::uint64_t> values;
  {
    const KernelSection section;
    values = family.compute(layers.layers(), rows, parameters);
  }
  py::array_t<std::uint64_t> result({rows.num_rows, words});
  std::ranges::copy(values, result.mutable_data());
  return result;
}

using FamilyRow = std::tuple<std::string, std::string, bool, bool, std::vector<std::string>, std::vector<std::string>>;

/// (name, description, masks_tail, beside_slots, blind_classes, settings)
std::vector<FamilyRow> list_families() {
  std::vector<FamilyRow> rows;
  for (const std::string& name : checksum_families().names()) {
    const ChecksumTraits traits = checksum_families().at(name).traits();
    rows.emplace_back(name, traits.description, traits.masks_tail, traits.beside_slots, traits.blind_classes,
                      traits.settings);
  }
  return rows;
}

}  // namespace

void bind_checksum_families(py::module_& module) {
  py::class_<CacheLayers>(module, "CacheLayers", "The caches of a model's layers with their places in it; no copy.")
      .def(py::init<std::vector<CacheArrays>, const std::vector<std::int64_t>&, std::int64_t>(), py::kw_only(),
           py::arg("caches"), py::arg("layers"), py::arg("first_head"));
  py::class_<ChecksumParameters>(module, "ChecksumParameters", "Settings of a checksum; None: its default.")
      .def(py::init(&parameters_of), py::kw_only(), py::arg("family"), py::arg("piece_width"), py::arg("byte_order"),
           py::arg("seed"), py::arg("sampled_buffers"), py::arg("edge_width"), py::arg("canary_data"));
  module.def("checksum", &run_checksum, py::kw_only(), py::arg("family"), py::arg("layers"),
             py::arg("block_ids").noconvert(), py::arg("first_tokens").noconvert(), py::arg("valid_tokens").noconvert(),
             py::arg("token_ids").noconvert(), py::arg("parameters"));
  module.def("checksum_families", &list_families);
}

}  // namespace kvarium::python
