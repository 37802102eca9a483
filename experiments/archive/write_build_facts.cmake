# Run at every build (cmake -P): writes OUTPUT from TEMPLATE, and only when something changed, so that a build without a
# new commit compiles nothing again.

set(COMMIT "unknown")
set(DIRTY -1)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" rev-parse HEAD
    OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(COMMIT "${commit}")
    execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(changes STREQUAL "")
      set(DIRTY 0)
    else()
      set(DIRTY 1)
    endif()
  endif()
endif()
foreach(name IN ITEMS VERSION BUILD_TYPE COMPILER COMPILER_FLAGS YAML_CPP_VERSION)
  string(REPLACE "\\" "\\\\" ${name} "${${name}}")
  string(REPLACE "\"" "\\\"" ${name} "${${name}}")
endforeach()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
