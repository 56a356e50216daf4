# Third parties as archives where the system has them: a start then maps two or three files, not twenty-six, and nothing
# that a wheel's reader stands on can be changed under it. ISA-L has a file of its own; fmt is in src/cli/format.cpp.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
include(${CMAKE_CURRENT_LIST_DIR}/ByName.cmake)

# LLVM's archives name this target, and LLVM's own module makes it of a shared library alone.
wheelcheck_import(zstd::libzstd_shared zstd.h zstd)

# wheelcheck_complete_libarchive(): what the archive may ask for where it reads ZIP; what of it, its own build decided. Its
# other formats are left out by the linker.
function(wheelcheck_complete_libarchive)
  if(NOT LibArchive_LIBRARIES MATCHES "\\.a$")
    return()
  endif()
  find_package(BZip2 QUIET)
  find_package(LibLZMA QUIET)
  find_library(NETTLE_LIBRARY nettle)
  mark_as_advanced(NETTLE_LIBRARY)
  if(NETTLE_LIBRARY)
    set_property(TARGET LibArchive::LibArchive APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${NETTLE_LIBRARY})
  endif()
  foreach(part LibLZMA::LibLZMA BZip2::BZip2 zstd::libzstd_shared ZLIB::ZLIB)
    if(TARGET ${part})
      set_property(TARGET LibArchive::LibArchive APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${part})
    endif()
  endforeach()
endfunction()

# wheelcheck_link_alone(TARGET): a program that needs nothing but the C library and what has no archive, without the
# sections that nobody refers to. Sanitizers want the C++ library to be the one that they know.
function(wheelcheck_link_alone target)
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--gc-sections -Wl,-O1 -Wl,-z,relro -Wl,-z,now)
  if(NOT WHEELCHECK_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
