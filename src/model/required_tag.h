// The argument of --require-tag: a platform tag, with or without its machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/platform.h"

namespace wheelcheck {

// "manylinux_2_28", "manylinux2014_x86_64", "musllinux_1_2". Without a machine the result has Arch::Other. nullopt for
// a tag without a C library, or with a variant of a machine.
std::optional<PlatformTag> parse_required_tag(std::string_view text);
// The tag for a machine. A tag that already has a machine is returned unchanged.
PlatformTag tag_for(const PlatformTag& required, Arch arch);

// The name of a machine on Linux (`uname -m`) for one of another system: x86_64 for amd64; "" for others.
std::string_view machine_of_alias(std::string_view alias);

// The tag that a misspelt one means, with or without its machine: manylinux_2_28_x86_64 for manylinux2_28_x86_64,
// Manylinux-2-28-x86-64 or manylinux228_x86_64. "" if there is none.
std::string meant_tag(std::string_view text);

inline constexpr std::string_view required_tag_form =
    "manylinux_2_28, musllinux_1_2 or android_24, with or without _x86_64";

}  // namespace wheelcheck
