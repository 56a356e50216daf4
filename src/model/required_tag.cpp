#include "model/required_tag.h"

#include <fmt/format.h>

#include "model/machines.h"

namespace wheelcheck {
namespace {

using Family = PlatformTag::Family;

bool names_libc(const PlatformTag& tag) {
  const bool known =
      tag.family == Family::Manylinux || tag.family == Family::Musllinux || tag.family == Family::Android;
  return known && tag.arch != Arch::Other && tag.isa.empty();
}

}  // namespace

std::optional<PlatformTag> parse_required_tag(std::string_view text) {
  if (PlatformTag tag = parse_platform_tag(text); names_libc(tag)) return tag;
  PlatformTag tag = parse_platform_tag(fmt::format("{}_x86_64", text));
  if (!names_libc(tag)) return std::nullopt;
  tag.arch = Arch::Other;
  tag.text = tag.canonical = text;
  return tag;
}

PlatformTag tag_for(const PlatformTag& required, Arch arch) {
  if (required.arch != Arch::Other) return required;
  return parse_platform_tag(fmt::format("{}_{}", required.text, arch_text(required.family, arch)));
}

}  // namespace wheelcheck
