# libdeflate and utf8proc have no CMake files on Debian: a target for each, by name. Included by the build and by the installed
# wheelcheckConfig.cmake, so that an installed wheelcheck holds no path of the machine that built it.
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
