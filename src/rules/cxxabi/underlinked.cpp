// WC306: a symbol that no library which the file loads can define; it works only where something else was loaded
// before.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"
#include "rules/symbols/symbol_search.h"

namespace wheelcheck::rules::underlinked {
namespace {

void report(const WheelView& view, const Emit& emit, const Unfound& unfound) {
  const ElfMember& elf = view.wheel.elfs[unfound.file.value];
  std::vector<std::string> symbols(unfound.symbols.begin(), unfound.symbols.end());
  std::ranges::sort(symbols);
  std::vector<Evidence> evidence{{"symbols", list_of(symbols)}};
  std::string fix =
      "add the library that defines it to the link line; -Wl,-z,defs makes the linker name what is missing";
  if (unfound.defined_in) {
    const std::string_view owner = path_of(view, *unfound.defined_in);
    evidence.push_back({"defined in", std::string(owner)});
    const auto& soname = view.wheel.elfs[unfound.defined_in->value].facts.dynamic->soname;
    fix = fmt::format("link it with {}, or patchelf --add-needed {} {}", owner,
                      shell_word(soname.value_or(base_name(owner))), shell_word(path_of(view, unfound.file)));
  }
  // Who opens a library that is no extension module, and what was loaded by then, cannot be seen.
  const bool module = std::holds_alternative<ExtensionModule>(elf.role);
  emit({.place = AtElf{unfound.file},
        .message = fmt::format("needs {}, which no library that it loads defines", first_of(symbols)),
        .evidence = std::move(evidence),
        .fix = std::move(fix),
        .severity = module ? std::nullopt : std::optional(Severity::Info),
        .confidence = module ? std::nullopt : std::optional(Confidence::Low)});
}

void check(const WheelView& view, const Emit& emit) {
  for (const Unfound& unfound : find_undefined(view)) report(view, emit, unfound);
}

}  // namespace

extern const Rule rule{
    .code = "WC306",
    .name = "underlinked",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::underlinked
