// WC508: a library that needs room in a block of memory which is small and cannot grow.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    // The variables of a program and of what it needs are laid out before the block is made.
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    const std::uint32_t relocations = elf.facts.dynamic->static_tls_relocations;
    if (relocations == 0 && !elf.facts.dynamic->flags.static_tls) return;
    const bool bundled = std::holds_alternative<BundledLibrary>(elf.role);
    emit({.place = AtElf{index},
          .message = "uses static thread-local storage, which may run out when it is opened",
          .evidence = {{"asked for by",
                        relocations == 0
                            ? "DF_STATIC_TLS"
                            : fmt::format("{}{}", count_of(relocations, "relocation"),
                                          elf.facts.dynamic->flags.static_tls ? " and DF_STATIC_TLS" : "")}},
          .fix = bundled ? "import the package that needs it before others that bring such libraries, or build the "
                           "library with -ftls-model=global-dynamic"
                         : "build with -ftls-model=global-dynamic, and with -fPIC rather than -fPIE",
          .severity = {}});
  });
}

}  // namespace

extern const Rule static_tls{
    .code = "WC508",
    .name = "static-tls",
    .severity = Severity::Warning,
    .summary = "A library needs static thread-local storage but is opened at run time.",
    .why =
        "Variables of the initial-exec model lie at a fixed distance from the thread pointer, in a block that is made "
        "when the process starts. For libraries that come later glibc keeps a reserve of about 1.6 KB "
        "(glibc.rtld.optional_static_tls), which all packages of a process share; older releases keep less. When it is "
        "used up, the import fails with `cannot allocate memory in static TLS block`, depending on what was imported "
        "before. musl refuses such a library when its variable is defined in one opened late.",
    .remedy =
        "Build with `-ftls-model=global-dynamic`, or `-mtls-dialect=gnu2` on x86-64, and drop "
        "`__attribute__((tls_model(\"initial-exec\")))`. Of a bundled libgomp, which uses the model by design, ship "
        "one "
        "copy and load it early.",
    .false_positives =
        "A library whose variables take a few bytes fits into the reserve in most processes; libgomp is the usual "
        "case.",
    .check = check,
};

}  // namespace wheelcheck::rules
