#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.hpp"

namespace kvarium {

/// Named things of one kind, in the order they were registered. Registration touches no device.
/// Errors: empty and duplicate names and unknown look-ups throw InputError.
template <class Item>
class Registry {
 public:
  explicit Registry(std::string what) : what_(std::move(what)) {}

  /// Adds `item` under `name`. Errors: InputError for an empty or known name.
  void add(std::string name, std::unique_ptr<Item> item) {
    KVARIUM_VALIDATE(!name.empty(), what_, " has an empty name; give it one");
    KVARIUM_VALIDATE(find(name) == nullptr, what_, " '", name, "' is registered twice; rename one");
    names_.push_back(std::move(name));
    items_.push_back(std::move(item));
  }

  /// The item called `name`. Errors: InputError that lists the known names.
  const Item& at(std::string_view name) const {
    const Item* item = find(name);
    KVARIUM_VALIDATE(item != nullptr, "unknown ", what_, " '", name, "'; use one of ", join(names_));
    return *item;
  }

  /// The item called `name`, or nullptr.
  const Item* find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return items_[i].get();
    }
    return nullptr;
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::string& what() const { return what_; }

 private:
  std::string what_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace kvarium
