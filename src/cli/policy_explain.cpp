// `wheelcheck policy explain WORD`: since when a library or a version node is promised, where a symbol is denied,
// and what the codes of `policy validate` mean.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/options.h"
#include "cli/policy_words.h"
#include "report/policy/policy_words.h"

namespace wheelcheck::cli {
namespace {

struct ExplainOptions {
  std::vector<std::string> policies;
  std::string word, format = "text";
};

const PolicyMistake* mistake_of(std::string_view word) {
  const auto all = all_policy_mistakes();
  const auto at = std::ranges::find_if(all, [&](const auto& one) { return one.code == word || one.name == word; });
  return at == all.end() ? nullptr : &*at;
}

int run_explain(const ExplainOptions& options) {
  const bool json = options.format == "json";
  if (const PolicyMistake* const mistake = mistake_of(options.word))
    return say(json ? report::render_mistake_json(*mistake) : report::render_mistake_text(*mistake));
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const std::vector<WordMeaning> meanings = explain_word(*levels, options.word);
  if (meanings.empty())
    return complain({ErrorCode::Usage, fmt::format("no level lists {}; name a version node (GLIBC_2.34), a library "
                                                   "(libz.so.1), a denied symbol or a code (WC902)",
                                                   escape(options.word))});
  return say(json ? report::render_meanings_json(options.word, meanings)
                  : report::render_meanings_text(options.word, meanings));
}

Run fill_policy_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("WORD", options->word, "GLIBC_2.34, libz.so.1, uncompress2, WC902")->required();
  add_format_option(app, options->format, {"text", "json"});
  add_level_files_option(app, options->policies);
  return [options] { return run_explain(*options); };
}

}  // namespace

const Command policy_explain_command{
    "explain", "Show since which level a library, version or symbol is allowed, or explain a code",
    &fill_policy_explain};

}  // namespace wheelcheck::cli
