// Processors: what the tags of a wheel allow, and what is known of the instructions.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules {

// The level of x86-64 that every machine of the wheel's tags has: that of the variant (PEP 825) or of tags like
// linux_x86_64_v3. Android's ABI x86_64 includes SSE4.2 and POPCNT, and thus x86-64-v2 (NDK guides, "Android ABIs").
inline unsigned allowed_x86_level(const WheelView& view) {
  unsigned least = 4;
  for (const PlatformTag& tag : view.wheel.name.platforms)
    least = std::min(least, !tag.isa.empty()                             ? static_cast<unsigned>(tag.isa.back() - '0')
                            : tag.family == PlatformTag::Family::Android ? 2U
                                                                         : 1U);
  return std::max(view.wheel.name.platforms.empty() ? 1U : least, view.wheel.variant_x86_level);
}

// Machines without the instructions of some features (code/instruction.h), the oldest features of each machine first.
// Sources: the manuals of GCC, "x86 Options" and "AArch64 Options"; QEMU, "Supported CPU model configurations"; the
// technical reference manuals of the cores.
struct FeatureGroup {
  std::string_view features, machines;
};
inline const FeatureGroup* find_feature(std::string_view feature) {
  static constexpr std::array<FeatureGroup, 10> known{{
      {" SSE3 CMPXCHG16B ", "the first processors for x86-64"},
      {" SSSE3 ", "AMD before Bulldozer and Bobcat, QEMU's default CPU"},
      {" SSE4.1 SSE4.2 POPCNT ", "Intel before Nehalem, AMD before Bulldozer, QEMU's default CPU"},
      {" AVX AES PCLMUL ", "Intel before Sandy Bridge, AMD before Bulldozer, QEMU's default CPU"},
      {" AVX2 BMI BMI2 F16C FMA MOVBE ", "Intel before Haswell, AMD before Excavator, QEMU's default CPU"},
      {" AVX-512 ", "Intel's processors for desktops since Alder Lake, AMD before Zen 4"},
      {" AES, SHA1, SHA2 ", "Raspberry Pi 3 and 4"},
      {" LSE RDM FP16 DotProd RCPC ", "Cortex-A53, A57 and A72: Raspberry Pi 3 and 4, AWS Graviton 1"},
      {" FCMA JSCVT I8MM BF16 SVE PAuth SHA-512 SHA3 SM4 ",
       "Cortex-A53, A72, A76 and Neoverse N1: Raspberry Pi 3 to 5, AWS Graviton 2"},
      {" SME ", "nearly all processors"},
  }};
  const std::string word = ' ' + std::string(feature) + ' ';
  const auto* const at =
      std::ranges::find_if(known, [&](const FeatureGroup& one) { return one.features.contains(word); });
  return at == known.end() ? nullptr : at;
}
inline std::string_view machines_without(std::string_view feature) {
  const FeatureGroup* const group = find_feature(feature);
  return group == nullptr ? "many processors" : group->machines;
}

}  // namespace wheelcheck::rules
