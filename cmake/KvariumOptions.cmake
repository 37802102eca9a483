# Options of the build, and the target `kvarium::options` that carries language level, warnings and instrumentation.

option(KVARIUM_ASSERTIONS "Check KVARIUM_EXPECT and KVARIUM_ENSURE" OFF)
option(KVARIUM_NATIVE "Compile for the processor of this machine" ON)
option(KVARIUM_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
option(KVARIUM_PYTHON "Build the Python package" OFF)
option(KVARIUM_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(KVARIUM_CUDA "Have families for CUDA; compiler and driver are opened at run time, a build needs neither" ON)
set(KVARIUM_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (empty: none)")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(kvarium_options INTERFACE)
add_library(kvarium::options ALIAS kvarium_options)
set_target_properties(kvarium_options PROPERTIES EXPORT_NAME options)
target_compile_features(kvarium_options INTERFACE cxx_std_20)
# The compiler's vector types change their calling convention with the instruction set; none crosses a library border.
target_compile_options(kvarium_options INTERFACE
  $<BUILD_INTERFACE:-Wno-psabi;-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>)
# Messages of the CUDA driver and of assertions name a source file, and archives keep them: without the tree's folder.
target_compile_options(kvarium_options INTERFACE
  $<BUILD_INTERFACE:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# GCC 12 sees overlapping copies in std::string's operator+ that are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(kvarium_options INTERFACE $<BUILD_INTERFACE:-Wno-restrict>)
endif()
if(KVARIUM_WARNINGS_AS_ERRORS)
  target_compile_options(kvarium_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(KVARIUM_NATIVE)
  target_compile_options(kvarium_options INTERFACE $<BUILD_INTERFACE:-march=native>)
endif()
if(KVARIUM_ASSERTIONS)
  target_compile_definitions(kvarium_options INTERFACE KVARIUM_ASSERTIONS)
endif()
if(KVARIUM_SANITIZE)
  target_compile_options(kvarium_options INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${KVARIUM_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_link_options(kvarium_options INTERFACE -fsanitize=${KVARIUM_SANITIZE})
endif()
