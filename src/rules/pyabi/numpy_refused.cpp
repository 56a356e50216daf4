// WC820: Requires-Dist allows a NumPy that the modules refuse when they are imported, or crash with.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "model/import_checks.h"
#include "model/requires_dist.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::numpy_refused {
namespace {

// The first release of NumPy with wheels for CPython 3.6, 3.7, ... (the files of numpy on PyPI).
constexpr unsigned first_python = 6;
constexpr auto first_with_wheels =
    std::to_array<std::string_view>({"1.11", "1.14", "1.17", "1.19", "1.21", "1.23", "1.26", "2.1", "2.3"});

// The minor versions of CPython for which the wheel is; empty where its tags do not say. Of a stable ABI those are
// enough to which the table has an answer: later ones have that of the last.
std::vector<unsigned> pythons_of(const WheelName& name) {
  constexpr unsigned last = first_python + first_with_wheels.size() - 1;
  std::vector<unsigned> minors;
  for (const std::string& tag : name.python) {
    const auto minor = cpython3_tag(tag);
    if (!minor) return {};
    const bool stable = has_abi(name, "abi3") || has_abi(name, "abi3t");
    for (unsigned each = *minor; each <= (stable ? std::max(last, *minor) : *minor); ++each) minors.push_back(each);
  }
  return minors;
}

// What METADATA asks of NumPy for one Python: the specifiers of all lines that count, and the marker of a single one.
struct Asked {
  std::string specifier, marker;
  bool named = true;  // false: no requirement names NumPy, so that it comes with another one
};
// Whether a requirement on Linux names NumPy, also one of an extra.
bool names_numpy(const Metadata& metadata) {
  return std::ranges::any_of(metadata.requires_dist,
                             [](const std::string& line) { return parse_dependency(line).name == "numpy"; });
}
// nullopt where NumPy is not required, or it is not clear.
std::optional<Asked> asked_for(const Metadata& metadata, unsigned minor) {
  if (!metadata.requires_dist.empty() && !names_numpy(metadata)) return Asked{.named = false};
  std::optional<Asked> all;
  for (const std::string& line : metadata.requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.name != "numpy" || dependency.under || !dependency.for_linux) continue;
    const auto counts = evaluate_marker(dependency.marker, fmt::format("3.{}", minor), "");
    if (!counts) return std::nullopt;
    if (!*counts) continue;
    if (!all) {
      all =
          Asked{.specifier = dependency.specifier, .marker = dependency.marker.empty() ? "" : "; " + dependency.marker};
      continue;
    }
    all->specifier += (all->specifier.empty() || dependency.specifier.empty() ? "" : ",") + dependency.specifier;
    all->marker.clear();
  }
  return all;
}

// A version of each minor release of NumPy: its first one, and one for the last.
template <class Visit>
void each_release(Visit visit) {
  for (unsigned major = 1; major <= 2; ++major)
    for (unsigned minor = major == 1 ? 7 : 0; minor <= (major == 1 ? 26 : 9); ++minor)
      for (const unsigned patch : {0, 99}) visit(major, minor, patch);
}

// "1.22": of the minor releases that the specifier allows and `refused` names, the newest of NumPy 1, else the first of
// NumPy 2.
template <class Refused>
std::string refused_release(std::string_view specifier, Refused refused) {
  std::string found;
  each_release([&](unsigned major, unsigned minor, unsigned patch) {
    const std::string release = fmt::format("{}.{}", major, minor);
    if ((major > 1 && !found.empty()) || !refused(release)) return;
    if (allows(specifier, fmt::format("{}.{}", release, patch)).value_or(false)) found = release;
  });
  return found;
}

// Whether Requires-Python of the release allows the Python, so that no installer takes it otherwise. The last NumPy for
// CPython 3.5 is 1.18 (numpy on PyPI).
bool is_for(std::string_view release, unsigned python) {
  static constexpr auto last =
      std::to_array<std::string_view>({"1.19", "1.21", "1.24", "2.0", "2.2"});  // for CPython 3.6, 3.7, ...
  if (python < first_python) return natural_order(release, "1.18") <= 0;
  return python - first_python >= last.size() || natural_order(release, last[python - first_python]) <= 0;
}

// Whether NumPy published wheels of that release for the Python, and for the machine of the wheel: the first for
// aarch64 are those of 1.19 (numpy on PyPI).
bool has_wheels(const WheelName& name, std::string_view release, unsigned python) {
  const auto for_arm = [](const PlatformTag& tag) { return tag.arch == Arch::aarch64; };
  if (std::ranges::all_of(name.platforms, for_arm) && natural_order(release, "1.19") < 0) return false;
  if (python < first_python) return true;
  const std::size_t index = std::min<std::size_t>(python - first_python, first_with_wheels.size() - 1);
  return natural_order(release, first_with_wheels[index]) >= 0;
}

// The same requirement with the limit: clauses that it replaces are left out.
std::string line_with(const Asked& requested, bool lower, const std::string& limit) {
  std::vector<std::string> clauses;
  if (lower) clauses.push_back(limit);
  for (const std::string_view clause : split(requested.specifier, ','))
    if (!clause.empty() && clause.front() != (lower ? '>' : '<')) clauses.emplace_back(clause);
  if (!lower) clauses.push_back(limit);
  return "Requires-Dist: numpy" + join(clauses, ",") + requested.marker;
}

void report(const WheelView& view, const Emit& emit, const NumpyDemand& demand, unsigned python, bool lower,
            const std::string& release, const Asked& requested, Severity severity) {
  const bool wheels = has_wheels(view.wheel.name, release, python);
  const std::string limit = lower ? fmt::format(">={}", demand.minimum) : "<2";
  emit({.place = AtElf{demand.file},
        .message = fmt::format("{} NumPy {}, which Requires-Dist {}: it was compiled {}",
                               demand.matrices > 0 ? "crashes in functions that take a matrix of"
                               : demand.crashes    ? "may crash in functions with arrays of"
                                                   : "refuses",
                               release, requested.named ? "allows" : "does not exclude",
                               demand.crashes ? "with a pybind11 before 2.12, which knows only NumPy 1"
                               : lower        ? fmt::format("for NumPy {} or newer", demand.minimum)
                                              : "for NumPy 1"),
        .evidence = {{demand.crashes ? "imports" : "message", std::string(demand.message)},
                     {"Requires-Dist", requested.named ? fmt::format("numpy{}{}", requested.specifier, requested.marker)
                                                       : std::string("no requirement names numpy")},
                     {"files", fmt::format("{} with that {}", demand.files, demand.crashes ? "import" : "check")},
                     {"wheels of NumPy", fmt::format("NumPy {} has {} for CPython 3.{} on this machine", release,
                                                     wheels ? "wheels" : "no wheels", python)}},
        .fix = fmt::format("write `{}`", line_with(requested, lower, limit)),
        // pip installs a NumPy that is too old only where something else asks for it.
        .severity = !wheels || (demand.crashes && !requested.named) ? Severity::Note
                    : requested.named && !lower                     ? severity
                                                                    : Severity::Warning,
        .confidence = demand.crashes && demand.matrices == 0 ? std::optional(Confidence::Medium) : std::nullopt});
}

void check_demand(const WheelView& view, const std::optional<NumpyDemand>& demand, Severity severity,
                  const Emit& emit) {
  if (!demand) return;
  // Where several Pythons are affected, one finding is enough: the first for which the refused NumPy has wheels.
  for (const bool lower : {true, false}) {
    if (lower ? demand->minimum.empty() : !demand->refuses_2) continue;
    struct Case {
      unsigned python;
      std::string release;
      Asked requested;
    };
    std::optional<Case> worst;
    for (const unsigned python : pythons_of(view.wheel.name)) {
      // Versions such as 3.8.1 exclude no minor version.
      const std::string newest_patch = fmt::format("3.{}.99", python);
      if (!allows(view.wheel.metadata->requires_python, newest_patch).value_or(true)) continue;
      const auto requested = asked_for(*view.wheel.metadata, python);
      if (!requested) continue;
      std::string release = refused_release(requested->specifier, [&](std::string_view one) {
        return is_for(one, python) && (lower ? natural_order(one, demand->minimum) < 0 : natural_order(one, "2") >= 0);
      });
      if (release.empty()) continue;
      const WheelName& name = view.wheel.name;
      if (!worst || (!has_wheels(name, worst->release, worst->python) && has_wheels(name, release, python)))
        worst = Case{python, std::move(release), *requested};
    }
    if (worst) report(view, emit, *demand, worst->python, lower, worst->release, worst->requested, severity);
  }
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.metadata || normal_project_name(view.wheel.metadata->name) == "numpy") return;
  const auto modules = numpy_demand(view.wheel);
  check_demand(view, modules, Severity::Error, emit);
  // The functions of a library fail when they are called, not when the package is imported.
  if (!modules) check_demand(view, numpy_demand(view.wheel, true), Severity::Warning, emit);
  if (!modules || !modules->refuses_2) check_demand(view, pybind11_demand(view.wheel), Severity::Warning, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC820",
    .name = "numpy-refused",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::numpy_refused
