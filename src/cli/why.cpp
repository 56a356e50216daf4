// `wheelcheck why WHEEL TAG`: the unmet requirements of a wheel for a tag, down to the symbols. With --cheapest: what
// must be removed to fit the tag, and how.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "report/answers/answers.h"
#include "wheelcheck/remediation.h"

namespace wheelcheck::cli {
namespace {

struct WhyOptions : Options {
  std::string wheel, tag;
  bool cheapest = false;
};

// The tag that the wheel claims and is furthest from; of tags that it all fits, the one for the oldest systems. ""
// where no claimed tag has a policy.
std::string claimed_tag(const WheelReport& wheel) {
  const Claim* chosen = nullptr;
  for (const Claim& claim : wheel.verdict.claims) {
    if (!claim.assessment) continue;
    const auto unmet = claim.unmet_requirements.size();
    const auto max = chosen == nullptr ? 0 : chosen->unmet_requirements.size();
    if (chosen == nullptr || unmet > max || (unmet == max && claim.tag.libc < chosen->tag.libc)) chosen = &claim;
  }
  return chosen == nullptr ? "" : chosen->tag.text;
}

Result<report::Answer> answer(const WheelReport& wheel, std::span<const RemediationPath> paths,
                              const WhyOptions& options) {
  if (options.cheapest)
    return report::why_cheapest_answer(wheel, options.tag.empty() ? std::nullopt : std::optional(options.tag), paths);
  const std::string requested = options.tag.empty() ? claimed_tag(wheel) : options.tag;
  if (!requested.empty()) return report::why_answer(wheel, requested);
  return std::unexpected(
      Error{ErrorCode::Usage, fmt::format("{} claims no manylinux, musllinux or Android tag; name one: wheelcheck why "
                                          "WHEEL manylinux_2_28",
                                          escape(wheel.facts.file))});
}

int run_why(WhyOptions& options) {
  if (const int code = finish(options)) return code;
  const auto knowledge = load_knowledge(options.settings.knowledge);
  if (!knowledge) return complain(knowledge.error());
  const auto wheel = expand_one(options.wheel);
  if (!wheel) return complain(wheel.error());
  const auto report = check_with_progress({*wheel}, options);
  if (!report) return complain(report.error());
  const Report::Entry& entry = report->entries.front();
  if (entry.unreadable) return refuse(options, *entry.unreadable);
  const auto paths = options.cheapest ? cheapest(*entry.wheel, *knowledge) : std::vector<RemediationPath>();
  const auto found = answer(*entry.wheel, paths, options);
  return found ? deliver_answer(options, *found, found->fails ? 1 : 0) : complain(found.error());
}

Run fill_why(CLI::App& app) {
  const auto options = std::make_shared<WhyOptions>();
  app.add_option("WHEEL", options->wheel, "The wheel")->required();
  app.add_option("TAG", options->tag,
                 "manylinux_2_17, manylinux2014_x86_64, musllinux_1_2 ... [default: the tag that the wheel claims]");
  app.add_flag("--cheapest", options->cheapest,
               "List the symbols to avoid so that it is compatible with TAG, or with the next older level, and how");
  add_input_options(app, *options);
  app.add_option("--knowledge", options->settings.knowledge, "File with additional or changed remedies")
      ->type_name("FILE")
      ->group("Rules");
  add_answer_options(app, *options);
  add_config_options(app, *options);
  return [options] { return run_why(*options); };
}

}  // namespace

const Command why_command{"why", "Show why a wheel is not compatible with a platform tag", &fill_why};

}  // namespace wheelcheck::cli
