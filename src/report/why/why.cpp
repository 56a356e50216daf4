// All unmet requirements of a wheel for one tag, by file, so that its author knows what to rebuild or avoid.

#include "report/why/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "mangling/demangle.h"
#include "report/check/json_wheel.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

// The unmet requirements of one file.
struct FileUnmetRequirements {
  std::vector<std::string> general;  // about the file itself: machine, instructions, interpreter
  // library -> requirement -> symbols; "" for the library itself
  std::map<std::string,
           std::map<std::string, std::vector<std::string>, std::function<bool(const std::string&, const std::string&)>>>
      libraries;
};

bool newest_first(const std::string& a, const std::string& b) { return natural_order(b, a) < 0; }

std::map<ElfIndex, FileUnmetRequirements> by_file(const Assessment& assessment, LevelIndex level) {
  std::map<ElfIndex, FileUnmetRequirements> out;
  for (const RequirementIndex index : assessment.levels[level.value].unmet_requirements) {
    const Requirement& requirement = assessment.requirements[index.value];
    FileUnmetRequirements& file = out[requirement.elf];
    const auto of = [&](const std::string& library) -> auto& {
      return file.libraries.try_emplace(escape(library), newest_first).first->second;
    };
    if (const auto* version = std::get_if<VersionRequirement>(&requirement.what)) {
      std::vector<std::string>& symbols = of(version->library)[escape(version->version)];
      for (const std::string& symbol : version->symbols) symbols.push_back(escape(demangle_briefly(symbol)));
    } else if (const auto* library = std::get_if<LibraryRequirement>(&requirement.what)) {
      of(library->library)[""] = {allowed_by(assessment, index)};
    } else if (const auto* symbol = std::get_if<SymbolRequirement>(&requirement.what)) {
      of(symbol->library)["denied"].push_back(escape(demangle_briefly(symbol->symbol)));
    } else if (const auto* missing = std::get_if<MissingVersionRequirement>(&requirement.what)) {
      of(missing->library)[escape(missing->version)] = {"not defined by the copy in the wheel"};
    } else {
      file.general.push_back(subject_of(requirement));
    }
  }
  return out;
}

void add_file(std::string& out, const FileUnmetRequirements& file, const Paint& paint) {
  for (const std::string& text : file.general) out += fmt::format("  {}\n", paint.cyan(text));
  for (const auto& [library, nodes] : file.libraries) {
    const auto whole = nodes.find("");
    out += fmt::format("  {}", library);
    if (whole != nodes.end()) out += fmt::format("  not in the wheel, {}", whole->second.front());
    out += "\n";
    std::size_t width = 0;
    for (const auto& [node, symbols] : nodes) width = std::max(width, columns(node));
    for (const auto& [node, symbols] : nodes) {
      if (node.empty()) continue;
      const std::string names = symbols.empty() ? "no symbol has this version" : join(symbols, ", ");
      out += fmt::format("    {}  {}\n", paint.cyan(node) + std::string(width - columns(node), ' '),
                         paint.wrapped(names, 6 + width, 6 + width));
    }
  }
}

// Files with the same unmet requirements share a block.
std::string files_text(const WheelFacts& wheel, const std::map<ElfIndex, FileUnmetRequirements>& files,
                       const Paint& paint) {
  constexpr std::size_t most_files = 8;
  std::vector<std::pair<std::string, std::vector<std::string>>> blocks;
  std::map<std::string, std::size_t> known;
  for (const auto& [elf, file] : files) {
    std::string text;
    add_file(text, file, paint);
    const auto [at, fresh] = known.try_emplace(text, blocks.size());
    if (fresh) blocks.emplace_back(std::move(text), std::vector<std::string>());
    blocks[at->second].second.push_back(elf_path(wheel, elf));
  }
  std::string out;
  for (const auto& [text, paths] : blocks) {
    const std::size_t shown = paths.size() <= most_files + 1 ? paths.size() : most_files;
    out += '\n';
    for (std::size_t i = 0; i < shown; ++i) out += paint.bold(paths[i]) + "\n";
    if (shown < paths.size()) out += fmt::format("and {} more files\n", paths.size() - shown);
    out += text;
  }
  return out;
}

std::string answer_text(const WheelReport& wheel, const LevelOfTag& found, std::string_view tag,
                        const WhyOptions& options) {
  const Paint& paint = options.paint;
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& unmet_requirements = assessment.levels[found.level.value].unmet_requirements;
  const std::string name = escape(assessment.level_names[found.level.value]);
  const std::size_t total = assessment.requirements.size();
  std::string out;
  if (!found.exact) out = fmt::format("no policy is known for {}: {} judges it\n", escape(tag), name);
  if (unmet_requirements.empty()) {
    return out + fmt::format("{}: {} {}, every requirement is met ({} of {})\n", paint.bold(escape(wheel.facts.file)),
                             paint.green("compatible with"), name, total, plural(total, "requirement"));
  }
  const std::map<ElfIndex, FileUnmetRequirements> files = by_file(assessment, found.level);
  const std::string counts = fmt::format("{}: {} of {} not met, in {}", name, unmet_requirements.size(),
                                         plural(total, "requirement"), plural(files.size(), "file"));
  constexpr std::string_view verdict = "not compatible with";
  out += fmt::format("{}\n  {} {}\n", paint.bold(escape(wheel.facts.file)), paint.red(verdict),
                     paint.wrapped(counts, columns(verdict) + 3, 4));
  const std::string in_short = fmt::format("{}", fmt::join(short_names(assessment, unmet_requirements), ", "));
  out += fmt::format("  {}\n", paint.wrapped("in short: " + in_short, 2, 4)) + files_text(wheel.facts, files, paint);
  const std::string file = escape(wheel.facts.file), best = escape(assessment.level_names[assessment.best.value]);
  const std::string claim =
      best.starts_with("linux_")
          ? ""
          : fmt::format("     or claim the compatible tag: wheel tags --platform-tag {} {}\n", best, file);
  return out + fmt::format(
                   "\nfix: list the symbols to avoid: wheelcheck why {0} {1} --cheapest\n{5}\n"
                   "NOT COMPATIBLE with {1}: {3} of {4} not met; lowest compatible tag: {2}\n",
                   file, name, best, unmet_requirements.size(), plural(total, "requirement"), claim);
}

}  // namespace

Result<std::string> render_why(const WheelReport& wheel, std::string_view tag, const WhyOptions& options) {
  const Result<std::vector<LevelOfTag>> found = levels_of_tag(wheel, tag);
  if (!found) return std::unexpected(found.error());
  if (options.json) {
    Json answers = Json::array();
    for (const LevelOfTag& level : *found) answers.push_back(why_answer_json(wheel, level));
    return why_document(wheel, safe(tag), std::move(answers));
  }
  std::string out;
  for (const LevelOfTag& level : *found) {
    if (!out.empty()) out += "\n";
    out += answer_text(wheel, level, tag, options);
  }
  return out;
}

Json why_answer_json(const WheelReport& wheel, const LevelOfTag& found) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& indices = assessment.levels[found.level.value].unmet_requirements;
  Json unmet_requirements = Json::array();
  for (const RequirementIndex index : indices)
    unmet_requirements.push_back(requirement_json(wheel.facts, assessment.requirements[index.value]));
  return {{"tag", safe(assessment.level_names[found.level.value])},
          {"exact", found.exact},
          {"fits", indices.empty()},
          {"best_tag", safe(assessment.level_names[assessment.best.value])},
          {"met", assessment.requirements.size() - indices.size()},
          {"total", assessment.requirements.size()},
          {"obstacles", std::move(unmet_requirements)}};
}

std::string why_document(const WheelReport& wheel, Json asked, Json answers) {
  const Json document = {{"schema", "wheelcheck-why"},
                         {"version", json_version},
                         {"file", safe(wheel.facts.file)},
                         {"asked", std::move(asked)},
                         {"answers", std::move(answers)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
