# add_build_facts(<target>): compiles the facts that build_facts() returns into the target.
function(add_build_facts target)
  set(folder "${PROJECT_SOURCE_DIR}/experiments/archive")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/build_facts.cpp")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_target_property(options kvarium_options INTERFACE_COMPILE_OPTIONS)
  string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1" options "${options}")
  string(REPLACE ";" " " options "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}} ${options}")
  # Archives may be published: the last name of each path is enough.
  string(REGEX REPLACE "/[^ =:]*/" "" options "${options}")
  string(STRIP "${options}" options)
  add_custom_target(kvarium_build_facts
    COMMAND ${CMAKE_COMMAND}
      "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DTEMPLATE=${folder}/build_facts.cpp.in" "-DOUTPUT=${generated}"
      "-DVERSION=${PROJECT_VERSION}" "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
      "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DCOMPILER_FLAGS=${options}"
      "-DYAML_CPP_VERSION=${yaml-cpp_VERSION}"
      -P "${folder}/write_build_facts.cmake"
    BYPRODUCTS "${generated}"
    COMMENT "Noting commit and compiler"
    VERBATIM)
  add_dependencies(${target} kvarium_build_facts)
  target_sources(${target} PRIVATE "${generated}")
endfunction()
