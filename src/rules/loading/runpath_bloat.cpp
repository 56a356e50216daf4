// WC505: a search path that is longer than any library needs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::runpath_bloat {
namespace {

constexpr std::size_t most_elements = 32;
constexpr std::size_t most_bytes = 4096;

std::string fix_for(const WheelView& view, ElfIndex index, const std::vector<std::string_view>& distinct) {
  if (distinct.size() <= shown_items) return path_repair(view, index, distinct);
  return "name each directory once, and only those that contain a library which this file needs: patchelf "
         "--shrink-rpath " +
         shell_word(path_of(view, index));
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    if (path.elements.empty()) return;
    std::set<std::string_view> seen;
    std::vector<std::string_view> distinct;
    std::size_t bytes = path.elements.size() - 1;                              // colons
    if (std::ranges::all_of(path.elements, &std::string_view::empty)) return;  // WC501
    for (const std::string_view element : path.elements) {
      bytes += element.size();
      if (seen.insert(element).second) distinct.push_back(element);
    }
    const std::size_t all = path.elements.size(), repeated = all - distinct.size();
    const bool long_path = all > most_elements || bytes > most_bytes;
    if (!long_path && repeated == 0) return;
    const std::string again = repeated == 0 ? "" : fmt::format(", {} of them repeated", repeated);
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {} and {} bytes{}", path.kind, count_of(all, "element"), bytes, again),
          .evidence = {},
          .fix = fix_for(view, index, distinct),
          .severity = long_path ? Severity::Warning : Severity::Info});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC505",
    .name = "runpath-bloat",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_bloat
