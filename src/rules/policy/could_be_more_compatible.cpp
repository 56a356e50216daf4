// WC113: the content fits an older level than the wheel claims, or every interpreter.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/module_names.h"
#include "model/python_tag.h"
#include "rules/common.h"
#include "rules/policy/tags.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::could_be_more_compatible {
namespace {

// The oldest manylinux claim of this assessment; null if there is none.
const Claim* oldest_claim(const WheelView& view, std::uint32_t assessment) {
  const Claim* oldest = nullptr;
  for (const Claim& claim : view.claims) {
    if (claim.assessment != assessment || claim.tag.family != PlatformTag::Family::Manylinux) continue;
    if (!oldest || claim.tag.libc < oldest->tag.libc) oldest = &claim;
  }
  return oldest;
}

// The tags with `best` instead of the claims of that assessment. Tags of other families and machines are kept. If the
// build image of `best` is retired (WC114), the other claims are kept too, because they show that the wheel was built
// in a newer image.
std::string platforms_with(const WheelView& view, std::uint32_t assessment, const PlatformTag& best) {
  std::set<std::string, NaturalLess> tags{best.text};
  for (const Claim& claim : view.claims)
    if (claim.in_name && (claim.assessment != assessment || retired_image(best))) tags.insert(claim.tag.text);
  return fmt::format("{}", fmt::join(tags, "."));
}

// A file that could not be read in full may require more than what was read of it.
bool is_read(const ElfMember& elf) {
  return !std::holds_alternative<BrokenElf>(elf.role) &&
         std::ranges::none_of(elf.facts.flaws, [](const Flaw& flaw) { return flaw.fatal; });
}

// The first glibc of the images in which pypa/manylinux built for that CPython: 3.10 and 3.11 from manylinux2010 on,
// later ones from manylinux2014 on. No older system has had such an interpreter or a pip that accepts its wheels.
Version least_glibc(const WheelName& name) {
  Version least;
  for (const std::string& tag : name.python) {
    const auto minor = cpython3_tag(tag);
    if (!minor) return {};
    const Version one = *minor >= 12 ? Version{{2, 17}} : *minor >= 10 ? Version{{2, 12}} : Version{};
    if (&tag == &name.python.front() || one < least) least = one;
  }
  return least;
}

// The level itself, or an older one is replaced by the oldest on which the tagged interpreters exist.
const std::string* usable_level(const Assessment& assessment, const Version& least) {
  const std::string* level = nullptr;
  for (std::size_t i = 1; i < assessment.level_names.size(); ++i) {
    const PlatformTag tag = parse_platform_tag(assessment.level_names[i]);
    if (tag.family != PlatformTag::Family::Manylinux || tag.libc < least) continue;
    if (tag.libc < parse_platform_tag(assessment.level_names[assessment.best.value]).libc) continue;
    if (level == nullptr || tag.libc < parse_platform_tag(*level).libc) level = &assessment.level_names[i];
  }
  return level;
}

// True if the tags name single releases of interpreters: cp311-cp311, cp311-none.
bool is_for_releases(const WheelName& name) {
  const auto is_release = [](const std::string& tag) { return tag.starts_with("cp") || tag.starts_with("pp"); };
  const auto is_own = [](const std::string& abi) {
    return abi.starts_with("cp") || abi.starts_with("pypy") || abi == "none";
  };
  return std::ranges::all_of(name.python, is_release) && std::ranges::all_of(name.abi, is_own);
}

bool is_python_name(std::string_view symbol) {
  return symbol.starts_with("Py") || symbol.starts_with("_Py") || symbol.starts_with("_cffi_pypyinit");
}

// True if the file neither is, or is called like, a module, nor uses or opens an interpreter.
bool is_without_python(const ElfMember& elf, std::string_view name) {
  if (std::holds_alternative<ExtensionModule>(elf.role)) return false;
  if (suffix_of(name).kind != ModuleSuffix::Kind::None) return false;  // WC803
  const auto names_python = [](std::string_view library) { return library.contains("libpython"); };
  if (std::ranges::any_of(elf.facts.texts.libraries, names_python)) return false;
  if (!elf.facts.dynamic) return true;
  const DynamicFacts& dynamic = *elf.facts.dynamic;
  return std::ranges::none_of(dynamic.needed, names_python) &&
         std::ranges::none_of(dynamic.imports, [](const Import& symbol) { return is_python_name(symbol.name); }) &&
         std::ranges::none_of(dynamic.exports, [](const Export& symbol) { return is_python_name(symbol.name); });
}

void check_interpreter(const WheelView& view, const Emit& emit) {
  const WheelName& name = view.wheel.name;
  bool any = false, without = true;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    any = true;
    without = without && is_without_python(elf, base_name(path_of(view, index)));
  });
  const bool bytecode = std::ranges::any_of(
      view.wheel.members, [](const MemberFacts& member) { return member.path.text().ends_with(".pyc"); });
  // Code for Python 2 need not suit Python 3, and pip of Python 2 takes no py3.
  if (!any || !without || bytecode || !is_for_releases(name) || is_for_python2_alone(name)) return;
  const std::string tags = fmt::format("{}-{}", join(name.python, "."), join(name.abi, "."));
  emit({.place = WholeWheel{},
        .message = fmt::format("no file uses the interface of an interpreter, but installers give {} only to the "
                               "releases that it names",
                               tags),
        .evidence = {{"claimed", tags}, {"content fits", "py3-none"}},
        .fix = wheel_tags_with(view, "--python-tag py3 --abi-tag none"),
        .severity = Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  if (std::ranges::all_of(view.wheel.elfs, is_read)) check_interpreter(view, emit);
  const auto holds = [](const Claim& claim) {
    return claim.tag_result == TagResult::Compatible || claim.tag_result == TagResult::NoMinimum;
  };
  if (!std::ranges::all_of(view.claims, holds) || !std::ranges::all_of(view.wheel.elfs, is_read)) return;
  const Version least = least_glibc(view.wheel.name);
  for (std::uint32_t i = 0; i < view.assessments.size(); ++i) {
    const Assessment& assessment = view.assessments[i];
    const Claim* oldest = oldest_claim(view, i);
    if (!oldest || assessment.files == 0 || assessment.best.value == 0) continue;
    const std::string* const level = usable_level(assessment, least);
    if (level == nullptr) continue;
    const PlatformTag best = parse_platform_tag(*level);
    if (best.libc >= oldest->tag.libc) continue;
    emit({.place = WholeWheel{},
          .message =
              fmt::format("the content is compatible with {}, older than the claimed {}", best.text, oldest->tag.text),
          .evidence = {{"claimed", oldest->tag.text}, {"content fits", best.text}},
          .fix = wheel_tags_command(view, platforms_with(view, i, best)),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC113",
    .name = "could-be-more-compatible",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::could_be_more_compatible
