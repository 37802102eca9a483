#pragma once

#include <filesystem>
#include <functional>

namespace kvarium {

/// Runs `read` in a child process first. HDF5 1.10 trusts much of what stands in a file: damage in its heaps or object
/// headers makes it read wild addresses, which no check of ours can foresee. Exceptions of `read` are left to the
/// caller, who reads again. Errors: InputError (naming `path`) when the child crashes, or takes longer than any whole
/// file would.
void probe_hdf5(const std::filesystem::path& path, const std::function<void()>& read);

}  // namespace kvarium
