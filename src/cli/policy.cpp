// `wheelcheck policy ...`: what authors of policies ask, a word for each question.
#include <memory>

#include "cli/policy_words.h"

namespace wheelcheck::cli {
namespace {

constexpr const Command* words[] = {&policy_list_command,     &policy_show_command,   &policy_diff_command,
                                    &policy_validate_command, &policy_derive_command, &policy_simulate_command,
                                    &policy_explain_command};

Run fill_policy(CLI::App& app) {
  const auto said = std::make_shared<Run>();  // what the word that was said runs
  app.require_subcommand(1);
  for (const Command* const word : words) {
    CLI::App& one = *app.add_subcommand(word->name, word->summary);
    one.callback([said, run = word->fill(one)] { *said = run; });
  }
  return [said] { return (*said)(); };
}

}  // namespace

const Command policy_command{"policy", "List, show, compare, validate, derive, try and explain policies", &fill_policy};

}  // namespace wheelcheck::cli
