// WC209: an extension module exports more than the names that Python looks up.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules::extension_exports_more {
namespace {

// The names that Python looks up (PEP 3121, PEP 489, PEP 793; initNAME of Python 2), cffi's hook for PyPy, and symbols
// that linkers define.
bool is_expected(std::string_view name, std::string_view module) {
  for (const std::string_view start : {"PyInit_", "PyInitU_", "PyModExport_", "PyModExportU_", "_cffi_pypyinit_"})
    if (name.starts_with(start)) return true;
  for (const std::string_view linker :
       {"_init", "_fini", "_edata", "_end", "__bss_start", "_bss_end__", "__bss_end__", "__bss_start__", "__end__"})
    if (name == linker) return true;
  return name.starts_with("init") && name.substr(4) == module;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const auto* const module = std::get_if<ExtensionModule>(&elf.role);
    if (module == nullptr || !elf.facts.dynamic) return;
    const std::string name = module->module.substr(module->module.rfind('.') + 1);
    std::vector<std::string_view> more;
    for (const Export& symbol : elf.facts.dynamic->exports)
      if (!is_expected(symbol.name, name)) more.push_back(symbol.name);
    if (more.empty()) return;
    const std::string count = count_of(more.size(), "symbol");
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} beside its init function", count),
          .evidence = {{"symbols", list_of_first(std::move(more))}},
          .fix = how_to_hide(view, index),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC209",
    .name = "extension-exports-more",
    .severity = Severity::Info,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::extension_exports_more
