// `wheelcheck policy derive NAME --root LABEL=PATH...`: derives a level from the contents of root file systems.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/policy.h"
#include "report/answers/answers.h"
#include "wheelcheck/derive.h"

namespace wheelcheck::cli {

namespace {

struct DeriveOptions {
  std::vector<std::string> roots, policies, libraries, arches;
  std::string name, base, libc, output, evidence;
};

// The base is the level of that name if there is one, else the newest level that is not newer than `libc`.
Result<policy::Level> base_of(std::span<const policy::Level> levels, const DeriveOptions& options,
                              const std::optional<Version>& libc) {
  if (!options.base.empty()) return find_level(levels, options.base);
  if (auto same = std::ranges::find(levels, options.name, &policy::Level::name); same != levels.end()) return *same;
  const PlatformTag tag = parse_platform_tag(options.name + "_x86_64");
  const bool is_level = tag.family == PlatformTag::Family::Musllinux || tag.family == PlatformTag::Family::Manylinux;
  const auto family = is_level ? tag.family : PlatformTag::Family::Manylinux;
  const policy::Level* best = nullptr;
  for (const policy::Level& level : levels) {
    const bool fits = level.family == family && (is_level ? level.libc <= tag.libc : !libc || level.libc <= *libc);
    if (fits && (best == nullptr || best->libc <= level.libc)) best = &level;
  }
  if (best == nullptr)
    return fail(ErrorCode::Usage, "no level is as old as {}; name the closest one with --base", escape(options.name));
  return *best;
}

Result<DeriveInput> input_of(const DeriveOptions& options) {
  DeriveInput input{.name = options.name, .more_libraries = options.libraries};
  if (!options.libc.empty()) {
    Version libc;
    if (!parse_version(options.libc, libc))
      return fail(ErrorCode::Usage, "--libc: {} is not a version", escape(options.libc));
    input.libc = libc;
  }
  for (const std::string& word : options.arches) {
    const auto arch = arch_from_name(word);
    if (!arch) return fail(ErrorCode::Usage, "--arch: {} is not an architecture of a platform tag", escape(word));
    input.arches.push_back(*arch);
  }
  const auto levels = load_levels(options.policies);
  if (!levels) return std::unexpected(levels.error());
  auto base = base_of(*levels, options, input.libc);
  if (!base) return std::unexpected(std::move(base.error()));
  input.base = std::move(*base);
  return input;
}

int put(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") return print_text(text);
  const int out = open_output(file);
  return out >= 0 && replace_content(out, text) ? 0 : cannot_write(escape(file));
}

int run_derive(const DeriveOptions& options) {
  const auto input = input_of(options);
  if (!input) return complain(input.error());
  const auto roots = read_roots(options.roots);
  if (!roots) return complain(roots.error());
  const auto derivation = derive_level(*input, *roots);
  if (!derivation) return complain(derivation.error());
  if (const int code = put(options.output, derived_document(*derivation))) return code;
  if (options.evidence.empty()) return 0;
  return put(options.evidence, render_answer(options.evidence.ends_with(".json") ? "json" : "text",
                                             report::evidence_answer(*derivation), report::Paint()));
}

Run fill_policy_derive(CLI::App& app) {
  const auto options = std::make_shared<DeriveOptions>();
  app.add_option("NAME", options->name, "Name of the new level: manylinux_2_43, or any other")->required();
  add_roots_option(app, options->roots).required();
  app.add_option(
         "--base", options->base,
         "Level with the libraries and version families to look for; default: that of NAME, else the newest before it")
      ->type_name("LEVEL");
  app.add_option("--library", options->libraries, "Another soname to look for")->type_name("SONAME");
  app.add_option("--libc", options->libc, "libc version, if NAME does not contain it: 2.43")->type_name("VERSION");
  app.add_option("--arch", options->arches, "Only this architecture; may be given again")->type_name("ARCH");
  add_level_files_option(app, options->policies);
  app.add_option("--output", options->output, "File for the policy; default: stdout")->type_name("FILE");
  app.add_option("--evidence", options->evidence,
                 "Write a report of what each root lacks, as JSON if the name ends in .json; - is stdout")
      ->type_name("FILE");
  return [options] { return run_derive(*options); };
}

}  // namespace

const Command policy_derive_command{"derive", "Derive a level from what all given systems provide",
                                    &fill_policy_derive};

CLI::Option& add_roots_option(CLI::App& app, std::vector<std::string>& words) {
  return *app.add_option("--root", words,
                         "A system: a directory with its files or its packages (.deb, .rpm, .apk), a package or a tar "
                         "archive; the same label again adds to it")
              ->type_name("LABEL=PATH");
}

Result<std::vector<Root>> read_roots(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::vector<std::string>>> named;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    if (at == word.npos || at == 0 || at + 1 == word.size())
      return fail(ErrorCode::Usage, "--root {}: write it as LABEL=PATH, debian-13=packages/trixie", escape(word));
    const std::string label = word.substr(0, at);
    auto root = std::ranges::find_if(named, [&](const auto& one) { return one.first == label; });
    if (root == named.end()) root = named.insert(named.end(), {label, {}});
    root->second.push_back(word.substr(at + 1));
  }
  std::vector<Root> roots;
  for (const auto& [label, paths] : named) {
    auto root = read_root(label, paths, Limits{});
    if (!root) return std::unexpected(std::move(root.error()));
    roots.push_back(std::move(*root));
  }
  return roots;
}

}  // namespace wheelcheck::cli
