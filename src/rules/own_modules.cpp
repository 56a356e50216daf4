#include "rules/own_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/searched_python.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

bool is_test(std::string_view path) {
  return std::ranges::any_of(split(path, '/'), [](std::string_view part) {
    return part.starts_with("test") || part.ends_with("_test.py") || part.ends_with("_test") ||
           part.ends_with("_tests") || part == "conftest.py" || part == "examples" || part == "docs";
  });
}

// Finds modules among the files of the wheel.
class Modules {
 public:
  explicit Modules(const WheelFacts& wheel) : files_(wheel.members) {}
  bool has(std::string_view path) const { return files_.has(path); }
  // True if the path is a module in any form that importlib finds, or a package with or without __init__.py.
  bool has_module(const std::string& path) const {
    return files_.has_directory(path) ||
           std::ranges::any_of(files_.beginning_with(path + '.'), [](std::string_view found) {
             return found.ends_with(".py") || found.ends_with(".so") || found.ends_with(".pyc") ||
                    found.ends_with(".pyd");
           });
  }
  // True if Python may find the module without a file of that path: another module defines it (six.moves, submodules of
  // a compiled one), or a hook looks for it among the vendored packages (setuptools.extern.six).
  bool may_be_defined(std::string_view path) const {
    constexpr std::size_t most_parts = 16;
    if (path.find("/six/moves") != path.npos) return true;  // six/__init__.py
    std::vector<std::string> ancestors;
    for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      ancestors.emplace_back(path.substr(0, slash));
    if (ancestors.size() > most_parts) return false;
    for (std::size_t i = 0; i < ancestors.size(); ++i) {
      if (has(ancestors[i] + ".py") || has_compiled(ancestors[i]) || has_compiled(ancestors[i] + "/__init__"))
        return true;
      const std::string rest(path.substr(ancestors[i].size() + 1));
      for (std::size_t j = 0; j < i; ++j)
        if (const std::string vendored = ancestors[j] + "/_vendor/";
            has_module(vendored + rest) || has(vendored + rest.substr(0, rest.find('/')) + ".py"))
          return true;
    }
    return false;
  }

  // Of pkg/x.abi3.so and pkg/x.py, the first is imported.
  bool has_compiled(const std::string& path) const {
    return std::ranges::any_of(files_.beginning_with(path + '.'),
                               [](std::string_view found) { return found.ends_with(".so"); });
  }

 private:
  const InstalledFiles files_;
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

bool is_certain_import(const PythonEvent& event) { return event.action == PythonAction::Import && is_certain(event); }

bool is_identifier(std::string_view part) {
  return !part.empty() && !is_digit(part.front()) && std::ranges::all_of(part, [](char c) {
    return is_alnum(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

// Follows the imports of a wheel from file to file.
class CertainImports {
 public:
  explicit CertainImports(const WheelFacts& wheel) : modules_(wheel) {
    for (const PythonFile& file : wheel.python)
      by_path_.emplace(below_site(wheel.members[file.member.value].path.text()), &file);
  }

  // The files that imports of the topmost packages run.
  std::set<MemberIndex> follow() {
    for (const auto& [path, file] : by_path_)
      if (is_topmost(path)) run_file(path);
    run_waiting();
    const std::vector<MemberIndex> files = std::exchange(new_, {});
    return {files.begin(), files.end()};
  }
  // The other files that public packages inside of others run, by the first of them.
  std::map<MemberIndex, std::string> follow_subpackages() {
    std::map<MemberIndex, std::string> files;
    for (const auto& [path, file] : by_path_) {
      const std::vector<std::string_view> parts = split(path, '/');
      const bool inner = path.ends_with(init) && path.size() <= longest_path && parts.size() > 2 && !is_test(path);
      if (!inner || !std::all_of(parts.begin(), parts.end() - 1, [](auto part) { return !part.starts_with('_'); }))
        continue;
      run_file(path);
      run_waiting();
      for (const MemberIndex each : std::exchange(new_, {}))
        files.emplace(each, fmt::format("{}", fmt::join(parts.begin(), parts.end() - 1, ".")));
    }
    return files;
  }
  // The other files that scripts run, by the first of them.
  std::map<MemberIndex, std::string> follow_scripts(std::span<const ScriptEntry> scripts) {
    std::map<MemberIndex, std::string> files;
    for (const ScriptEntry& script : scripts) {
      std::string path = script.object.substr(0, script.object.find(':'));
      std::ranges::replace(path, '.', '/');
      run_module(path);
      run_waiting();
      for (const MemberIndex file : std::exchange(new_, {})) files.emplace(file, script.name);
    }
    return files;
  }

 private:
  void run_waiting() {
    while (!waiting_.empty()) {
      const std::string_view path = waiting_.back();
      waiting_.pop_back();
      const PythonFile& file = *by_path_.find(path)->second;
      if (file.units.empty()) continue;
      const PythonUnit& body = file.units.front();
      for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count))
        if (is_certain_import(event)) import_event(event, path);
    }
  }
  static constexpr std::string_view init = "/__init__.py";
  static constexpr std::size_t longest_path = 4096;

  // An __init__.py that no other one of the wheel has to run for.
  bool is_topmost(std::string_view path) const {
    if (!path.ends_with(init) || path.size() > longest_path || is_test(path)) return false;
    path.remove_suffix(init.size());
    for (std::size_t slash = path.rfind('/'); slash != path.npos; slash = path.rfind('/')) {
      path = path.substr(0, slash);
      if (modules_.has(std::string(path) + std::string(init))) return false;  // it may have no events
    }
    return true;
  }
  void run_file(std::string_view path) {
    const auto found = by_path_.find(path);
    if (found == by_path_.end() || !ran_.insert(found->second->member).second) return;
    waiting_.push_back(found->first);
    new_.push_back(found->second->member);
  }
  // A module runs after the packages around it.
  void run_module(std::string_view path) {
    if (path.size() > longest_path) return;
    for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      run_file(std::string(path.substr(0, slash)) + std::string(init));
    run_file(std::string(path) + std::string(init));
    if (!modules_.has_compiled(std::string(path))) run_file(std::string(path) + ".py");
  }
  void import_event(const PythonEvent& event, std::string_view importer) {
    std::string_view name = event.name;
    if (name.size() > longest_path) return;
    const bool only_dots = name.find_first_not_of('.') == name.npos;
    if (!only_dots)
      if (const auto path = imported_path(name, importer, modules_)) run_module(*path);
    // The names may be modules too.
    for (const std::string& each : event.names)
      if (each != "*")
        if (const auto path = imported_path(event.name + (only_dots ? "" : ".") + each, importer, modules_))
          run_module(*path);
  }

  const Modules modules_;
  std::map<std::string, const PythonFile*, std::less<>> by_path_;
  std::set<MemberIndex> ran_;
  std::vector<MemberIndex> new_;           // of these, since the last question
  std::vector<std::string_view> waiting_;  // keys of by_path_
};

// Finds the names that modules of the wheel do not have.
class Names {
 public:
  explicit Names(const WheelFacts& wheel) : wheel_(wheel), modules_(wheel) {
    for (const PythonFile& file : wheel.python)
      by_path_.emplace(below_site(wheel.members[file.member.value].path.text()), &file);
  }

  static constexpr std::size_t most = 1000;

  void of_imports(const PythonFile& file, const std::string& script, std::vector<MissingName>& missing) {
    if (file.units.empty()) return;
    const std::string path(below_site(wheel_.members[file.member.value].path.text()));
    const PythonUnit& body = file.units.front();
    for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count)) {
      if (!is_certain_import(event) || event.names.empty()) continue;
      const std::optional<std::string> module = module_of(event.name, path);
      if (!module) continue;
      for (const std::string& name : event.names)
        if (const auto in = missing.size() < most ? file_without(*module, name) : std::nullopt)
          missing.push_back({name, event.name, path, event.line, file.member, *in, script});
    }
  }
  void of_script(const ScriptEntry& script, std::vector<MissingName>& missing) {
    const std::size_t colon = script.object.find(':');
    if (colon == std::string::npos) return;
    std::string module = script.object.substr(0, colon), name = script.object.substr(colon + 1);
    std::ranges::replace(module, '.', '/');
    // `from pkg import sub` imports pkg/sub.py: of pkg:sub.main the name is main.
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.')) {
      const std::string inner = module + '/' + name.substr(0, dot);
      const bool is_module = inner.size() < 4096 && modules_.has_module(inner);
      name = is_module ? name.substr(dot + 1) : name.substr(0, dot);
      if (is_module) module = inner;
    }
    const auto in = file_without(module, name);
    if (!in) return;
    std::string written = module;
    std::ranges::replace(written, '/', '.');
    missing.push_back({name, written, *in, 0, by_path_.find(*in)->second->member, *in, script.name});
  }

 private:
  // Without extension; of `from . import x` the package.
  std::optional<std::string> module_of(std::string_view name, const std::string& importer) const {
    if (name.find_first_not_of('.') != name.npos) return imported_path(name, importer, modules_);
    std::string path = importer;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const std::size_t slash = path.rfind('/');
      if (slash == path.npos) return std::nullopt;
      path.resize(slash);
    }
    return path;
  }
  // The file of the module if it certainly does not have the name.
  std::optional<std::string> file_without(const std::string& module, const std::string& name) {
    constexpr std::string_view always[] = {"*",           "__builtins__", "__cached__", "__dict__",
                                           "__doc__",     "__file__",     "__loader__", "__name__",
                                           "__package__", "__path__",     "__spec__"};
    if (module.empty() || name.empty() || std::ranges::find(always, name) != std::end(always)) return std::nullopt;
    std::string path = module + "/__init__.py";
    if (!modules_.has(path)) path = module + ".py";
    const auto found = by_path_.find(path);
    if (found == by_path_.end() || modules_.has_compiled(module) || modules_.has_compiled(module + "/__init__"))
      return std::nullopt;
    const std::set<std::string_view>& names = names_of(*found->second);
    if (names.empty() || names.contains("*") || names.contains(name) || modules_.has_module(module + '/' + name))
      return std::nullopt;
    return path;
  }
  // Of the body; empty if they are not known.
  const std::set<std::string_view>& names_of(const PythonFile& file) {
    const auto [at, is_new] = names_.try_emplace(&file);
    if (is_new && !file.bound.empty() && !file.broken && !file.cut)
      for (const std::string_view name : split(file.bound, ' ')) at->second.insert(name);
    return at->second;
  }

  const WheelFacts& wheel_;
  const Modules modules_;
  std::map<std::string, const PythonFile*, std::less<>> by_path_;
  std::map<const PythonFile*, std::set<std::string_view>> names_;
};

}  // namespace

PackageCode::PackageCode(const WheelFacts& wheel) : wheel_(wheel) {
  constexpr std::string_view init = "/__init__.py";
  for (const MemberFacts& member : wheel.members) {
    const std::string_view path = member.path.text();
    if (path.ends_with(init)) packages_.insert(path.substr(0, path.size() - init.size()));
    if (path.ends_with(".so")) compiled_.insert(path.substr(0, path.find('.', path.rfind('/') + 1)));
  }
}

bool PackageCode::contains(MemberIndex file) const {
  const std::string_view path = wheel_.members[file.value].path.text(), installed = below_site(path);
  const std::vector<std::string_view> parts = split(installed, '/');
  if (is_test(installed) || parts.size() < 2 || compiled_.contains(path.substr(0, path.rfind('.')))) return false;
  // Vendored code is often a part of its distribution.
  const auto is_foreign = [](std::string_view part) {
    return part.contains("template") || part.contains("skeleton") || part.contains("vendor");
  };
  return std::ranges::all_of(parts.begin(), parts.end() - 1, is_identifier) &&
         std::ranges::none_of(parts, is_foreign) && packages_.contains(path.substr(0, path.rfind('/')));
}

bool is_searched(const WheelFacts& wheel) { return wheel.all_python && has_little_python(wheel); }

bool is_certain(const PythonEvent& event) {
  return event.reach == Reach::Certain && event.condition == no_python_index && event.attempt == no_python_index;
}

std::set<MemberIndex> imported_files(const WheelFacts& wheel) { return CertainImports(wheel).follow(); }

std::map<MemberIndex, std::string> files_that_run(const WheelFacts& wheel) {
  constexpr std::string_view others[] = {"setup.py", "conftest.py", "__main__.py"};
  std::map<MemberIndex, std::string> files;
  CertainImports imports(wheel);
  for (const MemberIndex file : imports.follow()) files.emplace(file, "");
  for (const PythonFile& file : wheel.python)
    if (const std::string_view path = below_site(wheel.members[file.member.value].path.text());
        path.ends_with(".py") && path.find('/') == path.npos && !path.starts_with("test") &&
        std::ranges::find(others, path) == std::end(others))
      files.emplace(file.member, "");
  files.merge(imports.follow_scripts(wheel.scripts));
  return files;
}

std::map<MemberIndex, std::string> files_of_subpackages(const WheelFacts& wheel) {
  CertainImports imports(wheel);
  imports.follow();
  imports.follow_scripts(wheel.scripts);
  return imports.follow_subpackages();
}

std::string what_runs(const WheelFacts& wheel, std::string_view path, const std::string& script) {
  return script.empty() ? fmt::format("`import {}`", module_to_import(wheel, path))
                        : fmt::format("the script {}", escape(script));
}

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

std::vector<MissingName> missing_names(const WheelFacts& wheel) {
  Names names(wheel);
  const std::map<MemberIndex, std::string> running = files_that_run(wheel);
  std::vector<MissingName> missing;
  for (const PythonFile& file : wheel.python)
    if (const auto found = running.find(file.member); found != running.end())
      names.of_imports(file, found->second, missing);
  for (const ScriptEntry& script : wheel.scripts)
    if (missing.size() < Names::most) names.of_script(script, missing);
  return missing;
}

std::vector<OwnImport> missing_modules(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts) {
  constexpr std::size_t most = 1000;
  const Modules modules(wheel);
  const PackageCode code(wheel);
  std::vector<OwnImport> all;
  for (const bool in_function : {false, true}) {
    for (const PythonFile& file : wheel.python) {
      const std::string_view path = below_site(wheel.members[file.member.value].path.text());
      if (!code.contains(file.member) || file.units.empty()) continue;
      const PythonUnit& body = file.units.front();
      const std::span<const PythonEvent> events(file.events);
      for (const PythonEvent& event :
           in_function ? events.subspan(body.first + body.count) : events.subspan(body.first, body.count)) {
        if (!is_certain_import(event)) continue;
        for (const std::string& module : modules_named(event, path)) {
          const auto wanted = imported_path(module, path, modules);
          if (!wanted || modules.has_module(*wanted) || modules.may_be_defined(*wanted)) continue;
          OwnImport found{module, std::string(path), event.line, file.member, in_function};
          if (counts(found) && all.size() < most) all.push_back(std::move(found));
        }
      }
    }
    if (!all.empty()) break;
  }
  return all;
}

}  // namespace wheelcheck::rules
