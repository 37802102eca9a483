#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/device_checksum.hpp"
#include "kernels/checksums/layers_checksum.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_arrays.hpp"
#include "python/bindings/device_section.hpp"
#include "python/bindings/kernel_section.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

/// Arrays [num_rows] int64 of block rows; no copy.
struct RowArrays {
  Array block_ids;
  Array first_tokens;
  Array valid_tokens;

  ChecksumRows rows() const {
    return {address<std::int64_t>(block_ids), address<std::int64_t>(first_tokens), address<std::int64_t>(valid_tokens),
            block_ids.shape(0)};
  }
};

PieceView piece_view(const Array& pieces) {
  PieceView view;
  view.shape = {pieces.shape(0), pieces.shape(1), pieces.shape(2), pieces.shape(3), pieces.shape(4)};
  view.strides = {element_stride(pieces, 0), element_stride(pieces, 1), element_stride(pieces, 2),
                  element_stride(pieces, 3), element_stride(pieces, 4)};
  view.piece_width = static_cast<int>(pieces.itemsize());
  return view;
}

/// Rows of `layers` [num_layers, 3] int64 with the addresses given beside it.
std::vector<ChecksumLayer> layers_of(const Array& layers, const std::vector<std::int64_t>& addresses) {
  const auto* values = address<std::int64_t>(layers);
  std::vector<ChecksumLayer> list;
  for (const std::int64_t layer_address : addresses) {
    list.push_back({layer_address, values[1], values[2]});
    values += 3;
  }
  return list;
}

LayersChecksumArguments arguments_of(const Array& pieces, const RowArrays& rows, const Array& out, bool aligned) {
  LayersChecksumArguments arguments;
  arguments.pieces = piece_view(pieces);
  arguments.rows = rows.rows();
  arguments.out = address<std::uint64_t>(out);
  arguments.num_columns = out.shape(1);
  if (out.shape(0) > 1) arguments.out_stride = element_stride(out, 0);
  arguments.aligned = aligned;
  return arguments;
}

void run_layers_checksum(const Array& pieces, const Array& layers, const std::vector<std::int64_t>& addresses,
                         const RowArrays& rows, const Array& out, bool aligned) {
  const std::vector<ChecksumLayer> list = layers_of(layers, addresses);
  LayersChecksumArguments arguments = arguments_of(pieces, rows, out, aligned);
  arguments.layers = list.data();
  arguments.num_layers = static_cast<std::int64_t>(list.size());
  const KernelSection section;
  layers_checksum(arguments);
}

void run_layers_checksum_on_device(const Array& pieces, const Array& layers, const RowArrays& rows, const Array& out,
                                   bool aligned, const DevicePlace& place) {
  static_assert(sizeof(ChecksumLayer) == 3 * sizeof(std::int64_t));
  LayersChecksumArguments arguments = arguments_of(pieces, rows, out, aligned);
  arguments.layers = address<ChecksumLayer>(layers);
  arguments.num_layers = layers.shape(0);
  DeviceChecksumSettings settings;
  settings.stream = place.handle();
  const DeviceSection section(place);
  layers_checksum_on_device(arguments, settings);
}

void sum_on_device(const std::vector<CacheLayer>& layers, const RowArrays& rows, const Array& out, int piece_width,
                   const DevicePlace& place) {
  DeviceChecksumCall call;
  call.layers = &layers;
  call.rows = rows.rows();
  call.out = address<std::uint64_t>(out);
  call.settings.piece_width = piece_width;
  call.settings.stream = place.handle();
  const DeviceSection section(place);
  device_checksums().at("weighted_sum").run(call);
}

void run_weighted_sum(const CacheArrays& cache, const RowArrays& rows, const Array& out, std::int64_t layer,
                      std::int64_t first_head, int piece_width, const DevicePlace* place) {
  if (place != nullptr) return sum_on_device({{cache.view, layer, first_head}}, rows, out, piece_width, *place);
  ChecksumParameters parameters;
  parameters.piece_width = piece_width;
  auto* sums = address<std::uint64_t>(out);
  const ChecksumRows block_rows = rows.rows();
  const KernelSection section;
  const std::vector<std::uint64_t> values =
      checksum_families().at("weighted_sum").compute({{cache.view, layer, first_head}}, block_rows, parameters);
  std::copy(values.begin(), values.end(), sums);
}

}  // namespace

void bind_checksums(py::module_& module) {
  py::class_<RowArrays>(module, "RowArrays", "Block rows to be summed, arrays [num_rows] int64; no copy.")
      .def(py::init<Array, Array, Array>(), py::kw_only(), py::arg("block_ids").noconvert(),
           py::arg("first_tokens").noconvert(), py::arg("valid_tokens").noconvert());
  module.def("layers_checksum", &run_layers_checksum, py::kw_only(), py::arg("pieces").noconvert(),
             py::arg("layers").noconvert(), py::arg("addresses"), py::arg("rows"), py::arg("out").noconvert(),
             py::arg("aligned"));
  module.def("weighted_sum", &run_weighted_sum, py::kw_only(), py::arg("cache"), py::arg("rows"),
             py::arg("out").noconvert(), py::arg("layer"), py::arg("first_head"), py::arg("piece_width"),
             py::arg("place"));
  module.def("layers_checksum_on_device", &run_layers_checksum_on_device, py::kw_only(), py::arg("pieces").noconvert(),
             py::arg("layers").noconvert(), py::arg("rows"), py::arg("out").noconvert(), py::arg("aligned"),
             py::arg("place"));
}

}  // namespace kvarium::python
