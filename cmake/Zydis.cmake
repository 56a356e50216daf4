# Zydis, the decoder of x86-64 instructions, from third_party/, as the object library zydis. Debian 12 has it only as a
# shared library. wheelcheck_unpack is in TreeSitter.cmake.
set(ZYDIS_VERSION 4.1.1)
set(zydis_dir ${PROJECT_BINARY_DIR}/third_party/zydis-${ZYDIS_VERSION}/zydis-c)
wheelcheck_unpack(${PROJECT_SOURCE_DIR}/third_party/zydis-${ZYDIS_VERSION}.tar.gz
  0395dcbec9d43ff14811624d4876db7a4a51d1ed73ce3f9e89d14a7e4eeb9ae1 ${zydis_dir}/src/Decoder.c "*/zydis-c/src/*"
  "*/zydis-c/include/*" "*/zydis-c/dependencies/zycore/include/*")
set(ZYDIS_INCLUDE_DIR ${zydis_dir}/include ${zydis_dir}/dependencies/zycore/include)
add_library(zydis OBJECT ${zydis_dir}/src/Decoder.c ${zydis_dir}/src/DecoderData.c ${zydis_dir}/src/MetaInfo.c
  ${zydis_dir}/src/Mnemonic.c ${zydis_dir}/src/Register.c ${zydis_dir}/src/SharedData.c ${zydis_dir}/src/Utils.c)
target_include_directories(zydis PRIVATE ${ZYDIS_INCLUDE_DIR} ${zydis_dir}/src)
# Without NDEBUG, assertions take two thirds of the time.
target_compile_options(zydis PRIVATE -w -O2 -DNDEBUG -fvisibility=hidden -fstack-protector-strong -ffunction-sections)
set(ZYDIS_DEFINITIONS ZYDIS_STATIC_BUILD ZYCORE_STATIC_BUILD ZYDIS_DISABLE_ENCODER ZYDIS_DISABLE_FORMATTER
  ZYDIS_DISABLE_SEGMENT)
target_compile_definitions(zydis PUBLIC ${ZYDIS_DEFINITIONS})
