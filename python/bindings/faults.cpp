#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/check.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_layers.hpp"
#include "python/bindings/kernel_section.hpp"
#include "sim/faults/earlier_caches.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

using Setting = std::variant<std::int64_t, double, std::string>;

/// Assigns one setting by name. Errors: InputError for an unknown name or a value of another kind.
void set(FaultParameters& parameters, const std::string& name, const Setting& value) {
  const auto assign = [&](auto member) {
    using Wanted = std::remove_reference_t<decltype(parameters.*member)>;
    if constexpr (std::is_same_v<Wanted, double>) {
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        parameters.*member = static_cast<double>(*integer);
        return;
      }
    }
    const auto* given = std::get_if<Wanted>(&value);
    const char* kind = std::is_same_v<Wanted, std::string> ? "a text" : "a number";
    KVARIUM_VALIDATE(given != nullptr, "fault setting ", name, " is of another kind; pass ", kind);
    parameters.*member = *given;
  };
  std::visit(assign, fault_parameter_info(name).member);
}

/// A batch's caches and tables, open to faults; the arrays are written in place and live as long as this.
class FaultScene {
 public:
  FaultScene(const CacheLayers& layers, const std::optional<CacheLayers>& earlier, Array block_tables, Array seq_lens,
             OptionalArray read_lengths, std::int64_t sliding_window)
      : layers_(layers),
        views_(layers_.views()),
        earlier_arrays_(earlier),
        block_tables_(std::move(block_tables)),
        seq_lens_(std::move(seq_lens)),
        read_lengths_(std::move(read_lengths)) {
    if (earlier_arrays_) earlier_ = std::make_unique<EarlierCaches>(earlier_arrays_->views());
    target_ = std::make_unique<FaultTarget>(attended(sliding_window));
  }

  const FaultTarget& target() const { return *target_; }

 private:
  AttendedCache attended(std::int64_t sliding_window) const {
    AttendedCache cache;
    cache.layers = views_;
    cache.block_tables =
        BlockTableView(address<std::int32_t>(block_tables_), static_cast<std::size_t>(block_tables_.shape(0)),
                       static_cast<std::size_t>(block_tables_.shape(1)));
    cache.seq_lens = address<std::int32_t>(seq_lens_);
    cache.sliding_window = sliding_window;
    cache.earlier = earlier_.get();
    cache.read_lengths = address<std::int32_t>(read_lengths_);
    return cache;
  }

  CacheLayers layers_;
  std::vector<PagedCacheView> views_;
  std::optional<CacheLayers> earlier_arrays_;
  Array block_tables_, seq_lens_;
  OptionalArray read_lengths_;
  std::unique_ptr<EarlierCaches> earlier_;
  std::unique_ptr<FaultTarget> target_;
};

/// Which of a model's faults is injected.
struct TrialNumbers {
  std::uint64_t seed = 0;
  std::uint64_t stimulus = 0;
  std::uint64_t trial = 0;
};

/// The record, or None and why the fault cannot apply.
std::pair<std::optional<FaultRecord>, std::string> inject(const FaultScene& scene, const std::string& model,
                                                          const std::map<std::string, Setting>& settings,
                                                          const TrialNumbers& numbers) {
  FaultParameters parameters;
  for (const auto& [name, value] : settings) set(parameters, name, value);
  const CounterRandom random = random_for(RandomPurpose::fault, {numbers.seed, numbers.stimulus}, numbers.trial);
  const KernelSection section;
  FaultOutcome outcome = inject_fault(model, scene.target(), parameters, random);
  return {std::move(outcome.record), std::move(outcome.not_applicable)};
}

/// One number of every change, [num_changes].
template <class Change, class Number>
py::array_t<Number> column(const std::vector<Change>& changes, Number Change::*member) {
  py::array_t<Number> numbers(std::ssize(changes));
  Number* next = numbers.mutable_data();
  for (const Change& change : changes) *next++ = change.*member;
  return numbers;
}

py::dict byte_changes(const FaultRecord& record) {
  py::dict columns;
  columns["layer"] = column(record.changes, &ByteChange::layer);
  columns["block"] = column(record.changes, &ByteChange::block);
  columns["kv_head"] = column(record.changes, &ByteChange::kv_head);
  columns["token"] = column(record.changes, &ByteChange::token);
  columns["byte"] = column(record.changes, &ByteChange::byte);
  columns["before"] = column(record.changes, &ByteChange::before);
  columns["after"] = column(record.changes, &ByteChange::after);
  return columns;
}

using TableRow = std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, bool>;

std::vector<TableRow> table_changes(const FaultRecord& record) {
  std::vector<TableRow> rows;
  for (const TableChange& change : record.table_changes) {
    rows.emplace_back(change.sequence, change.logical_block, change.before, change.after, change.brings_record);
  }
  return rows;
}

using ModelRow = std::tuple<std::string, std::string, std::string, std::vector<std::string>, std::vector<std::string>>;

/// (name, description, fault class, settings, stages)
std::vector<ModelRow> list_models() {
  std::vector<ModelRow> rows;
  for (const std::string& name : fault_models().names()) {
    const FaultTraits traits = fault_models().at(name).traits();
    std::vector<std::string> stages;
    for (const FaultStage stage : traits.stages) stages.push_back(to_string(stage));
    rows.emplace_back(name, traits.description, traits.fault_class, traits.parameter_names, stages);
  }
  return rows;
}

void bind_fault_record(py::module_& module) {
  py::class_<FaultRecord>(module, "FaultRecord", "What a fault did; its numbers as in sim/faults/fault_record.hpp.")
      .def_readonly("model", &FaultRecord::model)
      .def_readonly("detail", &FaultRecord::detail)
      .def_property_readonly(
          "struck",
          [](const FaultRecord& record) { return struck_thing_names().at(static_cast<std::size_t>(record.struck)); })
      .def_readonly("layer", &FaultRecord::layer)
      .def_readonly("sequence", &FaultRecord::sequence)
      .def_readonly("logical_block", &FaultRecord::logical_block)
      .def_readonly("physical_block", &FaultRecord::physical_block)
      .def_readonly("kv_head", &FaultRecord::kv_head)
      .def_readonly("token", &FaultRecord::token)
      .def_property_readonly("tensor", [](const FaultRecord& record) { return to_string(record.tensor); })
      .def_readonly("byte", &FaultRecord::byte)
      .def_readonly("bit", &FaultRecord::bit)
      .def_property_readonly("field", [](const FaultRecord& record) { return to_string(record.field); })
      .def_readonly("before", &FaultRecord::before)
      .def_readonly("after", &FaultRecord::after)
      .def_readonly("num_changed_bytes", &FaultRecord::num_changed_bytes)
      .def_readonly("num_changed_attended_bytes", &FaultRecord::num_changed_attended_bytes)
      .def_readonly("num_struck_blocks", &FaultRecord::num_struck_blocks)
      .def_readonly("first_token", &FaultRecord::first_token)
      .def_readonly("last_token", &FaultRecord::last_token)
      .def("byte_changes", &byte_changes)
      .def("table_changes", &table_changes);
}

}  // namespace

void bind_faults(py::module_& module) {
  bind_fault_record(module);
  py::class_<FaultScene>(module, "FaultScene", "A batch's caches and tables, open to faults; written in place.")
      .def(py::init<const CacheLayers&, const std::optional<CacheLayers>&, Array, Array, OptionalArray, std::int64_t>(),
           py::kw_only(), py::arg("layers"), py::arg("earlier"), py::arg("block_tables").noconvert(),
           py::arg("seq_lens").noconvert(), py::arg("read_lengths").noconvert(), py::arg("sliding_window"))
      .def(
          "inject",
          [](const FaultScene& scene, const std::string& model, const std::map<std::string, Setting>& settings,
             std::uint64_t seed, std::uint64_t stimulus, std::uint64_t trial) {
            return inject(scene, model, settings, {seed, stimulus, trial});
          },
          py::arg("model"), py::arg("settings"), py::kw_only(), py::arg("seed"), py::arg("stimulus"), py::arg("trial"))
      .def("apply", [](const FaultScene& scene, const FaultRecord& record) { apply(record, scene.target()); })
      .def("revert", [](const FaultScene& scene, const FaultRecord& record) { revert(record, scene.target()); });
  module.def("fault_models", &list_models);
}

}  // namespace kvarium::python
