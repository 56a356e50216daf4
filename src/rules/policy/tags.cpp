// Retired manylinux images, and the platform tags that installers accept.
#include "rules/policy/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/embedded.h"
#include "base/text.h"
#include "model/required_tag.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_images[];

namespace rules {

namespace {

BuildImage image_of(std::string_view line) {
  std::array<std::string_view, 6> columns;
  for (std::string_view& column : columns) {
    const bool last = &column == &columns.back();
    column = last ? line : line.substr(0, line.find(' '));
    line.remove_prefix(std::min(column.size() + 1, line.size()));
  }
  const PlatformTag level = parse_platform_tag(fmt::format("{}_x86_64", columns[0]));
  BuildImage image{level.family, level.libc, columns[1], {}, columns[3], columns[4], columns[5]};
  for (const std::string_view arch : split(columns[2], ','))
    if (const auto known = arch_from_name(arch)) image.archs.push_back(*known);
  return image;
}

}  // namespace

const std::vector<BuildImage>& build_images() {
  static const std::vector<BuildImage> images = [] {
    std::vector<BuildImage> out;
    for (const std::string_view line : split(embedded_images[0].text, '\n'))
      if (!line.empty() && line.front() != '#') out.push_back(image_of(line));
    return out;
  }();
  return images;
}

const BuildImage* retired_image(const PlatformTag& tag) {
  const auto is_it = [&](const BuildImage& one) {
    return !one.ended.empty() && one.family == tag.family && one.libc == tag.libc;
  };
  const auto at = std::ranges::find_if(build_images(), is_it);
  return at == build_images().end() ? nullptr : &*at;
}

namespace {

using Family = PlatformTag::Family;

// No release of glibc or musl has a higher number. glibc increments it twice a year.
constexpr std::uint32_t newest_minor = 60;

// The machine in linux_M, manylinux_X_Y_M, musllinux_X_Y_M and the legacy names, as written.
std::string_view machine_text(std::string_view tag) {
  for (const std::string_view prefix : {"linux_", "manylinux1_", "manylinux2010_", "manylinux2014_"})
    if (tag.starts_with(prefix)) return tag.substr(prefix.size());
  for (const std::string_view prefix : {"manylinux_", "musllinux_"}) {
    if (!tag.starts_with(prefix)) continue;
    const std::size_t minor = tag.find('_', prefix.size());
    const std::size_t machine = minor == tag.npos ? tag.npos : tag.find('_', minor + 1);
    return machine == tag.npos ? std::string_view() : tag.substr(machine + 1);
  }
  return "";
}

bool is_legacy(std::string_view tag) { return tag.starts_with("manylinux1_") || tag.starts_with("manylinux2010_"); }

}  // namespace

std::string installer_refusal(const PlatformTag& tag) {
  if (tag.family == Family::Any || tag.family == Family::Android || !other_system(tag).empty() || !tag.isa.empty())
    return "";
  const std::string_view machine = machine_text(tag.text);
  if (tag.family == Family::Other) return "is not a platform tag of Linux";
  if (const std::string_view known = machine_of_alias(machine); !known.empty())
    return fmt::format("names the machine {}, which Linux calls {}", machine, known);
  if (tag.family == Family::Manylinux && (tag.arch == Arch::Other || tag.arch == Arch::armv6l))
    return fmt::format("names the machine {}, for which no installer looks for manylinux wheels", machine);
  // PEP 600: manylinux1 and manylinux2010 exist only for the machines of PEP 513 and 571.
  if (is_legacy(tag.text) && tag.arch != Arch::x86_64 && tag.arch != Arch::i686)
    return fmt::format("does not exist for {}, only for x86_64 and i686", machine);
  const bool versioned = tag.family == Family::Manylinux || tag.family == Family::Musllinux;
  if (versioned && (tag.libc.parts[1] > newest_minor || tag.libc.parts[0] != (tag.family == Family::Manylinux ? 2 : 1)))
    return fmt::format("names a C library {}.{} that does not exist", tag.libc.parts[0], tag.libc.parts[1]);
  return "";
}

std::string corrected_spelling(const PlatformTag& tag) {
  const std::string_view machine = machine_text(tag.text), known = machine_of_alias(machine);
  if (known.empty() && tag.family != Family::Other) return "";
  const std::string text =
      known.empty() ? meant_tag(tag.text) : tag.text.substr(0, tag.text.size() - machine.size()) + std::string(known);
  return installer_refusal(parse_platform_tag(text)).empty() ? text : "";
}

}  // namespace rules
}  // namespace wheelcheck
