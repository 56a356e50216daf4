// WC544: a library that is opened with RTLD_DEEPBIND uses its own copies of symbols that must exist once in a process.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::deepbind {
namespace {

using process::ObjectIndex;

// The names in the files that every lookup of other files searches first.
std::set<std::string_view> global_names(const Conflicts& conflicts, std::uint32_t plan) {
  std::set<std::string_view> names;
  const Installation& all = conflicts.installation;
  const auto add = [&](ObjectIndex file) {
    const ElfFacts* const facts = all.world.files[file.value].facts;
    if (facts == nullptr || !facts->dynamic) return;
    for (const Export& symbol : facts->dynamic->exports) names.insert(symbol.name);
  };
  std::ranges::for_each(conflicts.outcomes[plan].global, add);
  for (const process::Published& each : conflicts.outcomes[plan].published) add(each.file);
  return names;
}

// Symbols whose second copy breaks a process: the allocator, the standard streams, type identity.
bool must_be_one(std::string_view name) {
  static const std::set<std::string_view> ones = {"malloc", "free",      "calloc",    "realloc", "_Znwm",
                                                  "_ZdlPv", "_ZSt4cout", "_ZSt4cerr", "_ZSt3cin"};
  return ones.contains(name) || name.starts_with("_ZTI");
}

struct Kept {
  std::set<std::string_view> names;
  const PlannedOpen* open = nullptr;
  std::vector<std::uint32_t> load_plans;
};

std::map<ObjectIndex, Kept> kept_names(const Conflicts& conflicts) {
  std::map<ObjectIndex, Kept> found;
  const Installation& all = conflicts.installation;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const LoadPlan& load_plan = conflicts.load_plans[plan];
    std::map<ObjectIndex, ObjectIndex> opened_by;  // files that were loaded by such an open: the file that was opened
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
      if (each.by && load_plan.plan.steps[each.by->step].opens[each.by->open].flags.deepbind)
        if (const PlannedOpen& open = load_plan.opens[each.by->step][each.by->open]; open.object) {
          opened_by.emplace(each.file, *open.object);
          found[*open.object].open = &open;
        }
    if (opened_by.empty()) continue;
    const auto global = global_names(conflicts, plan);
    const std::set<ObjectIndex> first(conflicts.outcomes[plan].global.begin(), conflicts.outcomes[plan].global.end());
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      const auto at = opened_by.find(bound.from);
      if (at == opened_by.end() || bound.undone || !bound.to || first.contains(*bound.to)) continue;
      const std::string_view name =
          process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
      if (!global.contains(name)) continue;
      Kept& kept = found[at->second];
      kept.names.insert(name);
      if (kept.load_plans.empty() || kept.load_plans.back() != plan) kept.load_plans.push_back(plan);
    }
  }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const auto& [object, kept] : kept_names(conflicts)) {
    if (kept.names.empty()) continue;
    std::vector<std::string_view> worst;
    std::ranges::copy_if(kept.names, std::back_inserter(worst), must_be_one);
    std::vector<Evidence> evidence{
        {"names", list_of_first(worst.empty() ? std::vector(kept.names.begin(), kept.names.end()) : worst)}};
    if (kept.open->flags) evidence.push_back({"made so by", shown(all, *kept.open->flags)});
    emit({.place = AtObject{object},
          .message = fmt::format(
              "{} is opened with RTLD_DEEPBIND and uses its own copy of {} that the process already has{}",
              file_name(all, object), count_of(kept.names.size(), "name"),
              worst.empty() ? "" : ": streams, exceptions and memory that it shares with other files break"),
          .evidence = std::move(evidence),
          .fix = "open it without RTLD_DEEPBIND; hide its names (-fvisibility=hidden) or link it with -Wl,-Bsymbolic "
                 "if other libraries must not replace them",
          .severity = worst.empty() ? Severity::Warning : Severity::Error,
          .load_plans = kept.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC544",
    .name = "deepbind",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::deepbind
