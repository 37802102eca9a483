#include "experiments/commands/command_line.hpp"

int main(int argc, char** argv) { return kvarium::run_command_line({argv, argv + argc}); }
