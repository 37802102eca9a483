#include "experiments/config/field_table.hpp"

#include <algorithm>

#include "experiments/config/describe_experiment.hpp"

namespace kvarium {
namespace {

/// Upper bound that the member's own type sets.
double type_maximum(const FieldPointer& pointer) {
  return std::holds_alternative<int*>(pointer) ? std::numeric_limits<int>::max()
                                               : std::numeric_limits<double>::infinity();
}

/// Lists keys with their descriptions.
class FieldLister {
 public:
  template <class Member>
  void field(std::string_view name, Member& member, FieldInfo info) {
    const FieldPointer pointer(&member);
    info.maximum = std::min(info.maximum, type_maximum(pointer));
    fields_.push_back({prefix_ + std::string(name), type_of(pointer), info, get_value(pointer)});
  }

  template <class Section>
  void section(std::string_view name, Section& section) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    describe_fields(*this, section);
    prefix_ = outer;
  }

  std::vector<Field> take() { return std::move(fields_); }

 private:
  std::string prefix_;
  std::vector<Field> fields_;
};

/// Lists members without their descriptions.
class PointerLister {
 public:
  template <class Member>
  void field(std::string_view, Member& member, const FieldInfo&) {
    pointers_.emplace_back(&member);
  }

  template <class Section>
  void section(std::string_view, Section& section) {
    describe_fields(*this, section);
  }

  std::vector<FieldPointer> take() { return std::move(pointers_); }

 private:
  std::vector<FieldPointer> pointers_;
};

template <class Lister, class Config>
auto list(Config& config) {
  Lister lister;
  describe_fields(lister, config);
  return lister.take();
}

template <class Config>
FieldTable make_table() {
  Config config;
  return FieldTable(list<FieldLister>(config));
}

}  // namespace

std::ptrdiff_t FieldTable::find(std::string_view path) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].path == path) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

std::vector<std::string> FieldTable::children(std::string_view section) const {
  const std::string prefix = section.empty() ? "" : std::string(section) + ".";
  std::vector<std::string> names;
  for (const Field& field : fields_) {
    if (!field.path.starts_with(prefix)) continue;
    const std::string rest = field.path.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> FieldTable::paths() const {
  std::vector<std::string> paths;
  for (const Field& field : fields_) paths.push_back(field.path);
  return paths;
}

const FieldTable& base_fields() {
  static const FieldTable table = make_table<BaseConfig>();
  return table;
}

const FieldTable& experiment_fields() {
  static const FieldTable table = make_table<ExperimentConfig>();
  return table;
}

std::vector<FieldPointer> field_pointers(BaseConfig& base) { return list<PointerLister>(base); }

std::vector<FieldPointer> field_pointers(ExperimentConfig& experiment) { return list<PointerLister>(experiment); }

}  // namespace kvarium
