// Modules that importing a wheel needs, and that neither the wheel nor what METADATA promises provides.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requirement.h"
#include "rules/archive/claimed_pythons.h"
#include "rules/archive/provided_modules.h"
#include "rules/archive/stdlib_modules.h"
#include "rules/archive/stdlib_names.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules {
namespace {

// An import of a module outside of the wheel that certainly runs when the wheel is imported; or, with `name`, of what
// the module contains.
struct OutsideImport {
  std::string module;  // without `name`: up to the first dot
  std::string file;    // below site-packages
  std::uint32_t line = 0;
  MemberIndex member;
  std::string script = {};   // that runs the file, if no import does
  std::string package = {};  // whose import does, if it is inside of another one
  std::string name = {};     // in a module of the standard library; only names that not every CPython has
};

// The names of all files and directories, without the endings of files. A module of such a name may be vendored.
std::set<std::string_view> all_names(const WheelFacts& wheel) {
  std::set<std::string_view> names;
  for (const MemberFacts& member : wheel.members)
    for (const std::string_view part : split(below_site(member.path.text()), '/'))
      names.insert(part.substr(0, part.find('.')));
  return names;
}

// Adds the names of the standard library that an import needs, if not every CPython has them.
void add_stdlib_names(const PythonEvent& event, const OutsideImport& like, std::vector<OutsideImport>& found) {
  constexpr std::size_t most = 100;  // more than any module has
  const std::size_t before = found.size();
  const auto add = [&](std::string_view module, std::string_view name) {
    if (found.size() - before >= most || !find_stdlib_name(module, name)) return;
    found.push_back(like);
    found.back().module = module;
    found.back().name = name;
  };
  if (const std::size_t dot = event.name.rfind('.'); dot != std::string::npos)
    add(std::string_view(event.name).substr(0, dot), std::string_view(event.name).substr(dot + 1));
  for (const std::string& name : event.names) add(event.name, name);
}

// The imports of the files that `runs` selects.
std::vector<OutsideImport> outside_imports(const WheelFacts& wheel, const std::function<bool(MemberIndex)>& runs) {
  const std::set<std::string_view> own = all_names(wheel);
  std::vector<OutsideImport> found;
  for (const PythonFile& file : wheel.python) {
    const std::string_view path = below_site(wheel.members[file.member.value].path.text());
    if (file.units.empty() || !runs(file.member)) continue;
    const PythonUnit& body = file.units.front();
    for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count)) {
      const std::string module = event.name.substr(0, event.name.find('.'));
      if (event.action != PythonAction::Import || !is_certain(event) || module.empty() || own.contains(module))
        continue;
      found.push_back({module, std::string(path), event.line, file.member});
      add_stdlib_names(event, OutsideImport(found.back()), found);
    }
  }
  return found;
}

// Those that importing the wheel's packages and modules runs.
std::vector<OutsideImport> outside_imports(const WheelFacts& wheel) {
  const std::map<MemberIndex, std::string> files = files_that_run(wheel);
  std::vector<OutsideImport> all = outside_imports(wheel, [&](MemberIndex file) { return files.contains(file); });
  for (OutsideImport& import : all) import.script = files.at(import.member);
  // Those of imports before those of scripts alone.
  std::ranges::stable_partition(all, [](const OutsideImport& import) { return import.script.empty(); });
  return all;
}

std::vector<OutsideImport> outside_imports_of_subpackages(const WheelFacts& wheel) {
  const std::map<MemberIndex, std::string> files = files_of_subpackages(wheel);
  std::vector<OutsideImport> all = outside_imports(wheel, [&](MemberIndex file) { return files.contains(file); });
  for (OutsideImport& import : all) import.package = files.at(import.member);
  return all;
}

std::string place_of(const OutsideImport& import) { return fmt::format("{}:{}", import.file, import.line); }

}  // namespace
}  // namespace wheelcheck::rules

// WC723: the import of a wheel imports a module of another distribution that METADATA does not require.
namespace wheelcheck::rules::requirement_missing {
namespace {

// The files of packages, apart from __init__.py, that import the module, if these are more than half of them: users
// import such files where __init__.py does nothing.
std::vector<OutsideImport> imports_of_most(const WheelFacts& wheel,
                                           const std::function<bool(std::string_view)>& counts) {
  const PackageCode code(wheel);
  const auto is_module = [&](MemberIndex file) {
    const std::string_view path = wheel.members[file.value].path.text();
    return code.contains(file) && path.ends_with(".py") && !path.ends_with("/__init__.py");
  };
  std::size_t files = 0;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i) files += is_module(MemberIndex{i}) ? 1 : 0;
  std::map<std::string, std::vector<OutsideImport>> by_module;
  for (OutsideImport& import : outside_imports(wheel, is_module)) {
    if (!import.name.empty() || !counts(import.module)) continue;
    std::vector<OutsideImport>& users = by_module[import.module];
    if (users.empty() || users.back().member != import.member) users.push_back(std::move(import));
  }
  for (auto& [module, users] : by_module)
    if (users.size() * 2 > files) return std::move(users);
  return {};
}

// spacy-legacy is of no use without spacy, which may require it.
bool is_plugin(const WheelFacts& wheel, std::string_view module) {
  return normal_project_name(wheel.name.distribution).starts_with(normal_project_name(module) + '-');
}
// A package beside that of the project, for those who ask for the extra: duckdb[all] requires adbc-driver-manager,
// which adbc_driver_duckdb imports.
bool is_of_an_extra(const WheelFacts& wheel, const OutsideImport& import) {
  const std::string package = import.file.substr(0, import.file.find('/'));
  if (!import.script.empty() || normal_project_name(package) == normal_project_name(wheel.name.distribution))
    return false;
  return std::ranges::any_of(wheel.metadata->requires_dist, [&](const std::string& line) {
    const Dependency required = parse_dependency(line);
    return required.under && required.name == normal_project_name(import.module);
  });
}

// pkg_resources, which setuptools contains before 82: with the newest one, or without any, the import fails, whatever
// the other requirements bring.
void check_pkg_resources(const WheelView& view, const std::vector<OutsideImport>& imports, const Emit& emit) {
  for (const std::string& line : view.wheel.metadata->requires_dist)
    if (parse_dependency(line).name == "setuptools" && !allows(specifier_of(line), "9999").value_or(false)) return;
  for (const OutsideImport& import : imports) {
    if (import.module != "pkg_resources") continue;
    emit(
        {.place = AtPath{std::string(view.wheel.members[import.member.value].path.text())},
         .message = fmt::format("line {} imports pkg_resources, which setuptools does not contain from 82 on: in a new "
                                "environment {} raises ModuleNotFoundError",
                                import.line, what_runs(view.wheel, import.file, import.script)),
         .evidence = {{"module", import.module}, {"line", std::to_string(import.line)}},
         .fix = "use importlib.metadata and importlib.resources; or require setuptools<82"});
    return;
  }
}

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel) || !view.wheel.metadata) return;
  std::vector<OutsideImport> all = outside_imports(view.wheel);
  check_pkg_resources(view, all, emit);
  const auto there = provided(*view.wheel.metadata);
  if (!there) return;
  const auto counts = [&](std::string_view name) {
    return !name.starts_with('_') && name != "pkg_resources" && !there->contains(name) &&
           find_stdlib_module(name) == nullptr && !is_of_a_host(name);
  };
  std::erase_if(all, [&](const OutsideImport& import) { return !import.name.empty() || !counts(import.module); });
  const bool at_import = !all.empty();
  if (!at_import) all = imports_of_most(view.wheel, counts);
  if (all.empty()) return;
  const OutsideImport& first = all.front();
  std::set<std::string> others;
  for (const OutsideImport& import : all) others.insert(import.module);
  others.erase(first.module);
  std::vector<Evidence> evidence{{"module", first.module}, {"line", std::to_string(first.line)}};
  if (!others.empty()) evidence.push_back({"also", list_of({others.begin(), others.end()})});
  emit({.place = AtPath{std::string(view.wheel.members[first.member.value].path.text())},
        .message = fmt::format(
            "line {} imports {}, which no requirement in METADATA provides: in a new environment "
            "{} raises ModuleNotFoundError",
            first.line, first.module,
            at_import ? what_runs(view.wheel, first.file, first.script) : std::string("importing this file")),
        .evidence = std::move(evidence),
        .fix = fmt::format("add the distribution that provides {} to the dependencies ([project] dependencies)",
                           first.module),
        .severity = is_plugin(view.wheel, first.module) || is_of_an_extra(view.wheel, first) ? Severity::Info
                                                                                             : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC723",
    .name = "requirement-missing",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::requirement_missing

// WC724: the import of a wheel imports a module of the standard library that a claimed CPython does not have.
namespace wheelcheck::rules::stdlib_module_absent {
namespace {

// True if a requirement may provide the module: legacy-cgi for cgi, setuptools for distutils.
bool may_be_required(const Metadata& metadata, std::string_view module) {
  return std::ranges::any_of(metadata.requires_dist, [&](const std::string& line) {
    const std::string name = parse_dependency(line).name;
    return name.contains(module) || (module == "distutils" && name == "setuptools");
  });
}

constexpr int oldest_installed = 6;  // pip 21 and newer need CPython 3.6

struct Absent {
  OutsideImport import;
  bool removed = false;      // newer CPythons do not have it any more
  bool everywhere = false;   // no CPython that the wheel claims has it
  int since = 0;             // the first CPython 3.N that has it
  std::string has, pythons;  // "CPython before 3.11", "3.9 and 3.10"
};

// Where the module or the name is. nullopt: in all CPythons, or it may be of a requirement.
std::optional<NameSpan> span_of(const WheelFacts& wheel, const OutsideImport& import) {
  if (!import.name.empty()) return find_stdlib_name(import.module, import.name);
  const StdlibModule* const module = find_stdlib_module(import.module);
  if (module == nullptr || may_be_required(*wheel.metadata, module->name)) return std::nullopt;
  return NameSpan{module->since, module->until};
}

// "typing.Self", "distutils"
std::string words_of(const OutsideImport& import) {
  return import.name.empty() ? import.module : fmt::format("{}.{}", import.module, import.name);
}

std::optional<Absent> absent(const WheelFacts& wheel, const OutsideImport& import, std::span<const int> claimed) {
  const std::optional<NameSpan> span = span_of(wheel, import);
  if (!span) return std::nullopt;
  const auto lacks = [&](int border, bool newer) {
    std::vector<int> without;
    for (const int minor : claimed)
      if (newer ? minor >= border : minor < border) without.push_back(minor);
    return without;
  };
  const bool only_python_2 = span->until == StdlibModule::only_python_2;
  bool removed = false;
  int border = span->since;
  // Without a lower bound nothing is promised for old releases.
  std::vector<int> without = has_lower_bound(wheel) ? lacks(span->since, false) : std::vector<int>{};
  if (without.empty() && span->until != 0) {
    removed = true;
    border = only_python_2 ? 0 : span->until;
    without = lacks(border, true);
  }
  if (without.empty()) return std::nullopt;
  const bool everywhere = without.size() == claimed.size() && !claims_python_2(wheel);
  return Absent{import,
                removed,
                everywhere,
                span->since,
                only_python_2 ? std::string("only CPython 2 has")
                : removed     ? fmt::format("CPython 3.{} and newer do not have", border)
                              : fmt::format("CPython before 3.{} does not have", border),
                span_text(without)};
}

std::vector<Absent> all_absent(const WheelFacts& wheel, const std::vector<OutsideImport>& imports,
                               std::span<const int> claimed) {
  std::vector<Absent> all;
  for (const OutsideImport& import : imports)
    if (auto one = absent(wheel, import, claimed)) all.push_back(std::move(*one));
  return all;
}

std::string fix_of_name(const Absent& absent) {
  if (absent.removed && absent.import.module == "collections")
    return fmt::format("import {} from collections.abc, which has it since CPython 3.3", absent.import.name);
  if (absent.removed)
    return "use what \"What's New in Python\" names as its replacement, or state the limit in Requires-Python";
  if (absent.import.module == "typing")
    return fmt::format("set Requires-Python to >=3.{}, or import {} from typing_extensions and require that",
                       absent.since, absent.import.name);
  return fmt::format("set Requires-Python to >=3.{}, or import it where sys.version_info allows", absent.since);
}

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel) || !view.wheel.metadata) return;
  const std::vector<int> claimed = claimed_pythons(view.wheel);
  std::vector<Absent> all = all_absent(view.wheel, outside_imports(view.wheel), claimed);
  if (all.empty()) all = all_absent(view.wheel, outside_imports_of_subpackages(view.wheel), claimed);
  if (all.empty()) return;
  // A module that is too new is a mistake of this release; one that was removed may be one of a later CPython.
  const Absent& worst = *std::ranges::min_element(all, {}, &Absent::removed);
  std::vector<Evidence> evidence{{worst.import.name.empty() ? "module" : "name", words_of(worst.import)},
                                 {"CPython without it", worst.pythons}};
  std::vector<std::string> others;
  for (const Absent& one : all)
    if (words_of(one.import) != words_of(worst.import))
      others.push_back(fmt::format("{} ({})", words_of(one.import), place_of(one.import)));
  if (!others.empty()) evidence.push_back({"also", list_of(others)});
  const std::string& wanted = view.wheel.metadata->requires_python;
  emit({.place = AtPath{std::string(view.wheel.members[worst.import.member.value].path.text())},
        .message =
            fmt::format("line {} imports {}, which {}: {} raises {} there, and {}", worst.import.line,
                        words_of(worst.import), worst.has,
                        worst.import.package.empty() ? what_runs(view.wheel, worst.import.file, worst.import.script)
                                                     : fmt::format("`import {}`", worst.import.package),
                        worst.import.name.empty() ? "ModuleNotFoundError" : "ImportError",
                        wanted.empty() ? fmt::format("the wheel claims {}", join(view.wheel.name.python, "."))
                                       : fmt::format("Requires-Python is {}", escape(wanted))),
        .evidence = std::move(evidence),
        .fix = !worst.import.name.empty() ? fix_of_name(worst)
               : worst.removed
                   ? "import its replacement, or require a distribution that provides the module (setuptools for "
                     "distutils, legacy-cgi, standard-telnetlib); or state the limit in Requires-Python"
                   : "raise Requires-Python, or import a backport where the module is missing (tomli for tomllib) and "
                     "require it with a marker",
        .severity = worst.everywhere && worst.import.package.empty() ? Severity::Error
                    : worst.removed || !worst.import.package.empty() ? Severity::Warning
                    : worst.since <= oldest_installed                ? Severity::Info
                                                                     : Severity::Error});
}

}  // namespace

extern const Rule rule{
    .code = "WC724",
    .name = "stdlib-module-absent",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::stdlib_module_absent
