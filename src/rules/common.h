// What several rules ask of a wheel: its judged files, its claims, what breaks them, and words for the reader's shell.
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

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

std::string_view path_of(const WheelView& view, ElfIndex elf);

template <class Visit>
void for_each_judged(const WheelView& view, Visit visit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i)
    if (is_host_code(view.wheel.elfs[i])) visit(ElfIndex{i}, view.wheel.elfs[i]);
}

// --- claims -------------------------------------------------------------------------------------------------------
bool claims_family(const WheelView& view, PlatformTag::Family family);
// The C libraries that the manylinux, musllinux and Android claims name, and the machines that any claim names.
std::set<Libc> claimed_libcs(const WheelView& view);
std::set<Arch> claimed_archs(const WheelView& view);
// True where the file is built for a C library that is none of the claimed ones.
bool is_for_other_libc(const WheelView& view, const ElfMember& elf);
// Every name that a DT_NEEDED of the wheel asks for.
std::set<std::string_view> needed_names(const WheelView& view);
// An extension module, or a library that another file needs, by soname or file name: importing the package loads it.
// Whether Python code opens another file by itself cannot be seen.
bool is_loaded(const WheelView& view, const std::set<std::string_view>& needed, const ElfMember& elf);

// True where files of the wheel are for the machine of the claim, so that its policy family says something about them.
bool stands_on(const WheelView& view, const Claim& claim);
// The platform tags of the file name with each broken claim replaced by what its policy family allows, or, where no
// file is for its machine, by what the content calls for; for `wheel tags`. "" where nothing better than `linux` is
// left.
std::string honest_platforms(const WheelView& view);
std::string wheel_tags_command(const WheelView& view, std::string_view platforms);
// "in the manylinux_2_28_x86_64 image": the newest public one that keeps the strictest of the claims; else words for a
// system of that age.
std::string image_for(const std::vector<const Claim*>& claims);
const PlatformTag& strictest(const std::vector<const Claim*>& claims);  // of a non-empty list
std::string tags_of(const std::vector<const Claim*>& claims);           // "manylinux1_x86_64, manylinux_2_5_x86_64"

// --- unmet requirements
// ----------------------------------------------------------------------------------------------------
template <class SystemRequirement>
struct UnmetRequirement {
  ElfIndex elf;
  const SystemRequirement* ask;
  std::vector<const Claim*> claims;  // that it breaks, in the order of the claims
};

// "foo/x.so needs GLIBC_2.34 of libc.so.6"
std::string in_words(const WheelView& view, const Requirement& requirement);
using RequirementKey = std::tuple<ElfIndex, std::string, std::string>;  // file, and what it asks, as words
RequirementKey key_of(const Requirement& requirement);

// What breaks claims, of one kind: each (file, thing) once, whatever the number of claims and policy families.
template <class SystemRequirement>
std::vector<UnmetRequirement<SystemRequirement>> unmet_requirements_of(const WheelView& view) {
  std::map<RequirementKey, UnmetRequirement<SystemRequirement>> found;
  for (const Claim& claim : view.claims) {
    if (claim.tag_result != TagResult::Incompatible || !claim.assessment) continue;
    const Assessment& assessment = view.assessments[*claim.assessment];
    for (const RequirementIndex index : claim.unmet_requirements) {
      const Requirement& requirement = assessment.requirements[index.value];
      const SystemRequirement* ask = std::get_if<SystemRequirement>(&requirement.what);
      if (!ask) continue;
      found.try_emplace(key_of(requirement), UnmetRequirement<SystemRequirement>{requirement.elf, ask, {}})
          .first->second.claims.push_back(&claim);
    }
  }
  std::vector<UnmetRequirement<SystemRequirement>> result;
  result.reserve(found.size());
  for (auto& [key, unmet_requirement] : found) result.push_back(std::move(unmet_requirement));
  return result;
}

// The libraries that glibc installs (its shlib-versions, and the names of its loaders).
bool is_of_glibc(std::string_view library);

// --- loading ------------------------------------------------------------------------------------------------------
// The elements that the loader goes through: DT_RUNPATH, or DT_RPATH where there is no DT_RUNPATH. A path of no
// characters at all is not a path (glibc elf/dl-load.c, decompose_rpath).
struct EffectivePath {
  std::string_view kind;  // "RUNPATH", "RPATH", "" where there is none
  std::vector<std::string_view> elements;
};
EffectivePath effective_path(const ElfFacts& facts);
// Whether the loader goes along the path for anything: what CPython has loaded itself (libc, libm, ...) is not looked
// for again, so a library that needs nothing else, and calls no dlopen, never uses its path.
bool is_searched(const ElfMember& elf);
// Starts with $ORIGIN or ${ORIGIN} as glibc reads it: "$ORIGINAL" is another word.
bool starts_at_origin(std::string_view element);
// patchelf's command for `file` with those elements, or without a path where none is left. An RPATH stays one.
std::string set_path_command(const EffectivePath& old, const std::vector<std::string_view>& elements,
                             std::string_view file);
// The $ORIGIN path from the directory of one installed file to that of another: $ORIGIN/../foo.libs
std::string origin_path(std::string_view from_file, std::string_view to_file);
// The outcome of the search for each DT_NEEDED, by file and name.
using NeededMap = std::map<std::pair<ElfIndex, std::string_view>, const NeededFound*>;
NeededMap needed_by_name(const WheelView& view);
// The imports of each version need, by NeedIndex, names sorted.
std::vector<std::vector<std::string>> symbols_by_need(const DynamicFacts& dynamic);

// --- words --------------------------------------------------------------------------------------------------------
inline constexpr std::size_t shown_items = 8;     // of a list in evidence
inline constexpr std::size_t shown_symbols = 32;  // of a list of symbols in evidence
// "a, b and 4 more"
std::string list_of(const std::vector<std::string>& items, std::size_t most = shown_items);
// The same of items in no order, of which there may be thousands: sorts only what is shown.
std::string list_of_first(std::vector<std::string_view> items, std::size_t most = shown_items);
// "a and 4 more" for a message, "" for an empty list.
std::string first_of(const std::vector<std::string>& items);
// "1 file", "2 files"
std::string count_of(std::size_t count, std::string_view singular);
// Bytes as people say them; one place, cut: 104.8 MB.
std::string megabytes(std::uint64_t bytes);
// One word of a POSIX shell, quoted where it must be: names come from strangers, and readers paste.
std::string shell_word(std::string_view text);

}  // namespace wheelcheck::rules
