# install() and find_package(wheelcheck), by component: the program, and the files for C++ programs. tests/install tests
# both.
include(CMakePackageConfigHelpers)

# What is installed may not be built yet: scripts/wheelcheck builds the program alone. scikit-build-core builds before it
# installs.
if(NOT SKBUILD)
  install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target to_install
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" ALL_COMPONENTS)
endif()
include(cmake/Program.cmake)

# Users of the static library link its third-party libraries themselves. Libraries that were found as files are named by
# target.
get_target_property(linked wheelcheck INTERFACE_LINK_LIBRARIES)
string(REPLACE "${LIBDEFLATE_LIBRARY}" "$<LINK_ONLY:libdeflate::libdeflate>" linked "${linked}")
string(REPLACE "${UTF8PROC_LIBRARY}" "$<LINK_ONLY:utf8proc::utf8proc>" linked "${linked}")
set_target_properties(wheelcheck PROPERTIES INTERFACE_LINK_LIBRARIES "${linked}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wheelcheck)
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wheelcheck/policies COMPONENT policies
  FILES_MATCHING PATTERN "*.json")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT elsewhere)
install(TARGETS wheelcheck EXPORT wheelcheckTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/wheelcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(EXPORT wheelcheckTargets NAMESPACE wheelcheck:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/wheelcheckConfig.cmake.in ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake ${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake
  cmake/ByName.cmake DESTINATION ${package_dir} COMPONENT development)
