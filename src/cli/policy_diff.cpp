// `wheelcheck policy diff A B`: what one level promises more and less than another; `diff FILE`: what the file changes.
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/options.h"
#include "cli/policy_words.h"
#include "report/policy/policies.h"

namespace wheelcheck::cli {
namespace {

struct DiffOptions {
  std::vector<std::string> policies;
  std::string from, to, arch, format = "text";
};

Result<PolicyChange> two_levels(std::span<const policy::Level> levels, const DiffOptions& options) {
  const auto from = level_of(levels, options.from, options.arch), to = level_of(levels, options.to, options.arch);
  if (!from) return std::unexpected(from.error());
  if (!to) return std::unexpected(to.error());
  return compare_levels(*from, *to);
}

// Each level of the file beside the one of its name; a level that is new beside one that promises nothing.
Result<std::vector<PolicyChange>> file_and_levels(std::span<const policy::Level> levels, const DiffOptions& options) {
  const auto changed = load_level_files(std::span(&options.from, 1));
  if (!changed) return std::unexpected(changed.error());
  std::vector<PolicyChange> out;
  for (const policy::Level& level : *changed) {
    const auto before = find_level(levels, level.name);
    out.push_back(compare_levels(before ? *before : policy::Level{.name = "nothing"}, level));
  }
  return out;
}

std::string render(const PolicyChange& change, const std::string& format) {
  if (format == "json") return report::render_policy_change_json(change);
  return format == "markdown" ? report::render_policy_change_markdown(change)
                              : report::render_policy_change_text(change);
}

int run_diff(const DiffOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  if (!options.to.empty()) {
    const auto change = two_levels(*levels, options);
    return change ? say(render(*change, options.format)) : complain(change.error());
  }
  if (!options.arch.empty()) return complain({ErrorCode::Usage, "--arch goes with two levels"});
  const auto changes = file_and_levels(*levels, options);
  if (!changes) return complain(changes.error());
  if (options.format == "json") return say(report::render_policy_changes_json(*changes));
  std::string text;
  for (const PolicyChange& change : *changes) text += render(change, options.format);
  return say(text);
}

Run fill_policy_diff(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  add_format_option(app, options->format, {"text", "json", "markdown"});
  app.add_option("A", options->from, "A level or a file with one; alone: a file, beside the levels of its names")
      ->required();
  app.add_option("B", options->to, "The other");
  add_arch_option(app, options->arch);
  add_level_files_option(app, options->policies);
  return [options] { return run_diff(*options); };
}

}  // namespace

const Command policy_diff_command{"diff", "Show what a level adds to another and takes away", &fill_policy_diff};

}  // namespace wheelcheck::cli
