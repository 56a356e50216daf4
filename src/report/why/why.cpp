// The unmet requirements of a wheel for one tag, by file, and the smallest set of symbols to avoid.
#include "report/why/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

struct NewestFirst {
  bool operator()(const std::string& a, const std::string& b) const { return natural_order(b, a) < 0; }
};

// The unmet requirements of one file.
struct FileUnmetRequirements {
  std::vector<std::string> general;  // about the file itself: machine, instructions, interpreter
  struct Library {
    std::string allowed_by;  // if it is not in the wheel: the levels that allow it
    // By version, which may be empty; "denied" for symbols that the level denies.
    std::map<std::string, std::vector<std::string>, NewestFirst> symbols;
  };
  std::map<std::string, Library> libraries;
};

std::map<ElfIndex, FileUnmetRequirements> by_file(const Assessment& assessment, LevelIndex level) {
  std::map<ElfIndex, FileUnmetRequirements> out;
  for (const RequirementIndex index : assessment.levels[level.value].unmet_requirements) {
    const Requirement& requirement = assessment.requirements[index.value];
    FileUnmetRequirements& file = out[requirement.elf];
    const auto of = [&](const std::string& name) -> auto& { return file.libraries[escape(name)]; };
    if (const auto* version = std::get_if<VersionRequirement>(&requirement.what)) {
      std::vector<std::string>& symbols = of(version->library).symbols[escape(version->version)];
      for (const std::string& symbol : version->symbols) symbols.push_back(escape(demangle_briefly(symbol)));
    } else if (const auto* library = std::get_if<LibraryRequirement>(&requirement.what)) {
      of(library->library).allowed_by = allowed_by(assessment, index);
    } else if (const auto* symbol = std::get_if<SymbolRequirement>(&requirement.what)) {
      of(symbol->library).symbols["denied"].push_back(escape(demangle_briefly(symbol->symbol)));
    } else if (const auto* missing = std::get_if<MissingVersionRequirement>(&requirement.what)) {
      of(missing->library).symbols[escape(missing->version)] = {"not defined by the copy in the wheel"};
    } else {
      file.general.push_back(subject_of(requirement));
    }
  }
  return out;
}

void add_file(std::string& out, const FileUnmetRequirements& file, const Paint& paint) {
  for (const std::string& text : file.general) out += fmt::format("  {}\n", paint.cyan(text));
  for (const auto& [name, library] : file.libraries) {
    out += fmt::format("  {}", name);
    if (!library.allowed_by.empty()) out += fmt::format("  not in the wheel, {}", library.allowed_by);
    out += "\n";
    std::size_t width = 0;
    for (const auto& [node, symbols] : library.symbols) width = std::max(width, columns(node));
    for (const auto& [node, symbols] : library.symbols) {
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
  const std::string counts =
      fmt::format("{}: {} of {} not met", name, unmet_requirements.size(), plural(total, "requirement"));
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
  return document_text(document);
}

// `wheelcheck why WHEEL [TAG] --cheapest`: the symbols that must be avoided, how to avoid each, and the cost of the
// other levels.
namespace {

constexpr std::size_t advice_symbols = 24, advice_files = 6;

std::vector<std::string> paths_of(const WheelFacts& facts, const std::vector<ElfIndex>& files) {
  std::vector<std::string> out;
  for (const ElfIndex file : files) out.push_back(elf_path(facts, file));
  return out;
}

std::vector<std::string> names_of(const Removal& removal) {
  std::vector<std::string> out;
  for (const RemovedSymbol& symbol : removal.symbols) out.push_back(escape(short_symbol(symbol.name)));
  return out;
}

// The step that leads to a level; null if nothing is missing.
const RemediationStep* step_to(const RemediationPath& path, LevelIndex level) {
  const auto at = std::ranges::find_if(
      path.steps, [&](const RemediationStep& step) { return step.newest <= level && level <= step.oldest; });
  return at == path.steps.end() ? nullptr : &*at;
}

std::string cost_text(const RemediationStep& step) {
  if (step.symbols == 0) return "no symbol";
  return fmt::format("{} in {}", plural(step.symbols, "symbol"), plural(step.files, "file"));
}

std::string labelled(std::string_view label, std::string_view text, const Paint& paint) {
  return fmt::format("  {:<4}{}\n", label, paint.wrapped(text, 6, 6));
}

std::string files_text(const WheelFacts& facts, const std::vector<ElfIndex>& files, const Paint& paint) {
  return labelled("in", first_few(paths_of(facts, files), advice_files), paint);
}

std::string removal_text(const WheelFacts& facts, const Removal& removal, const Paint& paint) {
  const std::string head = removal.node.empty()
                               ? fmt::format("denied of {}", escape(removal.library))
                               : fmt::format("{} of {}", escape(removal.node), escape(removal.library));
  const std::string names =
      removal.symbols.empty() ? "no symbol has this version" : first_few(names_of(removal), advice_symbols);
  return fmt::format("\n{}: {}\n", paint.cyan(head), paint.wrapped(names, columns(head) + 2, 4)) +
         files_text(facts, removal.files, paint) + labelled("how", escape(removal.advice, 64 * 1024), paint);
}

std::string hindrance_text(const WheelFacts& facts, const Hindrance& hindrance, const Paint& paint) {
  return fmt::format("\n{}\n", paint.red(subject_of(hindrance.required))) + files_text(facts, hindrance.files, paint) +
         labelled("how", hindrance.advice, paint);
}

// What a step removes in addition to the cheaper one before it, if it includes all removals of that one.
std::vector<std::string> names_beyond(const RemediationStep& step, const RemediationStep* before) {
  using Name = std::pair<std::string, std::string>;
  const auto all = [](const RemediationStep& of) {
    std::set<Name> names;
    for (const Removal& removal : of.removals) {
      if (removal.symbols.empty()) names.emplace(removal.node, removal.node);
      for (const RemovedSymbol& symbol : removal.symbols) names.emplace(removal.node, symbol.name);
    }
    return names;
  };
  std::set<Name> names = all(step), less = before == nullptr ? std::set<Name>() : all(*before);
  const bool has_all = !less.empty() && std::ranges::includes(names, less);
  std::vector<std::string> out;
  for (const Name& name : names)
    if (!has_all || !less.contains(name)) out.push_back(escape(short_symbol(name.second)));
  if (has_all && !out.empty()) out.front() = "and " + out.front();
  for (const Hindrance& hindrance : step.hindrances) out.push_back(subject_of(hindrance.required));
  return out;
}

std::string steps_text(const Assessment& assessment, const RemediationPath& path, LevelIndex asked,
                       const Paint& paint) {
  std::string out = "\nsteps, cheapest first\n";
  std::size_t width = 0, cost = 0;
  for (const RemediationStep& step : path.steps) {
    width = std::max(width, columns(level_range(assessment, step.newest, step.oldest)));
    cost = std::max(cost, columns(cost_text(step)));
  }
  const RemediationStep* before = nullptr;
  for (const RemediationStep& step : path.steps) {
    const bool is_required = step.newest <= asked && asked <= step.oldest;
    const std::string start =
        fmt::format("{} {}  {}  ", is_required ? ">" : " ",
                    padded(level_range(assessment, step.newest, step.oldest), width), padded(cost_text(step), cost));
    const std::string names = first_few(names_beyond(step, before), 8, 60);
    out += fmt::format("{}{}\n", start, paint.wrapped(names, columns(start), columns(start)));
    before = &step;
  }
  return out;
}

std::string answer_text(const WheelReport& wheel, const LevelOfTag& found, const RemediationPath& path,
                        std::optional<std::string_view> tag, const Paint& paint) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::string level = escape(assessment.level_names[found.level.value]);
  const std::string file = paint.bold(escape(wheel.facts.file));
  std::string out;
  if (!found.exact && tag) out = fmt::format("no policy is known for {}: {} judges it\n", escape(*tag), level);
  const RemediationStep* const step = step_to(path, found.level);
  if (step == nullptr) {
    const char* const what = tag ? "nothing has to be removed" : "there is no older level";
    out += fmt::format("{}: {} {}, {}\n", file, paint.green("compatible with"), level, what);
    return path.steps.empty() ? out : out + steps_text(assessment, path, found.level, paint);
  }
  const std::string best = escape(assessment.level_names[assessment.best.value]);
  if (step->hindrances.empty())
    out += fmt::format("{}: compatible with {}; avoid {} for {}\n", file, best, cost_text(*step), level);
  else
    out += fmt::format("{}: compatible with {}; removing symbols is not sufficient for {}: {}{}\n", file, best, level,
                       plural(step->hindrances.size(), "other unmet requirement"),
                       step->symbols == 0 ? "" : fmt::format(", and {}", cost_text(*step)));
  for (const Hindrance& hindrance : step->hindrances) out += hindrance_text(wheel.facts, hindrance, paint);
  for (const Removal& removal : step->removals) out += removal_text(wheel.facts, removal, paint);
  return out + steps_text(assessment, path, found.level, paint);
}

Json step_json(const WheelReport& wheel, const Assessment& assessment, const RemediationStep& step) {
  Json tags = Json::array(), removals = Json::array(), hindrances = Json::array();
  for (std::uint32_t i = step.newest.value; i <= step.oldest.value; ++i)
    tags.push_back(safe(assessment.level_names[i]));
  for (const Removal& removal : step.removals) {
    Json symbols = Json::array();
    for (const RemovedSymbol& symbol : removal.symbols)
      symbols.push_back({{"name", safe_long(symbol.name)}, {"members", texts(paths_of(wheel.facts, symbol.files))}});
    removals.push_back({{"library", safe(removal.library)},
                        {"version", removal.node.empty() ? Json(nullptr) : Json(safe(removal.node))},
                        {"symbols", std::move(symbols)},
                        {"members", texts(paths_of(wheel.facts, removal.files))},
                        {"advice", safe_long(removal.advice)},
                        {"advice_known", removal.known}});
  }
  for (const Hindrance& hindrance : step.hindrances)
    hindrances.push_back({{"kind", kind_of(hindrance.required)},
                          {"what", subject_of(hindrance.required)},
                          {"members", texts(paths_of(wheel.facts, hindrance.files))},
                          {"advice", hindrance.advice}});
  return {{"tags", std::move(tags)}, {"enough", step.hindrances.empty()}, {"symbols", step.symbols},
          {"files", step.files},     {"removals", std::move(removals)},   {"hindrances", std::move(hindrances)}};
}

Json answer_json(const WheelReport& wheel, const LevelOfTag& found, const RemediationPath& path) {
  Json steps = Json::array();
  for (const RemediationStep& step : path.steps)
    steps.push_back(step_json(wheel, wheel.assessments[found.assessment], step));
  Json out = why_answer_json(wheel, found);
  out["steps"] = std::move(steps);
  return out;
}

// For each policy family, the tag that is cheapest to reach, or else the one that already fits.
std::vector<LevelOfTag> nearest(const WheelReport& wheel, std::span<const RemediationPath> paths) {
  std::vector<LevelOfTag> out;
  for (const RemediationPath& path : paths)
    out.push_back(
        {path.assessment, path.steps.empty() ? wheel.assessments[path.assessment].best : path.steps.front().oldest});
  return out;
}

}  // namespace

Result<std::string> render_why_cheapest(const WheelReport& wheel, std::optional<std::string_view> tag,
                                        std::span<const RemediationPath> paths, const WhyOptions& options) {
  if (wheel.assessments.empty())
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("{} has no code to compare", escape(wheel.facts.file))});
  const Result<std::vector<LevelOfTag>> found = tag ? levels_of_tag(wheel, *tag) : nearest(wheel, paths);
  if (!found) return std::unexpected(found.error());
  Json answers = Json::array();
  std::string out;
  for (const LevelOfTag& level : *found) {
    const auto path = std::ranges::find(paths, level.assessment, &RemediationPath::assessment);
    if (options.json) {
      answers.push_back(answer_json(wheel, level, *path));
      continue;
    }
    if (!out.empty()) out += "\n";
    out += answer_text(wheel, level, *path, tag, options.paint);
  }
  return options.json ? why_document(wheel, tag ? Json(safe(*tag)) : Json(nullptr), std::move(answers)) : out;
}

}  // namespace wheelcheck::report
