// WC805: a module for free-threaded CPython does not declare that it works without the GIL, so importing it enables the
// GIL again (PEP 703).
#include <algorithm>

#include "model/module_names.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::gil_reenabled {
namespace {

bool imports(const DynamicFacts& dynamic, std::string_view name) {
  return std::ranges::any_of(dynamic.imports, [&](const Import& import) { return import.name == name; });
}

bool may_say_so(const ElfFacts& facts) {
  if (facts.gil_slot || !facts.dynamic) return true;
  // A module without an array of slots calls this function. The modules of Cython have such an array and call it too,
  // with the same value (Cython/Compiler/ModuleNode.py).
  if (!imports(*facts.dynamic, "PyModuleDef_Init")) return imports(*facts.dynamic, "PyUnstable_Module_SetGIL");
  // nanobind puts its array of slots into allocated memory (small-cache 0.1.2).
  if (!facts.interfaces.nanobind_ids.empty() && imports(*facts.dynamic, "PyMem_Calloc")) return true;
  // pybind11 3 makes its array of slots when PyInit runs.
  constexpr std::uint32_t mod_gil = 4;
  const std::vector<std::uint32_t>& made = facts.interfaces.module_slots;
  return made.empty() ? !facts.interfaces.pybind11_ids.empty() : std::ranges::find(made, mod_gil) != made.end();
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<std::string>& abis = view.wheel.name.abi;
  if (!std::ranges::any_of(abis, [](const std::string& abi) { return is_free_threaded(abi); })) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (!module || may_say_so(file.facts)) return;
    const ModuleSuffix suffix = suffix_of(view.wheel.members[file.member.value].path.name());
    if (suffix.kind == ModuleSuffix::Kind::CPython && !suffix.free_threaded) return;  // only others import it
    emit({.place = AtElf{index},
          .message = "does not declare that it runs without the GIL, so importing it turns the GIL on",
          .evidence = {{"module", module->module}},
          .fix = is_rust(file.facts)
                     ? "#[pymodule(gil_used = false)] (pyo3 0.23 and newer; the default from 0.28 on)"
                     : "add the slot {Py_mod_gil, Py_MOD_GIL_NOT_USED}, or call PyUnstable_Module_SetGIL(module, "
                       "Py_MOD_GIL_NOT_USED) in PyInit_; Cython: # cython: freethreading_compatible=True; pybind11: "
                       "py::mod_gil_not_used()"});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC805",
    .name = "gil-reenabled",
    .severity = Severity::Warning,
    .confidence = Confidence::Low,
    .check = check,
};

}  // namespace wheelcheck::rules::gil_reenabled
