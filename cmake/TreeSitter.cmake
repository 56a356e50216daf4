# The runtime of tree-sitter and its Python grammar, from third_party/, as the object library tree_sitter_python. The
# system's runtime is not used: before 0.20.8, a node with more than 65,535 children, which a wheel can cause, corrupts
# the heap.

# wheelcheck_unpack(ARCHIVE SHA256 FILE PATTERN...): unpacks the matching files into the build folder, unless FILE
# exists.
function(wheelcheck_unpack archive sha256 file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${archive})
  file(SHA256 ${archive} found)
  if(NOT found STREQUAL sha256)
    message(FATAL_ERROR "${archive} has SHA-256 ${found}, not ${sha256}")
  endif()
  if(NOT EXISTS ${file} OR ${archive} IS_NEWER_THAN ${file})
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${PROJECT_BINARY_DIR}/third_party PATTERNS ${ARGN} TOUCH)
  endif()
endfunction()

set(TREE_SITTER_VERSION 0.23.2)
set(runtime_dir ${PROJECT_BINARY_DIR}/third_party/tree-sitter-${TREE_SITTER_VERSION}/tree_sitter/core/lib)
wheelcheck_unpack(${PROJECT_SOURCE_DIR}/third_party/tree-sitter-${TREE_SITTER_VERSION}.tar.gz
  66bae8dd47f1fed7bdef816115146d3a41c39b5c482d7bad36d9ba1def088450 ${runtime_dir}/src/lib.c "*/core/lib/*.c" "*/core/lib/*.h")
set(TREE_SITTER_INCLUDE_DIR ${runtime_dir}/include)

set(TREE_SITTER_PYTHON_VERSION 0.23.6)
set(grammar_dir ${PROJECT_BINARY_DIR}/third_party/tree_sitter_python-${TREE_SITTER_PYTHON_VERSION}/src)
wheelcheck_unpack(${PROJECT_SOURCE_DIR}/third_party/tree-sitter-python-${TREE_SITTER_PYTHON_VERSION}.tar.gz
  354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9 ${grammar_dir}/scanner.c "*/src/*.c")

# Warnings are disabled for third-party code.
add_library(tree_sitter_python OBJECT ${grammar_dir}/parser.c ${grammar_dir}/scanner.c ${runtime_dir}/src/lib.c)
target_include_directories(tree_sitter_python PRIVATE
  ${runtime_dir}/include ${runtime_dir}/src ${PROJECT_SOURCE_DIR}/third_party)
target_compile_options(tree_sitter_python PRIVATE -w -O2 -fvisibility=hidden -fstack-protector-strong)
set_source_files_properties(${grammar_dir}/scanner.c PROPERTIES COMPILE_OPTIONS
  "-include;${PROJECT_SOURCE_DIR}/cmake/scanner_allocator.h")
if(WHEELCHECK_SANITIZE)
  # The runtime calls the grammar's functions through its own types; only memory errors matter here.
  target_compile_options(tree_sitter_python PRIVATE -fsanitize=${WHEELCHECK_SANITIZE} -fno-sanitize-recover=all
    -fno-sanitize=undefined)
endif()
