// WC806: a module uses names that CPython keeps for itself.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (has_abi(view.wheel.name, "abi3")) return;  // WC801
  PythonImports imports(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    std::vector<std::string> names;
    for (const std::string_view name : imports.of(file))
      if (name.starts_with("_Py") && !find_stable(view.knowledge, name)) names.emplace_back(name);
    if (names.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("uses {} private to CPython: {}", count_of(names.size(), "name"), first_of(names)),
          .evidence = {{"symbols", list_of(names, shown_symbols)}},
          .fix =
              "use the public function in its place (pythoncapi-compat has many for older versions), or test each new "
              "version of CPython before it is tagged"});
  });
}

}  // namespace

extern const Rule private_api{
    .code = "WC806",
    .name = "private-api",
    .severity = Severity::Info,
    .pedantic = true,
    .summary = "A file uses names of CPython that begin with _Py and are not in the stable ABI.",
    .why =
        "Such names may change or go in any minor version, and between alphas without a word. A wheel for one version "
        "of CPython keeps working; the next version may not compile, or do something else.",
    .remedy = "Use the public counterpart; pythoncapi-compat brings many of them to older versions.",
    .false_positives =
        "Public macros and inline functions of CPython's own headers expand to private names, so a module may have "
        "them "
        "without writing one. Those that are in the stable ABI are left out.",
    .check = check,
};

}  // namespace wheelcheck::rules
