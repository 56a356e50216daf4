// WC104: a symbol of an allowed library that the copy of some claimed systems does not export.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::denied_symbol {
namespace {

// True for the C library, which cannot be linked statically into an extension module.
bool is_part_of_libc(std::string_view library) {
  constexpr std::string_view parts[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so"};
  return std::ranges::any_of(parts, [&](std::string_view part) { return library.starts_with(part); });
}

// The symbols whose version the claimed systems lack. WC102 reports them, and the same change fixes both.
std::set<std::pair<ElfIndex, std::string_view>> too_new(const std::vector<UnmetRequirement<VersionRequirement>>& all) {
  std::set<std::pair<ElfIndex, std::string_view>> symbols;
  for (const UnmetRequirement<VersionRequirement>& one : all)
    for (const std::string& symbol : one.what->symbols) symbols.insert({one.elf, symbol});
  return symbols;
}

void check(const WheelView& view, const Emit& emit) {
  const auto versions = unmet_requirements_of<VersionRequirement>(view);
  const auto reported = too_new(versions);
  for (const UnmetRequirement<SymbolRequirement>& unmet_requirement : unmet_requirements_of<SymbolRequirement>(view)) {
    const SymbolRequirement& what = *unmet_requirement.what;
    if (reported.contains({unmet_requirement.elf, what.symbol})) continue;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("requires {} of {}, which not every system of {} exports", what.symbol, what.library,
                                 strictest(unmet_requirement.claims).text),
          .evidence = {{"library", what.library},
                       {"symbols", what.symbol},
                       {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = is_part_of_libc(what.library)
                     ? fmt::format("build {}, or make the reference weak and test it for null",
                                   image_for(unmet_requirement.claims))
                     : fmt::format("link {} statically or bundle it with wheelcheck repair or auditwheel repair",
                                   what.library),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC104",
    .name = "denied-symbol",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::denied_symbol
