#include "experiments/commands/command_line.hpp"
#include "experiments/commands/standard_streams.hpp"

int main(int argc, char** argv) {
  kvarium::prepare_standard_streams();
  return kvarium::run_command_line({argv, argv + argc});
}
