#include "rules/common.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/needed_closure.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules {

std::string_view path_of(const WheelView& view, ElfIndex elf) {
  return view.wheel.members[view.wheel.elfs[elf.value].member.value].path.text();
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

bool is_of_glibc(std::string_view library) {
  constexpr std::string_view starts[] = {"ld-linux",    "ld64.so",    "ld.so.1",   "libc.so.6",     "libm.so.6",
                                         "libpthread.", "libdl.so.2", "librt.so.", "libutil.so.1",  "libresolv.so.2",
                                         "libnsl.so.1", "libanl.so.", "libmvec.",  "libcrypt.so.1", "libthread_db."};
  return std::ranges::any_of(starts, [&](std::string_view start) { return library.starts_with(start); });
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

std::set<ElfIndex> loaded_by_import(const WheelView& view) {
  std::vector<ElfIndex> modules;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (std::holds_alternative<ExtensionModule>(elf.role)) modules.push_back(index);
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
