#include "import_plan/lone_module.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

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

// Which libraries DT_NEEDED leads to. Names are looked up once, because many modules may lead to the same libraries.
class Needed {
 public:
  explicit Needed(const Libraries& libraries) {
    for (const auto& [name, facts] : libraries) {
      numbers_.emplace(name, names_.size());
      names_.push_back(name);
    }
    for (const auto& [name, facts] : libraries) next_.push_back(direct(*facts));
  }
  // Of the files together, or of one.
  Names of(std::span<const ElfFacts* const> files) const {
    std::vector<bool> seen(names_.size());
    std::vector<std::size_t> open;
    const auto add = [&](const std::vector<std::size_t>& numbers) {
      for (const std::size_t number : numbers) {
        if (seen[number]) continue;
        seen[number] = true;
        open.push_back(number);
      }
    };
    for (const ElfFacts* const file : files) add(direct(*file));
    while (!open.empty()) {
      const std::size_t from = open.back();
      open.pop_back();
      add(next_[from]);
    }
    Names names;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (seen[i]) names.insert(names.end(), names_[i]);
    return names;
  }

 private:
  std::vector<std::size_t> direct(const ElfFacts& file) const {
    std::vector<std::size_t> out;
    if (!file.dynamic) return out;
    for (const std::string_view name : file.dynamic->needed)
      if (const auto at = numbers_.find(name); at != numbers_.end()) out.push_back(at->second);
    return out;
  }

  std::map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> names_;  // sorted
  std::vector<std::vector<std::size_t>> next_;
};

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
    const Needed needed(own);
    std::vector<const ElfFacts*> modules;
    for (const ModuleFile& module : files[i].modules)
      modules.push_back(&all.distributions[i].facts.elfs[module.elf.value].facts);
    const Names any = needed.of(modules);
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
    for (std::size_t m = 0; m < modules.size() && !theirs.empty(); ++m) {
      const std::size_t count = count_in(needed.of(std::span(modules).subspan(m, 1)), theirs);
      if (count == 0 || count >= fewest) continue;
      fewest = count;
      lone.module = files[i].modules[m];
    }
    if (!lone.module.name.empty()) out.push_back(std::move(lone));
  }
  return out;
}

}  // namespace wheelcheck::import_plan
