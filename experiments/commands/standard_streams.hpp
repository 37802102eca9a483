#pragma once

#include <string>

namespace kvarium {

/// Prepares the process for whatever its three standard streams are: no file it opens takes the number of a closed one
/// (output would end up in it), and a file-size limit makes writing fail instead of ending the program.
void prepare_standard_streams();

/// Prints each line of `message` as an error of the program. An error stream that takes no more is no error itself.
void print_error(const std::string& message);

/// Whether all that was printed reached standard output.
bool is_output_written();

}  // namespace kvarium
