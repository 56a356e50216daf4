// What makes the loader refuse a file that is well formed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/pattern.h"
#include "base/text.h"
#include "mangling/demangle.h"
#include "model/c_names.h"
#include "model/library_name.h"
#include "model/python_calls.h"
#include "model/requires_dist.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"
#include "rules/pyabi/python_abi.h"
#include "wheelcheck/interfaces.h"

namespace wheelcheck::rules {
namespace {

// A file that musl loads: its own C library is musl, or that of all tags is.
bool is_for_musl(const WheelView& view, const ElfMember& elf) {
  return elf.libc == Libc::None ? claimed_libcs(view) == std::set{Libc::Musl} : elf.libc == Libc::Musl;
}

}  // namespace
}  // namespace wheelcheck::rules

// WC516: files that are well formed, but that ld.so or musl refuses to load into a running process, or that musl
// relocates in part.
namespace wheelcheck::rules::loader_refuses {
namespace {

struct Refusal {
  std::string message, said_by_loader, fix;
  std::optional<SystemCondition> on = {};
};

// From glibc elf/dl-load.c, _dl_map_object_from_fd. A program in the wheel is executed, not loaded, so it is exempt.
std::optional<Refusal> by_kind(const ElfFacts& facts, bool is_library) {
  if (facts.dynamic && facts.dynamic->flags.noopen && facts.kind == ElfKind::SharedObject)
    return Refusal{"has DF_1_NOOPEN, so that dlopen refuses it", "shared object cannot be dlopen()ed",
                   "link without -Wl,-z,nodlopen"};
  if (!is_library || facts.kind != ElfKind::Executable) return std::nullopt;
  if (facts.dynamic && facts.dynamic->flags.pie)
    return Refusal{"is linked as a program (DF_1_PIE); glibc 2.30 and newer do not load it as a library",
                   "cannot dynamically load position-independent executable", "link with -shared, not with -pie",
                   SystemCondition{.from = "2.30"}};
  return Refusal{"is linked as a program; it cannot be loaded as a library", "cannot dynamically load executable",
                 "link with -shared"};
}

bool needs_libc(const DynamicFacts& dynamic) {
  return std::ranges::any_of(dynamic.needed, [](std::string_view name) { return name.starts_with("libc.so."); });
}

// Whether the tags allow a glibc before this release.
bool claims_before(const WheelView& view, const Version& release) {
  return std::ranges::any_of(view.claims, [&](const Claim& claim) {
    return claim.tag.family != PlatformTag::Family::Manylinux || claim.tag.libc < release;
  });
}

// From glibc elf/dl-version.c, _dl_check_map_versions, since 2.36. Older versions do not know DT_RELR and skip these
// relocations; only the version node makes them refuse the file. The function looks at no file without versions.
std::optional<Refusal> by_relocations(const WheelView& view, const DynamicFacts& dynamic) {
  if (!dynamic.flags.relr || !needs_libc(dynamic)) return std::nullopt;
  const auto marks = [](const VersionNeed& need) { return need.version == "GLIBC_ABI_DT_RELR"; };
  if (std::ranges::any_of(dynamic.needs, marks)) return std::nullopt;
  if (dynamic.needs.empty() && dynamic.provides.empty()) {
    if (!claims_before(view, Version{{2, 36}})) return std::nullopt;
    return Refusal{"has DT_RELR, whose relocations glibc before 2.36 does not apply", "Segmentation fault",
                   "link without packed relocations (-Wl,-z,nopack-relative-relocs)",
                   SystemCondition{.before = "2.36"}};
  }
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

// A lookup of glibc before 2.30 ends at the library that the version need names, also if a later one of the scope has
// the name (elf/dl-lookup.c, do_lookup_x). Before 2.15 libc had scalbln, which is in libm since.
std::optional<Refusal> by_moved_name(const WheelView& view, const DynamicFacts& dynamic) {
  if (!claims_before(view, Version{{2, 30}})) return std::nullopt;
  for (const Import& import : dynamic.imports) {
    if (!import.need || import.weak || import.bound == Bound::Never) continue;
    const VersionNeed& need = dynamic.needs[import.need->value];
    if (need.library != "libc.so.6" || !only_libm_has(import.name)) continue;
    return Refusal{
        fmt::format("requires {}@{} of libc.so.6, but glibc has it in libm.so.6 only", import.name, need.version),
        fmt::format("symbol {}, version {} not defined in file libc.so.6 with link time reference", import.name,
                    need.version),
        "link with -lm", SystemCondition{.before = "2.30"}};
  }
  return std::nullopt;
}

// glibc before 2.35 adds the load address to entries of the dynamic section (elf/get-dynamic-info.h).
std::optional<Refusal> by_memory(const WheelView& view, const DynamicFacts& dynamic) {
  if (!dynamic.flags.read_only || !claims_before(view, Version{{2, 35}})) return std::nullopt;
  return Refusal{"has a dynamic section in read-only memory; glibc before 2.35 writes to it and crashes",
                 "Segmentation fault", "link without -Wl,-z,rodynamic", SystemCondition{.before = "2.35"}};
}

// musl before 1.2.4 has no code for DT_RELR and ignores it (ldso/dynlink.c). Its addresses stay those of the linker,
// and the first use crashes. Most such files are libraries of a newer Alpine Linux that were copied into the wheel, so
// that this is one finding for all. It is a note: Alpine Linux 3.17 had its end of life on 22 November 2024.
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
  const auto is_of_compiler = [](std::string_view path) {
    const std::string_view name = base_name(path);
    return name.starts_with("libgcc_s") || name.starts_with("libstdc++");
  };
  const bool of_compiler = std::ranges::all_of(files, is_of_compiler);
  emit(
      {.place = AtElf{*first},
       .message = fmt::format("{} packed relocations (DT_RELR), which musl before 1.2.4 ignores: the import crashes on "
                              "Alpine Linux before 3.18",
                              files.size() == 1 ? "has" : fmt::format("is one of {} files with", files.size())),
       .evidence = {{"files", list_of(files)}, {"musl", "Segmentation fault"}},
       .fix =
           fmt::format("{}, or declare Alpine Linux 3.18 in the README: no platform tag says musl 1.2.4",
                       of_compiler ? "link C and C++ with -static-libgcc -static-libstdc++, so that repair copies no "
                                     "runtime of the compiler"
                                   : "link with -Wl,-z,nopack-relative-relocs and bundle libraries of Alpine Linux "
                                     "3.17 or older"),
       .severity = Severity::Note,
       .confidence = {}});
}

// musl has no code for indirect functions: find_sym skips their symbols, and do_relocs has no type that calls a
// resolver (ldso/dynlink.c).
class IndirectFunctions {
 public:
  explicit IndirectFunctions(const WheelView& view) {
    for_each_judged(view, [&](ElfIndex, const ElfMember& elf) {
      if (!elf.facts.dynamic || !is_for_musl(view, elf)) return;
      for (const Export& symbol : elf.facts.dynamic->exports)
        if (symbol.kind == SymbolKind::Ifunc) indirect_.insert(symbol.name);
    });
    if (indirect_.empty()) return;
    for_each_judged(view, [&](ElfIndex, const ElfMember& elf) {
      if (!elf.facts.dynamic) return;
      for (const Export& symbol : elf.facts.dynamic->exports)
        if (symbol.kind != SymbolKind::Ifunc && indirect_.contains(symbol.name)) defined_.insert(symbol.name);
      for (const Import& import : elf.facts.dynamic->imports)
        if (!import.weak && import.bound != Bound::Never && indirect_.contains(import.name))
          imported_.insert(import.name);
    });
  }

  std::vector<std::string> not_found(const DynamicFacts& dynamic) const {
    std::vector<std::string> names;
    if (indirect_.empty()) return names;
    for (const Export& symbol : dynamic.exports) {
      if (symbol.kind != SymbolKind::Ifunc || defined_.contains(symbol.name)) continue;
      if (symbol.bound == Bound::Never && !imported_.contains(symbol.name) && !is_module_hook(symbol.name)) continue;
      if (!c_name(Libc::Musl, symbol.name)) names.emplace_back(symbol.name);
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  std::set<std::string_view> indirect_, defined_, imported_;
};

std::optional<Refusal> by_musl(const DynamicFacts& dynamic, const IndirectFunctions& functions) {
  if (!dynamic.types_not_in_musl.empty()) {
    std::vector<std::string> types;
    for (const std::uint32_t type : dynamic.types_not_in_musl) types.push_back(fmt::to_string(type));
    return Refusal{fmt::format("has relocations of {} that musl does not support: {}",
                               types.size() == 1 ? "a type" : "types", list_of(types)),
                   fmt::format("unsupported relocation type {}", types.front()),
                   "build it for musl: without indirect functions (ifunc, target_clones), and with -fPIC"};
  }
  const std::vector<std::string> names = functions.not_found(dynamic);
  if (names.empty()) return std::nullopt;
  return Refusal{fmt::format("exports {} as {} (STT_GNU_IFUNC), which musl does not find", first_of(names),
                             names.size() == 1 ? "an indirect function" : "indirect functions"),
                 fmt::format("{}: symbol not found", names.front()),
                 "build it for musl without indirect functions (ifunc, target_clones)"};
}

// From glibc elf/dl-load.c, open_verify: only ET_DYN and ET_EXEC are opened. Such a file is data (role ForeignCode),
// unless its name makes Python or the loader open it.
void check_other_types(const WheelView& view, const Emit& emit, const std::set<std::string_view>& needed) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const std::string_view name = view.wheel.members[elf.member.value].path.name();
    const bool is_object = elf.facts.kind == ElfKind::Relocatable || elf.facts.kind == ElfKind::Core;
    // Debuggers look for a file of the same name in a directory .debug.
    const bool is_debug = elf.facts.debug_only && suffix_of(name).kind != ModuleSuffix::Kind::None &&
                          !path_of(view, ElfIndex{i}).contains("/.");
    if (elf.facts.use != MachineUse::Host || (!is_debug && !is_object)) continue;
    if (!name.ends_with(".so") && !needed.contains(name)) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is {}, but its name makes Python or another file load it",
                                 is_debug                          ? "debug information without code"
                                 : elf.facts.kind == ElfKind::Core ? "a core file"
                                                                   : "an object file that is not linked"),
          .evidence = {{"ld.so",
                        is_debug ? "object file has no dynamic section" : "only ET_DYN and ET_EXEC can be loaded"}},
          .fix = is_debug ? "give it the ending .debug, and the module its own file" : "link it with -shared",
          .severity = {}});
  }
}

void check(const WheelView& view, const Emit& emit) {
  check_musl(view, emit);
  const std::set<std::string_view> needed = needed_names(view);
  check_other_types(view, emit, needed);
  const auto say = [&](ElfIndex index, const char* loader, Refusal& refusal) {
    emit({.place = AtElf{index},
          .message = std::move(refusal.message),
          .evidence = {{loader, std::move(refusal.said_by_loader)}},
          .fix = std::move(refusal.fix),
          .severity = {},
          .on = std::move(refusal.on)});
  };
  const IndirectFunctions functions(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const ElfFacts& facts = elf.facts;
    // A static program relocates itself.
    const bool is_loaded = facts.kind == ElfKind::SharedObject || facts.interpreter;
    if (facts.dynamic && is_loaded && is_for_musl(view, elf)) {
      if (std::optional<Refusal> refusal = by_musl(*facts.dynamic, functions)) return say(index, "musl", *refusal);
    }
    if (facts.libc == Libc::Musl || facts.libc == Libc::Bionic) return;
    const std::string_view name = view.wheel.members[elf.member.value].path.name();
    const bool is_library = suffix_of(name).kind != ModuleSuffix::Kind::None || needed.contains(name) ||
                            (facts.dynamic && facts.dynamic->soname && needed.contains(*facts.dynamic->soname));
    std::optional<Refusal> refusal = by_kind(facts, is_library);
    if (!refusal && facts.dynamic) refusal = by_relocations(view, *facts.dynamic);
    if (!refusal && facts.dynamic) refusal = by_library(*facts.dynamic, needed);
    if (!refusal && facts.dynamic) refusal = by_moved_name(view, *facts.dynamic);
    if (!refusal && facts.dynamic) refusal = by_memory(view, *facts.dynamic);
    if (refusal) say(index, "ld.so", *refusal);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC516",
    .name = "loader-refuses",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::loader_refuses

namespace wheelcheck::rules {
namespace {

// WC304 says that such a file must go; how it was built does not matter then.
bool is_copy_of_libc(const WheelView& view, ElfIndex index) {
  const Toolchain what = toolchain_of(path_of(view, index));
  return what == Toolchain::Glibc || what == Toolchain::Loader;
}

}  // namespace
}  // namespace wheelcheck::rules

// WC508: a library requires space in the static TLS block, which is small and cannot grow.
namespace wheelcheck::rules::static_tls {
namespace {

// What no process has room for that is already running: glibc keeps 1,664 bytes and what rounding leaves of a page of
// alignment (elf/dl-tls.c, _dl_tls_static_surplus_init), and places nothing that is aligned to more than its own block
// is, 64 bytes on x86-64 (elf/dl-reloc.c, _dl_try_allocate_static_tls).
constexpr std::uint64_t max_room = 2048, max_alignment = 64;

// A block as small as that of libgomp, 120 bytes, or of a Go runtime, 8 bytes, has room in nearly every process.
constexpr std::uint64_t small_block = 256;

// A library that was copied into the wheel: by a repair tool, or an OpenMP runtime in a directory of the package.
bool is_built_by_others(const WheelView& view, const ElfMember& elf) {
  if (std::holds_alternative<BundledLibrary>(elf.role)) return true;
  if (!elf.facts.dynamic->soname) return false;
  const std::string name = plain_library_name(base_name(*elf.facts.dynamic->soname));
  return std::ranges::any_of(view.knowledge.libraries, [&](const KnownLibrary& library) {
    return library.family == "openmp" && std::ranges::any_of(library.sonames, [&](std::string_view pattern) {
             return match_pattern(pattern, name).has_value();
           });
  });
}

// zig links a part of glibc whose errno is a variable of its own (fubon-neo 2.3.1, luoshu-python-sdk 0.1.0).
bool is_of_static_libc(const ElfFacts& facts) {
  return facts.dynamic->static_tls_relocations == 1 &&
         std::ranges::any_of(facts.sections.comments, [](std::string_view one) { return one.contains("LLD "); });
}

// The file whose variables `elf` refers to in this way: itself, or a library of the wheel that it requires. Null if
// there is none.
const ElfMember* owner_of_variables(const WheelView& view, const ElfMember& elf) {
  const DynamicFacts& dynamic = *elf.facts.dynamic;
  if (dynamic.own_static_tls_relocations > 0) return &elf;
  std::set<std::string_view> names;
  if (dynamic.static_tls_relocations > 0)
    for (const Import& import : dynamic.imports)
      if (import.kind == SymbolKind::Tls && import.bound != Bound::Never) names.insert(import.name);
  if (names.empty()) return nullptr;
  const std::set<std::string_view> needed(dynamic.needed.begin(), dynamic.needed.end());
  const auto defines = [&](const ElfMember& other) {
    if (!other.facts.dynamic || std::holds_alternative<ExtensionModule>(other.role)) return false;
    if (!is_loaded(view, needed, other)) return false;
    return std::ranges::any_of(other.facts.dynamic->exports, [&](const Export& symbol) {
      return symbol.kind == SymbolKind::Tls && names.contains(symbol.name);
    });
  };
  const auto found = std::ranges::find_if(view.wheel.elfs, defines);
  return found == view.wheel.elfs.end() ? nullptr : &*found;
}

// `facts`: of the file with the variables.
std::string never_fits(const ElfFacts& facts) {
  if (facts.libc == Libc::Musl || facts.libc == Libc::Bionic) return {};
  if (facts.segments.tls_size > max_room) return fmt::format("{} bytes", facts.segments.tls_size);
  if (facts.arch == Arch::x86_64 && facts.segments.tls_align > max_alignment)
    return fmt::format("an alignment of {} bytes", facts.segments.tls_align);
  return {};
}

void report_musl(const Emit& emit, ElfIndex index, const ElfMember& elf, bool loaded) {
  // musl refuses an initial-exec reference to a variable of any library that was not there when the process started
  // (ldso/dynlink.c, do_relocs: tls_id > static_tls_cnt). It keeps no reserve.
  emit({.place = AtElf{index},
        .message = "has thread-local variables of the initial-exec model, which musl refuses in a library that is "
                   "opened later",
        .evidence = {{"required by", count_of(elf.facts.dynamic->static_tls_relocations, "relocation")},
                     {"musl", "initial-exec TLS resolves to dynamic definition"}},
        .fix = "build with -ftls-model=global-dynamic, and with -fPIC rather than -fPIE; on x86-64 -mtls-dialect=gnu2 "
               "is nearly as fast",
        .severity = loaded ? Severity::Error : Severity::Warning,
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  // A library of a program is placed when the program starts.
  const bool programs =
      std::ranges::any_of(view.wheel.elfs, [](const ElfMember& elf) { return elf.facts.kind == ElfKind::Executable; });
  const std::set<std::string_view> needed = needed_names(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    // The variables of a program and its DT_NEEDED libraries are placed before the block is allocated.
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    if (is_copy_of_libc(view, index)) return;
    const std::uint32_t relocations = elf.facts.dynamic->static_tls_relocations;
    if (relocations == 0 && !elf.facts.dynamic->flags.static_tls) return;
    const bool bundled = is_built_by_others(view, elf);
    const ElfMember* const owner = programs ? nullptr : owner_of_variables(view, elf);
    if (owner != nullptr && is_for_musl(view, elf)) {
      report_musl(emit, index, elf, is_loaded(view, needed, elf));
      return;
    }
    const std::string too_much = owner == nullptr ? std::string() : never_fits(owner->facts);
    const std::uint64_t size = (owner == nullptr ? elf : *owner).facts.segments.tls_size;
    const bool small = size > 0 && size <= small_block;
    // What no import loads may be meant for LD_PRELOAD, which loads it before the block is allocated.
    const bool opened = is_loaded(view, needed, elf) || is_opened_by_name(view.wheel, base_name(path_of(view, index)));
    const Severity severity = !too_much.empty() && opened ? Severity::Error
                              : too_much.empty() && small ? Severity::Note
                                                          : Severity::Warning;
    emit({.place = AtElf{index},
          .message = too_much.empty()
                         ? "uses static thread-local storage (TLS): the import fails if the process has none left"
                         : fmt::format("requires {} of static thread-local storage, which glibc does not have for a "
                                       "library that is opened later",
                                       too_much),
          .evidence = {{"required by",
                        relocations == 0
                            ? "DF_STATIC_TLS"
                            : fmt::format("{}{}", count_of(relocations, "relocation"),
                                          elf.facts.dynamic->flags.static_tls ? " and DF_STATIC_TLS" : "")}},
          .fix = elf.facts.interfaces.jemalloc_page != 0
                     ? "its jemalloc asks for it, whatever -ftls-model says: configure jemalloc with "
                       "--disable-initial-exec-tls (tikv-jemalloc-sys: the feature disable_initial_exec_tls)"
                 : is_of_static_libc(elf.facts)
                     ? "the one variable may be errno of the C library's static part, which zig compiles for the "
                       "initial-exec model: link with the linker of the image"
                 : bundled ? "import the package before others with such libraries, or build the library with "
                             "-ftls-model=global-dynamic"
                           : "build with -ftls-model=global-dynamic, and with -fPIC rather than -fPIE",
          .severity = severity});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC508",
    .name = "static-tls",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::static_tls

// WC517: the ABI note of a library names a later kernel than the systems of the tag run, or another system.
namespace wheelcheck::rules::abi_note {
namespace {

using Kernel = std::array<std::uint32_t, 3>;

// The kernel of the first long-term release of a distribution with that glibc: CentOS 5, 6 and 7, Debian 9, Ubuntu
// 18.04, RHEL 8, Ubuntu 20.04, RHEL 9, Ubuntu 22.04.
struct System {
  Version glibc;
  Kernel kernel;
};
constexpr System systems[] = {{{{2, 5}}, {2, 6, 18}}, {{{2, 12}}, {2, 6, 32}}, {{{2, 17}}, {3, 10, 0}},
                              {{{2, 24}}, {4, 9, 0}}, {{{2, 27}}, {4, 15, 0}}, {{{2, 28}}, {4, 18, 0}},
                              {{{2, 31}}, {5, 4, 0}}, {{{2, 34}}, {5, 14, 0}}, {{{2, 35}}, {5, 15, 0}}};
// The last release that reads the note.
constexpr Version last_reader{{2, 35}};

std::string text(const Kernel& kernel) { return fmt::format("{}.{}.{}", kernel[0], kernel[1], kernel[2]); }

// The claim with the oldest glibc that reads the note.
const Claim* oldest_claim(const WheelView& view) {
  const Claim* oldest = nullptr;
  for (const Claim& claim : view.claims) {
    const bool reads = claim.tag.family == PlatformTag::Family::Manylinux && claim.tag.libc <= last_reader;
    if (reads && (oldest == nullptr || claim.tag.libc < oldest->tag.libc)) oldest = &claim;
  }
  return oldest;
}

void check(const WheelView& view, const Emit& emit) {
  const Claim* const claim = oldest_claim(view);
  if (claim == nullptr) return;
  const auto* const after = std::ranges::upper_bound(systems, claim->tag.libc, {}, &System::glibc);
  const Kernel& runs = (after == std::begin(systems) ? systems : std::prev(after))->kernel;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.abi_note || elf.facts.kind != ElfKind::SharedObject) return;
    if (elf.libc == Libc::Musl || elf.libc == Libc::Bionic || is_copy_of_libc(view, index)) return;
    const AbiNote& note = *elf.facts.abi_note;
    const Kernel built_for{note.major, note.minor, note.patch};
    const bool linux = note.system == 0;
    if (linux && built_for <= runs) return;
    emit(
        {.place = AtElf{index},
         .message = linux ? fmt::format("is marked as built for Linux {} and later; glibc before 2.36 does not open it "
                                        "on an older kernel",
                                        text(built_for))
                          : "is marked as built for another system than Linux; glibc before 2.36 does not open it",
         .evidence = {{"tag", fmt::format("{}: systems with Linux {}", claim->tag.text, text(runs))},
                      {"ld.so", "cannot open shared object file: No such file or directory"}},
         .fix = "remove the note if the code also works on older kernels: objcopy --remove-section .note.ABI-tag " +
                shell_word(path_of(view, index)),
         .severity = linux && built_for <= std::prev(std::end(systems))->kernel ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC517",
    .name = "abi-note",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::abi_note

// WC821: Requires-Dist allows a version of another distribution that lacks what the wheel imports of it.
namespace wheelcheck::rules::provider_lacks_symbol {
namespace {

// The specifiers of METADATA for that distribution that are no extra's; nullopt where it is not required.
std::optional<std::string> specifier_for(const Metadata& metadata, const std::string& distribution) {
  for (const std::string& line : metadata.requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.name == distribution && !dependency.under && dependency.for_linux) return specifier_of(line);
  }
  return std::nullopt;
}

// `specifier`: nullopt where METADATA does not require the distribution.
void report(const Emit& emit, const ProviderAnswer& answer, const ProviderAnswer* sufficient,
            const std::optional<std::string>& specifier, bool allowed) {
  std::vector<std::string> names;
  for (const ProviderAnswer::Missing& missing : answer.missing)
    names.push_back(missing.library.empty() ? demangle_briefly(missing.name)
                                            : fmt::format("{} of {}", missing.name, missing.library));
  const std::string imports = fmt::format("imports {} of {}", first_of(names), answer.distribution);
  const std::string installs = allowed
                                   ? fmt::format("; Requires-Dist allows version {}, which lacks it", answer.version)
                                   : fmt::format(", which version {} lacks{}", answer.version,
                                                 specifier ? "; Requires-Dist excludes that version" : "");
  const std::string fix =
      sufficient              ? fmt::format("write `Requires-Dist: {}>={}`", answer.distribution, sufficient->version)
      : !allowed && specifier ? fmt::format("install a version that METADATA allows: pip install {}",
                                            shell_word(answer.distribution + *specifier))
                              : fmt::format("require a version of {} that has them", answer.distribution);
  emit({.place = AtElf{answer.missing.front().file},
        .message = imports + installs,
        .evidence = {{"missing", list_of(names, shown_symbols)},
                     {"Requires-Dist", specifier ? answer.distribution + *specifier : "none"},
                     {"lowest version that has all", sufficient ? sufficient->version : "none of those given"}},
        .fix = fix,
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  if (view.providers.empty() || !view.wheel.metadata) return;
  const std::vector<ProviderAnswer> answers = provider_answers(view.wheel, view.providers);
  for (std::size_t i = 0; i < answers.size();) {
    std::size_t end = i;
    while (end < answers.size() && answers[end].distribution == answers[i].distribution) ++end;
    const auto specifier = specifier_for(*view.wheel.metadata, answers[i].distribution);
    const ProviderAnswer *lacking = nullptr, *sufficient = nullptr, *newest = nullptr;
    bool any_allowed = false;
    for (; i < end; ++i) {
      const ProviderAnswer& answer = answers[i];
      const bool allowed = specifier && allows(*specifier, answer.version).value_or(false);
      any_allowed = any_allowed || allowed;
      newest = &answer;
      if (answer.missing.empty()) {
        if (!sufficient) sufficient = &answer;
      } else if (!lacking && allowed) {
        lacking = &answer;
      }
    }
    // Who gives a version that METADATA does not ask for means to install it.
    if (lacking)
      report(emit, *lacking, sufficient, specifier, true);
    else if (!any_allowed && !sufficient)
      report(emit, *newest, nullptr, specifier, false);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC821",
    .name = "provider-lacks-symbol",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::provider_lacks_symbol

// WC515: a library of the wheel lacks a version that its user requires, so it is another build than the one that the
// user was linked against.
namespace wheelcheck::rules::version_not_defined {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::map<ElfIndex, std::vector<std::vector<std::string>>> symbols;
  for (const MissingVersion& missing : view.resolution.missing_versions) {
    const ElfMember& user = view.wheel.elfs[missing.user.value];
    if (!user.facts.dynamic) continue;
    const auto by_need = symbols.try_emplace(missing.user);
    if (by_need.second) by_need.first->second = symbols_by_need(*user.facts.dynamic);
    const VersionNeed& need = user.facts.dynamic->needs[missing.need.value];
    const std::vector<std::string>& names = by_need.first->second[missing.need.value];
    const std::string provider = missing.provider.wheel.value == 0 ? std::string(path_of(view, missing.provider.elf))
                                                                   : "another wheel of the run";
    std::vector<Evidence> evidence{
        {"library", std::string(need.library)}, {"version", std::string(need.version)}, {"found in", provider}};
    if (!names.empty()) evidence.push_back({"symbols", list_of(names, shown_symbols)});
    emit({.place = AtElf{missing.user},
          .message = fmt::format("requires {} of {}, which {} does not define", need.version, need.library, provider),
          .evidence = std::move(evidence),
          .fix = fmt::format("bundle the {} that it was linked against, or link it against the one that is bundled",
                             need.library),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC515",
    .name = "version-not-defined",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::version_not_defined
