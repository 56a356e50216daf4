# Debian's packages of libdeflate and utf8proc have no CMake files, so this file defines a target for each library and
# finds it by name. The build and the installed wheelcheckConfig.cmake both include it, so that an installed wheelcheck
# does not contain a path of the build machine.
function(wheelcheck_import target header library)
  if(TARGET ${target})
    return()
  endif()
  find_path(${target}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${target}_LIBRARY NAMES ${library} ${ARGN} REQUIRED)
  mark_as_advanced(${target}_INCLUDE_DIR ${target}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${${target}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${target}_INCLUDE_DIR}")
endfunction()

wheelcheck_import(libdeflate::libdeflate libdeflate.h deflate)
wheelcheck_import(utf8proc::utf8proc utf8proc.h utf8proc)
