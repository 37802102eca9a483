# Installation: headers under include/kvarium, so that `#include "core/check.hpp"` works for users of the package as in
# the tree; find_package(kvarium) gives kvarium::core, kvarium::kernels, kvarium::sim and kvarium::experiments.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# kvarium_export_folder(<folder>): include paths, header file set and export of the target kvarium_<folder>.
function(kvarium_export_folder folder)
  set(target kvarium_${folder})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_sources(${target} PUBLIC
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  install(TARGETS ${target} EXPORT kvarium_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kvarium)
endfunction()

function(kvarium_install_package)
  install(TARGETS kvarium_options EXPORT kvarium_targets)
  set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/kvarium)
  install(EXPORT kvarium_targets NAMESPACE kvarium:: DESTINATION ${destination})
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/kvariumConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/kvariumConfig.cmake" INSTALL_DESTINATION ${destination})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/kvariumConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/kvariumConfig.cmake" "${PROJECT_BINARY_DIR}/kvariumConfigVersion.cmake"
    DESTINATION ${destination})
endfunction()
