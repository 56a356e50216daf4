# tree-sitter of the system, and its Python grammar from third_party/ as the object library tree_sitter_python.
find_path(TREE_SITTER_INCLUDE_DIR tree_sitter/api.h REQUIRED)
# The archive first: a program that reads other people's files needs no library that may be changed under it.
find_library(TREE_SITTER_LIBRARY NAMES libtree-sitter.a tree-sitter REQUIRED)
mark_as_advanced(TREE_SITTER_INCLUDE_DIR TREE_SITTER_LIBRARY)

set(TREE_SITTER_PYTHON_VERSION 0.23.6)
set(grammar_archive ${PROJECT_SOURCE_DIR}/third_party/tree-sitter-python-${TREE_SITTER_PYTHON_VERSION}.tar.gz)
set(grammar_sha256 354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9)
set(grammar_dir ${PROJECT_BINARY_DIR}/third_party/tree_sitter_python-${TREE_SITTER_PYTHON_VERSION}/src)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${grammar_archive})
file(SHA256 ${grammar_archive} found_sha256)
if(NOT found_sha256 STREQUAL grammar_sha256)
  message(FATAL_ERROR "${grammar_archive} has SHA-256 ${found_sha256}, not ${grammar_sha256}")
endif()
if(NOT EXISTS ${grammar_dir}/scanner.c OR ${grammar_archive} IS_NEWER_THAN ${grammar_dir}/scanner.c)
  file(ARCHIVE_EXTRACT INPUT ${grammar_archive} DESTINATION ${PROJECT_BINARY_DIR}/third_party PATTERNS "*/src/*.c" TOUCH)
endif()

# Generated code: not ours to warn about, and tables for the most part, which no optimiser makes faster.
add_library(tree_sitter_python OBJECT ${grammar_dir}/parser.c ${grammar_dir}/scanner.c)
target_include_directories(tree_sitter_python PRIVATE ${PROJECT_SOURCE_DIR}/third_party)
target_compile_options(tree_sitter_python PRIVATE -w -O1 -fvisibility=hidden)
if(WHEELCHECK_SANITIZE)
  target_compile_options(tree_sitter_python PRIVATE -fsanitize=${WHEELCHECK_SANITIZE} -fno-sanitize-recover=all)
endif()
