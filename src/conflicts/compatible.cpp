#include "conflicts/compatible.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"

namespace wheelcheck::conflicts {
namespace {

std::string shown(const WheelFacts& wheel) { return escape(wheel.file); }

std::unexpected<Error> refused(std::string reason) {
  return std::unexpected(Error{ErrorCode::Usage, std::move(reason)});
}

bool is_for_linux(const WheelFacts& wheel) {
  using Family = PlatformTag::Family;
  return wheel.name.platforms.empty() || std::ranges::any_of(wheel.name.platforms, [](const PlatformTag& tag) {
           return tag.family != Family::Other && tag.family != Family::Android;
         });
}

std::set<Arch> machines_of(const WheelFacts& wheel) {
  std::set<Arch> out;
  for (const PlatformTag& tag : wheel.name.platforms)
    if (tag.arch != Arch::Other) out.insert(tag.arch);
  if (!out.empty()) return out;
  for (const ElfMember& file : wheel.elfs)
    if (std::holds_alternative<ExtensionModule>(file.role)) out.insert(file.facts.arch);
  return out;
}

std::set<Libc> libcs_of(const WheelFacts& wheel) {
  std::set<Libc> out;
  for (const PlatformTag& tag : wheel.name.platforms) {
    if (tag.family == PlatformTag::Family::Manylinux) out.insert(Libc::Glibc);
    if (tag.family == PlatformTag::Family::Musllinux) out.insert(Libc::Musl);
  }
  if (!out.empty()) return out;
  for (const ElfMember& file : wheel.elfs)
    if (std::holds_alternative<ExtensionModule>(file.role) && file.libc != Libc::None) out.insert(file.libc);
  return out;
}

// What all of them have in common must not be empty; a wheel that says nothing fits all.
template <class Value, class Of>
Result<std::set<Value>> common(std::span<const WheelFacts> wheels, std::string_view what, const Of& of) {
  std::set<Value> both;
  const WheelFacts* first = nullptr;
  for (const WheelFacts& wheel : wheels) {
    const std::set<Value> own = of(wheel);
    if (own.empty()) continue;
    if (first == nullptr) {
      first = &wheel;
      both = own;
      continue;
    }
    std::set<Value> rest;
    std::ranges::set_intersection(both, own, std::inserter(rest, rest.end()));
    if (rest.empty())
      return refused(fmt::format("{} is for {} and {} for {}: no process loads both ({})", shown(*first),
                                 name_of(*both.begin()), shown(wheel), name_of(*own.begin()), what));
    both = std::move(rest);
  }
  return both;
}

}  // namespace

Result<void> can_share_a_process(std::span<const WheelFacts> wheels) {
  for (const WheelFacts& wheel : wheels)
    if (!is_for_linux(wheel))
      return refused(fmt::format("{} is no wheel for Linux ({}): its loader is not modelled", shown(wheel),
                                 escape(wheel.name.platforms.front().text)));
  if (auto machines = common<Arch>(wheels, "different machines", machines_of); !machines)
    return std::unexpected(std::move(machines.error()));
  const auto libcs = common<Libc>(wheels, "different C libraries", libcs_of);
  if (!libcs) return std::unexpected(libcs.error());
  if (!libcs->empty() && !libcs->contains(Libc::Glibc))
    return refused(fmt::format("these wheels are for {}, whose loader is not modelled; only glibc's is",
                               name_of(*libcs->begin())));
  return {};
}

}  // namespace wheelcheck::conflicts
