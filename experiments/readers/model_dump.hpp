#pragma once

#include <filesystem>

#include "sim/contents/model_dump.hpp"

namespace kvarium {

/// Reads a model dump (HDF5): datasets /key, /value [num_layers, num_tokens, num_kv_heads, head_size], /query
/// [num_layers, num_tokens, num_heads, head_size] of any floating-point type, or uint16 holding bfloat16 where the
/// attribute element_type says so; /token_ids [num_tokens]; attributes model, element_type, scale.
/// NaN is kept and counted: caches of real models may hold it.
/// Errors: InputError that names file and dataset when the file is missing, damaged or no dump, or when types or
/// shapes do not fit each other.
ModelDump read_model_dump(const std::filesystem::path& path);

}  // namespace kvarium
