// Selects the modules and libraries of one distribution that the interpreter opens, and finds the dlopen flags in
// effect.
#include "import_plan/distribution_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "import_plan/import_walk.h"
#include "model/loader_calls.h"
#include "model/module_names.h"
#include "model/python_tag.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {

namespace {

// "311" of x.cpython-311-x86_64-linux-gnu.so.
std::optional<std::string_view> cpython_tag(std::string_view path) {
  const std::string_view name = base_name(path);
  static constexpr std::string_view mark = ".cpython-";
  const std::size_t at = name.find(mark);
  if (at == name.npos) return std::nullopt;
  const std::string_view rest = name.substr(at + mark.size());
  return rest.substr(0, rest.find_first_of("-."));
}

// The interpreter that the wheel's modules are for: the given one if the tags allow it, otherwise the newest in the
// tags, because the wheel would be installed for that one.
std::string tag_of(const WheelName& name, std::string_view interpreter) {
  std::vector<std::string> tags;
  for (const auto* list : {&name.abi, &name.python})
    for (const std::string& text : *list)
      if (const auto parsed = parse_python_tag(text);
          parsed && parsed->implementation == Implementation::CPython && parsed->version.minor)
        tags.push_back(text.substr(2));
  if (tags.empty() || std::ranges::find(tags, interpreter) != tags.end()) return std::string(interpreter);
  const bool any_newer = std::ranges::find(name.abi, "abi3") != name.abi.end();
  if (any_newer && !interpreter.empty()) return std::string(interpreter);
  return *std::ranges::max_element(tags, {}, [](const std::string& tag) { return std::pair(tag.size(), tag); });
}

// The position in importlib's list of suffixes (importlib.machinery.EXTENSION_SUFFIXES), from 0; nullopt: not in the
// list.
std::optional<int> rank(std::string_view path, std::string_view interpreter) {
  if (const auto tag = cpython_tag(path)) return *tag == interpreter ? std::optional(0) : std::nullopt;
  const std::string_view name = base_name(path);
  if (name.find(".pypy") != name.npos || name.find(".graalpy") != name.npos) return std::nullopt;
  const bool threaded = interpreter.ends_with('t');
  const std::optional<StableSuffix> stable = stable_suffix(name);
  if (!stable) return 3;
  if (threaded && !stable->free_threaded) return std::nullopt;
  const auto version = parse_short_version(interpreter);  // "311", "313t"
  if (version && version->major == 3 && version->minor && *version->minor < found_since(*stable)) return std::nullopt;
  return stable->free_threaded ? 2 : 1;
}

}  // namespace

const std::string& path_of(const Distribution& distribution, ElfIndex elf) { return path_of(distribution.facts, elf); }

std::string interpreter_tag(const Installation& installation) {
  for (std::size_t i = 0; i < installation.origins.size(); ++i) {
    if (installation.origins[i].kind != Origin::Kind::Stdlib) continue;
    if (const auto tag = cpython_tag(installation.world.files[i].path)) return std::string(*tag);
  }
  return "";
}

DistributionFiles files_of(const Installation& installation, DistributionIndex index, std::string_view interpreter) {
  const Distribution& distribution = installation.distributions[index.value];
  const auto& objects = installation.objects[index.value];
  const std::string tag = tag_of(distribution.facts.name, interpreter);
  std::vector<bool> needed(distribution.facts.elfs.size());
  for (const auto& of_file : distribution.resolution.needed)
    for (const NeededFound& found : of_file)
      if (found.found == Found::InWheel && found.provider && found.provider->elf.value < needed.size())
        needed[found.provider->elf.value] = true;
  DistributionFiles result;
  std::map<std::string_view, std::pair<int, std::size_t>> variants;  // by module: rank, index into result.modules
  for (std::uint32_t i = 0; i < distribution.facts.elfs.size(); ++i) {
    const ElfMember& file = distribution.facts.elfs[i];
    if (!objects[i]) continue;
    if (is_library(file.role) && !needed[i]) result.loose.push_back(ElfIndex{i});
    const auto* module = std::get_if<ExtensionModule>(&file.role);
    if (!module || module->python_major == 2) continue;
    const auto place = rank(path_of(distribution, ElfIndex{i}), tag);
    if (!place) continue;
    const auto [at, is_new] = variants.try_emplace(module->module, *place, result.modules.size());
    if (is_new) {
      result.modules.push_back({module->module, ElfIndex{i}});
    } else if (*place < at->second.first) {
      at->second.first = *place;
      result.modules[at->second.second].elf = ElfIndex{i};
    }
  }
  std::ranges::sort(result.modules, {}, &ModuleFile::elf);
  return result;
}

namespace {

GlobalImports effect_of(const Cause& cause) {
  GlobalImports effect{.file = cause.place.file, .line = cause.place.line, .reach = cause.reach, .modules = {}};
  if (cause.through) {
    effect.through = cause.through->file;
    effect.through_line = cause.through->line;
  }
  return effect;
}

// The extension modules that a function imports after it set the flags, and that no other code of the wheel imports:
// whoever uses them, they are opened with RTLD_GLOBAL.
class FlaggedInFunctions {
 public:
  explicit FlaggedInFunctions(const Modules& modules) : modules_(modules) {}

  void add(const PythonFile& file) {
    const auto here = modules_.of_file(0, file.member);
    if (!here) return;
    for (std::size_t unit = 0; unit < file.units.size(); ++unit) {
      const PythonCall* flags = nullptr;
      for (std::uint32_t i = file.units[unit].first; i - file.units[unit].first < file.units[unit].count; ++i) {
        const PythonEvent& event = file.events[i];
        if (event.action == PythonAction::SetFlags)
          flags = event.call < file.calls.size() && file.calls[event.call].global ? &file.calls[event.call] : nullptr;
        if (event.action == PythonAction::Import) import(event, *here, unit > 0 ? flags : nullptr, file.member);
      }
    }
  }

  // By the line of the call.
  std::vector<GlobalImports> take() const {
    std::vector<GlobalImports> out;
    for (const auto& [place, elfs] : flagged_) {
      GlobalImports one{.file = place.first, .line = place.second, .reach = Reach::Possible, .modules = {}};
      for (const ElfIndex elf : elfs)
        if (!others_.contains(elf)) one.modules.push_back(elf);
      if (!one.modules.empty()) out.push_back(std::move(one));
    }
    return out;
  }

 private:
  void import(const PythonEvent& event, ModuleId here, const PythonCall* flags, MemberIndex file) {
    const auto name = absolute(event.name, modules_[here].name, modules_[here].package);
    if (!name) return;
    std::vector<std::string> names{*name};
    for (const std::string& taken : event.names) names.push_back(*name + '.' + taken);
    for (const std::string& each : names) {
      const auto found = modules_.find(each);
      if (!found || modules_[*found].form != Module::Form::Extension) continue;
      if (flags == nullptr)
        others_.insert(ElfIndex{modules_[*found].at});
      else
        flagged_[{file, flags->line}].insert(ElfIndex{modules_[*found].at});
    }
  }

  const Modules& modules_;
  std::map<std::pair<MemberIndex, std::uint32_t>, std::set<ElfIndex>> flagged_;
  std::set<ElfIndex> others_;  // imported by other code
};

}  // namespace

// Each file is imported in a process of its own, because the first import of the user is unknown. If several imports
// lead to a call, the most certain one is kept, and then the one that affects more modules.
std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel, std::string& cut) {
  if (std::ranges::none_of(wheel.python, sets_global)) return {};
  const Part part = part_of(wheel);
  const Modules modules(std::span(&part, 1));
  Run run(modules, rtld_now, Run::Follow::Likely);
  std::map<std::pair<MemberIndex, std::uint32_t>, GlobalImports> best;
  for (const PythonFile& file : wheel.python) {
    const auto module = modules.of_file(0, file.member);
    if (!module) continue;
    run.restart();
    run.import(*module);
    std::map<std::pair<MemberIndex, std::uint32_t>, GlobalImports> effects;
    for (const Cause& cause : run.global_imports())
      effects.try_emplace({cause.place.file, cause.place.line}, effect_of(cause));
    for (const Opening& opening : run.openings()) {
      if (!opening.module || !opening.cause || (opening.flags & rtld_global) == 0) continue;
      const auto at = effects.find({opening.cause->place.file, opening.cause->place.line});
      if (at == effects.end()) continue;
      at->second.modules.push_back(*opening.module);
    }
    for (auto& [key, effect] : effects) {
      std::ranges::sort(effect.modules);
      const auto [at, is_new] = best.try_emplace(key, effect);
      const auto rank = [](const GlobalImports& one) { return std::tuple(one.reach, one.modules.size()); };
      if (!is_new && rank(effect) > rank(at->second)) at->second = std::move(effect);
    }
  }
  cut = run.cut();
  FlaggedInFunctions flagged(modules);
  for (const PythonFile& file : wheel.python) flagged.add(file);
  for (GlobalImports& effect : flagged.take()) best.try_emplace({effect.file, effect.line}, std::move(effect));
  std::vector<GlobalImports> result;
  for (auto& [key, effect] : best) result.push_back(std::move(effect));
  return result;
}

// --- machine code that opens libraries ---------------------------------------------------------------------------

namespace {

using process::ObjectIndex;

constexpr std::size_t max_names = 16;  // of one file's data

bool has_name(const Installation& installation, ObjectIndex object, std::string_view name) {
  const process::File& file = installation.world.files[object.value];
  if (base_name(file.path) == name) return true;
  return file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname == name;
}

// Of the own wheel first, as the search paths of a wheel mostly lead there.
std::optional<ObjectIndex> file_named(const Installation& installation, DistributionIndex own, std::string_view name,
                                      bool others) {
  std::optional<ObjectIndex> found;
  for (std::uint32_t p = 0; p < installation.distributions.size(); ++p) {
    if (p != own.value && (!others || found)) continue;
    for (const auto& object : installation.objects[p]) {
      if (!object || !has_name(installation, *object, name)) continue;
      if (p == own.value) return object;
      if (!found) found = object;
    }
  }
  return found;
}

}  // namespace

std::vector<CodeOpen> opened_by_code(const Installation& installation, DistributionIndex distribution, ElfIndex elf) {
  const ElfFacts& facts = installation.distributions[distribution.value].facts.elfs[elf.value].facts;
  const ObjectIndex caller = *installation.objects[distribution.value][elf.value];
  std::vector<CodeOpen> result;
  for (const LoaderCall& call : facts.loader_calls) {
    if (call.function != LoaderCall::Function::Dlopen || call.name.empty()) continue;
    if (call.name.find('/') != call.name.npos || (call.flags & rtld_noload) != 0) continue;
    if (const auto object = file_named(installation, distribution, call.name, true))
      result.push_back({*object, caller, call.name, call.flags, call.at_load, true});
  }
  if (!has_unread_dlopen(facts)) return result;
  std::size_t names = 0;
  for (const std::string_view text : facts.texts.libraries) {
    if (names == max_names) break;
    const std::string_view name = base_name(text);
    if (name.find_first_of("%* ") != name.npos) continue;
    const auto object = file_named(installation, distribution, name, false);
    if (!object || *object == caller) continue;
    result.push_back({*object, caller, "", rtld_now, false, false});
    ++names;
  }
  return result;
}

std::vector<ElfIndex> with_own_dependencies(const Distribution& distribution, ElfIndex elf) {
  std::vector<ElfIndex> result;
  std::set<ElfIndex> seen{elf};
  std::vector<ElfIndex> todo{elf};
  while (!todo.empty()) {
    const ElfIndex one = todo.back();
    todo.pop_back();
    result.push_back(one);
    if (one.value >= distribution.resolution.needed.size()) continue;
    for (const NeededFound& found : distribution.resolution.needed[one.value])
      if (found.found == Found::InWheel && found.provider &&
          found.provider->elf.value < distribution.facts.elfs.size() && seen.insert(found.provider->elf).second)
        todo.push_back(found.provider->elf);
  }
  std::ranges::reverse(result);
  return result;
}

std::string call_text(const CodeOpen& open) {
  std::string flags = (open.flags & rtld_lazy) != 0 ? "RTLD_LAZY" : "RTLD_NOW";
  if ((open.flags & rtld_global) != 0) flags += " | RTLD_GLOBAL";
  if ((open.flags & rtld_deepbind) != 0) flags += " | RTLD_DEEPBIND";
  return fmt::format("dlopen(\"{}\", {})", open.name, flags);
}

}  // namespace wheelcheck::import_plan
