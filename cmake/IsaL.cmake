# ISA-L's inflater. Debian has it as a shared library alone, which no wheel could bring: a program among the scripts finds
# the libraries of a wheel by no search path. So on x86-64 it is built from third_party/isa-l, with nasm; elsewhere it is
# the system's.
#
# ISAL_INCLUDE_DIR, ISAL_LIBRARY: for what uses it. ISAL_VERSION: for --version. ISAL_OBJECTS: to go into libwheelcheck.a,
# where it is built here.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(isal_dir ${PROJECT_SOURCE_DIR}/third_party/isa-l)
  find_program(CMAKE_ASM_NASM_COMPILER nasm REQUIRED)
  enable_language(ASM_NASM)
  add_library(isal_inflate STATIC ${isal_dir}/igzip_inflate.c ${isal_dir}/absent.c
    ${isal_dir}/igzip_inflate_multibinary.asm ${isal_dir}/igzip_decode_block_stateless_01.asm
    ${isal_dir}/igzip_decode_block_stateless_04.asm ${isal_dir}/rfc1951_lookup.asm)
  target_include_directories(isal_inflate PRIVATE ${isal_dir})
  # One assembler file without the mark of control-flow protection takes it from the program.
  target_compile_definitions(isal_inflate PRIVATE $<$<COMPILE_LANGUAGE:ASM_NASM>:INTEL_CET_ENABLED>)
  # The distribution's level of optimisation, whatever the build's: half of a run is spent here.
  target_compile_options(isal_inflate PRIVATE
    $<$<COMPILE_LANGUAGE:C>:-w -O2 -ffunction-sections -fvisibility=hidden -fstack-protector-strong -fcf-protection>)
  set(ISAL_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/third_party)
  set(ISAL_LIBRARY isal_inflate)
  set(ISAL_VERSION 2.32.1)
  set(ISAL_OBJECTS $<TARGET_OBJECTS:isal_inflate>)
else()
  include(${CMAKE_CURRENT_LIST_DIR}/About.cmake)
  find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h REQUIRED)
  find_library(ISAL_LIBRARY isal REQUIRED)
  set(ISAL_OBJECTS "")
  wheelcheck_defined(ISAL_VERSION ${ISAL_INCLUDE_DIR}/isa-l.h ISAL_ MAJOR_VERSION MINOR_VERSION PATCH_VERSION)
endif()
