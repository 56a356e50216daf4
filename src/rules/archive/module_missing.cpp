// WC720: a Python file of a wheel imports a module beside it that the wheel does not contain
// (import_plan/own_imports.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/requirement.h"
#include "rules/common.h"

namespace wheelcheck::rules::module_missing {
namespace {

using import_plan::MissingModule;

// Whether the package of that name is one that several distributions share (pkgutil, pkg_resources), or one that a
// requirement contains as well.
bool is_shared(const WheelFacts& wheel, std::string_view package) {
  const std::string init = std::string(package) + "/__init__.py", project = normal_project_name(package);
  for (const PythonFile& file : wheel.python)
    if (below_site(wheel.members[file.member.value].path.text()) == init)
      for (const PythonEvent& event : file.events)
        if (event.name.starts_with("pkgutil") || event.name.starts_with("pkg_resources")) return true;
  return wheel.metadata && std::ranges::any_of(wheel.metadata->requires_dist, [&](const std::string& line) {
           const std::string name = parse_dependency(line).name;
           return name == project || name.starts_with(project + '-');
         });
}

// A relative import, or one by the name of the distribution or its beginning (headroom of headroom-ai): only the wheel
// itself can contain the module. `shared`: answers of is_shared.
bool counts(const WheelFacts& wheel, const MissingModule& import, std::map<std::string, bool>& shared) {
  std::string own = lower(wheel.name.distribution);
  std::ranges::replace(own, '-', '_');
  std::ranges::replace(own, '.', '_');
  if (import.module.starts_with('.') || import.module.starts_with(own + '.')) return true;
  const std::string top = import.module.substr(0, import.module.find('.'));
  if (!own.starts_with(top + '_') || !import.file.starts_with(top + '/')) return false;
  const auto [known, is_new] = shared.try_emplace(top);
  if (is_new) known->second = is_shared(wheel, top);
  return !known->second;
}

// `from ._core import x`: a module of another language has such a name, or that of its package (pkg/pkg.so).
bool is_compiled(const MissingModule& import) {
  const std::string_view leaf = std::string_view(import.module).substr(import.module.rfind('.') + 1);
  const std::string_view package = std::string_view(import.file).substr(0, import.file.find('/'));
  return leaf.starts_with('_') || (leaf == package && std::ranges::count(import.file, '/') == 1);
}

// PyO3 may register modules that have no files, of which the __init__.py beside the compiled module knows:
// vnpyrs.trader.constant of vnpyrs 0.2.1.
bool may_be_registered(const WheelFacts& wheel, const MissingModule& import) {
  if (base_name(import.file) != "__init__.py" || is_compiled(import)) return false;
  return std::ranges::any_of(wheel.elfs, [&](const ElfMember& elf) {
    return std::holds_alternative<ExtensionModule>(elf.role) && is_rust(elf.facts) &&
           directory_name(below_site(wheel.members[elf.member.value].path.text())) == directory_name(import.file);
  });
}

// Whether the wheel requires another distribution that may install modules into the same package: pkg and pkg-core.
bool has_companion(const WheelFacts& wheel) {
  if (!wheel.metadata) return false;
  const std::string start = normal_project_name(wheel.metadata->name) + '-';
  return std::ranges::any_of(wheel.metadata->requires_dist, [&](const std::string& line) {
    return parse_dependency(line).name.starts_with(start) &&
           line.find("extra", std::min(line.find(';'), line.size())) == line.npos;
  });
}

// What somebody imports to run the file: the topmost package around it, or the module. `path` is below site-packages.
std::string module_to_import(const WheelFacts& wheel, std::string_view path) {
  const InstalledFiles files(wheel.members);
  std::string package, name;
  for (const std::string_view part : split(path.substr(0, path.rfind('.')), '/')) {
    package += part;
    name += part;
    if (files.has(package + "/__init__.py")) break;
    package += '/';
    name += '.';
  }
  if (name.ends_with('.')) name.pop_back();
  return name;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.all_python || !import_plan::is_searched(view.wheel.name) || has_companion(view.wheel)) return;
  std::map<std::string, bool> shared;  // by package
  std::vector<MissingModule> all = import_plan::missing_modules(view.wheel);
  std::erase_if(all, [&](const MissingModule& each) { return !counts(view.wheel, each, shared); });
  if (all.empty()) return;
  const std::map<MemberIndex, std::string> running = import_plan::files_that_run(view.wheel);
  const auto runs = [&](const MissingModule& each) { return running.contains(each.member); };
  // In a wheel with machine code, a backend for other systems or interpreters: psutil._psutil_windows.
  if (!view.wheel.elfs.empty())
    std::erase_if(all, [&](const MissingModule& each) { return is_compiled(each) && !runs(each); });
  std::erase_if(all, [&](const MissingModule& each) { return may_be_registered(view.wheel, each); });
  if (all.empty()) return;
  const auto weight = [&](const MissingModule& each) { return std::pair(!runs(each), !is_compiled(each)); };
  const MissingModule& missing = *std::ranges::min_element(all, {}, weight);
  const bool at_import = runs(missing);
  const bool is_started = base_name(missing.file) == "__main__.py";  // by `python -m`
  std::vector<Evidence> evidence{{"module", missing.module}, {"line", std::to_string(missing.line)}};
  std::vector<std::string> others;
  for (const MissingModule& each : all)
    if (each.module != missing.module) others.push_back(each.module);
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  if (!others.empty()) evidence.push_back({"also missing", list_of(others)});
  const std::string script = at_import ? running.at(missing.member) : "";
  emit(
      {.place = AtPath{std::string(view.wheel.members[missing.member.value].path.text())},
       .message = fmt::format("line {} imports {}, which the wheel does not contain: {} raises ImportError",
                              missing.line, missing.module,
                              !at_import       ? std::string("importing this file")
                              : script.empty() ? fmt::format("`import {}`", module_to_import(view.wheel, missing.file))
                                               : fmt::format("the script {}", escape(script))),
       .evidence = std::move(evidence),
       .fix = is_compiled(missing)
                  ? "if it is a compiled module, build it (maturin, setuptools-rust, Cython) into wheels with a "
                    "platform tag; otherwise add its file; then install the wheel into an empty environment and import "
                    "it"
                  : "add the package to the build: setuptools takes only directories with __init__.py that packages = "
                    "find_packages() or packages.find lists; then install the wheel into an empty environment and "
                    "import it",
       .severity = at_import    ? Severity::Error
                   : is_started ? Severity::Warning
                                : Severity::Note});
}

}  // namespace

extern const Rule rule{
    .code = "WC720",
    .name = "module-missing",
    .severity = Severity::Error,
    .confidence = Confidence::High,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::module_missing
