// Functions that several rules use. They answer which files of a wheel are judged, what the wheel claims, which
// requirements are unmet, and what is loaded with a file.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "model/installed_files.h"
#include "model/search_path.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

std::string_view path_of(const WheelView& view, ElfIndex elf);

template <class Visit>
void for_each_judged(const WheelView& view, Visit visit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i)
    if (is_host_code(view.wheel.elfs[i])) visit(ElfIndex{i}, view.wheel.elfs[i]);
}

// The same without copies: of files with equal bytes (WC513), only the first. For rules whose finding depends on the
// bytes alone and has no command for the file.
template <class Visit>
void for_each_distinct(const WheelView& view, Visit visit) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const MemberFacts& member = view.wheel.members[elf.member.value];
    if (member.packed_size == 0 || seen.emplace(member.size, member.crc32).second) visit(index, elf);
  });
}

// --- claims -------------------------------------------------------------------------------------------------------
bool claims_family(const WheelView& view, PlatformTag::Family family);
// The C libraries that the manylinux, musllinux and Android claims imply, and the architectures of all claims.
std::set<Libc> claimed_libcs(const WheelView& view);
std::set<Arch> claimed_archs(const WheelView& view);
// True for a program for a machine that no tag names. Nothing starts it on the machines of the wheel.
bool is_program_for_elsewhere(const WheelView& view, const ElfMember& elf);
// True if pip installs a member of an archive with an executable bit (_internal/utils/unpacking.py,
// zip_item_is_executable: the mode must be that of a regular file).
bool is_executable(const MemberFacts& member);
// True if the file is built for a C library that is not among the claimed ones.
bool is_for_other_libc(const WheelView& view, const ElfMember& elf);
// True if the file, which has a dynamic section, requires a version of the library.
bool needs_version_of(const ElfMember& user, std::string_view library);
// True if the file certainly uses no symbol of a library that it requires: one in which every symbol has a version, or
// whose symbols begin alike (libEGL.so.1: egl). False for others.
bool uses_no_symbol_of(const ElfMember& user, std::string_view library);
// True for a module x.so beside x.cpython-311-*.so in a wheel for CPython 3.11 alone, which imports the latter
// (importlib.machinery.EXTENSION_SUFFIXES).
bool is_shadowed(const WheelView& view, ElfIndex index);
// True for a wheel that contains nothing beside .dist-info; one that requires other distributions besides.
bool is_empty(const WheelView& view);
bool only_requires(const WheelView& view);
// True if rustc compiled a part of the file, by .comment.
bool is_rust(const ElfFacts& facts);
// All DT_NEEDED names of the wheel's files.
std::set<std::string_view> needed_names(const WheelView& view);
// True for an extension module, and for a library that another file needs by soname or file name: importing the package
// loads it. A file that only Python code opens is not recognized.
bool is_loaded(const WheelView& view, const std::set<std::string_view>& needed, const ElfMember& elf);

// True if the wheel has files for the machine of the claim, so that the claim's policy family applies to them.
bool applies_to(const WheelView& view, const Claim& claim);
// The platform tags of the file name, in which each claim that is not compatible is replaced by the level that the
// content fits. If no file is for the claimed machine, the machine of the content is used. For `wheel tags`. "" if only
// `linux` would remain.
std::string supported_tags(const WheelView& view);
std::string wheel_tags_command(const WheelView& view, std::string_view platforms);
// The same with other options. `wheel tags` refuses a wheel whose file name and WHEEL differ (WC701), so that `fix`
// comes first.
std::string wheel_tags_with(const WheelView& view, std::string_view options);
// "in the manylinux_2_28_x86_64 image": the newest public image that is compatible with the strictest of the claims;
// otherwise a description of a system of that age.
std::string image_for(const std::vector<const Claim*>& claims);
const PlatformTag& strictest(const std::vector<const Claim*>& claims);  // the list must not be empty
std::string tags_of(const std::vector<const Claim*>& claims);           // "manylinux1_x86_64, manylinux_2_5_x86_64"

// --- unmet requirements -------------------------------------------------------------------------------------------
template <class SystemRequirement>
struct UnmetRequirement {
  ElfIndex elf;
  const SystemRequirement* what;
  std::vector<const Claim*> claims;  // not compatible because of it, in the order of the claims
};

// As text: "foo/x.so needs GLIBC_2.34 of libc.so.6"
std::string describe(const WheelView& view, const Requirement& requirement);
using RequirementKey = std::tuple<ElfIndex, std::string, std::string>;  // file, and the requirement as text
RequirementKey key_of(const Requirement& requirement);

// The unmet requirements of one kind. Each (file, requirement) is listed once, regardless of the number of claims and
// policy families.
template <class SystemRequirement>
std::vector<UnmetRequirement<SystemRequirement>> unmet_requirements_of(const WheelView& view) {
  std::map<RequirementKey, UnmetRequirement<SystemRequirement>> found;
  for (const Claim& claim : view.claims) {
    if (claim.tag_result != TagResult::Incompatible || !claim.assessment) continue;
    const Assessment& assessment = view.assessments[*claim.assessment];
    for (const RequirementIndex index : claim.unmet_requirements) {
      const Requirement& requirement = assessment.requirements[index.value];
      const SystemRequirement* what = std::get_if<SystemRequirement>(&requirement.what);
      if (!what) continue;
      found.try_emplace(key_of(requirement), UnmetRequirement<SystemRequirement>{requirement.elf, what, {}})
          .first->second.claims.push_back(&claim);
    }
  }
  std::vector<UnmetRequirement<SystemRequirement>> result;
  result.reserve(found.size());
  for (auto& [key, unmet_requirement] : found) result.push_back(std::move(unmet_requirement));
  return result;
}

// --- loading ------------------------------------------------------------------------------------------------------
// The search result for each DT_NEEDED, by file and name.
using NeededMap = std::map<std::pair<ElfIndex, std::string_view>, const NeededFound*>;
NeededMap needed_by_name(const WheelView& view);
// These files, and the libraries of the wheel that they lead to.
std::set<ElfIndex> loaded_with(const WheelView& view, const std::vector<ElfIndex>& files);
// The libraries that the import of the packages certainly opens by a path. Empty without WheelFacts::all_python.
std::set<ElfIndex> opened_at_import(const WheelView& view);
// What is loaded when the extension modules are imported, and with those.
std::set<ElfIndex> loaded_by_import(const WheelView& view);
// The imports of each version need, by NeedIndex; names sorted.
std::vector<std::vector<std::string>> symbols_by_need(const DynamicFacts& dynamic);

}  // namespace wheelcheck::rules
