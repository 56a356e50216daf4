// The stable ABI (PEP 384, PEP 803): a module that is compiled for it may use only the names in data/stable_abi.json,
// so that one wheel fits all later versions of CPython. The rules compare the tags with what the modules import.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/c_names.h"
#include "model/pep440.h"
#include "model/python_tag.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

// WC801: a file of an abi3 wheel uses names that are not in CPython's stable ABI, or not yet in the tagged version (PEP
// 384).
namespace wheelcheck::rules::abi3_violation {
namespace {

// The oldest tagged version.
std::optional<unsigned> baseline(const WheelName& name) {
  std::optional<unsigned> oldest;
  for (const std::string& tag : name.python)
    if (const std::optional<unsigned> minor = cpython_minor(tag)) oldest = std::min(oldest.value_or(*minor), *minor);
  return oldest;
}

// The oldest version since `minor` that Requires-Python admits: installers give the wheel to no older one.
unsigned oldest_admitted(const WheelFacts& wheel, unsigned minor) {
  for (unsigned one = minor; wheel.metadata && one <= known_cpythons().newest; ++one)
    if (allows(wheel.metadata->requires_python, fmt::format("3.{}.99", one)).value_or(true)) return one;
  return minor;
}

// Names that joined the stable ABI after the tagged version, as "PyFoo (3.10)", and the newest of these versions.
struct LaterNames {
  std::vector<std::string> names;
  unsigned newest = 0;
};

struct Violations {
  std::vector<std::string> outside;
  LaterNames absent;      // a CPython that gets the wheel may not export them
  LaterNames unpromised;  // each exports them
};

// Whether a CPython that installers give the wheel to may not export the name: any since 3.`minor` if the wheel has the
// tag abi3, else that one.
// The release before the oldest known one has what that one exports and did not add to its stable ABI.
bool may_lack(const StableSymbol& symbol, std::string_view name, unsigned minor, bool tagged) {
  const CPythonName known = cpython_name(name);
  const CPythonReleases releases = known_cpythons();
  if (!known.known || minor + 1 < releases.oldest || (minor < releases.oldest && symbol.minor <= releases.oldest))
    return tagged;
  for (unsigned release = std::max(minor, releases.oldest); release <= (tagged ? releases.newest : minor); ++release)
    if (!known.in(release)) return true;
  return false;
}

// Where another library may define names that begin with Py, those that no CPython exports are its own.
Violations violations(const WheelView& view, const std::vector<std::string_view>& imports, unsigned minor, bool tagged,
                      bool elsewhere) {
  Violations found;
  for (const std::string_view name : imports) {
    const StableSymbol* const symbol = find_stable(view.knowledge, name);
    if (!symbol) {
      if (elsewhere && !cpython_name(name).known) continue;
      found.outside.emplace_back(name);
    } else if (symbol->minor > minor) {
      LaterNames& later = may_lack(*symbol, name, minor, tagged) ? found.absent : found.unpromised;
      later.names.push_back(fmt::format("{} (3.{})", name, symbol->minor));
      later.newest = std::max<unsigned>(later.newest, symbol->minor);
    }
  }
  return found;
}

// `tagged`: the wheel has the tag abi3. Installers give other wheels only to the CPython that they name, which may have
// the names. `refused`: the versions that lack names are those that Requires-Python refuses.
void report(const Violations& found, ElfIndex index, unsigned minor, bool tagged, bool elsewhere, bool rust,
            bool refused, const Emit& emit) {
  std::optional<Severity> severity;
  std::optional<Confidence> confidence;
  if (elsewhere || !tagged) severity = Severity::Note;
  if (elsewhere) confidence = Confidence::Low;
  const std::string_view rename = "name the file for the CPython of the tag instead of .abi3.so, or ";
  // The limited API of PyO3 is a feature of the crate.
  const std::string limit = rust ? fmt::format("the feature abi3-py3{} of pyo3", minor)
                                 : fmt::format("-DPy_LIMITED_API=0x03{:02X}0000", minor);
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
  const auto report_later = [&](const LaterNames& later, std::string_view what, std::optional<Severity> grade) {
    if (later.names.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("uses {} {} 3.{}: {}", count_of(later.names.size(), "name"), what, minor,
                                 first_of(later.names)),
          .evidence = {{"symbols", list_of(later.names, shown_symbols)}},
          .fix = tagged ? fmt::format("compile with {}, or tag the wheel cp3{}-abi3", limit, later.newest)
                        : fmt::format("{}compile with {}", rename, limit),
          .severity = grade,
          .confidence = confidence});
  };
  report_later(found.absent, "newer than the tagged Python",
               refused     ? std::optional(Severity::Note)
               : elsewhere ? severity
                           : std::nullopt);
  report_later(found.unpromised, "that joined the stable ABI later, though CPython exports each since the tagged",
               Severity::Note);
}

void check(const WheelView& view, const Emit& emit) {
  const std::optional<unsigned> minor = baseline(view.wheel.name);
  if (!minor) return;
  const bool whole_wheel = has_abi(view.wheel.name, "abi3");
  const unsigned oldest = oldest_admitted(view.wheel, *minor);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (!whole_wheel && !(module && module->stable_abi)) return;
    const std::string_view path = path_of(view, index);
    // One of several files for one version each, of which the package takes the one of its interpreter. The suffix
    // .abi3.so says otherwise, and a module that no other version finds is WC802.
    if (whole_wheel && !(module && module->stable_abi) && version_in_path(path)) return;
    const bool elsewhere = other_library_may_define(view, index);
    const std::vector<std::string_view>& imports = view.analysis.elfs[index.value].python_imports;
    const bool refused = whole_wheel && oldest > *minor &&
                         violations(view, imports, oldest, whole_wheel, elsewhere).absent.names.empty();
    report(violations(view, imports, *minor, whole_wheel, elsewhere), index, *minor, whole_wheel, elsewhere,
           is_rust(file.facts), refused, emit);
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

// WC804: requirements of PEP 803 on wheels for the stable ABI of free-threaded builds.
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

// WC810: every extension module is built for the stable ABI, but the ABI tag is that of one version.
namespace wheelcheck::rules::abi3_not_tagged {
namespace {

// The python tags if all are of one release and the ABI tags are their own: cp312-cp312.
bool is_for_one_version(const WheelName& name) {
  return name.python.size() == 1 && name.abi == name.python && cpython_minor(name.python.front()).value_or(0) > 2;
}

void check(const WheelView& view, const Emit& emit) {
  const WheelName& name = view.wheel.name;
  if (!is_for_one_version(name)) return;
  std::vector<std::string> files;
  bool all = true;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (module == nullptr) return;
    all = all && module->stable_abi;
    files.emplace_back(path_of(view, index));
  });
  if (!all || files.empty()) return;
  const std::string& tag = name.python.front();
  emit({.place = WholeWheel{},
        .message = fmt::format("its extension modules are built for the stable ABI ({}), but the tag {}-{} gives the "
                               "wheel to CPython 3.{} only",
                               first_of(files), tag, tag, *cpython_minor(tag)),
        .evidence = {{"modules", list_of(files)}},
        .fix = fmt::format("tag it {}-abi3, if the modules were compiled for the limited API of that version "
                           "(setuptools: bdist_wheel.py_limited_api; scikit-build-core: wheel.py-api)",
                           tag)});
}

}  // namespace

extern const Rule rule{
    .code = "WC810",
    .name = "abi3-not-tagged",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::abi3_not_tagged
