#include "import_plan/lone_module.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"
#include "model/requires_dist.h"

namespace wheelcheck::import_plan {
namespace {

using Names = std::set<std::string_view>;
using Libraries = std::map<std::string_view, const ElfFacts*>;  // by soname

Libraries libraries_of(const Installation& all, std::uint32_t distribution) {
  Libraries out;
  const WheelFacts& wheel = all.distributions[distribution].facts;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfFacts& facts = wheel.elfs[i].facts;
    if (!all.objects[distribution][i] || !facts.dynamic || std::holds_alternative<ExtensionModule>(wheel.elfs[i].role))
      continue;
    const std::string_view path = wheel.members[wheel.elfs[i].member.value].path.text();
    out.emplace(facts.dynamic->soname.value_or(base_name(path)), &facts);
  }
  return out;
}

// The sonames of `libraries` that DT_NEEDED of `file` leads to.
Names needed_by(const ElfFacts& file, const Libraries& libraries) {
  Names names;
  std::vector<const ElfFacts*> open{&file};
  while (!open.empty()) {
    const ElfFacts& from = *open.back();
    open.pop_back();
    if (!from.dynamic) continue;
    for (const std::string_view name : from.dynamic->needed)
      if (const auto at = libraries.find(name); at != libraries.end() && names.insert(at->first).second)
        open.push_back(at->second);
  }
  return names;
}

std::size_t count_in(const Names& names, const Names& wanted) {
  return static_cast<std::size_t>(
      std::ranges::count_if(names, [&](std::string_view name) { return wanted.contains(name); }));
}

}  // namespace

std::vector<LoneModule> lone_modules(const Installation& all, std::span<const DistributionFiles> files) {
  std::vector<LoneModule> out;
  std::vector<Libraries> libraries;
  std::map<std::string_view, std::uint32_t> owners;  // how many distributions have a library of that soname
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    libraries.push_back(libraries_of(all, i));
    for (const auto& [name, facts] : libraries.back()) ++owners[name];
  }
  Names common;
  for (const auto& [name, count] : owners)
    if (count > 1) common.insert(name);
  if (common.empty()) return out;

  std::vector<std::vector<bool>> with;  // a distribution and what it requires
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    with.push_back(required_by(all, {i}));
    with.back()[i] = true;
  }
  // The common sonames of a distribution and its requirements, but for those of `without` and its own.
  const auto common_of = [&](std::uint32_t distribution, const std::vector<bool>& without) {
    Names names;
    for (std::uint32_t i = 0; i < files.size(); ++i)
      if (with[distribution][i] && !without[i])
        for (const auto& [name, facts] : libraries[i])
          if (common.contains(name)) names.insert(name);
    return names;
  };
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (files[i].modules.size() < 2 || common_of(i, std::vector<bool>(files.size())).empty()) continue;
    Libraries own;
    for (std::uint32_t j = 0; j < files.size(); ++j)
      if (with[i][j]) own.insert(libraries[j].begin(), libraries[j].end());
    std::vector<Names> needed;  // by module
    Names any;
    for (const ModuleFile& module : files[i].modules) {
      needed.push_back(needed_by(all.distributions[i].facts.elfs[module.elf.value].facts, own));
      any.insert(needed.back().begin(), needed.back().end());
    }
    LoneModule lone{.distribution = {i}, .module = {}, .others = {}};
    Names theirs;
    for (std::uint32_t j = 0; j < files.size(); ++j) {
      if (with[i][j] || with[j][i] || files[j].modules.empty()) continue;
      const Names names = common_of(j, with[i]);
      if (count_in(any, names) == 0) continue;
      lone.others.push_back({j});
      theirs.insert(names.begin(), names.end());
    }
    std::size_t fewest = count_in(any, theirs);
    for (std::size_t m = 0; m < needed.size(); ++m) {
      const std::size_t count = count_in(needed[m], theirs);
      if (count == 0 || count >= fewest) continue;
      fewest = count;
      lone.module = files[i].modules[m];
    }
    if (!lone.module.name.empty()) out.push_back(std::move(lone));
  }
  return out;
}

}  // namespace wheelcheck::import_plan
