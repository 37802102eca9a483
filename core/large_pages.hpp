#pragma once

#include <cstddef>

namespace kvarium {

/// Asks the operating system for large pages behind memory that nobody has touched yet: KV blocks lie in
/// random order, and with 4-KiB pages every block of 4 KiB costs a page walk. A hint; does nothing
/// where the system has no such thing.
void request_large_pages(std::byte* data, std::size_t bytes);

}  // namespace kvarium
