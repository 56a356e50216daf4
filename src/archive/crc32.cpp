// ISA-L multiplies four 128-bit pieces at a time where the processor can, libdeflate of the distribution one.
#include "archive/crc32.h"

#include <libdeflate.h>

#include "base/cpu.h"

#if defined(ISAL_HAS_CRC32)
extern "C" {
std::uint32_t crc32_gzip_refl_by16_10(std::uint32_t crc, const unsigned char* bytes, std::uint64_t size);
std::uint32_t crc32_gzip_refl_avx2(std::uint32_t crc, const unsigned char* bytes, std::uint64_t size);
}
#endif

namespace wheelcheck::archive {
namespace {

using Function = std::uint32_t(std::uint32_t crc, const unsigned char* bytes, std::uint64_t size);

std::uint32_t by_libdeflate(std::uint32_t crc, const unsigned char* bytes, std::uint64_t size) {
  return libdeflate_crc32(crc, bytes, size);
}

// What each needs: ISA-L's own choice, crc/crc_multibinary.asm.
Function* fastest() {
#if defined(ISAL_HAS_CRC32)
  if (cpu::has_wide_products() && cpu::has_avx512()) return crc32_gzip_refl_by16_10;
  if (cpu::has_wide_products() && cpu::has_avx2()) return crc32_gzip_refl_avx2;
#endif
  return by_libdeflate;
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
  static Function* const chosen = fastest();
  return chosen(crc, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace wheelcheck::archive
