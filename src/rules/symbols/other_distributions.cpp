// Symbols that the simulated process binds to another distribution, or finds only there.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

// WC204: a reference from one distribution to its own library is bound to the library of another distribution.
namespace wheelcheck::rules::predicted_clash {
namespace {

std::string why_of(const Relation& relation) {
  const Tally& tally = relation.tally;
  switch (relation.reason) {
    case Reason::TypeInformation:
      return "type information and the standard library only, which are made to be shared";
    case Reason::SameBuild:
      return "both are one build: functions have the same sizes";
    case Reason::AbiProof: {
      std::vector<std::string> parts;
      if (tally.kind_differs > 0)
        parts.push_back(
            fmt::format("{} a function in one and data in the other", count_of(tally.kind_differs, "name")));
      if (tally.size_differs > 0)
        parts.push_back(fmt::format("{} of another size", count_of(tally.size_differs, "data object")));
      return list_of(parts);
    }
    case Reason::Incompatible:
      return "these two libraries cannot replace each other";
    case Reason::Divided:
      return "a library that it requires was bound before, and passes it objects of the other copy";
    case Reason::InlineCode:
      return "a few inline functions and templates only";
    case Reason::OlderProvider:
      return "the bound library is older than the one that it was built against";
    case Reason::SameVersion:
      return "both are of one version";
    case Reason::NewerProvider:
      return "the bound library is another implementation or a newer version";
    case Reason::UnknownVersion:
      return "it is unknown whether the versions are compatible";
    case Reason::MissingAlone:
      return "nothing else defines the names";
  }
  return "";
}

std::string whose_names(const Relation& relation) {
  return count_of(relation.tally.symbols, relation.library ? relation.library->name + " name" : "name");
}

std::string expected_of(const Relation& relation) {
  switch (relation.reason) {
    case Reason::AbiProof:
    case Reason::Incompatible:
    case Reason::Divided:
      return relation.severity == Severity::Error ? "expect a crash or wrong results" : "it may crash";
    case Reason::OlderProvider:
      return "functions may be missing or refuse to work";
    case Reason::NewerProvider:
    case Reason::UnknownVersion:
      return relation.severity == Severity::Error ? "expect a crash" : "it may misbehave";
    default:
      return "no harm is expected";
  }
}

// "triton calls tensorflow-cpu's LLVM 23.0 instead of its own LLVM 24.0: expect a crash or wrong results"
std::string effect_of(const Installation& all, const Relation& relation) {
  const std::string user = name_of(all, relation.distribution), provider = name_of(all, relation.provider_distribution);
  const std::string expected = expected_of(relation);
  if (!relation.library || !relation.provider_library)
    return fmt::format("{} calls functions of {} instead of those of {}: {}", user, provider,
                       file_name(all, relation.own), expected);
  return fmt::format("{} calls {}'s {} instead of its own {}: {}", user, provider,
                     name_and_version(*relation.provider_library), name_and_version(*relation.library), expected);
}

std::vector<Evidence> evidence_of(const Conflicts& conflicts, const Relation& relation,
                                  const std::vector<const Relation*>& also) {
  const Installation& all = conflicts.installation;
  std::vector<Evidence> evidence{{"effect", effect_of(all, relation)}};
  for (const Relation* const each : also)
    evidence.push_back(
        {"also", fmt::format("{} of {}: {}", whose_names(*each), file_name(all, each->own), why_of(*each))});
  if (relation.library && relation.provider_library) {
    evidence.push_back({"built against", shown(*relation.library)});
    evidence.push_back({"answered by", shown(*relation.provider_library)});
  }
  evidence.push_back({"grounds", why_of(relation)});
  evidence.push_back({"names", list_of(relation.shown) +
                                   (relation.symbols.size() > relation.shown.size()
                                        ? fmt::format(" and {} more", relation.symbols.size() - relation.shown.size())
                                        : "")});
  if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
  if (relation.maybe) evidence.push_back({"if imported", std::string(file_name(all, relation.by.front()))});
  add_orders(conflicts, relation.load_plans, evidence, concerned(relation), relation.late_plans);
  for (const std::uint32_t plan : relation.late_plans)
    evidence.push_back(
        {"import order", fmt::format("{}, if {} is imported last", order_of(conflicts, plan, concerned(relation)),
                                     file_name(all, relation.by.front()))});
  return evidence;
}

// Whether another file of the provider's wheel imports one of the names from it. If they were hidden, that import would
// fail.
bool is_needed_inside(const Installation& all, const Relation& relation) {
  const std::vector<ElfMember>& elfs = all.distributions[relation.provider_distribution.value].facts.elfs;
  const std::uint32_t provider = all.origins[relation.provider.value].elf.value;
  for (std::uint32_t i = 0; i < elfs.size(); ++i) {
    if (i == provider || !elfs[i].facts.dynamic) continue;
    for (const Import& import : elfs[i].facts.dynamic->imports)
      if (std::ranges::binary_search(relation.symbols, import.name, {}, &TakenSymbol::name)) return true;
  }
  return false;
}

std::string fix_of(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const std::string provider = name_of(all, relation.provider_distribution), user = name_of(all, relation.distribution);
  std::string fix;
  if (relation.severity == Severity::Error)
    fix = fix_of_user(conflicts, all_plans(relation), concerned(relation));
  else if (const auto order = safe_order(conflicts, all_plans(relation), concerned(relation)))
    fix = fmt::format("import in the order {}; ", *order);
  const bool shared = is_needed_inside(all, relation);
  if (!shared)
    fix += fmt::format(
        "in {}: keep these names out of its exports (-fvisibility=hidden, or a version script with `local: *;`){}",
        provider, relation.published ? " and open it without RTLD_GLOBAL" : "");
  else if (relation.published)
    fix += fmt::format("in {}: open {} without RTLD_GLOBAL", provider, file_name(all, relation.provider));
  if (!relation.distribution || !is_of_distribution(all, relation.own)) return fix;
  // -Bsymbolic affects only the references of the file that is linked with it.
  const bool own_only = relation.by.size() == 1 && relation.by.front() == relation.own;
  return fix + (own_only ? fmt::format("; in {}: link {} with -Wl,-Bsymbolic or hide the names there", user,
                                       file_name(all, relation.own))
                         : fmt::format("; in {}: link the library into {} statically, with -Wl,--exclude-libs,ALL",
                                       user, file_name(all, relation.by.front())));
}

bool is_of_this_rule(const Relation& relation) {
  return relation.kind == RelationKind::Capture && relation.reason != Reason::TypeInformation &&
         relation.distribution != relation.provider_distribution;  // WC231
}

// One finding for each pair of user and provider. It describes the most severe relation, which comes first; the others
// are evidence.
void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (const auto& list : grouped_relations(view.conflicts, is_of_this_rule)) {
    const Relation& relation = *list.front();
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} {} bound to {} of {}", whose_names(relation), file_name(all, relation.own),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                                 name_of(all, relation.provider_distribution)),
          .evidence = evidence_of(view.conflicts, relation, {list.begin() + 1, list.end()}),
          .fix = fix_of(view.conflicts, relation),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC204",
    .name = "predicted-clash",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::predicted_clash

// WC210: an import works alone and fails in a process with the other wheels.
namespace wheelcheck::rules::import_fails_together {
namespace {

using process::Missing;
using process::ObjectIndex;

bool is_called(const Installation& all, ObjectIndex object, std::string_view soname) {
  const process::File& file = all.world.files[object.value];
  if (file.facts == nullptr || !file.facts->dynamic) return false;
  return file.facts->dynamic->soname == std::optional(soname) || base_name(file.path) == soname;
}

// The file that causes the failure: the loaded library that lacks the version, or the one that was loaded under the
// name of a library that defines the symbol.
std::optional<ObjectIndex> in_the_way(const Conflicts& conflicts, const ImportFailure& failure) {
  if (!failure.missing) return std::nullopt;
  const Missing& missing = *failure.missing;
  if (missing.library || missing.what != Missing::What::Symbol) return missing.library;
  const Installation& all = conflicts.installation;
  const ElfFacts* const from =
      missing.from.value < all.world.files.size() ? all.world.files[missing.from.value].facts : nullptr;
  if (from == nullptr || !from->dynamic) return std::nullopt;
  for (const std::string_view needed : from->dynamic->needed) {
    const auto files = files_called(all, needed);
    if (std::ranges::none_of(files, [&](ObjectIndex file) { return defines(all, file, missing.name); })) continue;
    for (const process::Loaded& each : conflicts.outcomes[failure.load_plan].loaded)
      if (is_called(all, each.file, needed) && !defines(all, each.file, missing.name)) return each.file;
  }
  return std::nullopt;
}

// "import of torch._C fails: torch/lib/libtorch.so needs f, and libnccl.so.2 of other, which is loaded, lacks it"
std::string effect_of(const Installation& all, const FailureGroup& group, ObjectIndex other) {
  const Missing& missing = *group.first->missing;
  const Origin& origin = all.origins[other.value];
  const std::string owner =
      origin.kind == Origin::Kind::Distribution ? fmt::format(" of {}", name_of(all, origin.distribution)) : "";
  const std::string what = missing.what == Missing::What::Symbol ? demangle(missing.name) : missing.version;
  return fmt::format("{} fails: {} requires {}, and {}{}, which is loaded already, lacks it",
                     what_fails(all, *group.open), file_name(all, missing.from), what, file_name(all, other), owner);
}

struct Entry {
  const FailureGroup* group;
  std::optional<ObjectIndex> other;
  std::vector<std::string> alike;  // files that fail for the same reason
};

void report(const Conflicts& conflicts, const Entry& entry, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const FailureGroup& group = *entry.group;
  const ImportFailure& failure = *group.first;
  Concerned distributions = concerned(all, failure);
  if (entry.other && failure.distribution && all.origins[entry.other->value].kind == Origin::Kind::Distribution)
    distributions = {*failure.distribution, all.origins[entry.other->value].distribution};
  std::vector<Evidence> evidence;
  if (entry.other && failure.missing) evidence.push_back({"effect", effect_of(all, group, *entry.other)});
  evidence.push_back({failure.fatal ? "ld.so ends it" : "ImportError", failure.error});
  if (entry.other) evidence.push_back({"loaded instead", std::string(file_name(all, *entry.other))});
  for (std::size_t i = 0; i < entry.alike.size() && i < shown_items; ++i)
    evidence.push_back({"fails the same way", entry.alike[i]});
  add_orders(conflicts, group.load_plans, evidence, distributions);
  emit({.place = group.open->object ? Place(AtObject{*group.open->object}) : Place(WholeWheel{}),
        .message = fmt::format(
            "{} fails after the other imports of this order, and works without them{}", what_fails(all, *group.open),
            entry.alike.empty() ? ""
                                : fmt::format("; {} {} the same way", count_of(entry.alike.size(), "more file"),
                                              entry.alike.size() == 1 ? "fails" : "fail")),
        .evidence = std::move(evidence),
        .fix = fix_of_user(conflicts, group.load_plans, distributions) +
               "give the library different names in the two wheels (as auditwheel does), or require one build of it",
        .severity = failure.maybe ? Severity::Warning : Severity::Error,
        .load_plans = group.load_plans});
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  const std::vector<FailureGroup> groups = grouped_failures(conflicts);
  std::vector<Entry> entries;
  // One finding for the files of a distribution for which the same is missing in the same file.
  std::map<
      std::tuple<std::optional<DistributionIndex>, std::optional<ObjectIndex>, std::string, std::vector<std::uint32_t>>,
      std::size_t>
      places;
  // What fails for certain is shown.
  std::vector<const FailureGroup*> sorted;
  for (const FailureGroup& group : groups) sorted.push_back(&group);
  std::ranges::stable_sort(sorted, {}, [](const FailureGroup* group) { return group->first->maybe; });
  for (const FailureGroup* const one : sorted) {
    const FailureGroup& group = *one;
    const ImportFailure& failure = *group.first;
    if (failure.alone || (failure.outside && failure.maybe)) continue;
    if (failure.missing && failure.missing->what == Missing::What::StaticTls) continue;  // WC541
    const auto other = in_the_way(conflicts, failure);
    const std::string missing =
        failure.missing ? failure.missing->name + '@' + failure.missing->version : failure.error;
    const auto [at, is_new] =
        places.try_emplace({failure.distribution, other, missing, group.load_plans}, entries.size());
    if (is_new)
      entries.push_back({&group, other, {}});
    else if (group.open->object)
      entries[at->second].alike.emplace_back(file_name(all, *group.open->object));
  }
  for (const Entry& entry : entries) report(conflicts, entry, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC210",
    .name = "import-fails-together",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::import_fails_together

// WC211: a module works only because another distribution, which it does not require, is loaded.
namespace wheelcheck::rules::borrowed_definition {
namespace {

// One finding for the files of a distribution that borrow from the same one in the same orders.
void report(const Conflicts& conflicts, const std::vector<const Relation*>& relations, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const Relation& relation = *relations.front();
  const bool weak = relation.severity == Severity::Note;
  std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
  for (std::size_t i = 1; i < relations.size() && i <= shown_items; ++i)
    evidence.push_back(
        {"also", fmt::format("{} of {}, from {}", count_of(relations[i]->tally.symbols, "name"),
                             file_name(all, relations[i]->own), file_name(all, relations[i]->provider))});
  if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
  add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
  emit({.place = AtObject{relation.own},
        .message = fmt::format("{} that {} {} {} defined only by {} of {}{}", count_of(relation.tally.symbols, "name"),
                               file_name(all, relation.own), weak ? "can do without" : "requires",
                               relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                               name_of(all, relation.provider_distribution),
                               relations.size() == 1 ? ""
                                                     : fmt::format("; so are names of {} of files",
                                                                   count_of(relations.size() - 1, "more pair"))),
        .evidence = std::move(evidence),
        .fix = fmt::format("import {} first; in {}: link {} with the library that defines the names (DT_NEEDED)",
                           name_of(all, relation.provider_distribution), name_of(all, relation.distribution),
                           file_name(all, relation.own)),
        .severity = relation.severity,
        .confidence = relation.confidence,
        .load_plans = relation.load_plans});
}

void check_set(const SetView& view, const Emit& emit) {
  using Key = std::tuple<std::optional<DistributionIndex>, DistributionIndex, Severity, std::vector<std::uint32_t>>;
  std::map<Key, std::vector<const Relation*>> pairs;
  std::vector<const std::vector<const Relation*>*> in_order;
  for (const Relation& relation : view.conflicts.relations) {
    if (relation.kind != RelationKind::Borrow) continue;
    auto& list = pairs[{relation.distribution, relation.provider_distribution, relation.severity, relation.load_plans}];
    if (list.empty()) in_order.push_back(&list);
    list.push_back(&relation);
  }
  for (const auto* const list : in_order) report(view.conflicts, *list, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC211",
    .name = "borrowed-definition",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::borrowed_definition
