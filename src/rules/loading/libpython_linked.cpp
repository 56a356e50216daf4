// WC510: an extension module must use the interpreter that imports it. It must not contain CPython or link libpython.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::libpython_linked {
namespace {

// Core functions of CPython: a file that defines both kinds contains an interpreter.
bool defines_interpreter(const DynamicFacts& dynamic) {
  bool starts = false, evaluates = false;
  for (const Export& symbol : dynamic.exports) {  // sizes differ for nearly all names, so few are read
    starts = starts || symbol.name == "Py_Initialize" || symbol.name == "Py_InitializeEx";
    evaluates = evaluates || symbol.name == "_PyEval_EvalFrameDefault" || symbol.name == "PyEval_EvalFrameEx";
  }
  return starts && evaluates;
}

// The program runs an interpreter of its own.
bool embeds_python(const ElfMember& elf) {
  return std::holds_alternative<Program>(elf.role) &&
         std::ranges::any_of(elf.facts.dynamic->imports, [](const Import& symbol) {
           return symbol.name.starts_with("Py") || symbol.name.starts_with("_Py");
         });
}

void report_needed(const WheelView& view, const Emit& emit, ElfIndex index, const ElfMember& elf,
                   std::string_view library) {
  const bool program = std::holds_alternative<Program>(elf.role), embeds = embeds_python(elf);
  emit({.place = AtElf{index},
        .message =
            embeds ? fmt::format("is a program that requires {}, which many interpreters do not have, and which the "
                                 "loader finds only in the directories of the system",
                                 library)
                   : fmt::format("is linked against {}{}", library,
                                 program ? "" : ", which interpreters without a shared libpython do not have"),
        .evidence = {{"library", std::string(library)}},
        .fix = embeds
                   ? "start it from Python with LD_LIBRARY_PATH set to sysconfig.get_config_var('LIBDIR'), or make it "
                     "an extension module with an entry point, which runs in the user's interpreter"
                   : fmt::format("link without -lpython (CMake: Python::Module), or fix the file: patchelf "
                                 "--remove-needed {} {}",
                                 shell_word(library), shell_word(path_of(view, index))),
        .severity = program ? Severity::Warning : Severity::Error});
}

void check(const WheelView& view, const Emit& emit) {
  if (claims_family(view, PlatformTag::Family::Android)) return;  // PEP 738: modules link libpython there
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    for (const std::string_view library : elf.facts.dynamic->needed)
      if (is_libpython(library)) report_needed(view, emit, index, elf, library);
    if (!std::holds_alternative<ExtensionModule>(elf.role) || !defines_interpreter(*elf.facts.dynamic)) return;
    emit({.place = AtElf{index},
          .message = "is an extension module that contains its own interpreter",
          .evidence = {{"symbols", "Py_Initialize, _PyEval_EvalFrameDefault"}},
          .fix = "link without libpython.a (CMake: Python::Module)",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC510",
    .name = "libpython-linked",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::libpython_linked
