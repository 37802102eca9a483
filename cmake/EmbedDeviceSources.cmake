# embed_device_sources(<target>)
#
# Builds the text of every .cuh file under the current folder into the target, behind `device_sources()` of
# kernels/cuda/device_sources.hpp. Also run as a script that writes the generated source.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(embed_device_sources_script "${CMAKE_CURRENT_LIST_FILE}")

  function(embed_device_sources target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cuh")
    list(SORT files)
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/device_sources_data.cpp")
    # A file for the list: a command line could grow too long.
    set(list "${CMAKE_CURRENT_BINARY_DIR}/device_sources.txt")
    string(REPLACE ";" "\n" lines "${files}")
    file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
    add_custom_command(
      OUTPUT "${generated}"
      COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DLIST=${list}" "-DOUTPUT=${generated}"
              -P "${embed_device_sources_script}"
      DEPENDS ${files} "${list}" "${embed_device_sources_script}"
      COMMENT "Embedding device sources"
      VERBATIM)
    target_sources(${target} PRIVATE "${generated}")
  endfunction()
  return()
endif()

set(items "")
file(STRINGS "${LIST}" files)
foreach(file IN LISTS files)
  file(RELATIVE_PATH path "${ROOT}" "${file}")
  # Read as hexadecimal digits: text would lose semicolons and brackets to CMake's lists.
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${path}" name)
  string(APPEND texts "constexpr char ${name}[] = {\n${bytes}};\n")
  string(APPEND items "      {\"${path}\", {${name}, sizeof(${name})}},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from the .cuh files.
#include \"kernels/cuda/device_sources.hpp\"

namespace kvarium {
namespace {

${texts}
}  // namespace

const std::vector<DeviceSource>& device_sources() {
  static const std::vector<DeviceSource> sources{
${items}  };
  return sources;
}

}  // namespace kvarium
")
