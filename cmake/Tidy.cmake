# The target `tidy`: all style checks that are not tests, as far as their tools are installed.
find_program(CLANG_FORMAT clang-format-19)
find_program(CLANG_TIDY_RUNNER run-clang-tidy-19)
find_program(CODESPELL codespell)
mark_as_advanced(CLANG_FORMAT CLANG_TIDY_RUNNER CODESPELL)

set(tidy_commands "")
file(GLOB_RECURSE formatted CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cpp
  ${PROJECT_SOURCE_DIR}/tests/*.h ${PROJECT_SOURCE_DIR}/tests/*.cpp
  ${PROJECT_SOURCE_DIR}/bench/*.h ${PROJECT_SOURCE_DIR}/bench/*.cpp)
if(CLANG_FORMAT)
  list(APPEND tidy_commands COMMAND ${CLANG_FORMAT} --dry-run --Werror ${formatted})
endif()
if(CODESPELL)
  list(APPEND tidy_commands COMMAND ${CODESPELL} include src bench docs scripts cmake
    policies/README.md README.md CONTRIBUTING.md CHANGELOG.md CMakeLists.txt)
endif()
if(CLANG_TIDY_RUNNER)
  list(APPEND tidy_commands COMMAND ${CLANG_TIDY_RUNNER} -quiet -p ${PROJECT_BINARY_DIR} "${PROJECT_SOURCE_DIR}/src/")
endif()
if(tidy_commands)
  add_custom_target(tidy ${tidy_commands} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND_EXPAND_LISTS VERBATIM)
else()
  add_custom_target(tidy COMMAND ${CMAKE_COMMAND} -E echo "tidy needs clang-format-19, clang-tidy-19 or codespell"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
