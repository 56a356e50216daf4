// The claims of a wheel for rules, and the commands that change them.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/archive/tag_mismatch.h"
#include "rules/common.h"
#include "rules/policy/tags.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules {
namespace {

using Family = PlatformTag::Family;

Libc libc_of(Family family) {
  switch (family) {
    case Family::Manylinux:
      return Libc::Glibc;
    case Family::Musllinux:
      return Libc::Musl;
    case Family::Android:
      return Libc::Bionic;
    case Family::Any:
    case Family::Linux:
    case Family::Other:
      break;
  }
  return Libc::None;
}

std::string_view libc_word(Family family) {
  switch (family) {
    case Family::Musllinux:
      return "musl";
    case Family::Android:
      return "Android API level";
    default:
      return "glibc";
  }
}

}  // namespace

std::string describe(const WheelView& view, const Requirement& requirement) {
  struct Words {
    std::string operator()(const MachineRequirement& what) const {
      return fmt::format("is for {}", name_of(what.arch));
    }
    std::string operator()(const IsaRequirement& what) const { return fmt::format("requires x86-64-v{}", what.level); }
    std::string operator()(const LibraryRequirement& what) const { return "requires " + what.library; }
    std::string operator()(const VersionRequirement& what) const {
      return fmt::format("requires {} of {}", what.version, what.library);
    }
    std::string operator()(const SymbolRequirement& what) const {
      return fmt::format("requires {} of {}", what.symbol, what.library);
    }
    std::string operator()(const InterpreterRequirement& what) const { return "requires " + what.symbol; }
    std::string operator()(const MissingVersionRequirement& what) const {
      return fmt::format("requires {}, which the wheel's {} does not define", what.version, what.library);
    }
  };
  return fmt::format("{} {}", path_of(view, requirement.elf), std::visit(Words{}, requirement.what));
}

bool claims_family(const WheelView& view, Family family) {
  return std::ranges::any_of(view.claims, [&](const Claim& claim) { return claim.tag.family == family; });
}

std::set<Libc> claimed_libcs(const WheelView& view) {
  std::set<Libc> result;
  for (const Claim& claim : view.claims)
    if (const Libc libc = libc_of(claim.tag.family); libc != Libc::None) result.insert(libc);
  return result;
}

std::set<Arch> claimed_archs(const WheelView& view) {
  std::set<Arch> result;
  for (const Claim& claim : view.claims)
    if (claim.tag.arch != Arch::Other) result.insert(claim.tag.arch);
  return result;
}

bool applies_to(const WheelView& view, const Claim& claim) {
  return claim.assessment && view.assessments[*claim.assessment].files > 0;
}

bool is_for_other_libc(const WheelView& view, const ElfMember& elf) {
  const std::set<Libc> claimed = claimed_libcs(view);
  return elf.libc != Libc::None && !claimed.empty() && !claimed.contains(elf.libc);
}

const PlatformTag& strictest(const std::vector<const Claim*>& claims) {
  const PlatformTag* result = &claims.front()->tag;
  for (const Claim* claim : claims)
    if (claim->tag.family == result->family && claim->tag.libc < result->libc) result = &claim->tag;
  return *result;
}

std::string tags_of(const std::vector<const Claim*>& claims) {
  std::vector<std::string> tags;
  for (const Claim* claim : claims)
    if (std::ranges::find(tags, claim->tag.text) == tags.end()) tags.push_back(claim->tag.text);
  return list_of(tags);
}

std::string image_for(const std::vector<const Claim*>& claims) {
  const PlatformTag& tag = strictest(claims);
  const BuildImage* oldest = nullptr;  // of those that get updates
  for (const BuildImage& image : build_images()) {
    if (image.family != tag.family || std::ranges::find(image.archs, tag.arch) == image.archs.end()) continue;
    const bool fits = image.libc <= tag.libc;
    if (image.ended.empty()) oldest = &image;
    if (fits && oldest != nullptr)
      return fmt::format("in the {}_{} image{}", oldest->name, name_of(tag.arch),
                         oldest == &image ? "" : ", the oldest that gets updates, and claim its tag");
  }
  if (tag.family == Family::Android) return fmt::format("with an NDK for API level {}", tag.libc.parts[0]);
  if (tag.libc == Version{}) return "on an older system";
  return fmt::format("on a system with {} {} or older", libc_word(tag.family), to_string(tag.libc));
}

std::string supported_tags(const WheelView& view) {
  std::set<std::string, NaturalLess> tags;
  std::set<std::uint32_t> claimed;
  bool wrong_machine = false;
  const auto add_best = [&](const Assessment& assessment) {
    if (assessment.files > 0 && assessment.best.value > 0) tags.insert(assessment.level_names[assessment.best.value]);
  };
  for (const Claim& claim : view.claims) {
    if (claim.assessment) claimed.insert(*claim.assessment);
    if (!claim.in_name) continue;
    if (claim.tag_result != TagResult::Incompatible) {
      tags.insert(claim.tag.text);
    } else if (applies_to(view, claim)) {
      add_best(view.assessments[*claim.assessment]);
    } else {
      wrong_machine = true;
    }
  }
  // Adds the levels that no claim names but that the content fits.
  for (std::uint32_t i = 0; wrong_machine && i < view.assessments.size(); ++i)
    if (!claimed.contains(i)) add_best(view.assessments[i]);
  return fmt::format("{}", fmt::join(tags, "."));
}

std::string wheel_tags_command(const WheelView& view, std::string_view platforms) {
  // `wheel tags` compares the Tag lines with the single tags of the file name and refuses lines that are sets.
  const auto is_set = [](std::string_view line) { return line.contains('.'); };
  if (platforms != "any" && view.wheel.wheel && std::ranges::any_of(view.wheel.wheel->tags, is_set))
    return fmt::format("wheelcheck fix --retag {}", shell_word(view.wheel.file));
  return wheel_tags_with(view, fmt::format("--platform-tag {}", shell_word(platforms)));
}

std::string wheel_tags_with(const WheelView& view, std::string_view options) {
  const std::string file = shell_word(view.wheel.file);
  const std::string command = fmt::format("wheel tags --remove {} {}", options, file);
  // It also refuses a wheel with files that RECORD does not list (envoy-requests 0.0.1a1).
  const bool refused = tags_differ(view) || std::ranges::any_of(view.wheel.flaws, [](const WheelFlaw& flaw) {
                         return flaw.area == WheelArea::Record && !flaw.minor;
                       });
  return refused ? fmt::format("wheelcheck fix {}, then {}", file, command) : command;
}

}  // namespace wheelcheck::rules
