// WC806: a module uses names that are private to CPython.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::private_api {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (has_abi(view.wheel.name, "abi3")) return;  // WC801
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    std::vector<std::string> names;
    for (const std::string_view name : view.analysis.elfs[index.value].python_imports)
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

extern const Rule rule{
    .code = "WC806",
    .name = "private-api",
    .severity = Severity::Info,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::private_api
