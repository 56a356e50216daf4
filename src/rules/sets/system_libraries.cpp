// A system library such as libstdc++ is loaded once, and bound to the copies of the distribution that loads it first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

// WC233: a system library is bound to the operator new and delete of the distribution that loads it first.
namespace wheelcheck::rules::first_allocator {
namespace {

using process::ObjectIndex;

// operator new, new[], delete, delete[] in their sized, aligned and nothrow forms (Itanium C++ ABI 5.1.3).
bool is_operator(std::string_view name) {
  return name.starts_with("_Znwm") || name.starts_with("_Znam") || name.starts_with("_ZdlPv") ||
         name.starts_with("_ZdaPv");
}

// The forms that libstdc++ implements with malloc and free. Its other forms call these.
bool is_base_operator(std::string_view name) {
  return name == "_Znwm" || name == "_ZdlPv" || name == "_ZnwmSt11align_val_t" || name == "_ZdlPvSt11align_val_t";
}

// The forms with an alignment are a family of their own: what they return goes back to them alone ([expr.delete]).
bool is_aligned(std::string_view name) { return name.find("St11align_val_t") != name.npos; }

// A complete C++ runtime has its own operators, which call malloc. Mixing these is harmless.
bool is_runtime(const Installation& all, ObjectIndex object) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  return std::ranges::any_of(facts.exports, [](const Export& symbol) { return symbol.name == "__cxa_throw"; });
}

// An allocator replaces the forms that allocate and free. Toolchains with an older libstdc++.so link other forms into
// each library: operator delete with a size, which only calls the base form, and the forms with an alignment, which
// call aligned_alloc and free as those of the system do (libstdc++_nonshared.a of gcc-toolset, in hictkpy 0.0.5).
bool is_allocator(const Installation& all, ObjectIndex object, bool aligned) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  const auto replaces = [&](bool with_alignment) {
    return std::ranges::any_of(facts.exports, [&](const Export& symbol) {
      return is_base_operator(symbol.name) && is_aligned(symbol.name) == with_alignment;
    });
  };
  return replaces(false) && (!aligned || replaces(true));
}

struct Taken {
  ObjectIndex library, provider;  // the system's library, and whose operators it calls
  bool aligned = false;           // of which family
  auto operator<=>(const Taken&) const = default;
};

// For one order: the system libraries that call a distribution's operators, and the other users of these libraries.
class Order {
 public:
  Order(const Conflicts& conflicts, std::uint32_t plan) : all_(conflicts.installation) {
    const auto& bindings = conflicts.outcomes[plan].bound;
    for (const process::BoundReference& bound : bindings)
      if (!bound.undone && bound.to && !is_of_distribution(all_, bound.from) && is_of_distribution(all_, *bound.to) &&
          is_operator(name(bound)) && !is_runtime(all_, *bound.to) &&
          is_allocator(all_, *bound.to, is_aligned(name(bound))))
        taken.insert({bound.from, *bound.to, is_aligned(name(bound))});
    if (taken.empty()) return;
    for (const process::BoundReference& bound : bindings) {
      if (bound.undone || !bound.to || !is_of_distribution(all_, bound.from)) continue;
      const DistributionIndex user = all_.origins[bound.from.value].distribution;
      if (!is_of_distribution(all_, *bound.to)) uses[*bound.to].insert(user);
      if (is_base_operator(name(bound))) operators[{user, is_aligned(name(bound))}].insert(*bound.to);
    }
  }

  // Distributions whose files use the library and whose own operators come from the library.
  std::vector<DistributionIndex> victims(const Taken& one) const {
    std::vector<DistributionIndex> out;
    const auto users = uses.find(one.library);
    if (users == uses.end()) return out;
    for (const DistributionIndex user : users->second) {
      if (user == all_.origins[one.provider.value].distribution) continue;
      const auto own = operators.find({user, one.aligned});
      if (own != operators.end() && own->second.contains(one.library)) out.push_back(user);
    }
    return out;
  }

  std::set<Taken> taken;

 private:
  std::string_view name(const process::BoundReference& bound) const {
    return process::symbol_request(*all_.world.files[bound.from.value].facts, bound.reference).name;
  }

  const Installation& all_;
  std::map<ObjectIndex, std::set<DistributionIndex>> uses;
  std::map<std::pair<DistributionIndex, bool>, std::set<ObjectIndex>> operators;  // by distribution and family
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::pair<Taken, std::vector<DistributionIndex>>, std::vector<std::uint32_t>> found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const Order order(conflicts, plan);
    for (const Taken& one : order.taken)
      if (auto victims = order.victims(one); !victims.empty()) found[{one, std::move(victims)}].push_back(plan);
  }
  for (const auto& [what, load_plans] : found) {
    const auto& [taken, victims] = what;
    std::vector<std::string> names;
    for (const DistributionIndex victim : victims) names.push_back(name_of(all, victim));
    const std::string owner = name_of(all, all.origins[taken.provider.value].distribution);
    std::vector<Evidence> evidence{
        {"called by", fmt::format("{}, which {} loads first and all share", file_name(all, taken.library), owner)}};
    Concerned distributions = victims;
    distributions.push_back(all.origins[taken.provider.value].distribution);
    add_orders(conflicts, load_plans, evidence, distributions);
    const std::string advice = fix_of_user(conflicts, load_plans, distributions);
    emit({.place = AtObject{taken.provider},
          .message = fmt::format("{} is bound to operator new and delete of {}: what {} allocates with those of the "
                                 "system is freed with these, and the process aborts",
                                 file_name(all, taken.library), file_name(all, taken.provider), list_of(names)),
          .evidence = std::move(evidence),
          .fix = fmt::format(
              "{}in {}: keep operator new and delete out of its exports (a version script with `local: *;`)", advice,
              owner),
          .load_plans = load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC233",
    .name = "first-allocator",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::first_allocator

// WC239: a system library uses variables or functions of a copy of itself in the distribution that loads it first.
namespace wheelcheck::rules::state_split {
namespace {

using process::ObjectIndex;

// Functions of std::random_device that libstdc++ calls from another one. Its objects have new members since GCC 9
// (bits/random.h), so that all functions that use one object must be of one copy. What a wheel calls itself is bound as
// a whole; only these calls lead from libstdc++ to a copy (libstdc++-v3/src/c++11/random.cc, GCC 9 to 14).
struct InnerCall {
  std::string_view caller, callee;  // starts of mangled names
  // False: many wheels call it in functions that are rarely used (grpcio works after tensorflow-cpu 2.12.0), some at
  // import (duckdb 0.5.1, which crashes after shapely 1.8.5).
  bool certain;
};
constexpr auto inner_calls = std::to_array<InnerCall>({
    {"_ZNSt13random_device14_M_init_pretr1E", "_ZNSt13random_device7_M_initE", true},
    {"_ZNSt13random_device16_M_getval_pretr1E", "_ZNSt13random_device9_M_getvalE", true},
    {"_ZNSt13random_device7_M_initERKSs", "_ZNSt13random_device7_M_initE", false},  // with the old std::string
});

// What must exist once: "" if the name is another function or variable. Other variables may be constants, which are
// equal in all copies (std::__detail::__prime_list).
std::string_view state_of(const Installation& all, const process::BoundReference& bound, std::string_view name) {
  for (const InnerCall& call : inner_calls)
    if (name.starts_with(call.callee)) return call.callee;
  const DynamicFacts& facts = *all.world.files[bound.to->value].facts->dynamic;
  if (bound.definition >= facts.exports.size()) return {};
  const Export& symbol = facts.exports[bound.definition];
  return symbol.kind == SymbolKind::Tls ? symbol.name : std::string_view();
}

// A complete C++ runtime is another problem (WC232).
bool is_runtime(const Installation& all, ObjectIndex object) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  return std::ranges::any_of(facts.exports, [](const Export& symbol) { return symbol.name == "__cxa_throw"; });
}

struct Split {
  ObjectIndex library, provider;  // the system's library, and whose variable it uses
  std::string_view state;
  auto operator<=>(const Split&) const = default;
};

// The call by which a reference to the library leads to a state; the name itself leads to a variable.
InnerCall call_behind(std::string_view name) {
  for (const InnerCall& call : inner_calls)
    if (name.starts_with(call.caller)) return call;
  return {name, name, true};
}

struct Users {
  std::set<DistributionIndex> distributions;
  bool certain = false;
};
// For one order: the split variables, with the distributions that use the one of the library itself.
std::map<Split, Users> splits_of(const Conflicts& conflicts, std::uint32_t plan) {
  const Installation& all = conflicts.installation;
  const auto& bindings = conflicts.outcomes[plan].bound;
  const auto name_of_reference = [&](const process::BoundReference& bound) {
    return process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
  };
  std::map<std::string_view, std::vector<Split>> taken;  // by state
  for (const process::BoundReference& bound : bindings) {
    if (bound.undone || !bound.to || is_of_distribution(all, bound.from) || !is_of_distribution(all, *bound.to) ||
        bound.way != process::BindingResult::Plain || all.origins[bound.from.value].kind != Origin::Kind::Platform)
      continue;
    const std::string_view name = name_of_reference(bound);
    if (const std::string_view state = state_of(all, bound, name); !state.empty() && !is_runtime(all, *bound.to))
      taken[state].push_back({bound.from, *bound.to, state});
  }
  std::map<Split, Users> found;
  if (taken.empty()) return found;
  for (const process::BoundReference& bound : bindings) {
    if (bound.undone || !bound.to || !is_of_distribution(all, bound.from) || is_of_distribution(all, *bound.to))
      continue;
    const InnerCall call = call_behind(name_of_reference(bound));
    const auto splits = taken.find(call.callee);
    if (splits == taken.end()) continue;
    const DistributionIndex user = all.origins[bound.from.value].distribution;
    for (const Split& split : splits->second)
      if (split.library == *bound.to && all.origins[split.provider.value].distribution != user) {
        found[split].distributions.insert(user);
        found[split].certain = found[split].certain || call.certain;
      }
  }
  return found;
}

struct Found {
  std::set<std::string_view> states;
  std::set<std::uint32_t> load_plans;
  bool certain = false;
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::tuple<ObjectIndex, ObjectIndex, std::set<DistributionIndex>>, Found> findings;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const auto& [split, users] : splits_of(conflicts, plan)) {
      Found& finding = findings[{split.library, split.provider, users.distributions}];
      finding.certain = finding.certain || users.certain;
      finding.states.insert(split.state);
      finding.load_plans.insert(plan);
    }
  for (const auto& [where, finding] : findings) {
    const auto& [library, provider, users] = where;
    const std::vector<std::uint32_t> load_plans(finding.load_plans.begin(), finding.load_plans.end());
    const DistributionIndex owner = all.origins[provider.value].distribution;
    Concerned distributions(users.begin(), users.end());
    std::vector<std::string> names, states;
    for (const DistributionIndex user : users) names.push_back(name_of(all, user));
    for (const std::string_view state : finding.states)
      states.push_back(std::ranges::find(inner_calls, state, &InnerCall::callee) != inner_calls.end()
                           ? "std::random_device"
                           : demangle(state));
    distributions.push_back(owner);
    std::vector<Evidence> evidence{
        {"effect", fmt::format("{} {} {} of {}, which itself uses that of {}: expect a crash", list_of(names),
                               names.size() == 1 ? "sets" : "set", states.front(), file_name(all, library),
                               file_name(all, provider))},
        {"names", list_of(states)}};
    add_orders(conflicts, load_plans, evidence, distributions);
    const std::string advice = fix_of_user(conflicts, load_plans, distributions);
    emit({.place = AtObject{provider},
          .message =
              fmt::format("{} uses {} of {}, and {} {} that of the system", file_name(all, library), states.front(),
                          file_name(all, provider), list_of(names), names.size() == 1 ? "uses" : "use"),
          .evidence = std::move(evidence),
          .fix = fmt::format("{}in {}: keep the symbols of the C++ runtime out of its exports "
                             "(-Wl,--exclude-libs,ALL, or a version script with `local: *;`)",
                             advice, name_of(all, owner)),
          .severity = finding.certain ? Severity::Error : Severity::Warning,
          .load_plans = load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC239",
    .name = "state-split",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::state_split

// WC232: two C++ runtimes in a process share the ids of their locale facets.
namespace wheelcheck::rules::two_cxx_runtimes {
namespace {

using process::ObjectIndex;

// std::locale::classic(): only a complete libstdc++ defines it, not a file that only uses its headers.
constexpr std::string_view runtime_mark = "_ZNSt6locale7classicEv";

// std::num_put<char, ...>::id and similar: an index into the facets of a locale, assigned by the runtime that uses it
// first.
bool is_facet_id(std::string_view name) { return name.starts_with("_ZNSt") && name.ends_with("2idE"); }

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
      if (bound.undone || bound.way != process::BindingResult::Unique || !bound.to || *bound.to == bound.from) continue;
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
      if (!is_of_distribution(all, each.file) || !defines(all, each.file, runtime_mark)) continue;
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
    const bool first_is_distribution = is_of_distribution(all, pair.user);
    const ObjectIndex copy = first_is_distribution ? pair.user : pair.provider;
    const ObjectIndex other = first_is_distribution ? pair.provider : pair.user;
    if (!is_of_distribution(all, copy)) continue;
    const std::string owner = name_of(all, all.origins[copy.value].distribution);
    Concerned distributions{all.origins[copy.value].distribution};
    if (is_of_distribution(all, other)) distributions.push_back(all.origins[other.value].distribution);
    emit({.place = AtObject{copy},
          .message = fmt::format(
              "the C++ runtime in {} of {} and {} share {}: streams of the one that is loaded second print nothing, "
              "throw std::bad_cast or crash",
              file_name(all, copy), owner, file_name(all, other), count_of(shared.names.size(), "locale facet id")),
          .evidence = {{"names", list_of_first({shared.names.begin(), shared.names.end()}, 3)},
                       {"shared as", "STB_GNU_UNIQUE, one definition in the process, also under RTLD_LOCAL"},
                       {"import order", shared.load_plans.size() == conflicts.load_plans.size()
                                            ? "every simulated order"
                                            : order_of(conflicts, shared.load_plans.front(), distributions)}},
          .fix =
              fix_of_user(conflicts, shared.load_plans, distributions) +
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
