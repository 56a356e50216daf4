// WC508: a library requires space in the static TLS block, which is small and cannot grow.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::static_tls {
namespace {

// glibc keeps 1,664 bytes for libraries that are opened later (elf/dl-tls.c, TLS_STATIC_SURPLUS). A block as small as
// that of libgomp, 120 bytes, is no reason to change a library that others built.
constexpr std::uint64_t small_block = 256;

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    // The variables of a program and its DT_NEEDED libraries are placed before the block is allocated.
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    const std::uint32_t relocations = elf.facts.dynamic->static_tls_relocations;
    if (relocations == 0 && !elf.facts.dynamic->flags.static_tls) return;
    const bool bundled = std::holds_alternative<BundledLibrary>(elf.role);
    emit({.place = AtElf{index},
          .message = "uses static thread-local storage, which may run out when it is opened",
          .evidence = {{"required by",
                        relocations == 0
                            ? "DF_STATIC_TLS"
                            : fmt::format("{}{}", count_of(relocations, "relocation"),
                                          elf.facts.dynamic->flags.static_tls ? " and DF_STATIC_TLS" : "")}},
          .fix = bundled ? "import the package that needs it before others that bring such libraries, or build the "
                           "library with -ftls-model=global-dynamic"
                         : "build with -ftls-model=global-dynamic, and with -fPIC rather than -fPIE",
          .severity = bundled && elf.facts.segments.tls_size > 0 && elf.facts.segments.tls_size <= small_block
                          ? std::optional(Severity::Info)
                          : std::nullopt});
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
