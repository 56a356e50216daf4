#include "rules/common.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "import_plan/modules.h"
#include "import_plan/own_imports.h"
#include "model/module_names.h"
#include "model/needed_closure.h"
#include "model/python_tag.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules {

std::string_view path_of(const WheelView& view, ElfIndex elf) { return path_of(view.wheel, elf); }

bool is_rust(const ElfFacts& facts) {
  return std::ranges::any_of(facts.sections.comments,
                             [](std::string_view comment) { return comment.starts_with("rustc "); });
}

bool is_program_for_elsewhere(const WheelView& view, const ElfMember& elf) {
  if (!std::holds_alternative<Program>(elf.role)) return false;
  const std::set<Arch> claimed = claimed_archs(view);
  return !claimed.empty() && std::ranges::none_of(claimed, [&](Arch arch) { return runs_on(elf.facts.arch, arch); });
}

bool is_executable(const MemberFacts& member) {
  constexpr std::uint32_t type_bits = 0170000, regular = 0100000, executable = 0111;
  return (member.unix_mode & type_bits) == regular && (member.unix_mode & executable) != 0;
}

std::set<std::string_view> needed_names(const WheelView& view) {
  std::set<std::string_view> names;
  for (const ElfMember& elf : view.wheel.elfs)
    if (elf.facts.dynamic) names.insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
  return names;
}

bool is_loaded(const WheelView& view, const std::set<std::string_view>& needed, const ElfMember& elf) {
  if (std::holds_alternative<ExtensionModule>(elf.role)) return true;
  if (needed.contains(view.wheel.members[elf.member.value].path.name())) return true;
  return elf.facts.dynamic && elf.facts.dynamic->soname && needed.contains(*elf.facts.dynamic->soname);
}

RequirementKey key_of(const Requirement& requirement) {
  struct Words {
    std::pair<std::string, std::string> operator()(const MachineRequirement& what) const {
      return {std::string(name_of(what.arch)), ""};
    }
    std::pair<std::string, std::string> operator()(const IsaRequirement& what) const {
      return {fmt::to_string(what.level), ""};
    }
    std::pair<std::string, std::string> operator()(const LibraryRequirement& what) const { return {what.library, ""}; }
    std::pair<std::string, std::string> operator()(const VersionRequirement& what) const {
      return {what.library, what.version};
    }
    std::pair<std::string, std::string> operator()(const SymbolRequirement& what) const {
      return {what.library, what.symbol};
    }
    std::pair<std::string, std::string> operator()(const InterpreterRequirement& what) const {
      return {what.symbol, ""};
    }
    std::pair<std::string, std::string> operator()(const MissingVersionRequirement& what) const {
      return {what.library, what.version};
    }
  };
  auto [first, second] = std::visit(Words{}, requirement.what);
  return {requirement.elf, std::move(first), std::move(second)};
}

NeededMap needed_by_name(const WheelView& view) {
  NeededMap result;
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i)
    for (const NeededFound& found : view.resolution.needed[i]) result.try_emplace({ElfIndex{i}, found.name}, &found);
  return result;
}

std::set<ElfIndex> loaded_with(const WheelView& view, const std::vector<ElfIndex>& files) {
  std::set<ElfIndex> result(files.begin(), files.end());
  for (const ElfRef& file : needed_closure(view.resolution, files))
    if (file.wheel.value == 0) result.insert(file.elf);
  return result;
}

std::set<ElfIndex> opened_at_import(const WheelView& view) {
  std::set<ElfIndex> opened;
  if (!view.wheel.all_python) return opened;
  const std::vector<import_plan::CertainOpen> opens = import_plan::certain_opens(view.wheel);
  if (opens.empty()) return opened;
  const import_plan::OwnLibraries libraries(view.wheel);
  for (const import_plan::CertainOpen& open : opens)
    if (const std::vector<ElfIndex> files = libraries.at_path(open.file, *open.call->library); files.size() == 1)
      opened.insert(files.front());
  return opened;
}

bool is_empty(const WheelView& view) {
  if (!view.wheel.dist_info) return false;
  const std::string directory = *view.wheel.dist_info + '/';
  return std::ranges::all_of(view.wheel.members,
                             [&](const MemberFacts& member) { return member.path.text().starts_with(directory); });
}

bool only_requires(const WheelView& view) {
  return view.wheel.metadata && !view.wheel.metadata->requires_dist.empty() && is_empty(view);
}

bool needs_version_of(const ElfMember& user, std::string_view library) {
  return std::ranges::any_of(user.facts.dynamic->needs,
                             [&](const VersionNeed& need) { return need.library == library; });
}

bool uses_no_symbol_of(const ElfMember& user, std::string_view library) {
  constexpr std::string_view versions[] = {"libc.so.6",      "libm.so.6",       "libmvec.so.1",   "libpthread.so.0",
                                           "libdl.so.2",     "librt.so.1",      "libutil.so.1",   "libanl.so.1",
                                           "libresolv.so.2", "libgcc_s.so.1",   "libstdc++.so.6", "libgfortran.so.5",
                                           "libgomp.so.1",   "libquadmath.so.0"};
  constexpr std::pair<std::string_view, std::string_view> begins[] = {
      {"libEGL.so.1", "egl"}, {"libGLX.so.0", "glX"}, {"libOpenGL.so.0", "gl"}, {"libGLESv2.so.2", "gl"}};
  if (!user.facts.dynamic || user.libc != Libc::Glibc) return false;
  if (std::ranges::find(versions, library) != std::end(versions)) return !needs_version_of(user, library);
  const auto* const at = std::ranges::find(begins, library, [](const auto& one) { return one.first; });
  return at != std::end(begins) && std::ranges::none_of(user.facts.dynamic->imports, [&](const Import& import) {
           return import.name.starts_with(at->second);
         });
}

bool is_shadowed(const WheelView& view, ElfIndex index) {
  const std::string_view path = path_of(view, index);
  if (suffix_of(base_name(path)).kind != ModuleSuffix::Kind::None || view.wheel.name.python.size() != 1) return false;
  const std::optional<unsigned> minor = cpython3_tag(view.wheel.name.python.front());
  const std::string first = fmt::format("{}.cpython-3{}-", path.substr(0, path.rfind('.')), minor.value_or(0));
  return minor && std::ranges::any_of(view.wheel.members,
                                      [&](const MemberFacts& member) { return member.path.text().starts_with(first); });
}

std::set<ElfIndex> loaded_by_import(const WheelView& view) {
  const std::set<ElfIndex> opened = opened_at_import(view);
  std::vector<ElfIndex> modules(opened.begin(), opened.end());
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (std::holds_alternative<ExtensionModule>(elf.role) && !is_shadowed(view, index)) modules.push_back(index);
  });
  return loaded_with(view, modules);
}

std::vector<std::vector<std::string>> symbols_by_need(const DynamicFacts& dynamic) {
  std::vector<std::vector<std::string>> result(dynamic.needs.size());
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < result.size()) result[import.need->value].emplace_back(import.name);
  for (std::vector<std::string>& names : result) std::ranges::sort(names);
  return result;
}

}  // namespace wheelcheck::rules
