#include "rules/own_modules.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

bool is_test(std::string_view path) {
  return std::ranges::any_of(split(path, '/'), [](std::string_view part) {
    return part.starts_with("test") || part == "conftest.py" || part == "examples" || part == "docs";
  });
}

// The sorted paths of the wheel, for finding modules.
class Modules {
 public:
  explicit Modules(const WheelFacts& wheel) {
    for (const MemberFacts& member : wheel.members) paths_.emplace_back(below_site(member.path.text()));
    std::ranges::sort(paths_);
  }
  bool has(const std::string& path) const { return std::ranges::binary_search(paths_, path); }
  // True if the path is a module in any form that importlib finds, or a package with or without __init__.py.
  bool has_module(const std::string& path) const {
    for (const std::string_view ending : {".", "/"}) {
      const std::string start = path + std::string(ending);
      const auto at = std::ranges::lower_bound(paths_, start);
      for (auto found = at; found != paths_.end() && found->starts_with(start); ++found)
        if (ending == "/" || found->ends_with(".py") || found->ends_with(".so") || found->ends_with(".pyc") ||
            found->ends_with(".pyd"))
          return true;
    }
    return false;
  }

 private:
  std::vector<std::string> paths_;
};

// The path of an imported module, without extension; nothing for modules of other distributions.
std::optional<std::string> imported_path(std::string_view name, std::string_view importer, const Modules& modules) {
  std::string path;
  if (name.starts_with('.')) {
    path = importer;
    while (name.starts_with('.')) {  // one dot is the package of the file
      const std::size_t slash = path.rfind('/');
      if (slash == path.npos && name.size() > 1 && name[1] == '.') return std::nullopt;
      path.resize(slash == path.npos ? 0 : slash);
      name.remove_prefix(1);
    }
    if (name.empty()) return std::nullopt;
  } else if (const std::string_view top = name.substr(0, name.find('.'));
             top == name || !modules.has(std::string(top) + "/__init__.py")) {
    return std::nullopt;
  }
  for (const std::string_view part : split(name, '.')) {
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

// The modules that an import names. `from . import x` means a module only in the package's own __init__.py; elsewhere x
// may be any name that __init__.py defines.
std::vector<std::string> modules_named(const PythonEvent& event, std::string_view importer) {
  if (event.name != "." || !importer.ends_with("/__init__.py")) return {event.name};
  std::vector<std::string> names;
  for (const std::string& name : event.names)
    if (name != "*") names.push_back("." + name);
  return names;
}

}  // namespace

std::optional<OwnImport> missing_module(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts) {
  const Modules modules(wheel);
  for (const PythonFile& file : wheel.python) {
    const std::string_view path = below_site(wheel.members[file.member.value].path.text());
    if (is_test(path) || file.units.empty()) continue;
    const PythonUnit& body = file.units.front();
    for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count)) {
      const bool certain = event.reach == Reach::Certain && event.condition == no_python_index &&
                           event.attempt == no_python_index && event.action == PythonAction::Import;
      if (!certain) continue;
      for (const std::string& module : modules_named(event, path)) {
        const auto wanted = imported_path(module, path, modules);
        if (!wanted || modules.has_module(*wanted)) continue;
        OwnImport found{module, std::string(path), event.line, file.member};
        if (counts(found)) return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace wheelcheck::rules
