// The paths in a file by which the loader searches: PT_INTERP, DT_RPATH and DT_RUNPATH.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/machines.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"

// WC514: a program requires a loader (PT_INTERP) at a path that other systems do not have.
namespace wheelcheck::rules::interpreter_path {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::Executable || !elf.facts.interpreter) return;
    const std::string_view standard = standard_loader(elf);
    if (standard.empty() || *elf.facts.interpreter == standard) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("names the loader {}, but systems of this machine have {}", *elf.facts.interpreter, standard),
          .evidence = {},
          .fix = fmt::format("patchelf --set-interpreter {} {}", standard, shell_word(path_of(view, index))),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC514",
    .name = "interpreter-path",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::interpreter_path

// WC505: a search path that is longer than any library needs.
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
    const std::string size = bytes > most_bytes ? fmt::format(" and {} bytes", bytes) : "";
    const std::string again = repeated == 0 ? "" : fmt::format(", {} of them repeated", repeated);
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}{}{}", path.kind, count_of(all, "element"), size, again),
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

// WC501: a search path has an empty element, which means the current directory.
namespace wheelcheck::rules::runpath_empty_element {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    const auto empty = static_cast<std::size_t>(std::ranges::count(path.elements, std::string_view()));
    if (empty == 0) return;
    // musl skips empty elements (ldso/dynlink.c, path_open).
    const bool musl = elf.libc == Libc::Musl;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which {}", path.kind, count_of(empty, "empty element"),
                                 musl ? "only musl ignores" : "means the current directory"),
          .evidence = {{"search path", fmt::format("{}", fmt::join(path.elements, ":"))}},
          .fix = path_repair(view, index),
          .severity = musl || !is_searched(elf) ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC501",
    .name = "runpath-empty-element",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_empty_element

// WC502: an element of a search path that depends on the current directory.
namespace wheelcheck::rules::runpath_relative {
namespace {

bool is_relative(std::string_view element) {
  return !element.empty() && !element.starts_with('/') && !starts_at_origin(element);
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> relative;
    for (const std::string_view element : path.elements)
      if (is_relative(element)) relative.emplace_back(element);
    if (relative.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which depends on the current directory", path.kind, first_of(relative)),
          .evidence = {{"search path", list_of(relative)}},
          .fix = path_repair(view, index),
          .severity = is_searched(elf) ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC502",
    .name = "runpath-relative",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_relative
