// WC105: a symbol that is private to glibc; any release may change or remove it.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::private_version_node {
namespace {

bool is_private(const VersionNeed& need) {
  return need.version == "GLIBC_PRIVATE" || (need.version.ends_with("_PRIVATE") && is_of_glibc(need.library));
}

void report(const WheelView& view, const Emit& emit, ElfIndex index, const VersionNeed& need,
            const std::vector<std::string>& symbols) {
  const bool promised = claims_family(view, PlatformTag::Family::Manylinux) && !need.weak;
  std::vector<Evidence> evidence{{"library", std::string(need.library)}, {"version", std::string(need.version)}};
  if (!symbols.empty()) evidence.push_back({"symbols", list_of(symbols, shown_symbols)});
  emit({.place = AtElf{index},
        .message =
            fmt::format("requires {} of {}{}, a private interface that any build of glibc may change", need.version,
                        need.library, symbols.empty() ? "" : fmt::format(" for {}", first_of(symbols))),
        .evidence = std::move(evidence),
        .fix = symbols.empty() ? std::string("remove the object file that requires it")
                               : fmt::format("remove the object file that uses {}; it is often part of a sanitizer, a "
                                             "memory allocator or a static glibc",
                                             symbols.front()),
        .severity = promised ? Severity::Error : Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    const std::vector<VersionNeed>& needs = elf.facts.dynamic->needs;
    if (std::ranges::none_of(needs, is_private)) return;
    const auto symbols = symbols_by_need(*elf.facts.dynamic);
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (is_private(needs[i])) report(view, emit, index, needs[i], symbols[i]);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC105",
    .name = "private-version-node",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::private_version_node
