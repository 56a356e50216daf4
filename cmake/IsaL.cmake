# ISA-L's inflate code, from third_party/isa-l. Debian has it only as a shared library, which a wheel cannot include: a
# program in a wheel's scripts has no search path to the wheel's libraries. On x86-64 the inner loops are in assembler,
# if nasm is installed; elsewhere the C code is used.
#
# ISAL_INCLUDE_DIR, ISAL_LIBRARY: for its users. ISAL_VERSION: for --version. ISAL_OBJECTS: added to libwheelcheck.a.
option(WHEELCHECK_NASM "On x86-64, inflate by ISA-L's assembler code" ON)

set(isal_dir ${PROJECT_SOURCE_DIR}/third_party/isa-l)
add_library(isal_inflate STATIC ${isal_dir}/igzip_inflate.c ${isal_dir}/absent.c)
target_include_directories(isal_inflate PRIVATE ${isal_dir})
# The distribution's optimization level in every build type, because half of a run is spent here.
target_compile_options(isal_inflate PRIVATE
  $<$<COMPILE_LANGUAGE:C>:-w -O2 -ffunction-sections -fvisibility=hidden -fstack-protector-strong>)
if(WHEELCHECK_NASM AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  find_program(CMAKE_ASM_NASM_COMPILER nasm REQUIRED)
  enable_language(ASM_NASM)
  target_sources(isal_inflate PRIVATE ${isal_dir}/igzip_inflate_multibinary.asm ${isal_dir}/rfc1951_lookup.asm
    ${isal_dir}/igzip_decode_block_stateless_01.asm ${isal_dir}/igzip_decode_block_stateless_04.asm)
  set_source_files_properties(${isal_dir}/igzip_decode_block_stateless_01.asm
    ${isal_dir}/igzip_decode_block_stateless_04.asm PROPERTIES
    COMPILE_OPTIONS "-P${PROJECT_SOURCE_DIR}/cmake/isal_section.inc"
    OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/isal_section.inc)
  # Control-flow protection requires that every object file is marked.
  target_compile_definitions(isal_inflate PRIVATE $<$<COMPILE_LANGUAGE:ASM_NASM>:INTEL_CET_ENABLED>)
  target_compile_options(isal_inflate PRIVATE $<$<COMPILE_LANGUAGE:C>:-fcf-protection>)
else()
  # The C function replaces the function that selects code by CPU.
  target_compile_definitions(isal_inflate PRIVATE
    decode_huffman_code_block_stateless=decode_huffman_code_block_stateless_base)
endif()
set(ISAL_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/third_party)
set(ISAL_LIBRARY isal_inflate)
set(ISAL_VERSION 2.32.1)
set(ISAL_OBJECTS $<TARGET_OBJECTS:isal_inflate>)
