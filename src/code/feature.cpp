// The names of the features, as reports show them, and their levels.
#include "code/instruction.h"

namespace wheelcheck::code {

std::string_view name_of(Feature feature) {
  static constexpr std::string_view names[] = {
      "",        "SSE3",   "SSSE3",     "SSE4.1",  "SSE4.2", "POPCNT",  "CMPXCHG16B",
      "AVX",     "AVX2",   "BMI",       "BMI2",    "F16C",   "FMA",     "MOVBE",
      "AES",     "PCLMUL", "XOP, FMA4", "AVX-512", "AMX",    "SHA",     "GFNI",
      "VAES",    "VNNI",   "LSE",       "RDM",     "FP16",   "DotProd", "AES, SHA1, SHA2",
      "SHA-512", "SHA3",   "SM4",       "PAuth",   "RCPC",   "FCMA",    "JSCVT",
      "I8MM",    "BF16",   "SVE",       "SME"};
  static_assert(std::size(names) == static_cast<std::size_t>(Feature::Sme) + 1);
  return names[static_cast<std::size_t>(feature)];
}

std::uint32_t x86_level(Feature feature) {
  if (feature == Feature::None || feature >= Feature::Lse) return 0;
  return feature >= Feature::Avx512 ? 4 : feature >= Feature::Avx ? 3 : 2;
}

}  // namespace wheelcheck::code
