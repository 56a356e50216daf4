// WC540: a library is replaced by another copy of it whose own dependencies differ.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::split_stack {
namespace {

using process::ObjectIndex;

const std::vector<std::string_view>& needed_of(const Installation& all, ObjectIndex object) {
  static const std::vector<std::string_view> none;
  const ElfFacts* const facts = all.world.files[object.value].facts;
  return facts != nullptr && facts->dynamic ? facts->dynamic->needed : none;
}

// A library of the file's distribution that is loaded and that the file needs, but the replacing copy does not.
std::optional<ObjectIndex> split_off(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const auto& twin = needed_of(all, relation.provider);
  for (const std::string_view name : needed_of(all, relation.own)) {
    if (std::ranges::find(twin, name) != twin.end()) continue;
    for (const ObjectIndex file : files_called(all, base_name(name))) {
      if (all.origins[file.value].distribution != all.origins[relation.own.value].distribution) continue;
      for (const std::uint32_t plan : relation.load_plans)
        if (std::ranges::any_of(conflicts.outcomes[plan].loaded, [&](const auto& each) { return each.file == file; }))
          return file;
    }
  }
  return std::nullopt;
}

// Whether a file that is sure to be opened asks for the library. Which of its modules calls it is then no question:
// Cython modules import each other by compiled code.
bool is_asked_for_certainly(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const ElfFacts& own = *all.world.files[relation.own.value].facts;
  const std::string_view soname =
      own.dynamic && own.dynamic->soname ? *own.dynamic->soname : base_name(all.world.files[relation.own.value].path);
  for (const std::uint32_t plan : relation.load_plans)
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
      const Origin& origin = all.origins[each.file.value];
      if (!each.by || origin.kind != Origin::Kind::Distribution || origin.distribution != relation.distribution)
        continue;
      if (is_opened_uncertainly(conflicts, plan, each)) continue;
      if (std::ranges::find(needed_of(all, each.file), soname) != needed_of(all, each.file).end()) return true;
    }
  return false;
}

// Whether a file that is sure to be opened loads the replacing copy.
bool is_loaded_certainly(const Conflicts& conflicts, const Relation& relation) {
  return std::ranges::any_of(relation.load_plans, [&](std::uint32_t plan) {
    return std::ranges::any_of(conflicts.outcomes[plan].loaded, [&](const process::Loaded& each) {
      return each.file == relation.provider && each.by && !is_opened_uncertainly(conflicts, plan, each);
    });
  });
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Displaced || relation.distribution == relation.provider_distribution) continue;
    if (all.origins[relation.own.value].kind != Origin::Kind::Distribution) continue;
    const auto behind = split_off(conflicts, relation);
    if (!behind) continue;
    std::vector<Evidence> evidence{
        {"its own needs", list_of({needed_of(all, relation.own).begin(), needed_of(all, relation.own).end()})},
        {"needs of the twin",
         list_of({needed_of(all, relation.provider).begin(), needed_of(all, relation.provider).end()})}};
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    const std::string user = name_of(all, relation.distribution),
                      provider = name_of(all, relation.provider_distribution);
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} is loaded instead of {}, with other libraries, while {} also uses {}: "
                                 "objects of one are passed to the other",
                                 file_name(all, relation.provider), provider, file_name(all, relation.own), user,
                                 file_name(all, *behind)),
          .evidence = std::move(evidence),
          .fix = fmt::format("install releases of {} and {} that bundle the same libraries, or give the libraries of "
                             "one of them other names",
                             user, provider),
          .severity = is_loaded_certainly(conflicts, relation) &&
                              (!relation.maybe || is_asked_for_certainly(conflicts, relation))
                          ? Severity::Error
                          : Severity::Warning,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC540",
    .name = "split-stack",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::split_stack
