// Maps module names to files, finds the top-level packages of a distribution, and the libraries that ctypes calls open.
#include "import_plan/modules.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "import_plan/distribution_files.h"
#include "model/installed_files.h"
#include "model/requires_dist.h"

namespace wheelcheck::import_plan {

namespace {

// The order of importlib: first a package, then an extension module, then a source file.
int precedence(const Module& module) {
  if (module.form == Module::Form::Directory) return 0;
  if (module.package) return 3;
  return module.form == Module::Form::Extension ? 2 : 1;
}

}  // namespace

std::optional<std::pair<std::string, bool>> module_of(std::string_view path) {
  constexpr auto max_levels = 30;  // nested packages; a malicious wheel may have hundreds
  const std::string_view place = below_site(path);
  if (std::ranges::count(path, '/') > max_levels) return std::nullopt;
  // Data, scripts and headers are installed elsewhere.
  if (place == path && data_path(path)) return std::nullopt;
  if (!place.ends_with(".py")) return std::nullopt;
  std::string name(place.substr(0, place.size() - 3));
  if (name.find('.') != name.npos) return std::nullopt;
  const bool package = name.ends_with("/__init__");
  if (package) name.resize(name.size() - std::string_view("/__init__").size());
  std::ranges::replace(name, '/', '.');
  return std::pair(std::move(name), package);
}

std::optional<std::string> absolute(std::string_view name, std::string_view module, bool package) {
  if (!name.starts_with('.')) return std::string(name);
  std::string base(module);
  if (!package) base.resize(base.rfind('.') == base.npos ? 0 : base.rfind('.'));
  for (name.remove_prefix(1); name.starts_with('.'); name.remove_prefix(1)) {
    if (base.empty()) return std::nullopt;
    base.resize(base.rfind('.') == base.npos ? 0 : base.rfind('.'));
  }
  if (base.empty()) return std::nullopt;  // a relative import outside of a package
  if (!name.empty()) base += '.';
  return base + std::string(name);
}

Part part_of(const WheelFacts& wheel) {
  Part part{.wheel = &wheel, .modules = {}};
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    if (const auto* module = std::get_if<ExtensionModule>(&wheel.elfs[i].role))
      part.modules.emplace_back(module->module, ElfIndex{i});
  return part;
}

Modules::Modules(std::span<const Part> parts) : parts_(parts) {
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    add_sources(p);
    for (const auto& [name, elf] : parts[p].modules) {
      const std::string_view file = base_name(path_of(*parts[p].wheel, elf));
      add({.form = Module::Form::Extension,
           .package = file.starts_with("__init__."),
           .distribution = p,
           .at = elf.value,
           .name = name});
    }
  }
}

void Modules::add_sources(std::uint32_t distribution) {
  const WheelFacts& wheel = *parts_[distribution].wheel;
  auto parsed = wheel.python.begin();
  for (std::uint32_t m = 0; m < wheel.members.size(); ++m) {
    while (parsed != wheel.python.end() && parsed->member.value < m) ++parsed;
    auto module = module_of(wheel.members[m].path.text());
    if (!module) continue;
    const bool kept = parsed != wheel.python.end() && parsed->member.value == m;
    add({.form = kept ? Module::Form::Parsed : Module::Form::Source,
         .package = module->second,
         .distribution = distribution,
         .at = kept ? static_cast<std::uint32_t>(parsed - wheel.python.begin()) : none,
         .name = std::move(module->first)});
  }
}

// The first distribution with a module keeps it. The directories above a module are packages, whatever they contain.
void Modules::add(Module module) {
  for (std::size_t dot = module.name.find('.'); dot != module.name.npos; dot = module.name.find('.', dot + 1)) {
    const auto [at, is_new] = by_name_.try_emplace(module.name.substr(0, dot), static_cast<ModuleId>(all_.size()));
    if (is_new)
      all_.push_back(
          {.form = Module::Form::Directory, .package = true, .distribution = module.distribution, .name = at->first});
  }
  const auto [at, is_new] = by_name_.try_emplace(module.name, static_cast<ModuleId>(all_.size()));
  if (is_new) {
    all_.push_back(std::move(module));
  } else if (precedence(module) > precedence(all_[at->second])) {
    all_[at->second] = std::move(module);
  }
}

std::optional<ModuleId> Modules::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<ModuleId> Modules::of_file(std::uint32_t distribution, MemberIndex member) const {
  const auto module = module_of(parts_[distribution].wheel->members[member.value].path.text());
  const auto id = module ? find(module->first) : std::nullopt;
  if (!id || all_[*id].form != Module::Form::Parsed || all_[*id].distribution != distribution) return std::nullopt;
  return file(*id).member == member ? id : std::nullopt;
}

std::vector<std::string> Modules::names() const {
  std::vector<std::string> result;
  for (const Module& module : all_) result.push_back(module.name);
  std::ranges::sort(result);
  return result;
}

bool is_top_package(const Modules& modules, ModuleId id) {
  const Module& module = modules[id];
  if (module.form == Module::Form::Directory || !module.package) return false;
  for (std::size_t dot = module.name.find('.'); dot != module.name.npos; dot = module.name.find('.', dot + 1)) {
    const auto above = modules.find(std::string_view(module.name).substr(0, dot));
    if (!above || modules[*above].form != Module::Form::Directory) return false;
  }
  return true;
}

std::vector<ModuleId> roots_of(const Modules& modules, std::uint32_t distribution) {
  const std::string own = normal_project_name(modules.part(distribution).wheel->name.distribution);
  std::vector<ModuleId> tops, plain;
  for (ModuleId id = 0; id < modules.size(); ++id) {
    const Module& module = modules[id];
    if (module.distribution != distribution) continue;
    if (is_top_package(modules, id)) tops.push_back(id);
    if (module.name.find('.') == module.name.npos && module.form != Module::Form::Directory) plain.push_back(id);
  }
  const auto has_own_name = [&](ModuleId id) { return normal_project_name(modules[id].name) == own; };
  for (const auto* const list : {&tops, &plain}) {
    const auto named = std::ranges::find_if(*list, has_own_name);
    if (named != list->end()) return {*named};
  }
  if (tops.empty()) tops = plain;
  std::ranges::sort(tops, {}, [&](ModuleId id) -> const std::string& { return modules[id].name; });
  return tops;
}

bool ends_with_parts(std::string_view path, std::string_view requested) {
  const std::vector<std::string_view> has = split(path, '/'), expected = split(requested, '/');
  for (std::size_t i = 1; i <= expected.size(); ++i) {
    const std::string_view part = expected[expected.size() - i];
    if (part == "*" || part.empty()) return true;
    if (part == ".." || part == ".") return true;  // the directory above an unknown part is unknown
    if (i > has.size() || !glob_match(part, has[has.size() - i])) return false;
    if (i > 1 && part.find('*') != part.npos) return true;
  }
  return true;
}

namespace {

constexpr std::size_t max_files = 16;

// True if the pattern has at least four letters besides "lib" and ".so": "*.so" would match everything.
bool says_something(std::string_view name) {
  constexpr std::size_t least = 4;
  if (name.starts_with("lib")) name.remove_prefix(3);
  name = name.substr(0, name.find(".so"));
  return name.find('*') == name.npos || static_cast<std::size_t>(std::ranges::count_if(name, is_alnum)) >= least;
}

// "*/lib/*.so": the directory is known, and the name is an argument of a function (torchaudio, _load_lib).
bool names_only_directory(std::string_view library) {
  const std::vector<std::string_view> parts = split(library, '/');
  return parts.size() > 2 && parts.back() == "*.so" && parts[parts.size() - 2].find('*') == std::string_view::npos &&
         !parts[parts.size() - 2].starts_with('.');
}

// Whether an extension module of the wheel needs the library.
bool is_needed_by_module(const WheelFacts& wheel, std::string_view library) {
  return std::ranges::any_of(wheel.elfs, [&](const ElfMember& elf) {
    return std::holds_alternative<ExtensionModule>(elf.role) && elf.facts.dynamic &&
           std::ranges::find(elf.facts.dynamic->needed, library) != elf.facts.dynamic->needed.end();
  });
}

bool is_soname(const ElfFacts& facts, std::string_view name) {
  return facts.dynamic && facts.dynamic->soname && *facts.dynamic->soname == name;
}

}  // namespace

std::vector<Named> libraries_named(const Installation& installation, DistributionIndex distribution, MemberIndex file,
                                   std::string_view library) {
  const bool by_path = library.find('/') != library.npos;
  const std::string_view base = base_name(library);
  const bool only_needed = !says_something(base);
  if (only_needed && !names_only_directory(library)) return {};
  const std::string& from = installation.distributions[distribution.value].facts.members[file.value].path.text();
  const std::string_view directory = std::string_view(from).substr(0, from.rfind('/') + 1);
  std::vector<Named> near, own, others;
  for (std::uint32_t p = 0; p < installation.distributions.size(); ++p) {
    const Distribution& one = installation.distributions[p];
    for (std::uint32_t e = 0; e < one.facts.elfs.size(); ++e) {
      const auto object = installation.objects[p][e];
      if (!object || std::holds_alternative<Program>(one.facts.elfs[e].role)) continue;
      const std::string& path = path_of(one, ElfIndex{e});
      const bool fits = by_path ? ends_with_parts(path, library)
                                : base_name(path) == base || is_soname(one.facts.elfs[e].facts, base);
      if (!fits || (only_needed && (p != distribution.value || !is_needed_by_module(one.facts, base_name(path)))))
        continue;
      const bool is_near = p == distribution.value && !directory.empty() && path.starts_with(directory);
      (is_near ? near : p == distribution.value ? own : others).push_back({*object, by_path});
    }
  }
  std::vector<Named> result = !near.empty() ? near : !own.empty() ? own : others;
  if (result.size() > max_files) result.clear();
  if (!by_path && result.size() > 1) result.resize(1);
  return result;
}

OwnLibraries::OwnLibraries(const WheelFacts& wheel) : wheel_(wheel) {
  for (std::uint32_t e = 0; e < wheel.elfs.size(); ++e)
    if (is_host_code(wheel.elfs[e]) && !std::holds_alternative<Program>(wheel.elfs[e].role))
      by_name_.emplace(base_name(path_of(wheel, ElfIndex{e})), ElfIndex{e});
}

std::vector<ElfIndex> OwnLibraries::named(MemberIndex file, std::string_view library) const {
  const std::string_view name = base_name(library), from = wheel_.members[file.value].path.text();
  const std::string_view directory = from.substr(0, from.rfind('/') + 1);
  std::vector<ElfIndex> near, others;
  const auto add = [&](ElfIndex elf) {
    const std::string_view path = path_of(wheel_, elf);
    if (ends_with_parts(path, library))
      (!directory.empty() && path.starts_with(directory) ? near : others).push_back(elf);
  };
  if (name.find_first_of("*?[") == name.npos) {
    const auto [first, last] = by_name_.equal_range(name);
    for (auto at = first; at != last; ++at) add(at->second);
  } else if (name != "*") {
    for (const auto& [own, elf] : by_name_)
      if (glob_match(name, own)) add(elf);
  }
  std::vector<ElfIndex> result = near.empty() ? std::move(others) : std::move(near);
  std::ranges::sort(result);
  return result;
}

std::vector<ElfIndex> OwnLibraries::at_path(MemberIndex file, std::string_view library) const {
  if (!library.starts_with('*') || library.find('/') == library.npos || !says_something(base_name(library))) return {};
  std::vector<ElfIndex> result = named(file, library);
  if (result.size() > max_files) result.clear();
  return result;
}

}  // namespace wheelcheck::import_plan
