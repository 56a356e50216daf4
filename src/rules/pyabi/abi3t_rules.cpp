// WC804: requirements of PEP 803 on wheels for the stable ABI of free-threaded builds.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::abi3t_rules {
namespace {

constexpr unsigned first_minor = 15;

// Checks the file name: abi3t exists since 3.15.
void check_tags(const WheelView& view, const Emit& emit) {
  if (!has_abi(view.wheel.name, "abi3t")) return;
  std::vector<std::string> early;
  for (const std::string& tag : view.wheel.name.python) {
    const std::optional<unsigned> minor = cpython_minor(tag);
    if (minor && *minor < first_minor) early.push_back(tag);
  }
  if (early.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("is tagged abi3t for {}, but that ABI begins with CPython 3.15", first_of(early)),
        .evidence = {{"python tags", list_of(early)}},
        .fix = "build with -DPy_TARGET_ABI3T=0x030F0000 and tag the wheel cp315-abi3t, or cp315-abi3.abi3t"});
}

bool exports_hook(const DynamicFacts& dynamic, std::string_view prefix) {
  return std::ranges::any_of(dynamic.exports, [&](const Export& symbol) { return symbol.name.starts_with(prefix); });
}

void check_file(const WheelView& view, ElfIndex index, const ElfMember& file, const Emit& emit) {
  if (!std::holds_alternative<ExtensionModule>(file.role) || !file.facts.dynamic) return;
  const ModuleSuffix suffix = suffix_of(view.wheel.members[file.member.value].path.name());
  const bool only_abi3t = view.wheel.name.abi.size() == 1 && has_abi(view.wheel.name, "abi3t");
  const bool for_abi3t =
      suffix.kind == ModuleSuffix::Kind::Abi3t || (only_abi3t && suffix.kind == ModuleSuffix::Kind::None);
  if (!for_abi3t || exports_hook(*file.facts.dynamic, "PyModExport")) return;
  emit({.place = AtElf{index},
        .message = "is for abi3t, but exports only PyInit_: abi3t has no PyModuleDef",
        .evidence = {},
        .fix = "define the module by slots: export PyModExport_NAME (PEP 793) and build with "
               "-DPy_TARGET_ABI3T=0x030F0000"});
}

void check(const WheelView& view, const Emit& emit) {
  check_tags(view, emit);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) { check_file(view, index, file, emit); });
}

}  // namespace

extern const Rule rule{
    .code = "WC804",
    .name = "abi3t-rules",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::abi3t_rules
