// References that are bound to another file than the one that its author had in mind.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "mangling/demangle.h"
#include "model/each_symbol.h"
#include "rules/sets/set_common.h"

// WC234: two wheels, one of which requires the other, contain different versions of a library that checks its callers.
namespace wheelcheck::rules::handed_objects {
namespace {

struct Copy {
  ElfIndex file;
  std::string version;
};

// The string of the file that is only a version, if there is exactly one, such as libxml2's xmlParserVersion.
std::string bare_version(const ElfFacts& facts) {
  std::string found;
  for (const std::string_view text : facts.texts.versions) {
    const bool bare = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
    if (!bare || text.find('.') == text.npos) continue;
    if (!found.empty()) return "";
    found = text;
  }
  return found;
}

std::optional<Copy> copy_in(const Distribution& distribution, const KnownLibrary& known) {
  for (std::uint32_t i = 0; i < distribution.analysis.elfs.size(); ++i)
    for (const IdentifiedLibrary& library : distribution.analysis.elfs[i].libraries) {
      if (library.library != known.id) continue;
      std::string version = library.version ? *library.version : bare_version(distribution.facts.elfs[i].facts);
      if (!version.empty()) return Copy{{i}, std::move(version)};
    }
  return std::nullopt;
}

// Structures stay as they are in a series of patch releases, and the check of xmlsec compares no more than 2.14
// of 2.14.6.
bool same_layout(std::string_view a, std::string_view b) {
  const auto series = [](std::string_view version) {
    const std::size_t minor = version.find('.');
    return minor == version.npos ? version : version.substr(0, version.find('.', minor + 1));
  };
  return series(a) == series(b);
}

void compare(const Installation& all, DistributionIndex user, DistributionIndex provider, const KnownLibrary& known,
             const Emit& emit) {
  const auto own = copy_in(all.distributions[user.value], known),
             other = copy_in(all.distributions[provider.value], known);
  if (!own || !other || same_layout(own->version, other->version)) return;
  // Python modules hand out objects, such as lxml.etree, which contains libxml2. libarrow.so uses its libcurl alone.
  if (!std::holds_alternative<ExtensionModule>(all.distributions[provider.value].facts.elfs[other->file.value].role))
    return;
  const auto path = [&](DistributionIndex distribution, ElfIndex elf) {
    return path_of(all.distributions[distribution.value].facts, elf);
  };
  const std::string first = name_of(all, user), second = name_of(all, provider);
  const auto& object = all.objects[user.value][own->file.value];
  emit({.place = object ? Place(AtObject{*object}) : Place(AtPath{path(user, own->file)}),
        .message = fmt::format("{} contains {} {}, but {}, which it requires, contains {}: objects that they exchange "
                               "have different layouts, and the library refuses or misreads them",
                               first, known.name, own->version, second, other->version),
        .evidence = {{"in " + first, path(user, own->file)},
                     {"in " + second, path(provider, other->file)},
                     {"Requires-Dist", std::string(requirement_on(all, user, provider).value_or(""))}},
        .fix = fmt::format("install releases of {} and {} that were built with one version of {}; if there are no such "
                           "wheels, build both from source: pip install --no-binary {},{} {}",
                           first, second, known.name, shell_word(first), shell_word(second), shell_word(first))});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user)
    for (std::uint32_t provider = 0; provider < all.distributions.size(); ++provider) {
      if (user == provider || !requirement_on(all, {user}, {provider})) continue;
      for (const KnownLibrary& known : view.knowledge.libraries)
        if (known.checks_version) compare(all, {user}, {provider}, known, emit);
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC234",
    .name = "handed-objects",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::handed_objects

// WC240: a file is bound to a function of another file that has no address.
namespace wheelcheck::rules::bound_to_zero {
namespace {

using process::ObjectIndex;

struct Pair {
  ObjectIndex user, provider;
  auto operator<=>(const Pair&) const = default;
};
struct Calls {
  std::set<std::string> names;
  std::vector<std::uint32_t> load_plans;
};

std::map<Pair, Calls> calls_of(const Conflicts& conflicts) {
  const Installation& all = conflicts.installation;
  std::map<ObjectIndex, std::set<std::string_view>> without_address;
  for (std::uint32_t i = 0; i < all.world.files.size(); ++i)
    if (const ElfFacts* const facts = all.world.files[i].facts; facts != nullptr && facts->dynamic)
      if (const auto& names = facts->dynamic->exports_at_zero; !names.empty())
        without_address[ObjectIndex{i}] = {names.begin(), names.end()};
  std::map<Pair, Calls> found;
  if (without_address.empty()) return found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      if (bound.undone || !bound.to || *bound.to == bound.from) continue;
      const auto provider = without_address.find(*bound.to);
      if (provider == without_address.end()) continue;
      const std::string_view name =
          process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
      if (!provider->second.contains(name)) continue;
      Calls& calls = found[{bound.from, *bound.to}];
      calls.names.insert(demangle(name));
      if (calls.load_plans.empty() || calls.load_plans.back() != plan) calls.load_plans.push_back(plan);
    }
  return found;
}

// The provider, and the user. Of a system library, the users are the distributions that require it.
Concerned concerned(const Conflicts& conflicts, const Pair& pair, std::uint32_t plan) {
  const Installation& all = conflicts.installation;
  const auto uses_library = [&](ObjectIndex file) {
    const DynamicFacts* const dynamic = dynamic_of(all, file);
    return dynamic != nullptr && std::ranges::find(dynamic->needed, base_name(all.world.files[pair.user.value].path)) !=
                                     dynamic->needed.end();
  };
  std::set<DistributionIndex> users;
  if (is_of_distribution(all, pair.user)) users.insert(all.origins[pair.user.value].distribution);
  for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
    if (!is_of_distribution(all, pair.user) && is_of_distribution(all, each.file) && uses_library(each.file))
      users.insert(all.origins[each.file.value].distribution);
  const DistributionIndex provider = all.origins[pair.provider.value].distribution;
  users.erase(provider);
  Concerned out{provider};
  out.insert(out.end(), users.begin(), users.end());
  return out;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const auto& [pair, calls] : calls_of(conflicts)) {
    const Origin& origin = all.origins[pair.provider.value];
    if (origin.kind != Origin::Kind::Distribution) continue;
    const std::string owner = name_of(all, origin.distribution);
    std::vector<Evidence> evidence{{"functions", list_of({calls.names.begin(), calls.names.end()})}};
    if (!is_of_distribution(all, pair.user))
      evidence.push_back(
          {"called by", fmt::format("{}, which {} loads first and all share", file_name(all, pair.user), owner)});
    const Concerned distributions = concerned(conflicts, pair, calls.load_plans.front());
    add_orders(conflicts, calls.load_plans, evidence, distributions);
    const std::string advice = fix_of_user(conflicts, calls.load_plans, distributions);
    emit({.place = AtObject{pair.provider},
          .message = fmt::format("{} is bound to {} of {} of {}, which {} no address: a call crashes",
                                 file_name(all, pair.user), count_of(calls.names.size(), "function"),
                                 file_name(all, pair.provider), owner, calls.names.size() == 1 ? "has" : "have"),
          .evidence = std::move(evidence),
          .fix = fmt::format("{}in {}: link again with a version script (`local: *;`), so that the names are not "
                             "exported",
                             advice, owner),
          .load_plans = calls.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC240",
    .name = "bound-to-zero",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::bound_to_zero

// WC235: dlsym(RTLD_NEXT, NAME) skips the definition of NAME that another wheel contains.
namespace wheelcheck::rules::next_definition {
namespace {

using process::ObjectIndex;

struct Skipped {
  ObjectIndex file;
  std::string name;
  ObjectIndex other;
  auto operator<=>(const Skipped&) const = default;
};

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  const auto facts_of = [&](ObjectIndex file) { return all.world.files[file.value].facts; };
  std::map<Skipped, std::vector<std::uint32_t>> found;
  for (std::uint32_t plan = 0; plan < view.conflicts.outcomes.size(); ++plan) {
    const process::Outcome& outcome = view.conflicts.outcomes[plan];
    std::set<std::pair<std::string_view, ObjectIndex>> calls;
    for (const process::Loaded& each : outcome.loaded)
      if (is_of_distribution(all, each.file) && facts_of(each.file) != nullptr)
        for (const LoaderCall& call : facts_of(each.file)->loader_calls)
          if (call.function == LoaderCall::Function::DlsymNext) calls.emplace(call.name, each.file);
    // Only what joined the global scope would answer the name itself; RTLD_NEXT searches the dependencies of the file
    // that dlopen opened, behind the caller (glibc elf/dl-sym.c).
    for (const process::Published& each : outcome.published)
      for (const auto& [name, file] : calls) {
        const Origin &from = all.origins[file.value], &to = all.origins[each.file.value];
        if (!is_of_distribution(all, each.file) || from.distribution == to.distribution ||
            !defines(all, each.file, name))
          continue;
        auto& plans = found[{file, std::string(name), each.file}];
        if (plans.empty() || plans.back() != plan) plans.push_back(plan);
      }
  }
  for (const auto& [skipped, plans] : found) {
    std::vector<Evidence> evidence{{"symbol", skipped.name}, {"skipped", std::string(file_name(all, skipped.other))}};
    const Concerned distributions{all.origins[skipped.file.value].distribution,
                                  all.origins[skipped.other.value].distribution};
    const std::string owner = name_of(all, distributions.back());
    add_orders(view.conflicts, plans, evidence, distributions);
    emit({.place = AtObject{skipped.file},
          .message = fmt::format("{} looks up {} with dlsym(RTLD_NEXT) and skips {} of {}, which all other files use",
                                 file_name(all, skipped.file), skipped.name, file_name(all, skipped.other), owner),
          .evidence = std::move(evidence),
          .fix = fix_of_user(view.conflicts, plans, distributions) +
                 fmt::format("in {}: open {} without RTLD_GLOBAL, or hide {} in it", owner,
                             file_name(all, skipped.other), skipped.name),
          .load_plans = plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC235",
    .name = "next-definition",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::next_definition

// WC231: two files of one wheel define a name differently, and RTLD_GLOBAL makes one definition serve both.
namespace wheelcheck::rules::captured_inside {
namespace {

bool is_proved(const Relation& relation) {
  return relation.reason == Reason::AbiProof || relation.reason == Reason::Incompatible ||
         relation.reason == Reason::OlderProvider;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Capture || relation.distribution != relation.provider_distribution ||
        !is_proved(relation))
      continue;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (relation.tally.size_differs > 0)
      evidence.push_back({"grounds", count_of(relation.tally.size_differs, "data object") + " of another size"});
    if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} {} bound to {} of the same wheel, which defines {} differently",
                                 count_of(relation.tally.symbols, "name"), file_name(all, relation.own),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                                 relation.tally.symbols == 1 ? "it" : "them"),
          .evidence = std::move(evidence),
          .fix = fmt::format("pip install --upgrade {}, if a later release has no such names; in {}: open {} without "
                             "RTLD_GLOBAL, or hide the names in both files (-fvisibility=hidden)",
                             shell_word(name_of(all, relation.provider_distribution)),
                             name_of(all, relation.provider_distribution), file_name(all, relation.provider)),
          .severity = relation.maybe ? Severity::Warning : Severity::Error,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC231",
    .name = "captured-inside",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::captured_inside
