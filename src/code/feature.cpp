// The names of the features, as reports show them, and their levels.
#include <initializer_list>

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

std::uint64_t missing_without(Feature feature) {
  using enum Feature;
  constexpr auto bits = [](std::initializer_list<Feature> features) {
    std::uint64_t all = 0;
    for (const Feature one : features) all |= bit_of(one);
    return all;
  };
  constexpr auto from = [](Feature first, Feature last) { return (bit_of(last) << 1U) - bit_of(first); };
  // Phenom has POPCNT and SSE4A without SSSE3, Atom MOVBE without SSE4.1, Penryn SSE4.1 without AES.
  constexpr std::uint64_t vex = bits({Avx, Avx2, F16c, Fma, Avx512, Amx, Vaes, Vnni}),
                          sse42 = vex | bits({Sse42, Aes, Pclmul, Sha, Gfni, Bmi, Bmi2});
  switch (feature) {
    case Sse3:
      return from(Sse3, Vnni);
    case Cmpxchg16b:
      return from(Ssse3, Vnni);
    case Ssse3:
      return sse42 | bits({Ssse3, Sse41, Movbe});
    case Sse41:
      return sse42 | bits({Sse41});
    case Sse42:
      return sse42;
    case Popcnt:
      return sse42 | bits({Popcnt});
    case Avx:
      return vex;
    case Avx2:
      return bits({Avx2, Avx512, Amx, Vaes, Vnni});
    case Bmi:
      return bits({Bmi, Bmi2});
    case F16c:
    case Fma:
    case Bmi2:
      return bits({feature, Avx512, Amx});
    case Avx512:
      return bits({Avx512, Amx});
    // Armv8.1 has LSE and RDM; what is newer is an option of it or of Armv8.2. SVE includes FP16.
    case Lse:
      return from(Lse, Sme) & ~bits({Crypto});
    case Rdm:
      return from(Rdm, Sme) & ~bits({Crypto});
    case Fp16:
      return bits({Fp16, Sve});
    default:
      return bit_of(feature);
  }
}

std::uint32_t x86_level(Feature feature) {
  if (feature == Feature::None || feature >= Feature::Lse) return 0;
  return feature >= Feature::Avx512 ? 4 : feature >= Feature::Avx ? 3 : 2;
}

}  // namespace wheelcheck::code
