# Links third-party libraries as static archives if the system has them. The program then maps two or three files at
# start instead of twenty-six, and its libraries cannot be replaced. ISA-L has its own file; for fmt see
# src/cli/format.cpp.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
include(${CMAKE_CURRENT_LIST_DIR}/ByName.cmake)

# LLVM's archives refer to this target, and LLVM's own module creates it only for a shared library.
wheelcheck_import(zstd::libzstd_shared zstd.h zstd)

# wheelcheck_leave_out_shared(): removes libraries that Debian has only as shared libraries and that a static program
# does not need. Z3 is for a solver of LLVM that is not used. FMT_LIBRARY is fmt, which src/cli/format.cpp replaces.
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

# wheelcheck_complete_libarchive(): adds the libraries that libarchive.a may need for reading ZIP; which ones depends on
# how it was built. The linker leaves out its other formats.
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

# Also links the C library statically if there is an archive. The program then maps one file at start and searches for
# none, which saves a tenth of the time for a small wheel. Distributions turn it off, because they update the C library
# in one place.
option(WHEELCHECK_STATIC "Link the program with the C library's archive, where there is one" ON)
include(CheckCXXSourceCompiles)

# wheelcheck_link_alone(TARGET): links a program that needs no libraries, or only the C library and libraries without an
# archive, and removes unreferenced sections. With sanitizers the C++ library remains shared, because they require it.
function(wheelcheck_link_alone target)
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--gc-sections -Wl,-O1 -Wl,-z,relro -Wl,-z,now)
  if(WHEELCHECK_SANITIZE)
    return()
  endif()
  if(WHEELCHECK_STATIC)
    # Fails if one of the others is a shared library, for example the C library.
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    set(CMAKE_REQUIRED_LIBRARIES LibArchive::LibArchive OpenSSL::Crypto ZLIB::ZLIB ${LIBDEFLATE_LIBRARY} ${RE2_LIBRARY}
      ${SECCOMP_LIBRARY} ${llvm_object_libs})
    check_cxx_source_compiles("#include <iostream>\nint main() { std::cout << std::endl; }" WHEELCHECK_HAS_STATIC_PIE)
  endif()
  if(WHEELCHECK_STATIC AND WHEELCHECK_HAS_STATIC_PIE)
    set_property(TARGET ${target} PROPERTY WHEELCHECK_ARCHIVES_ALONE ON)
    set_property(TARGET ${target} PROPERTY POSITION_INDEPENDENT_CODE)  # -pie would override -static-pie
    target_compile_options(${target} PRIVATE -fPIE)
    target_link_options(${target} PRIVATE -static-pie)
    # A library outside of the system's directories, even one that is not linked, would add DT_RUNPATH: then the start of
    # a static program ends with an assertion (glibc, elf/get-dynamic-info.h).
    set_property(TARGET ${target} PROPERTY SKIP_BUILD_RPATH ON)
  else()
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
