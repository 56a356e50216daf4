// Segments: what is writable and executable, and what is protected after relocation.
#include <fmt/format.h>

#include "rules/common.h"

// WC605: tables of the loader remain writable after relocation (no full RELRO).
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

// WC602: a library whose code the loader must modify while loading.
namespace wheelcheck::rules::text_relocations {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || !elf.facts.dynamic->flags.text_relocations) return;
    emit({.place = AtElf{index},
          .message = "is marked for relocations in its code (DT_TEXTREL): the loader makes the code writable for them",
          .evidence = {},
          .fix = "compile everything that goes into it with -fPIC, and link with -Wl,-z,text, not -z notext, to find "
                 "what was not",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC602",
    .name = "text-relocations",
    .severity = Severity::Warning,
    .security = "4.4",
    .check = check,
};

}  // namespace wheelcheck::rules::text_relocations

// WC603: a segment is both writable and executable.
namespace wheelcheck::rules::writable_executable {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.segments.writable_code) return;
    emit({.place = AtElf{index},
          .message = "has a segment that is both writable and executable",
          .evidence = {},
          .fix =
              "link without -Wl,-N (--omagic) and without a linker script of your own; lld and GNU ld then keep code "
              "and data apart",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC603",
    .name = "writable-executable",
    .severity = Severity::Warning,
    .security = "5.5",
    .check = check,
};

}  // namespace wheelcheck::rules::writable_executable
