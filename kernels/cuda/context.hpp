#pragma once

#include "kernels/cuda/device_profile.hpp"

namespace kvarium {

/// Makes sure that this thread has a CUDA context: the current one where there is one (another library may have made
/// it), else the primary context of the first device, kept for the life of the process. Returns its handle. Cheap when
/// there is one. Errors: NotConfigured without a device, DriverError.
void* ensure_context();

/// Limits of the device of this thread's context. Errors as `ensure_context`.
const DeviceProfile& current_device();

}  // namespace kvarium
