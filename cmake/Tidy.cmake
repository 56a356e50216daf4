# The target `tidy` and two tests of form. clang-tidy needs about four seconds a file, so only the target runs it.
find_program(CLANG_FORMAT clang-format-19)
find_program(CLANG_TIDY_RUNNER run-clang-tidy-19)
find_program(CODESPELL codespell)
mark_as_advanced(CLANG_FORMAT CLANG_TIDY_RUNNER CODESPELL)

file(GLOB_RECURSE formatted CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cpp
  ${PROJECT_SOURCE_DIR}/tests/*.h ${PROJECT_SOURCE_DIR}/tests/*.cpp
  ${PROJECT_SOURCE_DIR}/bench/*.h ${PROJECT_SOURCE_DIR}/bench/*.cpp)
set(format_command ${CLANG_FORMAT} --dry-run --Werror ${formatted})
set(spelling_command ${CODESPELL} include src bench docs scripts cmake policies/README.md README.md CONTRIBUTING.md
  CHANGELOG.md CMakeLists.txt)

# A tool that is missing fails the test: scripts/test installs both.
add_test(NAME tidy.format COMMAND ${format_command})
add_test(NAME tidy.spelling COMMAND ${spelling_command} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(tidy.format tidy.spelling PROPERTIES LABELS meta)

add_custom_target(tidy COMMAND ${format_command} COMMAND ${spelling_command}
  COMMAND ${CLANG_TIDY_RUNNER} -quiet -p ${PROJECT_BINARY_DIR} "${PROJECT_SOURCE_DIR}/src/"
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND_EXPAND_LISTS VERBATIM)
# clang-tidy reads the headers that the compiler has precompiled.
foreach(kind IN ITEMS library busy_library program)
  if(TARGET precompiled_${kind})
    add_dependencies(tidy precompiled_${kind})
  endif()
endforeach()
