#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/config/field_table.hpp"

namespace kvarium {

/// Writes identity_json() of points that differ in few keys of `base`, many times faster than each from its own start.
class IdentityText {
 public:
  /// `point` is looked at whenever a text is asked for, and must live as long; between two texts only the `changing`
  /// keys of its `base` change, and what a fault preset stands for.
  IdentityText(PointConfig& point, const std::vector<const Field*>& changing);

  /// The text for the point as it is now; valid until the next call.
  const std::string& text();

 private:
  /// A key that may differ from its default.
  struct Key {
    std::vector<std::string_view> path;  ///< sections, then the key itself
    FieldPointer member;
    const FieldValue* default_value = nullptr;
  };

  /// Closes and opens sections so that `key` can follow.
  void move_to(const Key& key);

  std::vector<Key> keys_;  ///< in the order of canonical JSON
  std::string after_base_;
  std::vector<std::string_view> open_;
  std::string text_;
};

}  // namespace kvarium
