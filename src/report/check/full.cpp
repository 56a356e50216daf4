// The default format. It shows for each wheel whether it is compatible with its tags, then the findings with their
// fixes, worst first. The last line says whether the run passed and why.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "report/check/ci_summary.h"
#include "report/check/facts_text.h"
#include "report/check/findings_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_reasons = 2, max_sources = 3;
constexpr std::size_t max_lines = 25;  // of one wheel, with the last line

std::vector<std::string> distinct_tags(const WheelReport& wheel, TagResult tag_result) {
  std::vector<std::string> out;
  for (const Claim& claim : wheel.verdict.claims) {
    const std::string text = escape(tag_result == TagResult::Unknown ? claim.tag.text : claim.tag.canonical);
    if (claim.tag_result == tag_result && std::ranges::find(out, text) == out.end()) out.push_back(text);
  }
  return out;
}

// The requirements that the next older level does not meet: "libtiff.so.6, GLIBC_2.36 (arc4random)".
std::string reasons_text(const WheelReport& wheel) {
  if (wheel.assessments.empty()) return "";
  const Assessment& assessment = wheel.assessments.front();
  const std::size_t next = assessment.best.value + std::size_t{1};
  if (next >= assessment.levels.size()) return "";
  return first_few(short_names(assessment, assessment.levels[next].unmet_requirements), max_reasons);
}

bool is_claimed(const WheelReport& wheel, std::string_view tag) {
  return std::ranges::any_of(wheel.verdict.claims, [&](const Claim& claim) {
    return (claim.tag_result == TagResult::Compatible || claim.tag_result == TagResult::NoMinimum) &&
           (claim.tag.canonical == tag || claim.tag.text == tag);
  });
}

// ", with libraries of nvidia-cublas, nvidia-cuda-runtime and 2 more"; "" if the wheel needs no others.
std::string sources_text(const WheelReport& wheel) {
  std::vector<std::string> names;
  for (const LibrarySource& source : wheel.resolution.sources) names.push_back(source_text(source));
  return names.empty() ? "" : fmt::format(", with libraries of {}", first_few(names, max_sources));
}

// How many of the first findings say only what the headline says: that no manylinux tag can be claimed (WC101), where
// errors with the reasons follow.
std::size_t in_headline(const WheelReport& wheel) {
  if (!wheel.verdict.best_tag.starts_with("linux_")) return 0;
  const auto is_other = [](const Finding& finding) { return std::string_view(finding.rule->code) != "WC101"; };
  const auto other = std::ranges::find_if(wheel.findings, is_other);
  if (other == wheel.findings.end() || other->severity != Severity::Error) return 0;
  return static_cast<std::size_t>(other - wheel.findings.begin());
}

// A line for each distribution that provides libraries.
std::string source_lines(const WheelReport& wheel, const Paint& paint) {
  std::string out;
  for (const LibrarySource& source : wheel.resolution.sources)
    out += fmt::format("  {}\n", paint.wrapped(fmt::format("libraries of {}: {}", source_text(source),
                                                           escape(join(source.libraries, ", "))),
                                               2, 4));
  return out;
}

// "not compatible with manylinux_2_17_x86_64; lowest compatible tag: linux_x86_64 (libtiff.so.6)"
std::string verdict_text(const WheelReport& wheel) {
  if (const std::string systems = other_systems(wheel); !systems.empty())
    return fmt::format("not a Linux wheel ({}), not checked", systems);
  std::vector<std::string> parts;
  const std::vector<std::string> incompatible = distinct_tags(wheel, TagResult::Incompatible),
                                 compatible = distinct_tags(wheel, TagResult::Compatible),
                                 unknown = distinct_tags(wheel, TagResult::Unknown),
                                 without = distinct_tags(wheel, TagResult::NoMinimum);
  const bool names_best =
      !wheel.verdict.pure && !wheel.verdict.best_tag.empty() && !is_claimed(wheel, wheel.verdict.best_tag);
  // Also of a wheel for `any` that no manylinux tag admits.
  const bool only_linux = names_best && wheel.verdict.best_tag.starts_with("linux_");
  const std::string reasons = incompatible.empty() && !only_linux ? "" : reasons_text(wheel);
  const std::string because = reasons.empty() ? "" : fmt::format(" (requires {})", reasons);
  if (!incompatible.empty())
    parts.push_back(fmt::format("not compatible with {}{}", fmt::join(incompatible, ", "), names_best ? "" : because));
  if (!compatible.empty())
    parts.push_back(fmt::format("compatible with {}{}", fmt::join(compatible, ", "), sources_text(wheel)));
  if (!unknown.empty()) parts.push_back(fmt::format("cannot be checked: {}", fmt::join(unknown, ", ")));
  if (!without.empty()) parts.push_back(fmt::format("the tag {} names no minimum system", fmt::join(without, ", ")));
  if (wheel.verdict.claims.empty()) parts.emplace_back("claims no platform tag");
  if (names_best) parts.push_back(fmt::format("lowest compatible tag: {}{}", escape(wheel.verdict.best_tag), because));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string painted_verdict(std::string text, const Paint& paint) {
  constexpr std::string_view bad = "not compatible", good = "compatible";
  if (text.starts_with(bad)) text.replace(0, bad.size(), paint.red(bad));
  if (text.starts_with(good)) text.replace(0, good.size(), paint.green(good));
  return text;
}

bool is_clean(const WheelReport& wheel) {
  const TagResult tag_result = wheel.verdict.overall();
  return (tag_result == TagResult::Compatible || tag_result == TagResult::NoMinimum) &&
         std::ranges::none_of(wheel.findings, [](const Finding& finding) { return finding.severity > Severity::Note; });
}

std::string size_line(const WheelFacts& facts) {
  std::uint64_t unpacked = 0;
  for (const MemberFacts& member : facts.members) unpacked += member.size;
  const std::string archive = is_unpacked(facts) ? "" : size_text(facts.size) + ", ";
  return fmt::format("  {}, {} of them ELF; {}{} unpacked\n", count_of(facts.members.size(), "file"),
                     facts.elfs.empty() ? "none" : fmt::format("{}", facts.elfs.size()), archive, size_text(unpacked));
}

// A line for each tag whose verdict has a reason, or that is claimed only in the file name or only in WHEEL.
std::string claims_text(const WheelReport& wheel, const Paint& paint) {
  std::string out;
  for (const Claim& claim : wheel.verdict.claims) {
    std::string text = escape(claim.tag.text);
    if (claim.tag.canonical != claim.tag.text) text += fmt::format(" (= {})", escape(claim.tag.canonical));
    if (claim.assessment && claim.level) {
      const std::string& judged = wheel.assessments[*claim.assessment].level_names[claim.level->value];
      if (judged != claim.tag.canonical) text += fmt::format(", checked as {}", escape(judged));
    }
    if (!claim.in_wheel_file) text += ", claimed only in the file name";
    if (!claim.in_name) text += ", claimed only in WHEEL";
    if (!claim.reason.empty()) text += fmt::format(": {}", escape(claim.reason));
    if (text != claim.tag.text) out += fmt::format("  {}\n", paint.wrapped(text, 2, 4));
  }
  if (wheel.verdict.best_tags.size() > 1) {
    std::vector<std::string> tags;
    for (const std::string& tag : wheel.verdict.best_tags) tags.push_back(escape(tag));
    out += fmt::format("  {}\n", paint.wrapped(fmt::format("lowest compatible tags: {}", fmt::join(tags, ", ")), 2, 4));
  }
  return out;
}

// The score and the facts of every file.
std::string facts_text(const Subject& subject, const Paint& paint) {
  const WheelReport& wheel = subject.wheel;
  std::string out = score_text(wheel, paint);
  const std::size_t count = wheel.facts.elfs.size();
  if (count != 0) {
    const LibraryLevels levels(wheel);
    out += fmt::format("\n{}\n", paint.bold(count_of(count, "ELF file")));
    for (std::uint32_t i = 0; i < count; ++i)
      out += elf_text(subject, levels, ElfIndex{i}, paint) + analysis_text(wheel, ElfIndex{i}, paint);
  }
  return out + leaks_text(wheel, paint) + python_text(wheel, paint) + foreign_text(wheel, paint);
}

// One line for each finding, for `show`, in which findings do not fail.
std::string remarks_text(const WheelReport& wheel, const Paint& paint) {
  if (wheel.findings.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Findings"));
  for (const Finding& finding : wheel.findings) {
    const std::string path = place_path(wheel.facts, finding.place);
    const std::string text = fmt::format("{} {}: {}{}{}", finding.rule->code, finding.rule->name, path,
                                         path.empty() ? "" : ": ", escape(finding.message));
    out += fmt::format("  {}\n", paint.wrapped(text, 2, 4));
  }
  return out;
}

std::string wheel_text(const Subject& subject, const RenderOptions& options, const Paint& paint) {
  const WheelReport& wheel = subject.wheel;
  std::string out = fmt::format("{}\n  {}\n", paint.bold(escape(wheel.facts.file)),
                                painted_verdict(paint.wrapped(verdict_text(wheel), 2, 4), paint));
  const bool facts = options.facts_only || options.verbosity > 1;
  if (facts || options.verbosity > 0)
    out += claims_text(wheel, paint) + source_lines(wheel, paint) + size_line(wheel.facts);
  if (facts) out += facts_text(subject, paint);
  if (options.facts_only) return out + remarks_text(wheel, paint);
  if (options.verbosity > 0) {
    const auto place = [&](const Place& where) { return place_path(wheel.facts, where); };
    return out + findings_text(wheel.findings, place, paint) + ignores_to_paste(wheel, paint);
  }
  const auto notes = std::ranges::find(wheel.findings, Severity::Note, &Finding::severity);
  std::span<const Finding> shown(wheel.findings.begin(), notes);
  const auto used = static_cast<std::size_t>(std::ranges::count(out, '\n')) + 2;  // and the last line
  return out + grouped_findings(wheel, shown.subspan(in_headline(wheel)), max_lines - std::min(used, max_lines), paint);
}

// Wider than most terminals, as a name alone fills one.
constexpr std::size_t longest_clean_line = 120;

// The text for wheels without errors and warnings.
std::string clean_text(const std::vector<const WheelReport*>& wheels, const RenderOptions& options,
                       const Paint& paint) {
  if (wheels.empty()) return "";
  if (wheels.size() > 1) return fmt::format("{} without errors or warnings\n", count_of(wheels.size(), "wheel"));
  const WheelReport& wheel = *wheels.front();
  const std::string name = escape(wheel.facts.file);
  const bool all_compatible = distinct_tags(wheel, TagResult::NoMinimum).empty();
  const std::string verdict = all_compatible && is_claimed(wheel, wheel.verdict.best_tag)
                                  ? "compatible" + sources_text(wheel)
                                  : verdict_text(wheel);
  const bool fits = columns(name) + 2 + columns(verdict) <= std::max(options.width, longest_clean_line);
  if (fits) return fmt::format("{}: {}\n", paint.bold(name), painted_verdict(verdict, paint));
  return fmt::format("{}\n  {}\n", paint.bold(name), painted_verdict(paint.wrapped(verdict, 2, 4), paint));
}

std::string statistics_text(const Report& report) {
  std::map<std::pair<std::string_view, Severity>, std::pair<const Rule*, std::size_t>> counts;
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const Finding& finding : entry.wheel->findings) {
        auto& [rule, count] = counts[{finding.rule->code, finding.severity}];
        rule = finding.rule;
        ++count;
      }
  std::string out;
  for (const auto& [key, value] : counts) {
    out += fmt::format("{:>6}  {:<8} {} {}\n", value.second, level_of(key.second), key.first, value.first->name);
  }
  return out;
}

std::string render_full(const Report& report, const RenderOptions& options) {
  const Paint paint(options.colour, options.width, options.links);
  std::vector<std::string> parts;
  std::vector<const WheelReport*> clean;
  for (const Report::Entry& entry : report.entries) {
    if (options.verbosity < 0) break;
    if (entry.unreadable && !options.unreadable && !entry.unreadable->refused()) continue;
    if (entry.unreadable)
      parts.push_back(entry.unreadable->refused()
                          ? fmt::format("{} {}: {}\n", paint.red("error"), unreadable_title(*entry.unreadable),
                                        unreadable_text(*entry.unreadable))
                          : fmt::format("{} {}\n", paint.red("cannot check:"), unreadable_text(*entry.unreadable)));
    else if (!options.facts_only && options.verbosity == 0 && is_clean(*entry.wheel))
      clean.push_back(&*entry.wheel);
    else
      parts.push_back(wheel_text({*entry.wheel, report.providers}, options, paint));
  }
  if (!clean.empty()) parts.push_back(clean_text(clean, options, paint));
  if (options.statistics) parts.push_back(statistics_text(report));
  std::erase(parts, "");
  if (!parts.empty()) parts.back() += "\n";
  std::string line = last_line(report, options);  // in one line, for tail -1 and grep
  if (line.starts_with("PASSED")) line.replace(0, 6, paint.green("PASSED"));
  if (line.starts_with("FAILED")) line.replace(0, 6, paint.red("FAILED"));
  // A single clean wheel needs no empty line before the last one.
  if (parts.size() == 1 && !clean.empty()) parts.back().pop_back();
  return fmt::format("{}{}\n", fmt::join(parts, "\n"), line);
}

}  // namespace

extern const Renderer full{"full", "verdict and findings for people (default)", &render_full};

}  // namespace wheelcheck::report
