// WC801: a file of an abi3 wheel uses names that are not in CPython's stable ABI, or not yet in the tagged version (PEP
// 384).
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/pyabi/python_abi.h"
#include "rules/symbols/c_names.h"

namespace wheelcheck::rules::abi3_violation {
namespace {

// The version that the files must support: the oldest tagged one, because installers accept the wheel from that version
// on.
std::optional<unsigned> baseline(const WheelName& name) {
  std::optional<unsigned> oldest;
  for (const std::string& tag : name.python)
    if (const std::optional<unsigned> minor = cpython_minor(tag)) oldest = std::min(oldest.value_or(*minor), *minor);
  return oldest;
}

struct Violations {
  std::vector<std::string> outside, later;  // later: "PyFoo (3.10)"
  unsigned newest = 0;
};

// Where another library may define names that begin with Py, those that no CPython exports are its own.
Violations violations(const WheelView& view, const std::vector<std::string_view>& imports, unsigned minor,
                      bool elsewhere) {
  Violations found;
  for (const std::string_view name : imports) {
    const StableSymbol* const symbol = find_stable(view.knowledge, name);
    if (!symbol) {
      if (elsewhere && !cpython_name(name).known) continue;
      found.outside.emplace_back(name);
    } else if (symbol->minor > minor) {
      found.later.push_back(fmt::format("{} (3.{})", name, symbol->minor));
      found.newest = std::max<unsigned>(found.newest, symbol->minor);
    }
  }
  return found;
}

// `tagged`: the wheel has the tag abi3. Installers give other wheels only to the CPython that they name, which has the
// names.
void report(const Violations& found, ElfIndex index, unsigned minor, bool tagged, bool elsewhere, const Emit& emit) {
  std::optional<Severity> severity;
  std::optional<Confidence> confidence;
  if (elsewhere || !tagged) severity = Severity::Info;
  if (elsewhere) confidence = Confidence::Low;
  const std::string_view rename = "name the file for the CPython of the tag instead of .abi3.so, or ";
  const std::string limit = fmt::format("-DPy_LIMITED_API=0x03{:02X}0000", minor);
  if (!found.outside.empty()) {
    emit({.place = AtElf{index},
          .message = fmt::format("uses {} outside CPython's stable ABI: {}", count_of(found.outside.size(), "name"),
                                 first_of(found.outside)),
          .evidence = {{"symbols", list_of(found.outside, shown_symbols)}},
          .fix = tagged ? fmt::format("compile with {}, which leaves those names undeclared, or tag the wheel for one "
                                      "version of CPython instead of abi3",
                                      limit)
                        : fmt::format("{}compile with {}, which leaves those names undeclared", rename, limit),
          .severity = severity,
          .confidence = confidence});
  }
  if (!found.later.empty()) {
    emit({.place = AtElf{index},
          .message = fmt::format("uses {} newer than the tagged Python 3.{}: {}", count_of(found.later.size(), "name"),
                                 minor, first_of(found.later)),
          .evidence = {{"symbols", list_of(found.later, shown_symbols)}},
          .fix = tagged ? fmt::format("compile with {}, or tag the wheel cp3{}-abi3", limit, found.newest)
                        : fmt::format("{}compile with {}", rename, limit),
          .severity = severity,
          .confidence = confidence});
  }
}

void check(const WheelView& view, const Emit& emit) {
  const std::optional<unsigned> minor = baseline(view.wheel.name);
  if (!minor) return;
  const bool whole_wheel = has_abi(view.wheel.name, "abi3");
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (!whole_wheel && !(module && module->stable_abi)) return;
    const std::string_view path = path_of(view, index);
    // One of several files for one version each, of which the package takes the one of its interpreter. The suffix
    // .abi3.so says otherwise, and a module that no other version finds is WC802.
    if (whole_wheel && !(module && module->stable_abi) && version_in_path(path)) return;
    const bool elsewhere = other_library_may_define(view, index);
    report(violations(view, view.analysis.elfs[index.value].python_imports, *minor, elsewhere), index, *minor,
           whole_wheel, elsewhere, emit);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC801",
    .name = "abi3-violation",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::abi3_violation
