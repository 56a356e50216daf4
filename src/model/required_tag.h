// What --require-tag takes: a platform tag, with its machine or without.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/platform.h"

namespace wheelcheck {

// "manylinux_2_28", "manylinux2014_x86_64", "musllinux_1_2": without a machine its Arch is Other. nullopt for a tag
// that names no C library, or a variant of a machine.
std::optional<PlatformTag> parse_required_tag(std::string_view text);
// The tag for a machine.
PlatformTag tag_for(const PlatformTag& required, Arch arch);

inline constexpr std::string_view required_tag_form =
    "manylinux_2_28, musllinux_1_2 or android_24, with or without _x86_64";

}  // namespace wheelcheck
