#pragma once

#include <CLI/App.hpp>
#include <string>

namespace kvarium {

/// What is wrong with a command line that `program` could not parse, in one line that ends in where to read more. A
/// word nobody knows is named first: what is missing beside it is often only its consequence.
std::string argument_problem(const CLI::App& program, const CLI::ParseError& error);

}  // namespace kvarium
