// A wheel that lacks a module of its own cannot be imported, and where no CI runs it, on s390x or a new Python, nobody
// sees that before a user does. The question is the same for every import statement: does the wheel have a file that
// importlib would find for the name (importlib/_bootstrap_external.py, _get_supported_file_loaders)? Names of other
// distributions are not judged.
//
// Nearly every file imports only modules that exist, so a wheel is read in three steps, each for few files: may_lack()
// looks at the words around `import` in each file, at 1.9 GB/s; a file that passes is parsed, which shows whether the
// import is at module level, without a condition and outside of `try`; and only if one is, all files of the wheel are
// parsed, so that the import walk (import_walk.h) shows whether the import of the package runs into it. Of 9,990 files
// of 93 installed distributions, 35 came to the second step, and parsing all of them found no other missing module.
#include "import_plan/own_imports.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "base/byte_scan.h"
#include "base/text.h"
#include "import_plan/modules.h"
#include "model/module_names.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

constexpr std::size_t longest_name = 4096;

bool is_name_byte(char c) { return is_alnum(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0; }

bool is_identifier(std::string_view part) {
  return !part.empty() && !is_digit(part.front()) && std::ranges::all_of(part, is_name_byte);
}

std::string with_slashes(std::string_view name) {
  std::string path(name);
  std::ranges::replace(path, '.', '/');
  return path;
}

// --- the words around `import` -----------------------------------------------------------------------------------

constexpr std::string_view import_word = "import";

bool is_between(char c) { return is_blank(c) || c == '\\'; }

// The module that `from ... import` names, without blanks; nullopt if no `from` is between `begin` and the word at
// `at`.
std::optional<std::string> from_before(std::string_view text, std::size_t begin, std::size_t at) {
  const std::size_t end = at;
  const auto belongs = [&](std::size_t i) {
    const bool joined = text[i] == '\n' && i > 0 && text[i - 1] == '\\';
    return is_name_byte(text[i]) || text[i] == '.' || (is_between(text[i]) && text[i] != '\n') || joined;
  };
  while (at > begin && end - at < longest_name && belongs(at - 1)) --at;
  const std::string_view before = text.substr(at, end - at);
  const std::size_t from = before.rfind("from");
  if (from == before.npos || (from > 0 && is_name_byte(before[from - 1]))) return std::nullopt;
  std::string name(before.substr(from + 4));
  if (name.empty() || is_name_byte(name.front())) return std::nullopt;
  std::erase_if(name, is_between);
  return name;
}

// The names in `import a.b as c, d` from `at` on, which becomes their end. `listed`: parentheses may enclose them.
std::vector<std::string_view> names_behind(std::string_view text, std::size_t& at, bool listed) {
  std::vector<std::string_view> names;
  bool renames = false;  // the next name is behind `as`
  const std::size_t start = text.find_first_not_of(" \t\f\\\r\n", at);
  const bool many_lines = listed && start != text.npos && text[start] == '(';
  while (at < text.size()) {
    const std::size_t begin = at;
    const char c = text[at];
    if (c == ')' || c == ';' || (c == '\n' && !many_lines && text[at - 1] != '\\')) break;
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_name_byte(c) || c == '.') {
      while (at < text.size() && (is_name_byte(text[at]) || text[at] == '.')) ++at;
      const std::string_view name = text.substr(begin, at - begin);
      if (name != "as" && !renames) names.push_back(name);
      renames = name == "as";
    } else {
      ++at;
    }
  }
  return names;
}

// The text of the first argument of `import_module(` and `__import__(`.
std::optional<std::string_view> text_given(std::string_view text) {
  constexpr std::size_t max = 64;
  const std::size_t quote = text.substr(0, max).find_first_of("'\"");
  if (quote == text.npos) return std::nullopt;
  const std::size_t end = text.substr(0, longest_name).find(text[quote], quote + 1);
  return end == text.npos ? std::nullopt : std::optional(text.substr(quote + 1, end - quote - 1));
}

}  // namespace

// --- modules of the wheel -----------------------------------------------------------------------------------------

bool OwnModules::is_package_code(std::string_view path) const {
  const std::vector<std::string_view> parts = split(path, '/');
  if (!path.ends_with(".py") || parts.size() < 2 || is_test_code(path)) return false;
  if (has_compiled(std::string(path.substr(0, path.size() - 3)))) return false;
  // Vendored code is often a part of its distribution.
  const auto is_foreign = [](std::string_view part) {
    return part.contains("template") || part.contains("skeleton") || part.contains("vendor");
  };
  return std::all_of(parts.begin(), parts.end() - 1, is_identifier) && std::ranges::none_of(parts, is_foreign) &&
         files_.has(std::string(path.substr(0, path.rfind('/'))) + "/__init__.py");
}

// True if the path is a module in any form that importlib finds, or a package with or without __init__.py.
bool OwnModules::has_module(const std::string& path) const {
  return files_.has(path + ".py") || files_.has_directory(path) ||
         std::ranges::any_of(files_.beginning_with(path + '.'), [&](std::string_view found) {
           const bool compiled = found.ends_with(".so") || found.ends_with(".pyc") || found.ends_with(".pyd");
           return compiled && found.find('/', path.size()) == found.npos;
         });
}

// Of pkg/x.abi3.so and pkg/x.py, the first is imported.
bool OwnModules::has_compiled(const std::string& path) const {
  // pkg.libs/libfoo.so is not the module pkg.
  return std::ranges::any_of(files_.beginning_with(path + '.'), [&](std::string_view found) {
    return found.ends_with(".so") && found.find('/', path.size()) == found.npos;
  });
}

// A module that is not there, but whose type stubs are, or whose name is a part of that of a compiled module beside it:
// the package or a compiled module defines it, with its own finder or in sys.modules (cantera._utils of cantera 3.2.0;
// mitsuba.scalar_rgb of mitsuba 3.1.1, which has mitsuba_scalar_rgb_ext).
bool OwnModules::is_of_compiled(const std::string& path) const {
  const bool stubs = files_.has(path + ".pyi") || files_.has(path + ".pxd");
  const std::string package = path.substr(0, path.rfind('/') + 1);
  const std::string part = '_' + path.substr(package.size()) + '_';
  return std::ranges::any_of(files_.beginning_with(package), [&](std::string_view found) {
    return found.ends_with(".so") && found.find('/', package.size()) == found.npos &&
           (stubs || found.substr(package.size()).contains(part));
  });
}

// A directory without __init__.py has no names but its modules. One with stubs alone has those that a compiled module
// defines (obstore.exceptions of obstore 0.12.1).
bool OwnModules::is_namespace(std::string_view name, std::string_view module, bool package) const {
  if (name.find_first_not_of('.') == name.npos || name.size() > longest_name) return false;
  const std::optional<std::string> full = absolute(name, module, package);
  if (!full) return false;
  const std::string path = with_slashes(*full);
  return files_.has_directory(path) && !files_.has(path + ".py") && !has_compiled(path) &&
         !has_module(path + "/__init__") && !files_.has(path + "/__init__.pyi");
}

// The modules that an import names. `from . import x` means a module only in the package's own __init__.py; elsewhere x
// may be any name that __init__.py defines.
std::vector<std::string> OwnModules::modules_named(const PythonEvent& event, std::string_view module,
                                                   bool package) const {
  const bool own = event.name == "." && package;
  if (!own && (event.names.empty() || !is_namespace(event.name, module, package))) return {event.name};
  std::vector<std::string> names;
  for (const std::string& name : event.names)
    if (name != "*") names.push_back(own ? "." + name : event.name + "." + name);
  return names;
}

// True if Python may find the module without a file of that path: another module defines it (six.moves, submodules of
// a compiled one), or a hook looks for it among the vendored packages (setuptools.extern.six).
bool OwnModules::may_be_defined(std::string_view path) const {
  constexpr std::size_t max_parts = 16;
  if (path.find("/six/moves") != path.npos) return true;  // six/__init__.py
  std::vector<std::string> ancestors;
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    ancestors.emplace_back(path.substr(0, slash));
  if (ancestors.size() > max_parts) return false;
  for (std::size_t i = 0; i < ancestors.size(); ++i) {
    if (files_.has(ancestors[i] + ".py") || has_compiled(ancestors[i]) || has_compiled(ancestors[i] + "/__init__"))
      return true;
    const std::string rest(path.substr(ancestors[i].size() + 1));
    for (std::size_t j = 0; j < i; ++j)
      if (const std::string vendored = ancestors[j] + "/_vendor/";
          has_module(vendored + rest) || files_.has(vendored + rest.substr(0, rest.find('/')) + ".py"))
        return true;
  }
  return false;
}

// A directory around the importing file that has such a module. It may be in the __path__ of the package above:
// mitsuba/__init__.py of mitsuba 3.1.1 adds mitsuba/python, so that `import mitsuba.util` finds mitsuba/python/util.py.
bool OwnModules::may_be_beside(std::string_view path, std::string_view module, bool package) const {
  constexpr std::size_t max_parts = 16;
  const std::size_t top = path.find('/');
  const std::string directory = with_slashes(module) + (package ? "/" : "");
  const std::string rest(path.substr(std::min(top, path.size())));
  if (top == path.npos || !directory.starts_with(path.substr(0, top + 1))) return false;
  std::size_t slash = directory.find('/', top + 1);
  for (std::size_t parts = 0; slash != directory.npos && parts < max_parts; ++parts) {
    if (has_module(directory.substr(0, slash) + rest)) return true;
    slash = directory.find('/', slash + 1);
  }
  return false;
}

bool OwnModules::lacks(std::string_view name, std::string_view module, bool package) const {
  if (name.size() > longest_name || name.find_first_not_of('.') == name.npos) return false;
  if (!name.starts_with('.')) {
    const std::string_view top = name.substr(0, name.find('.'));
    if (top == name || !files_.has(std::string(top) + "/__init__.py")) return false;
  }
  const std::optional<std::string> full = absolute(name, module, package);
  if (!full) return false;
  const std::string path = with_slashes(*full);
  return !has_module(path) && !may_be_defined(path) && !is_of_compiled(path) &&
         (name.starts_with('.') || !may_be_beside(path, module, package));
}

std::vector<MissingModule> OwnModules::missing_in(const PythonFile& file, std::string_view path) const {
  constexpr std::size_t max = 1000;
  std::vector<MissingModule> missing;
  const auto module = module_of(path);
  if (!module || file.units.empty() || !is_package_code(path)) return missing;
  const PythonUnit& body = file.units.front();
  for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count))
    if (event.action == PythonAction::Import && is_certain(event))
      for (const std::string& name : modules_named(event, module->first, module->second))
        if (missing.size() < max && lacks(name, module->first, module->second))
          missing.push_back({name, std::string(path), event.line, file.member});
  return missing;
}

void OwnModules::add_compiled_names(const PythonFile& file, std::string_view path, std::set<std::string>& names) const {
  const auto module = module_of(path);
  if (!module || !module->second) return;
  for (const PythonEvent& event : file.events) {
    if (event.action != PythonAction::Import || event.names.empty()) continue;
    const auto from = absolute(event.name, module->first, true);
    if (!from || !has_compiled(with_slashes(*from))) continue;
    for (const std::string& name : event.names) names.insert(with_slashes(module->first) + '/' + name);
  }
}

bool OwnModules::may_lack(std::string_view text, std::string_view path) const {
  const auto module = module_of(path);
  if (!module || !is_package_code(path)) return false;
  // A file with more names is parsed. Real code has one for 1,300 bytes.
  std::size_t left = 64 + text.size() / 32;
  const auto lacked = [&](std::string_view name) { return left-- == 0 || lacks(name, module->first, module->second); };
  std::size_t done = 0;  // what is before was looked at
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) { marks = (c == 'm') & (d == 'p'); };
  return any_pair(text, 0, text.size(), is_mark, [&](std::size_t at) {
    if (at < done + 1 || !text.substr(at - 1).starts_with(import_word)) return false;
    const std::size_t begin = std::exchange(done, at - 1 + import_word.size());
    const std::string_view rest = text.substr(done);
    if (rest.starts_with("_module") || rest.starts_with("__")) {
      const auto given = text_given(rest);
      return given && lacked(*given);
    }
    if (!rest.empty() && is_name_byte(rest.front())) return false;
    const auto from = from_before(text, begin, at - 1);
    const bool space = from && is_namespace(*from, module->first, module->second);
    if (from && *from != "." && !space) return lacked(*from);
    if (from && !space && !module->second) return false;
    const std::string dot = space ? *from + "." : from ? "." : "";
    return std::ranges::any_of(names_behind(text, done, from.has_value()),
                               [&](std::string_view name) { return lacked(dot + std::string(name)); });
  });
}

bool is_searched(const WheelName& name) {
  return std::ranges::any_of(name.platforms,
                             [](const PlatformTag& tag) { return tag.family != PlatformTag::Family::Any; }) &&
         !is_for_other_systems(name.platforms);
}

std::vector<MissingModule> missing_modules(const WheelFacts& wheel) {
  const OwnModules modules(wheel.members);
  std::vector<MissingModule> all;
  for (const PythonFile& file : wheel.python)
    for (MissingModule& missing : modules.missing_in(file, below_site(wheel.members[file.member.value].path.text())))
      all.push_back(std::move(missing));
  if (all.empty()) return all;
  std::set<std::string> compiled;
  for (const PythonFile& file : wheel.python)
    modules.add_compiled_names(file, below_site(wheel.members[file.member.value].path.text()), compiled);
  std::erase_if(all, [&](const MissingModule& missing) {
    const auto module = module_of(missing.file);
    const auto full = absolute(missing.module, module->first, module->second);
    return full && compiled.contains(with_slashes(*full));
  });
  return all;
}

// --- what runs ----------------------------------------------------------------------------------------------------

namespace {

// Follows what certainly happens, from import to import.
class CertainImports {
 public:
  explicit CertainImports(const WheelFacts& wheel)
      : part_(part_of(wheel)), modules_(std::span(&part_, 1)), run_(modules_, rtld_now, Run::Follow::CertainImports) {}

  void import_packages() {
    for (ModuleId id = 0; id < modules_.size(); ++id)
      if (is_top_package(modules_, id) && !is_test_code(with_slashes(modules_[id].name))) run_.import(id);
  }
  void import_modules() {
    constexpr std::string_view others[] = {"setup", "conftest", "__main__"};
    for (ModuleId id = 0; id < modules_.size(); ++id)
      if (const Module& module = modules_[id];
          module.form == Module::Form::Parsed && module.name.find('.') == std::string::npos && !module.package &&
          !module.name.starts_with("test") && std::ranges::find(others, module.name) == std::end(others))
        run_.import(id);
  }
  void import(std::string_view name) { run_.import(name); }

  // The files that ran since the last call.
  std::vector<MemberIndex> new_files() {
    std::vector<MemberIndex> files;
    for (; taken_ < run_.loaded().size(); ++taken_)
      if (const ModuleId id = run_.loaded()[taken_]; modules_[id].form == Module::Form::Parsed)
        files.push_back(modules_.file(id).member);
    return files;
  }

 private:
  const Part part_;
  const Modules modules_;
  Run run_;
  std::size_t taken_ = 0;
};

}  // namespace

std::set<MemberIndex> imported_files(const WheelFacts& wheel) {
  CertainImports imports(wheel);
  imports.import_packages();
  const std::vector<MemberIndex> files = imports.new_files();
  return {files.begin(), files.end()};
}

std::set<MemberIndex> files_of_public_imports(const WheelFacts& wheel) {
  const Part part = part_of(wheel);
  const Modules modules(std::span(&part, 1));
  Run run(modules, rtld_now, Run::Follow::Likely);
  const auto is_public = [](std::string_view name) {
    return std::ranges::none_of(split(name, '.'), [](std::string_view word) { return word.starts_with('_'); });
  };
  for (ModuleId id = 0; id < modules.size(); ++id)
    if (modules[id].form == Module::Form::Parsed && is_public(modules[id].name)) run.import(id);
  std::set<MemberIndex> files;
  if (!run.cut().empty())
    for (const PythonFile& file : wheel.python) files.insert(file.member);
  for (const ModuleId id : run.loaded())
    if (modules[id].form == Module::Form::Parsed) files.insert(modules.file(id).member);
  return files;
}

std::map<MemberIndex, std::string> files_that_run(const WheelFacts& wheel) {
  std::map<MemberIndex, std::string> files;
  CertainImports imports(wheel);
  const auto add = [&](const std::string& script) {
    for (const MemberIndex file : imports.new_files()) files.emplace(file, script);
  };
  imports.import_packages();
  imports.import_modules();
  add("");
  for (const ScriptEntry& script : wheel.scripts) {
    imports.import(std::string_view(script.object).substr(0, script.object.find(':')));
    add(script.name);
  }
  return files;
}

std::set<std::string> certain_modules(const WheelFacts& wheel) {
  std::set<std::string> names;
  const std::map<MemberIndex, std::string> running = files_that_run(wheel);
  for (const PythonFile& file : wheel.python) {
    const auto module = module_of(below_site(wheel.members[file.member.value].path.text()));
    if (!module || file.units.empty() || !running.contains(file.member)) continue;
    const PythonUnit& body = file.units.front();
    for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count)) {
      if (event.action != PythonAction::Import || !is_certain(event)) continue;
      const std::optional<std::string> full = absolute(event.name, module->first, module->second);
      if (!full || full->size() > longest_name) continue;
      const std::string path = with_slashes(*full);
      for (const std::string& name : event.names) names.insert(path + '/' + name);
      names.insert(path);
    }
  }
  return names;
}

namespace {

// The names of the functions of a file.
using UnitNames = std::map<std::string_view, std::uint32_t>;
UnitNames names_of_units(const PythonFile& file) {
  UnitNames names;
  for (std::uint32_t unit = 1; unit < file.units.size(); ++unit) names.emplace(file.units[unit].name, unit);
  return names;
}

// The calls of a file whose argument has several possible names, of which none is certain. Of a parameter, one is
// unknown: that of other callers.
std::set<std::pair<std::uint32_t, std::string_view>> calls_with_choice(const PythonFile& file) {
  std::map<std::pair<std::uint32_t, std::string_view>, std::string_view> first;
  std::set<std::pair<std::uint32_t, std::string_view>> several;
  for (const PythonCall& call : file.calls) {
    const std::string_view name = call.library ? base_name(*call.library) : "*";
    if (name != "*" && first.try_emplace({call.line, call.text}, name).first->second != name)
      several.emplace(call.line, call.text);
  }
  return several;
}

}  // namespace

std::vector<CertainOpen> certain_opens(const WheelFacts& wheel) {
  const auto opens = [](const PythonCall& call) {
    return (call.call == LoadCall::Cdll || call.call == LoadCall::CffiDlopen) && call.library;
  };
  std::vector<CertainOpen> out;
  if (std::ranges::none_of(wheel.python,
                           [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); }))
    return out;
  using Unit = std::pair<std::uint32_t, std::uint32_t>;  // of a file: the body of the module, or a function
  std::vector<Unit> units;
  std::set<Unit> known;
  std::map<std::string, std::uint32_t> files;  // by module
  std::map<std::uint32_t, UnitNames> names;    // by file
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::string_view>>> choices;
  const auto add = [&](std::uint32_t file, std::uint32_t unit) {
    if (unit < wheel.python[file].units.size() && known.emplace(file, unit).second) units.emplace_back(file, unit);
  };
  const auto module = [&](const PythonFile& file) {
    return module_of(below_site(wheel.members[file.member.value].path.text()));
  };
  const std::set<MemberIndex> imported = imported_files(wheel);
  for (std::uint32_t i = 0; i < wheel.python.size(); ++i) {
    if (!imported.contains(wheel.python[i].member)) continue;
    if (const auto own = module(wheel.python[i])) files.emplace(own->first, i);
    add(i, 0);
  }
  const auto call_elsewhere = [&](const PythonFile& from, std::string_view name) {
    const auto own = module(from);
    const std::optional<std::string> full = own ? absolute(name, own->first, own->second) : std::nullopt;
    const std::size_t dot = full ? full->rfind('.') : std::string::npos;
    const auto to = dot == std::string::npos ? files.end() : files.find(full->substr(0, dot));
    if (to == files.end()) return;
    const auto [own_names, fresh] = names.try_emplace(to->second);
    if (fresh) own_names->second = names_of_units(wheel.python[to->second]);
    const std::string function = full->substr(dot + 1);
    for (const std::string& unit : {function, function + ".__init__"})
      if (const auto found = own_names->second.find(unit); found != own_names->second.end())
        add(to->second, found->second);
  };
  for (std::size_t at = 0; at < units.size(); ++at) {
    const auto [number, unit] = units[at];
    const PythonFile& file = wheel.python[number];
    for (const PythonEvent& event : std::span(file.events).subspan(file.units[unit].first, file.units[unit].count)) {
      if (!is_certain(event)) continue;
      if (event.action == PythonAction::Call && event.target != no_python_index) add(number, event.target);
      if (event.action == PythonAction::Call && !event.name.empty()) call_elsewhere(file, event.name);
      if (event.action != PythonAction::Load || event.call >= file.calls.size()) continue;
      const PythonCall& call = file.calls[event.call];
      const auto [several, fresh] = choices.try_emplace(number);
      if (fresh) several->second = calls_with_choice(file);
      if (opens(call) && !several->second.contains({call.line, call.text}))
        out.push_back({.file = file.member, .call = &call});
    }
  }
  return out;
}

bool opens_path(std::span<const CertainOpen> opens, std::string_view path) {
  return std::ranges::any_of(opens, [&](const CertainOpen& open) {
    return open.call->library->starts_with("*/") && base_name(*open.call->library) == base_name(path) &&
           ends_with_parts(path, *open.call->library);
  });
}

}  // namespace wheelcheck::import_plan
