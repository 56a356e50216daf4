// Names of Python 2 and of some builds of CPython, and private names.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

// WC807: symbols that only CPython 2, or only some builds of an old CPython, define (PEP 513).
namespace wheelcheck::rules::legacy_python {
namespace {

bool is_for_python3(const WheelName& name) {
  return !name.python.empty() && std::ranges::all_of(name.python, [](const std::string& text) {
    const auto tag = parse_python_tag(text);
    return tag && tag->version.major == 3;
  });
}

void report_python2(const WheelView& view, const Emit& emit) {
  if (!is_for_python3(view.wheel.name)) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (module == nullptr || module->python_major == 2) return;
    std::vector<std::string> names;
    for (const std::string_view name : view.analysis.elfs[index.value].python_imports)
      if (is_python2_name(name)) names.emplace_back(name);
    if (names.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("requires {}, which CPython 3 does not have: the import of {} fails", first_of(names),
                                 module->module),
          .evidence = {{"symbols", list_of(names, shown_symbols)}},
          .fix = "build with the headers of the tagged interpreter; a call of a function that they do not declare is "
                 "an error with -Werror=implicit-function-declaration"});
  });
}

void check(const WheelView& view, const Emit& emit) {
  report_python2(view, emit);
  for (const UnmetRequirement<InterpreterRequirement>& unmet_requirement :
       unmet_requirements_of<InterpreterRequirement>(view)) {
    const std::string& symbol = unmet_requirement.what->symbol;
    const bool ucs2 = symbol.find("UCS2") != std::string::npos;
    // A module of Python 2 that was left in the tree (pydem 1.2.1).
    const auto* const module = std::get_if<ExtensionModule>(&view.wheel.elfs[unmet_requirement.elf.value].role);
    const bool stale = module != nullptr && module->python_major == 2 && is_for_python3(view.wheel.name);
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("requires {}, which only an interpreter built with {} has", symbol,
                                 ucs2 ? "two-byte Unicode" : "--with-fpectl"),
          .evidence = {{"symbols", symbol}, {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = stale  ? fmt::format("leave it out: it is a module of Python 2: delete {} before the build",
                                      path_of(view, unmet_requirement.elf))
                 : ucs2 ? "build with an interpreter that uses four-byte Unicode (ABI tag cp27mu)"
                        : "build with an interpreter that was configured without --with-fpectl",
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC807",
    .name = "legacy-python",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::legacy_python

// WC806: a module uses names that are private to CPython.
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
    .severity = Severity::Note,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::private_api
