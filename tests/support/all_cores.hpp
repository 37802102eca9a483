#pragma once

#include <cstddef>
#include <functional>

namespace kvarium::test {

/// Calls `work` with 0 to count - 1, in any order, from as many threads as there are cores; returns when all is done.
/// `work` throws nothing.
void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace kvarium::test
