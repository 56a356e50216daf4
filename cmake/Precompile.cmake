# With WHEELCHECK_PRECOMPILE, what most files include of the standard library and of third parties is parsed once. Our own
# headers are not among them, and a build without the option keeps every file honest about what it includes.

set(wheelcheck_common_headers
  <fmt/format.h> <algorithm> <array> <cstddef> <cstdint> <filesystem> <fstream> <functional> <iterator> <map> <memory>
  <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)

# wheelcheck_precompile(KIND header...): the headers for targets of one kind, which are compiled alike.
function(wheelcheck_precompile kind)
  if(NOT WHEELCHECK_PRECOMPILE)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/generated/precompiled_${kind}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(kind STREQUAL "library")
    add_library(precompiled_${kind} OBJECT ${source})
  else()
    add_executable(precompiled_${kind} EXCLUDE_FROM_ALL ${source})
  endif()
  target_link_libraries(precompiled_${kind} PRIVATE wheelcheck_options fmt::fmt)
  target_precompile_headers(precompiled_${kind} PRIVATE ${wheelcheck_common_headers} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Templates that the headers themselves need are instantiated once; no time stamp, so that a compiler cache can help.
    target_compile_options(precompiled_${kind} PRIVATE -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# wheelcheck_use_precompiled(TARGET KIND). g++ refuses headers that were precompiled with other macros, so fmt's stand for
# every target, whether it formats anything or not.
function(wheelcheck_use_precompiled target kind)
  if(WHEELCHECK_PRECOMPILE)
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
  endif()
endfunction()

wheelcheck_precompile(library)
