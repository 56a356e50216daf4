# ISA-L's inflater, from third_party/isa-l. Debian has it as a shared library alone, which no wheel could
# bring: a program among the scripts finds the libraries of a wheel by no search path. Its loops are in assembler for
# x86-64, where nasm builds them; elsewhere it is in C.
#
# ISAL_INCLUDE_DIR, ISAL_LIBRARY: for what uses it. ISAL_VERSION: for --version. ISAL_OBJECTS: to go into libwheelcheck.a.
option(WHEELCHECK_NASM "On x86-64, inflate by ISA-L's assembler code" ON)

set(isal_dir ${PROJECT_SOURCE_DIR}/third_party/isa-l)
add_library(isal_inflate STATIC ${isal_dir}/igzip_inflate.c ${isal_dir}/absent.c)
target_include_directories(isal_inflate PRIVATE ${isal_dir})
# The distribution's level of optimisation, whatever the build's: half of a run is spent here.
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
  # One file without the mark of control-flow protection takes it from the program.
  target_compile_definitions(isal_inflate PRIVATE $<$<COMPILE_LANGUAGE:ASM_NASM>:INTEL_CET_ENABLED>)
  target_compile_options(isal_inflate PRIVATE $<$<COMPILE_LANGUAGE:C>:-fcf-protection>)
else()
  # What would choose by the processor is the C function itself.
  target_compile_definitions(isal_inflate PRIVATE
    decode_huffman_code_block_stateless=decode_huffman_code_block_stateless_base)
endif()
set(ISAL_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/third_party)
set(ISAL_LIBRARY isal_inflate)
set(ISAL_VERSION 2.32.1)
set(ISAL_OBJECTS $<TARGET_OBJECTS:isal_inflate>)
