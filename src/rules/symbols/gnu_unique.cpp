// WC208: symbols of which the process has one definition, whatever the scopes say.
#include <fmt/format.h>

#include <utility>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

constexpr std::uint32_t many = 500;  // symbols of one file
constexpr std::uint64_t least = 10;  // of all other files together
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
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint32_t count = view.analysis.elfs[index.value].exports.unique;
    if (count == 0) return;
    if (count <= many) {
      few += count;
      files.push_back(fmt::format("{} ({})", path_of(view, index), count));
      return;
    }
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} symbols of which a process may have only one", count),
          .evidence = {{"symbols", examples(elf)}},
          .fix = std::string(fix),
          .severity = Severity::Warning});
  });
  if (few < least) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("{} {} {} of which a process may have only one", count_of(files.size(), "file"),
                               files.size() == 1 ? "exports" : "export", count_of(few, "symbol")),
        .evidence = {{"files", list_of(files)}},
        .fix = std::string(fix),
        .severity = {}});
}

}  // namespace

extern const Rule gnu_unique{
    .code = "WC208",
    .name = "gnu-unique",
    .severity = Severity::Info,
    .summary = "A file exports symbols of binding STB_GNU_UNIQUE.",
    .why =
        "GCC marks static variables of inline functions and of templates so that the loader binds every copy in the "
        "process to the first one, RTLD_LOCAL or not (glibc elf/dl-lookup.c, do_lookup_unique). Two wheels with "
        "different versions of the same template then share one variable, whatever its size in each. A library that "
        "defines such a symbol is also never unloaded.",
    .remedy =
        "`-fno-gnu-unique` makes them weak symbols, `-fvisibility=hidden -fvisibility-inlines-hidden` keeps them out "
        "of the export table. Both leave each library with its own copy, so a variable that is meant to be one in "
        "the process (a type registry) has to come from one shared library.",
    .false_positives =
        "What the variables are for cannot be seen: some are meant to be shared. Hence an info for the wheel, from ten "
        "symbols on; a warning for a file with more than 500.",
    .check = check,
};

}  // namespace wheelcheck::rules
