#include "import_plan/modules.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck::import_plan {
namespace {

// Where an installer puts the file below site-packages (PEP 427, spread). Data, scripts and headers go elsewhere.
std::optional<std::string_view> installed(std::string_view path) {
  const std::string_view top = path.substr(0, path.find('/'));
  if (!top.ends_with(".data")) return path;
  for (const std::string_view area : {"/purelib/", "/platlib/"})
    if (path.substr(top.size()).starts_with(area)) return path.substr(top.size() + area.size());
  return std::nullopt;
}

// importlib looks for a package first, then for an extension module, then for a source file.
int precedence(const Module& module) {
  if (module.form == Module::Form::Directory) return 0;
  if (module.package) return 3;
  return module.form == Module::Form::Extension ? 2 : 1;
}

}  // namespace

std::optional<std::pair<std::string, bool>> module_of(std::string_view path) {
  constexpr auto most_levels = 30;  // of packages; a stranger's may have hundreds
  const auto place = installed(path);
  if (std::ranges::count(path, '/') > most_levels) return std::nullopt;
  if (!place || !place->ends_with(".py")) return std::nullopt;
  std::string name(place->substr(0, place->size() - 3));
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
  if (base.empty()) return std::nullopt;  // no relative import without a package
  if (!name.empty()) base += '.';
  return base + std::string(name);
}

Modules::Modules(std::span<const Part> parts) : parts_(parts) {
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    add_sources(p);
    for (const auto& [name, elf] : parts[p].modules) {
      const std::string& path = parts[p].wheel->members[parts[p].wheel->elfs[elf.value].member.value].path.text();
      const std::string_view file = base_name(path);
      add({.form = Module::Form::Extension,
           .package = file.starts_with("__init__."),
           .party = p,
           .at = elf.value,
           .name = name});
    }
  }
}

void Modules::add_sources(std::uint32_t party) {
  const WheelFacts& wheel = *parts_[party].wheel;
  auto parsed = wheel.python.begin();
  for (std::uint32_t m = 0; m < wheel.members.size(); ++m) {
    while (parsed != wheel.python.end() && parsed->member.value < m) ++parsed;
    auto module = module_of(wheel.members[m].path.text());
    if (!module) continue;
    const bool kept = parsed != wheel.python.end() && parsed->member.value == m;
    add({.form = kept ? Module::Form::Parsed : Module::Form::Source,
         .package = module->second,
         .party = party,
         .at = kept ? static_cast<std::uint32_t>(parsed - wheel.python.begin()) : none,
         .name = std::move(module->first)});
  }
}

// The first distribution that has a module keeps it; the directories above it are packages, whatever they hold.
void Modules::add(Module module) {
  for (std::size_t dot = module.name.find('.'); dot != module.name.npos; dot = module.name.find('.', dot + 1)) {
    const auto [at, is_new] = by_name_.try_emplace(module.name.substr(0, dot), static_cast<ModuleId>(all_.size()));
    if (is_new)
      all_.push_back({.form = Module::Form::Directory, .package = true, .party = module.party, .name = at->first});
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

std::optional<ModuleId> Modules::of_file(std::uint32_t party, MemberIndex member) const {
  const auto module = module_of(parts_[party].wheel->members[member.value].path.text());
  const auto id = module ? find(module->first) : std::nullopt;
  if (!id || all_[*id].form != Module::Form::Parsed || all_[*id].party != party) return std::nullopt;
  return file(*id).member == member ? id : std::nullopt;
}

std::vector<std::string> Modules::names() const {
  std::vector<std::string> result;
  for (const Module& module : all_) result.push_back(module.name);
  std::ranges::sort(result);
  return result;
}

}  // namespace wheelcheck::import_plan
