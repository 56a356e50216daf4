// WC605: tables of the loader remain writable after relocation (no full RELRO).
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::relro_partial {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::string> none, partial;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || elf.facts.segments.relro == Relro::Full) return;
    if (!first) first = index;
    (elf.facts.segments.relro == Relro::None ? none : partial).emplace_back(path_of(view, index));
  });
  if (!first) return;
  const std::size_t count = none.size() + partial.size();
  const std::string_view what = partial.empty() ? "no RELRO"
                                : none.empty()  ? "RELRO for a part of its tables only"
                                                : "no full RELRO";
  std::vector<Evidence> evidence;
  if (!none.empty()) evidence.push_back({"no PT_GNU_RELRO", list_of(none)});
  if (!partial.empty()) evidence.push_back({"not bound at load", list_of(partial)});
  emit({.place = count == 1 ? Place{AtElf{*first}} : Place{WholeWheel{}},
        .message =
            count == 1 ? fmt::format("has {}", what) : fmt::format("{} have no full RELRO", count_of(count, "file")),
        .evidence = std::move(evidence),
        .fix = "link with -Wl,-z,relro,-z,now",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC605",
    .name = "relro-partial",
    .severity = Severity::Warning,
    .pedantic = true,
    .security = "",
    .check = check,
};

}  // namespace wheelcheck::rules::relro_partial
