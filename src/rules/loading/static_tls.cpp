// WC508: a library requires space in the static TLS block, which is small and cannot grow.
#include <fmt/format.h>

#include <algorithm>

#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"
#include "model/python_calls.h"
#include "rules/common.h"

namespace wheelcheck::rules::static_tls {
namespace {

// What no process has room for that is already running: glibc keeps 1,664 bytes and what rounding leaves of a page of
// alignment (elf/dl-tls.c, _dl_tls_static_surplus_init), and places nothing that is aligned to more than its own block
// is, 64 bytes on x86-64 (elf/dl-reloc.c, _dl_try_allocate_static_tls).
constexpr std::uint64_t most_room = 2048, most_alignment = 64;

// A block as small as that of libgomp, 120 bytes, is no reason to change a library that others built.
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

// musl refuses an initial-exec reference to a variable of any library that was not there when the process started
// (ldso/dynlink.c, do_relocs: tls_id > static_tls_cnt). It keeps no reserve.
bool musl_refuses(const WheelView& view, const ElfMember& elf) {
  if (elf.facts.dynamic->own_static_tls_relocations == 0) return false;
  if (elf.libc != Libc::None) return elf.libc == Libc::Musl;
  return claimed_libcs(view) == std::set{Libc::Musl};
}

std::string never_fits(const ElfFacts& facts) {
  if (facts.dynamic->own_static_tls_relocations == 0 || facts.libc == Libc::Musl || facts.libc == Libc::Bionic)
    return {};
  if (facts.segments.tls_size > most_room) return fmt::format("{} bytes", facts.segments.tls_size);
  if (facts.arch == Arch::x86_64 && facts.segments.tls_align > most_alignment)
    return fmt::format("an alignment of {} bytes", facts.segments.tls_align);
  return {};
}

void report_musl(const Emit& emit, ElfIndex index, const ElfMember& elf, bool loaded) {
  const std::uint32_t own = elf.facts.dynamic->own_static_tls_relocations;
  emit({.place = AtElf{index},
        .message = "has thread-local variables of the initial-exec model, which musl refuses in a library that is "
                   "opened later",
        .evidence = {{"required by", count_of(own, "relocation")},
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
    const std::uint32_t relocations = elf.facts.dynamic->static_tls_relocations;
    if (relocations == 0 && !elf.facts.dynamic->flags.static_tls) return;
    const bool bundled = is_built_by_others(view, elf);
    if (!programs && musl_refuses(view, elf)) {
      report_musl(emit, index, elf, is_loaded(view, needed, elf));
      return;
    }
    const std::string too_much = programs ? std::string() : never_fits(elf.facts);
    const bool small = bundled && elf.facts.segments.tls_size > 0 && elf.facts.segments.tls_size <= small_block;
    // What no import loads may be meant for LD_PRELOAD, which loads it before the block is allocated.
    const bool opened = is_loaded(view, needed, elf) || is_opened_by_name(view.wheel, base_name(path_of(view, index)));
    const Severity severity = !too_much.empty() && opened ? Severity::Error
                              : too_much.empty() && small ? Severity::Info
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
          .fix = bundled ? "import the package before others with such libraries, or build the library with "
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
