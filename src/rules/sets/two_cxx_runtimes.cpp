// WC232: two C++ runtimes in a process share the ids of their locale facets.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::two_cxx_runtimes {
namespace {

using process::ObjectIndex;

// std::locale::classic(): only a complete libstdc++ defines it, not a file that only uses its headers.
constexpr std::string_view runtime_mark = "_ZNSt6locale7classicEv";

// std::num_put<char, ...>::id and similar: an index into the facets of a locale, assigned by the runtime that uses it
// first.
bool is_facet_id(std::string_view name) { return name.starts_with("_ZNSt") && name.ends_with("2idE"); }

bool defines(const Installation& all, ObjectIndex object, std::string_view name) {
  const ElfFacts* const facts = all.world.files[object.value].facts;
  return facts != nullptr && facts->dynamic &&
         std::ranges::find(facts->dynamic->exports, name, &Export::name) != facts->dynamic->exports.end();
}

struct Pair {
  ObjectIndex user, provider;
  auto operator<=>(const Pair&) const = default;
};
struct Shared {
  std::set<std::string_view> names;
  std::vector<std::uint32_t> load_plans;
};

std::map<Pair, Shared> shared_ids(const Conflicts& conflicts) {
  const Installation& all = conflicts.installation;
  std::map<Pair, Shared> found;
  std::map<ObjectIndex, bool> known;
  const auto is_runtime = [&](ObjectIndex object) {
    const auto [at, is_new] = known.try_emplace(object, false);
    if (is_new) at->second = defines(all, object, runtime_mark);
    return at->second;
  };
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      if (bound.undone || bound.way != process::Way::Unique || !bound.to || *bound.to == bound.from) continue;
      const std::string_view name =
          process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
      if (!is_facet_id(name) || !is_runtime(bound.from) || !is_runtime(*bound.to)) continue;
      // One pair, in either order.
      Shared& shared = found[{std::min(bound.from, *bound.to), std::max(bound.from, *bound.to)}];
      shared.names.insert(name);
      if (shared.load_plans.empty() || shared.load_plans.back() != plan) shared.load_plans.push_back(plan);
    }
  return found;
}

// A libstdc++.so.6 whose symbols are not known, because no files of the platform are at hand: it defines the ids as
// unique symbols too, on every Linux with glibc.
std::optional<ObjectIndex> assumed_runtime(const Installation& all, const process::Outcome& outcome) {
  for (const process::Loaded& each : outcome.loaded) {
    const process::File& file = all.world.files[each.file.value];
    if (file.assumed && base_name(file.path) == "libstdc++.so.6") return each.file;
  }
  return std::nullopt;
}

void add_assumed(const Conflicts& conflicts, std::map<Pair, Shared>& found) {
  const Installation& all = conflicts.installation;
  if (all.world.platform.loader != process::Loader::Glibc) return;  // musl has no unique symbols
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const auto runtime = assumed_runtime(all, conflicts.outcomes[plan]);
    if (!runtime) continue;
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
      if (all.origins[each.file.value].kind != Origin::Kind::Distribution || !defines(all, each.file, runtime_mark))
        continue;
      std::set<std::string_view> names;
      for (const Export& symbol : all.world.files[each.file.value].facts->dynamic->exports)
        if (symbol.binding == Binding::Unique && is_facet_id(symbol.name)) names.insert(symbol.name);
      if (names.empty()) continue;
      Shared& shared = found[{std::min(each.file, *runtime), std::max(each.file, *runtime)}];
      shared.names.merge(names);
      if (shared.load_plans.empty() || shared.load_plans.back() != plan) shared.load_plans.push_back(plan);
    }
  }
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<Pair, Shared> found = shared_ids(conflicts);
  add_assumed(conflicts, found);
  for (const auto& [pair, shared] : found) {
    const bool first_is_distribution = all.origins[pair.user.value].kind == Origin::Kind::Distribution;
    const ObjectIndex copy = first_is_distribution ? pair.user : pair.provider;
    const ObjectIndex other = first_is_distribution ? pair.provider : pair.user;
    if (all.origins[copy.value].kind != Origin::Kind::Distribution) continue;
    const std::string owner = name_of(all, all.origins[copy.value].distribution);
    emit({.place = AtObject{copy},
          .message = fmt::format(
              "the C++ runtime in {} of {} and {} share {}: streams of the one that is loaded second print nothing, "
              "throw std::bad_cast or crash",
              file_name(all, copy), owner, file_name(all, other), count_of(shared.names.size(), "locale facet id")),
          .evidence = {{"names", list_of_first({shared.names.begin(), shared.names.end()}, 3)},
                       {"shared as", "STB_GNU_UNIQUE, one definition in the process, also under RTLD_LOCAL"},
                       {"import order", shared.load_plans.size() == conflicts.load_plans.size()
                                            ? "every simulated order"
                                            : order_of(conflicts, shared.load_plans.front())}},
          .fix =
              fmt::format("in {}: link with -Wl,--exclude-libs,ALL so that the static libstdc++ is hidden, or use the "
                          "system's libstdc++ and remove the copy",
                          owner),
          .load_plans = shared.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC232",
    .name = "two-cxx-runtimes",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::two_cxx_runtimes
