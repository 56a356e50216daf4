// WC551: a distribution requires another release of one that is given with it.
#include <fmt/format.h>

#include <map>
#include <string>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::requirement_unmet {
namespace {

void report(const Installation& all, DistributionIndex user, DistributionIndex provider, const std::string& line,
            const Emit& emit) {
  const std::string wanted = parse_dependency(line).name + specifier_of(line);
  emit({.place = AtPath{all.distributions[user.value].facts.file},
        .message = fmt::format("{} requires {}, and {} is here: what it needs of the other release may be missing",
                               name_and_version(all, user), escape(wanted), name_and_version(all, provider)),
        .evidence = {{"Requires-Dist", escape(line)}},
        .fix = fmt::format("pip install {}, or a version of {} that accepts {}", shell_word(wanted), name_of(all, user),
                           name_and_version(all, provider))});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<std::string, DistributionIndex> by_name;
  for (std::uint32_t i = 0; i < all.distributions.size(); ++i)
    by_name.emplace(normal_project_name(name_of_distribution(all.distributions[i].facts)), DistributionIndex{i});
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user) {
    const auto& metadata = all.distributions[user].facts.metadata;
    if (!metadata) continue;
    for (const std::string& line : metadata->requires_dist) {
      if (line.find(';') != std::string::npos) continue;  // a marker may select one of several lines
      const auto provider = by_name.find(parse_dependency(line).name);
      if (provider == by_name.end() || provider->second.value == user) continue;
      if (allows(specifier_of(line), version_of(all.distributions[provider->second.value].facts)) == false)
        report(all, {user}, provider->second, line, emit);
    }
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC551",
    .name = "requirement-unmet",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::requirement_unmet
