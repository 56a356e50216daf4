// Fuzz target: any bytes as a policy file. It is rejected with a printable message, or it contains levels that form
// policy families from the newest to the oldest.
#include <cstdint>
#include <string>

#include "policy/load.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/shown_text.h"
#include "wheelcheck/policy.h"

namespace wheelcheck::fuzz {
namespace {

void demand_ladder(const PolicyLevels& policy_levels) {
  demand(!policy_levels.levels.empty() && policy_levels.levels.front().libraries.empty(),
         "the first rung promises nothing");
  for (std::size_t i = 2; i < policy_levels.levels.size(); ++i)
    demand(policy_levels.levels[i].libc <= policy_levels.levels[i - 1].libc, "rungs go from the newest to the oldest");
  for (const Policy& policy : policy_levels.levels) demand_plain_text(policy.name, "a policy's name");
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  auto levels = policy::levels_of_text("policy.json", fuzz::text_of(data, size));
  if (!levels) {
    fuzz::demand_plain_text(levels.error().message, "a message");
    fuzz::demand(levels.error().message.size() < 40'000, "a message is short", levels.error().message);
    return 0;
  }
  for (const policy::Level& level : *levels) fuzz::demand(!level.name.empty(), "a level has a name");
  for (const PolicyLevels& policy_levels : policy::level_sets_of(std::move(*levels)))
    fuzz::demand_ladder(policy_levels);
  return 0;
}
