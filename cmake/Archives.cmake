# Third parties as archives where the system has them: a start then maps two or three files, not twenty-six, and nothing
# that a wheel's reader stands on can be changed under it. ISA-L has a file of its own; fmt is in src/cli/format.cpp.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
include(${CMAKE_CURRENT_LIST_DIR}/ByName.cmake)

# LLVM's archives name this target, and LLVM's own module makes it of a shared library alone.
wheelcheck_import(zstd::libzstd_shared zstd.h zstd)

# wheelcheck_leave_out_shared(): what Debian has as a shared library alone, and a program without shared libraries does not
# need. Z3 is for a solver of LLVM that nothing here calls. FMT_LIBRARY: fmt, for which src/cli/format.cpp stands in there.
function(wheelcheck_leave_out_shared)
  get_target_property(needed LLVMSupport INTERFACE_LINK_LIBRARIES)
  if(needed)
    list(FILTER needed EXCLUDE REGEX "z3|Z3")
    set_property(TARGET LLVMSupport PROPERTY INTERFACE_LINK_LIBRARIES ${needed})
  endif()
  set(library fmt::fmt)
  get_target_property(type fmt::fmt TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    set(library $<$<NOT:$<BOOL:$<TARGET_PROPERTY:WHEELCHECK_ARCHIVES_ALONE>>>:fmt::fmt>)
  endif()
  set(FMT_LIBRARY ${library} PARENT_SCOPE)
endfunction()

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

# The C library as well, where it has an archive: a start then maps one file and searches for none, which is a tenth of
# the time of a small wheel. Distributions, which mend the C library in one place, turn it off.
option(WHEELCHECK_STATIC "Link the program with the C library's archive, where there is one" ON)
include(CheckCXXSourceCompiles)

# wheelcheck_link_alone(TARGET): a program that needs nothing, or nothing but the C library and what has no archive,
# without the sections that nobody refers to. Sanitizers want the C++ library to be the one that they know.
function(wheelcheck_link_alone target)
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--gc-sections -Wl,-O1 -Wl,-z,relro -Wl,-z,now)
  if(WHEELCHECK_SANITIZE)
    return()
  endif()
  if(WHEELCHECK_STATIC)
    # Fails where one of the others is a shared library, as where the C library is.
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    set(CMAKE_REQUIRED_LIBRARIES LibArchive::LibArchive OpenSSL::Crypto ZLIB::ZLIB ${LIBDEFLATE_LIBRARY} ${RE2_LIBRARY}
      ${SECCOMP_LIBRARY} ${llvm_object_libs})
    check_cxx_source_compiles("#include <iostream>\nint main() { std::cout << std::endl; }" WHEELCHECK_HAS_STATIC_PIE)
  endif()
  if(WHEELCHECK_STATIC AND WHEELCHECK_HAS_STATIC_PIE)
    set_property(TARGET ${target} PROPERTY WHEELCHECK_ARCHIVES_ALONE ON)
    set_property(TARGET ${target} PROPERTY POSITION_INDEPENDENT_CODE)  # -pie would undo -static-pie
    target_compile_options(${target} PRIVATE -fPIE)
    target_link_options(${target} PRIVATE -static-pie)
  else()
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
