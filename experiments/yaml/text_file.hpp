#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kvarium {

/// The whole text of a file of at most 16 MiB.
/// Errors: InputError when it is missing, a folder, unreadable or larger.
std::string read_text_file(const std::filesystem::path& path);

/// Errors: InputError with line and column of the first byte that is not UTF-8 text (or a control character).
void validate_text(std::string_view text, const std::string& source);

}  // namespace kvarium
