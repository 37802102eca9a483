#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kvarium {

/// Something `kvarium list` shows.
struct Listing {
  std::string name;
  std::string description;
  /// Rows as objects with equal keys.
  nlohmann::ordered_json (*rows)();
};

/// variants, checksums, faults, kinds, devices, tunings, keys.
const std::vector<Listing>& listings();

/// Rows as a table of texts: lists joined, true and false as yes and no.
std::string listing_text(const nlohmann::ordered_json& rows);

}  // namespace kvarium
