# SPDX-License-Identifier: BSD-3-Clause
# `cmake --install` and find_package(Shadow). Public headers include a few of kernels/, so both
# trees go under one folder of their own: include/Shadow/{shadow,kernels}.
include(CMakePackageConfigHelpers)

set(shadow_headers ${CMAKE_INSTALL_INCLUDEDIR}/Shadow)
set(shadow_config ${CMAKE_INSTALL_LIBDIR}/cmake/Shadow)
target_include_directories(shadow PUBLIC $<INSTALL_INTERFACE:${shadow_headers}>)
target_compile_features(shadow PUBLIC cxx_std_20)

install(TARGETS shadow EXPORT ShadowTargets)
install(TARGETS mdrun shadow-models)
install(DIRECTORY include/shadow DESTINATION ${shadow_headers} FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY kernels DESTINATION ${shadow_headers} FILES_MATCHING PATTERN *.hpp)
install(PROGRAMS tools/mdplot tools/mdcompare tools/mdexport tools/mdmerge tools/mdreport tools/mdreproduce
  tools/mdreweight tools/mdtop TYPE BIN)
install(DIRECTORY tools/shadow_results DESTINATION ${CMAKE_INSTALL_DATADIR}/shadow
  FILES_MATCHING PATTERN *.py PATTERN *.css PATTERN *.js PATTERN __pycache__ EXCLUDE)
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/shadow FILES_MATCHING
        PATTERN *.toml PATTERN *.data PATTERN *.xyz)
install(FILES LICENSE TYPE DOC)

install(EXPORT ShadowTargets NAMESPACE Shadow:: DESTINATION ${shadow_config})
configure_package_config_file(cmake/ShadowConfig.cmake.in ShadowConfig.cmake
  INSTALL_DESTINATION ${shadow_config})
write_basic_package_version_file(ShadowConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ShadowConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ShadowConfigVersion.cmake DESTINATION ${shadow_config})
