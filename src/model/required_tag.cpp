#include "model/required_tag.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "model/machines.h"

namespace wheelcheck {
namespace {

using Family = PlatformTag::Family;

// Machine names of other systems and distributions, mapped to those of `uname -m` on Linux.
constexpr auto machine_aliases = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"amd64", "x86_64"},
    {"x64", "x86_64"},
    {"x86", "i686"},
    {"i386", "i686"},
    {"i486", "i686"},
    {"i586", "i686"},
    {"arm64", "aarch64"},
    {"arm64_v8a", "aarch64"},
    {"armv8", "aarch64"},
    {"armv7", "armv7l"},
    {"armhf", "armv7l"},
    {"ppc64el", "ppc64le"},
    {"powerpc64le", "ppc64le"},
});

constexpr std::string_view families[] = {"manylinux", "musllinux", "android"};

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

std::string_view machine_of_alias(std::string_view alias) {
  const auto* const found =
      std::ranges::find(machine_aliases, alias, &std::pair<std::string_view, std::string_view>::first);
  return found == machine_aliases.end() ? std::string_view() : found->second;
}

std::string meant_tag(std::string_view text) {
  std::string word = lower(text);
  std::ranges::replace_if(word, [](char c) { return c == '-' || c == '.' || c == ' '; }, '_');
  const auto* const family =
      std::ranges::find_if(families, [&](std::string_view name) { return word.starts_with(name); });
  if (family == std::end(families)) return "";
  const std::size_t digits = word.find_first_not_of('_', family->size());
  if (digits == word.npos || !is_digit(word[digits])) return "";
  const std::size_t end = std::min(word.find_first_not_of("0123456789", digits), word.size());
  const bool has_minor = end + 1 < word.size() && is_digit(word[end + 1]);
  std::string major = word.substr(digits, end - digits);
  if (!has_minor && major.size() > 1) major.insert(1, "_");  // manylinux228
  for (std::size_t at = word.find('_', end); at != word.npos; at = word.find('_', at + 1))
    if (const std::string_view machine = machine_of_alias(std::string_view(word).substr(at + 1)); !machine.empty())
      word.replace(at + 1, word.npos, machine);
  for (const std::string& number : {word.substr(digits, end - digits), major})
    for (const std::string_view between : {"_", ""}) {
      const std::string tag = fmt::format("{}{}{}{}", *family, between, number, word.substr(end));
      if (tag != text && parse_required_tag(tag)) return tag;
    }
  return "";
}

}  // namespace wheelcheck
