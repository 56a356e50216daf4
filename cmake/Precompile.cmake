# With WHEELCHECK_PRECOMPILE, the headers that most files include are parsed once: those of the standard library, of
# third parties, and of include/. A build without the option verifies that each file includes what it uses.

set(wheelcheck_common_headers
  <fmt/format.h> <nlohmann/json.hpp> <algorithm> <array> <cstddef> <cstdint> <filesystem> <fstream> <functional> <iterator>
  <map> <memory> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>
  ${PROJECT_SOURCE_DIR}/include/wheelcheck/wheelcheck.h ${PROJECT_SOURCE_DIR}/src/base/text.h)

# wheelcheck_precompile(KIND [OPTIONS option...] [LINK target...] [HEADERS header...]): precompiles the common headers
# and HEADERS, for targets of one kind, which are compiled with the same options.
function(wheelcheck_precompile kind)
  if(NOT WHEELCHECK_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(KIND "" "" "OPTIONS;LINK;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/generated/precompiled_${kind}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(kind MATCHES "library")
    add_library(precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${source})
  else()
    add_executable(precompiled_${kind} EXCLUDE_FROM_ALL ${source})
  endif()
  target_include_directories(precompiled_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(precompiled_${kind} PRIVATE ${KIND_OPTIONS})
  target_link_libraries(precompiled_${kind} PRIVATE wheelcheck_options fmt::fmt nlohmann_json::nlohmann_json ${KIND_LINK})
  target_precompile_headers(precompiled_${kind} PRIVATE ${wheelcheck_common_headers} ${KIND_HEADERS})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Templates in the headers are instantiated once. Without a time stamp, a compiler cache can be used.
    target_compile_options(precompiled_${kind} PRIVATE -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# wheelcheck_use_precompiled(TARGET KIND): uses the headers of that kind, if there are any. g++ refuses headers that
# were precompiled with other macros, so the macros of fmt are set for every target.
function(wheelcheck_use_precompiled target kind)
  if(TARGET precompiled_${kind})
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
  endif()
endfunction()

wheelcheck_precompile(library)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # g++ takes longer to map such large headers than to parse what a file needs
  wheelcheck_precompile(program LINK CLI11::CLI11 HEADERS <CLI/CLI.hpp>)
endif()
if(WHEELCHECK_SANITIZE)
  wheelcheck_precompile(busy_library OPTIONS -O1)  # precompiled headers are only valid for one optimization level
endif()
