// WC516: files that are well formed, but that ld.so refuses to load into a running process, or that musl relocates in
// part.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::loader_refuses {
namespace {

struct Refusal {
  std::string message, said_by_loader, fix;
};

// From glibc elf/dl-load.c, _dl_map_object_from_fd. A program in the wheel is executed, not loaded, so it is exempt.
std::optional<Refusal> by_kind(const ElfFacts& facts, bool is_library) {
  if (facts.dynamic && facts.dynamic->flags.noopen && facts.kind == ElfKind::SharedObject)
    return Refusal{"has DF_1_NOOPEN, so that dlopen refuses it", "shared object cannot be dlopen()ed",
                   "link without -Wl,-z,nodlopen"};
  if (!is_library || facts.kind != ElfKind::Executable) return std::nullopt;
  if (facts.dynamic && facts.dynamic->flags.pie)
    return Refusal{"is linked as a program (DF_1_PIE); glibc 2.30 and newer do not load it as a library",
                   "cannot dynamically load position-independent executable", "link with -shared, not with -pie"};
  return Refusal{"is linked as a program; it cannot be loaded as a library", "cannot dynamically load executable",
                 "link with -shared"};
}

bool needs_libc(const DynamicFacts& dynamic) {
  return std::ranges::any_of(dynamic.needed, [](std::string_view name) { return name.starts_with("libc.so."); });
}

// From glibc elf/dl-version.c, _dl_check_map_versions, since 2.36. Older versions do not know DT_RELR and skip these
// relocations; only the version node makes them refuse the file.
std::optional<Refusal> by_relocations(const DynamicFacts& dynamic) {
  if (!dynamic.flags.relr || !needs_libc(dynamic)) return std::nullopt;
  const auto marks = [](const VersionNeed& need) { return need.version == "GLIBC_ABI_DT_RELR"; };
  if (std::ranges::any_of(dynamic.needs, marks)) return std::nullopt;
  return Refusal{
      "has DT_RELR without the version GLIBC_ABI_DT_RELR: glibc 2.36 and newer refuse it, older ones do not apply its "
      "relocations",
      "DT_RELR without GLIBC_ABI_DT_RELR dependency",
      "link with -Wl,-z,pack-relative-relocs, which adds the version, or without packed relocations"};
}

// glibc searches for the library of a version need among the loaded ones and asserts that it finds one
// (elf/dl-version.c, find_needed). Libraries that every Python process has loaded are present.
std::optional<Refusal> by_library(const DynamicFacts& dynamic, const std::set<std::string_view>& needed) {
  const auto is_there = [&](std::string_view library) {
    return needed.contains(library) || library == "libc.so.6" || library == "libc.so.6.1" || library == "libm.so.6" ||
           library == "libm.so.6.1" || library.starts_with("ld-linux") || library.starts_with("ld64.so.");
  };
  for (const VersionNeed& need : dynamic.needs)
    if (!is_there(need.library))
      return Refusal{fmt::format("requires {} of {}, but no file of the wheel has a DT_NEEDED for that library",
                                 need.version, need.library),
                     "Assertion `needed != NULL' failed",
                     "link the file against the library again; do not remove a DT_NEEDED afterwards"};
  return std::nullopt;
}

// glibc before 2.35 adds the load address to entries of the dynamic section (elf/get-dynamic-info.h).
std::optional<Refusal> by_memory(const WheelView& view, const DynamicFacts& dynamic) {
  const auto older = [](const Claim& claim) {
    return claim.tag.family != PlatformTag::Family::Manylinux || claim.tag.libc < Version{{2, 35}};
  };
  if (!dynamic.flags.read_only || !std::ranges::any_of(view.claims, older)) return std::nullopt;
  return Refusal{"has a dynamic section in read-only memory; glibc before 2.35 writes to it and crashes",
                 "Segmentation fault", "link without -Wl,-z,rodynamic"};
}

// musl before 1.2.4 has no code for DT_RELR and ignores it (ldso/dynlink.c). Its addresses stay those of the linker,
// and the first use crashes. Most such files are libraries of a newer Alpine Linux that were copied into the wheel, so
// that this is one finding for all.
void check_musl(const WheelView& view, const Emit& emit) {
  const auto older = [](const Claim& claim) {
    return claim.tag.family == PlatformTag::Family::Musllinux && claim.tag.libc < Version{{1, 2, 4}};
  };
  if (!std::ranges::any_of(view.claims, older)) return;
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.libc == Libc::Glibc || !elf.facts.dynamic || !elf.facts.dynamic->flags.relr) return;
    files.emplace_back(path_of(view, index));
    if (!first) first = index;
  });
  if (!first) return;
  emit(
      {.place = AtElf{*first},
       .message = fmt::format("{} packed relocations (DT_RELR), which musl before 1.2.4 ignores: the import crashes on "
                              "Alpine Linux before 3.18",
                              files.size() == 1 ? "has" : fmt::format("is one of {} files with", files.size())),
       .evidence = {{"files", list_of(files)}, {"musl", "Segmentation fault"}},
       .fix = "link with -Wl,-z,nopack-relative-relocs and bundle libraries of Alpine Linux 3.17 or older, or declare "
              "Alpine Linux 3.18 in the README: no platform tag says musl 1.2.4",
       .severity = Severity::Warning,
       .confidence = {}});
}

// From glibc elf/dl-load.c, open_verify: only ET_DYN and ET_EXEC are opened. Such a file is data (role ForeignCode),
// unless its name makes Python or the loader open it.
void check_other_types(const WheelView& view, const Emit& emit, const std::set<std::string_view>& needed) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const std::string_view name = view.wheel.members[elf.member.value].path.name();
    const bool is_object = elf.facts.kind == ElfKind::Relocatable || elf.facts.kind == ElfKind::Core;
    if (!is_object || elf.facts.use != MachineUse::Host || (!name.ends_with(".so") && !needed.contains(name))) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is {}, but its name makes Python or another file load it",
                                 elf.facts.kind == ElfKind::Core ? "a core file" : "an object file that is not linked"),
          .evidence = {{"ld.so", "only ET_DYN and ET_EXEC can be loaded"}},
          .fix = "link it with -shared",
          .severity = {}});
  }
}

void check(const WheelView& view, const Emit& emit) {
  check_musl(view, emit);
  const std::set<std::string_view> needed = needed_names(view);
  check_other_types(view, emit, needed);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const ElfFacts& facts = elf.facts;
    if (facts.libc == Libc::Musl || facts.libc == Libc::Bionic) return;
    const std::string_view name = view.wheel.members[elf.member.value].path.name();
    const bool is_library = suffix_of(name).kind != ModuleSuffix::Kind::None || needed.contains(name) ||
                            (facts.dynamic && facts.dynamic->soname && needed.contains(*facts.dynamic->soname));
    std::optional<Refusal> refusal = by_kind(facts, is_library);
    if (!refusal && facts.dynamic) refusal = by_relocations(*facts.dynamic);
    if (!refusal && facts.dynamic) refusal = by_library(*facts.dynamic, needed);
    if (!refusal && facts.dynamic) refusal = by_memory(view, *facts.dynamic);
    if (!refusal) return;
    emit({.place = AtElf{index},
          .message = std::move(refusal->message),
          .evidence = {{"ld.so", std::move(refusal->said_by_loader)}},
          .fix = std::move(refusal->fix),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC516",
    .name = "loader-refuses",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::loader_refuses
