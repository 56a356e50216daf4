#include "model/required_tag.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "model/machines.h"

namespace wheelcheck {
namespace {

using Family = PlatformTag::Family;

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
  for (const std::string& number : {word.substr(digits, end - digits), major})
    for (const std::string_view between : {"_", ""}) {
      const std::string tag = fmt::format("{}{}{}{}", *family, between, number, word.substr(end));
      if (tag != text && parse_required_tag(tag)) return tag;
    }
  return "";
}

}  // namespace wheelcheck
