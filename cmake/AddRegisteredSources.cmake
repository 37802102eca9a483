# add_registered_sources(<target> REGISTRY <name> ITEM <type> HEADER <header> FILES <file>...)
#
# Adds the files to the target and generates the source of the function `register_<name>(Registry<ITEM>&)`, which
# calls `register_<file name>` of every file in list order. No static initialisers: a linker drops them
# silently from a static library.
function(add_registered_sources target)
  cmake_parse_arguments(ARG "" "REGISTRY;ITEM;HEADER" "FILES" ${ARGN})
  set(declarations "")
  set(calls "")
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(name "${file}" NAME_WE)
    string(APPEND declarations "void register_${name}(Registry<${ARG_ITEM}>& registry);\n")
    string(APPEND calls "  register_${name}(registry);\n")
  endforeach()
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/register_${ARG_REGISTRY}.cpp")
  file(CONFIGURE OUTPUT "${generated}" @ONLY CONTENT
"// Generated from the file list in CMakeLists.txt.
#include \"@ARG_HEADER@\"

namespace kvarium {

@declarations@
void register_@ARG_REGISTRY@(Registry<@ARG_ITEM@>& registry) {
@calls@}

}  // namespace kvarium
")
  target_sources(${target} PRIVATE ${ARG_FILES} "${generated}")
endfunction()
