// WC821: Requires-Dist allows a version of another distribution that lacks what the wheel imports of it.
#include <fmt/format.h>

#include <algorithm>

#include "model/requires_dist.h"
#include "rules/common.h"
#include "wheelcheck/interfaces.h"

namespace wheelcheck::rules::provider_lacks_symbol {
namespace {

// The specifiers of METADATA for that distribution that are no extra's; nullopt where it is not required.
std::optional<std::string> specifier_for(const Metadata& metadata, const std::string& distribution) {
  for (const std::string& line : metadata.requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.name == distribution && !dependency.under && dependency.for_linux) return specifier_of(line);
  }
  return std::nullopt;
}

void report(const Emit& emit, const ProviderAnswer& answer, const ProviderAnswer* sufficient,
            const std::string& specifier) {
  std::vector<std::string> names;
  for (const ProviderAnswer::Missing& missing : answer.missing)
    names.push_back(missing.library.empty() ? missing.name : fmt::format("{} of {}", missing.name, missing.library));
  emit({.place = AtElf{answer.missing.front().file},
        .message = fmt::format("imports {} of {}; Requires-Dist allows version {}, which lacks it", first_of(names),
                               answer.distribution, answer.version),
        .evidence = {{"missing", list_of(names, shown_symbols)},
                     {"Requires-Dist", answer.distribution + specifier},
                     {"lowest version that has all", sufficient ? sufficient->version : "none of those given"}},
        .fix = sufficient ? fmt::format("write `Requires-Dist: {}>={}`", answer.distribution, sufficient->version)
                          : fmt::format("require a version of {} that has them", answer.distribution),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  if (view.providers.empty() || !view.wheel.metadata) return;
  const std::vector<ProviderAnswer> answers = provider_answers(view.wheel, view.providers);
  for (std::size_t i = 0; i < answers.size();) {
    std::size_t end = i;
    while (end < answers.size() && answers[end].distribution == answers[i].distribution) ++end;
    const auto specifier = specifier_for(*view.wheel.metadata, answers[i].distribution);
    const ProviderAnswer *lacking = nullptr, *sufficient = nullptr;
    for (; i < end; ++i) {
      const ProviderAnswer& answer = answers[i];
      if (answer.missing.empty()) {
        if (!sufficient) sufficient = &answer;
      } else if (!lacking && specifier && allows(*specifier, answer.version).value_or(false)) {
        lacking = &answer;
      }
    }
    if (lacking) report(emit, *lacking, sufficient, *specifier);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC821",
    .name = "provider-lacks-symbol",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::provider_lacks_symbol
