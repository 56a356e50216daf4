// WC104: a symbol of an allowed library that not every promised system's copy exports.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

// The C library itself cannot be linked into an extension module.
bool is_part_of_libc(std::string_view library) {
  constexpr std::string_view parts[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so"};
  return std::ranges::any_of(parts, [&](std::string_view part) { return library.starts_with(part); });
}

void check(const WheelView& view, const Emit& emit) {
  for (const UnmetRequirement<SymbolRequirement>& unmet_requirement : unmet_requirements_of<SymbolRequirement>(view)) {
    const SymbolRequirement& ask = *unmet_requirement.ask;
    emit(
        {.place = AtElf{unmet_requirement.elf},
         .message = fmt::format("needs {} of {}, which not every system of {} exports", ask.symbol, ask.library,
                                strictest(unmet_requirement.claims).text),
         .evidence = {{"library", ask.library}, {"symbols", ask.symbol}, {"blocks", tags_of(unmet_requirement.claims)}},
         .fix = is_part_of_libc(ask.library)
                    ? fmt::format("build {}, or make the reference weak and test it for null",
                                  image_for(unmet_requirement.claims))
                    : fmt::format("link {} statically or graft it with auditwheel repair", ask.library),
         .severity = {}});
  }
}

}  // namespace

extern const Rule denied_symbol{
    .code = "WC104",
    .name = "denied-symbol",
    .severity = Severity::Error,
    .summary = "A file needs a symbol of an allowed library that the claimed systems do not all export.",
    .why =
        "A library can be on every promised system and still differ from one to the next: some build zlib without its "
        "newer functions, and glibc 2.17 on some machines has symbols that it lacks on others. A policy lists such "
        "symbols; a file that imports one fails with `undefined symbol` on the systems without it.",
    .remedy =
        "Link the library statically, or graft a copy into the wheel (`auditwheel repair WHEEL`). For symbols of "
        "the C library build on an older system, or make the reference weak and test it for null before the call.",
    .false_positives =
        "None known: weak references do not count, nor do symbols that a library inside the wheel "
        "provides.",
    .check = check,
};

}  // namespace wheelcheck::rules
