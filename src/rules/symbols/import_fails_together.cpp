// WC210: an import works alone and fails in a process with the other wheels.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::import_fails_together {
namespace {

using process::Missing;
using process::ObjectIndex;

bool is_called(const Installation& all, ObjectIndex object, std::string_view soname) {
  const process::File& file = all.world.files[object.value];
  if (file.facts == nullptr || !file.facts->dynamic) return false;
  return file.facts->dynamic->soname == std::optional(soname) || base_name(file.path) == soname;
}

bool defines(const Installation& all, ObjectIndex object, std::string_view name) {
  const ElfFacts* const facts = all.world.files[object.value].facts;
  return facts != nullptr && facts->dynamic &&
         std::ranges::find(facts->dynamic->exports, name, &Export::name) != facts->dynamic->exports.end();
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
  std::vector<Evidence> evidence;
  if (entry.other && failure.missing) evidence.push_back({"effect", effect_of(all, group, *entry.other)});
  evidence.push_back({failure.fatal ? "ld.so ends it" : "ImportError", failure.error});
  if (entry.other) evidence.push_back({"loaded instead", std::string(file_name(all, *entry.other))});
  for (std::size_t i = 0; i < entry.alike.size() && i < shown_items; ++i)
    evidence.push_back({"fails the same way", entry.alike[i]});
  add_orders(conflicts, group.load_plans, evidence, concerned(all, failure));
  const auto order = safe_order(conflicts, group.load_plans, concerned(all, failure));
  const std::string names =
      "give the library different names in the two wheels (as auditwheel does), or require one build of it";
  emit({.place = group.open->object ? Place(AtObject{*group.open->object}) : Place(WholeWheel{}),
        .message = fmt::format(
            "{} fails after the other imports of this order, and works without them{}", what_fails(all, *group.open),
            entry.alike.empty() ? ""
                                : fmt::format("; {} {} the same way", count_of(entry.alike.size(), "more file"),
                                              entry.alike.size() == 1 ? "fails" : "fail")),
        .evidence = std::move(evidence),
        .fix = order ? fmt::format("import in the order {}; {}", *order, names)
                     : fmt::format("{}; no simulated order works", names),
        .severity = failure.maybe ? Severity::Warning : Severity::Error,
        .load_plans = group.load_plans});
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  const std::vector<FailureGroup> groups = grouped_failures(conflicts);
  std::vector<Entry> entries;
  // One finding for the files of a distribution for which the same is missing in the same file.
  std::map<std::tuple<std::optional<DistributionIndex>, std::optional<ObjectIndex>, std::string, bool,
                      std::vector<std::uint32_t>>,
           std::size_t>
      places;
  for (const FailureGroup& group : groups) {
    const ImportFailure& failure = *group.first;
    if (failure.alone || (failure.outside && failure.maybe)) continue;
    if (failure.missing && failure.missing->what == Missing::What::StaticTls) continue;  // WC541
    const auto other = in_the_way(conflicts, failure);
    const std::string missing =
        failure.missing ? failure.missing->name + '@' + failure.missing->version : failure.error;
    const auto [at, is_new] =
        places.try_emplace({failure.distribution, other, missing, failure.maybe, group.load_plans}, entries.size());
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
