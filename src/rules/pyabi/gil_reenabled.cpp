// WC805: a module for free-threaded CPython that does not say that it works without the GIL, so its import brings that
// back (PEP 703).
#include <algorithm>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules {
namespace {

bool says_so(const ElfFacts& facts) {
  if (facts.gil_slot || !facts.dynamic) return true;
  return std::ranges::any_of(facts.dynamic->imports,
                             [](const Import& import) { return import.name == "PyUnstable_Module_SetGIL"; });
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<std::string>& abis = view.wheel.name.abi;
  if (!std::ranges::any_of(abis, [](const std::string& abi) { return is_free_threaded(abi); })) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (!module || says_so(file.facts)) return;
    emit({.place = AtElf{index},
          .message = "does not declare that it runs without the GIL, so importing it turns the GIL on",
          .evidence = {{"module", module->module}},
          .fix = "add the slot {Py_mod_gil, Py_MOD_GIL_NOT_USED}, or call PyUnstable_Module_SetGIL(module, "
                 "Py_MOD_GIL_NOT_USED) in PyInit_; Cython: # cython: freethreading_compatible=True; pybind11: "
                 "py::mod_gil_not_used()"});
  });
}

}  // namespace

extern const Rule gil_reenabled{
    .code = "WC805",
    .name = "gil-reenabled",
    .severity = Severity::Warning,
    .confidence = Confidence::Low,
    .summary = "A module of a free-threaded wheel does not declare that it runs without the GIL.",
    .why =
        "A free-threaded CPython turns the GIL on for the whole process when it imports a module that does not declare "
        "support, with a RuntimeWarning (PEP 703). A wheel that is tagged cp313t promises the contrary.",
    .remedy =
        "Declare it, once the module is safe without the GIL: the slot `{Py_mod_gil, Py_MOD_GIL_NOT_USED}`, or "
        "`PyUnstable_Module_SetGIL` for modules of one phase.",
    .false_positives =
        "The slot is looked for as a pair of words, 4 and 1, in the file's data: a module that fills its slots at run "
        "time has no such pair, hence the low confidence. By chance other data may look like it; then nothing is said.",
    .check = check,
};

}  // namespace wheelcheck::rules
