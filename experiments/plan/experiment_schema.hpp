#pragma once

#include <nlohmann/json_fwd.hpp>

namespace kvarium {

/// JSON Schema (draft 2020-12) of experiment files, made from the descriptions of their keys: types, bounds, choices,
/// defaults and what each key means. It allows all that this build's reader does; combinations of values, and values
/// that stand twice, are left to the reader. Source: https://json-schema.org/draft/2020-12/schema.
nlohmann::ordered_json experiment_schema_json();

}  // namespace kvarium
