# install(), find_package(wheelcheck) and CPack. tests/install does all three.
include(CMakePackageConfigHelpers)

# The static library leaves its third parties to whoever links it. Those that were found as files are named by target.
get_target_property(linked wheelcheck INTERFACE_LINK_LIBRARIES)
string(REPLACE "${ISAL_LIBRARY}" "$<LINK_ONLY:isal::isal>" linked "${linked}")
string(REPLACE "${LIBDEFLATE_LIBRARY}" "$<LINK_ONLY:libdeflate::libdeflate>" linked "${linked}")
set_target_properties(wheelcheck PROPERTIES INTERFACE_LINK_LIBRARIES "${linked}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wheelcheck)
install(TARGETS wheelcheck-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS wheelcheck EXPORT wheelcheckTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/wheelcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wheelcheck/policies FILES_MATCHING PATTERN "*.json")
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(EXPORT wheelcheckTargets NAMESPACE wheelcheck:: DESTINATION ${package_dir})
configure_package_config_file(cmake/wheelcheckConfig.cmake.in ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wheelcheckConfig.cmake ${PROJECT_BINARY_DIR}/wheelcheckConfigVersion.cmake
  cmake/ByName.cmake DESTINATION ${package_dir})

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_VENDOR wheelcheck)
set(CPACK_PACKAGE_CONTACT "the wheelcheck developers <wheelcheck@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION python)
# What the program was linked with says what it depends on; the tool for that comes with dpkg-dev.
find_program(SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SHLIBDEPS)
if(SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
