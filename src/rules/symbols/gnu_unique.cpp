// WC208: STB_GNU_UNIQUE symbols, of which a process has only one copy, regardless of the search scopes.
#include <fmt/format.h>

#include <utility>

#include "rules/common.h"

namespace wheelcheck::rules::gnu_unique {
namespace {

constexpr std::uint32_t many = 500;  // symbols in one file
constexpr std::uint64_t least = 10;  // symbols in all other files together
constexpr std::size_t shown_examples = 5;
constexpr std::string_view fix = "compile with -fno-gnu-unique, or hide the symbols: -fvisibility=hidden";

std::string examples(const ElfMember& elf) {
  std::vector<std::string_view> names;
  for (const Export& symbol : elf.facts.dynamic->exports)
    if (symbol.binding == Binding::Unique) names.push_back(symbol.name);
  return list_of_first(std::move(names), shown_examples);
}

void check(const WheelView& view, const Emit& emit) {
  std::uint64_t few = 0;
  std::vector<std::string> files;
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint32_t count = view.analysis.elfs[index.value].exports.unique;
    if (count == 0) return;
    if (count <= many) {
      few += count;
      files.push_back(fmt::format("{} ({})", path_of(view, index), count));
      return;
    }
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} STB_GNU_UNIQUE symbols (one copy per process)", count),
          .evidence = {{"symbols", examples(elf)}},
          .fix = std::string(fix),
          .severity = {}});
  });
  if (few < least) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("{} {} {} STB_GNU_UNIQUE {} (one copy per process)", count_of(files.size(), "file"),
                               files.size() == 1 ? "exports" : "export", few, few == 1 ? "symbol" : "symbols"),
        .evidence = {{"files", list_of(files)}},
        .fix = std::string(fix),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC208",
    .name = "gnu-unique",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::gnu_unique
