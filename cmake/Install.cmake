# install(), find_package(wheelcheck) and CPack.
include(CMakePackageConfigHelpers)

install(TARGETS wheelcheck-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS wheelcheck EXPORT wheelcheckTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/wheelcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wheelcheck/policies FILES_MATCHING PATTERN "*.json")
install(EXPORT wheelcheckTargets NAMESPACE wheelcheck:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wheelcheck)
configure_package_config_file(cmake/wheelcheckConfig.cmake.in ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wheelcheck)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake ${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wheelcheck)
