// WC720: a Python file of a wheel imports a module beside it that the wheel does not contain.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/requirement.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules::module_missing {
namespace {

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
bool counts(const WheelFacts& wheel, const OwnImport& import, std::map<std::string, bool>& shared) {
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
bool is_compiled(const OwnImport& import) {
  const std::string_view leaf = std::string_view(import.module).substr(import.module.rfind('.') + 1);
  const std::string_view package = std::string_view(import.file).substr(0, import.file.find('/'));
  return leaf.starts_with('_') || (leaf == package && std::ranges::count(import.file, '/') == 1);
}

// Whether another distribution may install modules into the same package: pkg requires pkg-core, or only an extra does.
enum class Companion { None, OfExtra, Required };

Companion companion_of(const WheelFacts& wheel) {
  if (!wheel.metadata) return Companion::OfExtra;
  const std::string start = normal_project_name(wheel.metadata->name) + '-';
  Companion found = Companion::None;
  for (const std::string& line : wheel.metadata->requires_dist) {
    if (!parse_dependency(line).name.starts_with(start)) continue;
    const bool of_extra = line.find("extra", std::min(line.find(';'), line.size())) != line.npos;
    found = std::max(found, of_extra ? Companion::OfExtra : Companion::Required);
  }
  return found;
}

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel)) return;
  const Companion companion = companion_of(view.wheel);
  std::map<std::string, bool> shared;  // by package
  std::vector<OwnImport> all = missing_modules(view.wheel, [&](const OwnImport& each) {
    // An import in a function may be for a user who has the extra.
    const bool of_two = companion == Companion::Required || (companion == Companion::OfExtra && each.in_function);
    return !of_two && counts(view.wheel, each, shared);
  });
  if (all.empty()) return;
  const std::map<MemberIndex, std::string> running = files_that_run(view.wheel);
  const auto runs = [&](const OwnImport& each) { return !each.in_function && running.contains(each.member); };
  // In a wheel with machine code, a backend for other systems or interpreters: psutil._psutil_windows.
  if (!view.wheel.elfs.empty())
    std::erase_if(all, [&](const OwnImport& each) { return is_compiled(each) && !runs(each); });
  if (all.empty()) return;
  const auto certain = std::ranges::find_if(all, runs);
  const bool at_import = certain != all.end();
  const OwnImport& missing = at_import ? *certain : all.front();
  std::vector<Evidence> evidence{{"module", missing.module}, {"line", std::to_string(missing.line)}};
  std::vector<std::string> others;
  for (const OwnImport& each : all)
    if (each.module != missing.module) others.push_back(each.module);
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  if (!others.empty()) evidence.push_back({"also missing", list_of(others)});
  emit(
      {.place = AtPath{std::string(view.wheel.members[missing.member.value].path.text())},
       .message = fmt::format(
           "line {} imports {}, which the wheel does not contain: {}", missing.line, missing.module,
           at_import
               ? fmt::format("{} raises ImportError", what_runs(view.wheel, missing.file, running.at(missing.member)))
           : missing.in_function ? std::string("the function raises ModuleNotFoundError when it is called")
                                 : std::string("importing this file raises ImportError")),
       .evidence = std::move(evidence),
       .fix = is_compiled(missing)
                  ? "if it is a compiled module, build it (maturin, setuptools-rust, Cython) into wheels with a "
                    "platform tag; otherwise add its file; then install the wheel into an empty environment and import "
                    "it"
                  : "add the package to the build: setuptools takes only directories with __init__.py that packages = "
                    "find_packages() or packages.find lists; then install the wheel into an empty environment and "
                    "import it",
       .severity = at_import ? Severity::Error : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC720",
    .name = "module-missing",
    .severity = Severity::Error,
    .confidence = Confidence::High,
    .check = check,
};

}  // namespace wheelcheck::rules::module_missing
