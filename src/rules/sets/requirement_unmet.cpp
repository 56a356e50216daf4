// WC551: a distribution requires another release of one that is given with it.
#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::requirement_unmet {
namespace {

// A Requires-Dist line without a marker that does not admit the version of the distribution that it names; "" if there
// is none. A marker may select one of several lines.
std::string_view unmet_line(const WheelFacts& user, std::string_view name, std::string_view version) {
  if (!user.metadata) return {};
  for (const std::string& line : user.metadata->requires_dist) {
    if (line.find(';') != std::string::npos || parse_dependency(line).name != name) continue;
    if (allows(specifier_of(line), version) == false) return line;
  }
  return {};
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (std::uint32_t required = 0; required < all.distributions.size(); ++required) {
    const WheelFacts& provider = all.distributions[required].facts;
    const std::string name = normal_project_name(name_of_distribution(provider)), version = version_of(provider);
    if (version.empty()) continue;
    for (std::uint32_t user = 0; user < all.distributions.size(); ++user) {
      const WheelFacts& wheel = all.distributions[user].facts;
      const std::string_view line = user == required ? std::string_view() : unmet_line(wheel, name, version);
      if (line.empty()) continue;
      const std::string wanted = name + specifier_of(line);
      emit({.place = AtPath{wheel.file},
            .message = fmt::format("{} requires {}, and {} is here: what it needs of the other release may be missing",
                                   name_and_version(all, {user}), escape(wanted), name_and_version(all, {required})),
            .evidence = {{"Requires-Dist", escape(line)}},
            .fix = fmt::format("pip install {}, or a version of {} that accepts {}", shell_word(wanted),
                               name_of(all, DistributionIndex{user}), name_and_version(all, {required}))});
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
