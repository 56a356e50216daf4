# Generated sources: the lists of rules and renderers, and policies, knowledge and schemas as constants.

# wheelcheck_registry(OUT module file header type namespace): generates a list of all constants of the type that the
# files below src/<module> define at the start of a line: `const <type> <name>` in namespace wheelcheck::<namespace>, or
# `const <type> rule` in namespace wheelcheck::<namespace>::<name>. A new rule or format needs no other change.
function(wheelcheck_registry out module file header type namespace)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.cpp)
  set(externs "")
  set(items "")
  set(count 0)
  foreach(source IN LISTS sources)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} lines
      REGEX "^(namespace wheelcheck::${namespace}::[a-z0-9_]+ |(extern )?const ${type} [a-z0-9_]+([{ =]|$))")
    foreach(line IN LISTS lines)
      if(line MATCHES "^namespace wheelcheck::${namespace}::([a-z0-9_]+)")
        set(inner ${CMAKE_MATCH_1})
        continue()
      endif()
      string(REGEX MATCH "const ${type} ([a-z0-9_]+)" name "${line}")
      set(name ${CMAKE_MATCH_1})
      if(name STREQUAL "rule")
        set(name ${inner}::rule)
        string(APPEND externs "namespace ${inner} {\nextern const ${type} rule;\n}\n")
      else()
        string(APPEND externs "extern const ${type} ${name};\n")
      endif()
      string(APPEND items "    &${namespace}::${name},\n")
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
  set(path ${PROJECT_BINARY_DIR}/generated/${file})
  string(TOLOWER ${type} lower)
  file(CONFIGURE OUTPUT ${path} CONTENT
"// Written by the build from the files of src/${module}.
#include <array>
#include <span>

#include \"${header}\"

namespace wheelcheck {
namespace ${namespace} {
${externs}}  // namespace ${namespace}

namespace {
constexpr std::array<const ${type}*, ${count}> ${lower}_items{{
${items}}};
}  // namespace

// Constant initialisation: the list is complete before any other object of the program is built.
extern const std::span<const ${type}* const> ${lower}_list;
constinit const std::span<const ${type}* const> ${lower}_list{${lower}_items};

}  // namespace wheelcheck
" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# All supported compilers accept longer literals than the standard requires.
function(wheelcheck_allow_long_literals path)
  set_source_files_properties(${path} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()

# wheelcheck_embed(OUT SYMBOL PATTERN...): embeds the files that match the patterns (of the source tree) as one C++
# source: `extern const EmbeddedFile <symbol>[]; extern const std::size_t <symbol>_count;` (src/base/embedded.h), by base
# name.
function(wheelcheck_embed out symbol)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set(path ${PROJECT_BINARY_DIR}/generated/${symbol}.cpp)
  add_custom_command(OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} -DOUT=${path} -DSYMBOL=${symbol} "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
  wheelcheck_allow_long_literals(${path})
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# The files of data/reference, compressed: `extern const PackedFile embedded_reference[];`
function(wheelcheck_embed_reference out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/reference/*.jsonl)
  add_executable(pack_files ${PROJECT_SOURCE_DIR}/cmake/tools/pack_files.cpp)
  target_include_directories(pack_files SYSTEM PRIVATE ${LIBDEFLATE_INCLUDE_DIR})
  target_link_libraries(pack_files PRIVATE wheelcheck_options fmt::fmt ${LIBDEFLATE_LIBRARY})
  set(path ${PROJECT_BINARY_DIR}/generated/embedded_reference.cpp)
  add_custom_command(OUTPUT ${path} COMMAND pack_files ${path} embedded_reference ${files} DEPENDS pack_files ${files}
    VERBATIM)
  wheelcheck_allow_long_literals(${path})
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# `extern const char* const reader_fingerprint;`: a hash of all code that produces facts. Stored facts that other code
# produced are therefore not used.
function(wheelcheck_fingerprint out)
  set(patterns ${PROJECT_SOURCE_DIR}/include/wheelcheck/*.h ${PROJECT_SOURCE_DIR}/third_party/*
    ${PROJECT_SOURCE_DIR}/third_party/isa-l/* ${PROJECT_SOURCE_DIR}/data/classifiers.txt ${PROJECT_SOURCE_DIR}/data/spdx.txt)
  foreach(module base json model mangling archive code elf import_plan python wheel facts)
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/src/${module}/*.cpp ${PROJECT_SOURCE_DIR}/src/${module}/*.h)
  endforeach()
  file(GLOB_RECURSE files LIST_DIRECTORIES false CONFIGURE_DEPENDS ${patterns})
  list(TRANSFORM files REPLACE "^${PROJECT_SOURCE_DIR}/" "" OUTPUT_VARIABLE names)
  set(path ${PROJECT_BINARY_DIR}/generated/reader_fingerprint.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/fingerprint.cmake)
  add_custom_command(OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} -DOUT=${path} -DROOT=${PROJECT_SOURCE_DIR} "-DALSO=LLVM ${LLVM_PACKAGE_VERSION}"
      "-DFILES=${names}" -P ${script}
    DEPENDS ${files} ${script} VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/EmbedTables.cmake)
