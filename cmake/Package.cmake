# CPack: wheelcheck_*.tar.gz, and for Debian wheelcheck (the program) and libwheelcheck-dev (for C++ programs).
# tests/install/package.cmake builds them and checks them with lintian.
set(WHEELCHECK_MAINTAINER "wheelcheck developers <wheelcheck@localhost>" CACHE STRING "Who answers for the packages")

# Files that Debian requires in addition (Debian Policy 12.5, 12.7). They are not part of `cmake --install` or the
# .tar.gz.
set(debian_dir ${PROJECT_BINARY_DIR}/debian)
find_program(GZIP gzip)
foreach(package wheelcheck libwheelcheck-dev)
  string(TOUPPER ${package} place)
  set(component debian_${package})
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES packaging/copyright DESTINATION ${doc} COMPONENT ${component} EXCLUDE_FROM_ALL)
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/debian/${package}.lintian-overrides)
    install(FILES packaging/debian/${package}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
      RENAME ${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
  if(GZIP)
    install(FILES ${debian_dir}/changelog.gz DESTINATION ${doc} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endforeach()
if(GZIP)
  configure_file(packaging/debian/changelog ${debian_dir}/changelog @ONLY)
  add_custom_command(OUTPUT ${debian_dir}/changelog.gz COMMAND ${GZIP} -9nfk ${debian_dir}/changelog
    DEPENDS ${debian_dir}/changelog VERBATIM)
  add_custom_target(changelog ALL DEPENDS ${debian_dir}/changelog.gz)
endif()
install(FILES ${written_dir}/_wheelcheck DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT debian_wheelcheck EXCLUDE_FROM_ALL)

add_custom_target(to_install DEPENDS written)  # by `cmake --install` and cpack
if(TARGET changelog)
  add_dependencies(to_install changelog)
endif()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_VENDOR wheelcheck)
set(CPACK_PACKAGE_CONTACT "${WHEELCHECK_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_THREADS 0)
# Makes the packages reproducible.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageOf.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
foreach(component program policies debian_wheelcheck)
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENT_${upper}_GROUP program)
endforeach()
foreach(component development debian_libwheelcheck-dev)
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENT_${upper}_GROUP development)
endforeach()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wheelcheck)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION python)
# `fix` and `repair` need 0.18, which is in Debian 13.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "patchelf (>= 0.18)")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "compliance checker for Linux Python wheels
Judges whether the ELF files of a wheel keep the promise of its manylinux,
 musllinux or Android platform tag: libraries, symbol versions, instruction
 sets, search paths, the C++ ABI, and what several wheels do to each other in
 one process. Nothing is unpacked to disk, nothing is run.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwheelcheck-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "compliance checker for Linux Python wheels - C++ library
The static library of wheelcheck, its headers and CMake files, for C++
 programs that judge wheels themselves.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "llvm-19-dev, libfmt-dev, libssl-dev, libarchive-dev, libbz2-dev, liblzma-dev, nettle-dev, libzstd-dev, zlib1g-dev, libdeflate-dev, libutf8proc-dev, nlohmann-json3-dev")
# What the program was linked with says what it depends on; the tool for that comes with dpkg-dev.
find_program(SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SHLIBDEPS)
if(SHLIBDEPS)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
