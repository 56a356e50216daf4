// WC822: a wheel requires another one, and their pybind11 modules cannot exchange C++ objects.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::pybind11_ids_differ {
namespace {

struct Ids {
  std::set<std::string_view> ids;
  std::string_view file;  // the first with one
};

Ids ids_of(const WheelFacts& wheel) {
  Ids found;
  for (const ElfMember& elf : wheel.elfs) {
    if (!is_host_code(elf)) continue;
    for (const std::string_view id : elf.facts.interfaces.pybind11_ids) {
      if (found.ids.empty()) found.file = wheel.members[elf.member.value].path.text();
      found.ids.insert(id);
    }
  }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::vector<Ids> ids;
  for (const Distribution& distribution : all.distributions) ids.push_back(ids_of(distribution.facts));
  const auto shown_ids = [](const Ids& one) { return fmt::format("{}", fmt::join(one.ids, ", ")); };
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user)
    for (std::uint32_t provider = 0; provider < all.distributions.size(); ++provider) {
      if (user == provider || ids[user].ids.empty() || ids[provider].ids.empty()) continue;
      if (std::ranges::any_of(ids[user].ids, [&](std::string_view id) { return ids[provider].ids.contains(id); }))
        continue;
      if (!requirement_on(all, DistributionIndex{user}, DistributionIndex{provider})) continue;
      const std::string one = name_of(all, DistributionIndex{user}), other = name_of(all, DistributionIndex{provider});
      emit({.place = AtPath{std::string(ids[user].file)},
            .message = fmt::format("{} requires {}, and their pybind11 modules do not share C++ types", one, other),
            .evidence = {{"internals of " + one, shown_ids(ids[user])},
                         {"internals of " + other, shown_ids(ids[provider])}},
            .fix = fmt::format("if they exchange C++ objects, build {} with the pybind11 and the compiler of {}", one,
                               other),
            .severity = {},
            .confidence = {}});
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC822",
    .name = "pybind11-ids-differ",
    .severity = Severity::Info,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::pybind11_ids_differ
