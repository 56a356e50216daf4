#include "report/check/findings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "mangling/demangle.h"
#include "report/shared/names.h"
#include "rules/page.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_block_places = 10;  // in one block
constexpr long max_lines = 34;                // of all groups, if showing fewer rows can achieve it
constexpr std::size_t widest_label = 24;

std::string severity_word(Severity severity, const Paint& paint) {
  if (severity == Severity::Error) return paint.red("error");
  return severity == Severity::Warning ? paint.yellow("warning") : paint.cyan("note");
}

}  // namespace

std::string fix_text(std::string_view fix, std::string_view more, const Paint& paint) {
  constexpr std::size_t indent = 7, mark = 2;
  const bool command = (fix.starts_with("wheelcheck ") || fix.starts_with("patchelf ")) &&
                       fix.find_first_of(",;(") == fix.npos && indent + columns(fix) > paint.width();
  std::string text = command ? replaced(wrapped(fix, indent, indent, paint.width() - mark), "\n", " \\\n")
                             : paint.wrapped(fmt::format("{}{}", fix, more), indent, indent);
  if (command && !more.empty()) text += fmt::format("\n{:{}}{}", "", indent, trim(more));
  return fmt::format("  {} {}\n", paint.green("fix:"), text);
}

namespace {

// The first few texts. "requires a; requires b" becomes "requires a, b": all begin alike, and one word follows.
std::string join_some(std::vector<std::string> texts, std::size_t shown) {
  const std::string start = texts.front().substr(0, texts.front().rfind(' ') + 1);
  const auto is_alike = [&](const std::string& text) {
    return text.starts_with(start) && text.find(' ', start.size()) == std::string::npos;
  };
  if (!start.empty() && texts.size() > 1 && std::ranges::all_of(texts, is_alike)) {
    for (std::size_t i = 1; i < texts.size(); ++i) texts[i].erase(0, start.size());
    return first_few(texts, shown);
  }
  const std::size_t count = texts.size() <= shown + 1 ? texts.size() : shown;
  std::string out =
      fmt::format("{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(count), "; "));
  if (count < texts.size()) out += fmt::format("; and {} more", texts.size() - count);
  return out;
}

// Removes a final clause that all texts have in common: ", which manylinux_2_17_x86_64 does not allow".
void drop_common_clause(std::vector<std::string>& texts) {
  if (texts.size() < 2) return;
  std::string_view common = texts.front();
  for (const std::string_view text : texts) {
    const auto [a, b] = std::ranges::mismatch(common.rbegin(), common.rend(), text.rbegin(), text.rend());
    common = common.substr(common.size() - static_cast<std::size_t>(a - common.rbegin()));
  }
  const std::size_t clause = common.find(", which ");
  if (clause == std::string_view::npos) return;
  const std::size_t length = common.size() - clause;
  for (std::string& text : texts) text.resize(text.size() - length);
}

bool is_quoted(std::string_view text, std::size_t at) { return std::ranges::count(text.substr(0, at), '"') % 2 == 1; }

// A basic string of TOML, printable.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : escape(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The first clauses of a fix that fit in `longest` columns, at least one.
std::string first_alternatives(std::string_view fix, std::size_t longest) {
  std::size_t end = fix.size();
  while (end > longest) {
    std::size_t clause = 0;
    for (const std::string_view separator : {"; ", ", or ", ", compile "})
      if (const std::size_t at = fix.rfind(separator, end - 1); at != fix.npos && !is_quoted(fix, at))
        clause = std::max(clause, at);
    if (clause == 0) break;
    end = clause;
  }
  return std::string(fix.substr(0, end));
}

// Removes repetitions and keeps the order.
std::vector<std::string> distinct(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const std::string& text : texts)
    if (seen.insert(text).second) out.push_back(text);
  return out;
}

enum class FixDetail { Alternatives, OneLine, ErrorsOnly };  // OneLine: of warnings
struct Detail {
  std::size_t rows;
  FixDetail fixes;
};

// The findings with one rule and severity, as rows by message or by file, whichever gives fewer rows.
class FindingGroup {
 public:
  FindingGroup(const WheelReport& wheel, std::span<const Finding> findings)
      : findings_(findings), file_(escape(wheel.facts.file)) {
    std::vector<std::string> each_path, details;  // for each finding
    for (const Finding& finding : findings) {
      each_path.push_back(escape(place_path(wheel.facts, finding.place)));
      details.push_back(with_short_symbols(finding.message));
    }
    paths_ = distinct(each_path);
    messages_ = distinct(details);
    if (messages_.size() > 1) drop_common_clause(details);
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_message;  // positions in `findings`
    std::map<std::string, std::vector<std::string>, std::less<>> by_path;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      by_message[details[i]].push_back(i);
      by_path[each_path[i]].push_back(details[i]);
    }
    if (messages_.size() == 1) {
      if (paths_ != std::vector<std::string>{""}) rows_ = paths_;
    } else if (messages_.size() <= paths_.size() || paths_ == std::vector<std::string>{""}) {
      // What concerns most files comes first, and the fix is that of the first row.
      std::vector<std::pair<std::string_view, const std::vector<std::size_t>*>> order;
      for (const auto& [text, places] : by_message) order.emplace_back(text, &places);
      std::ranges::stable_sort(order, std::greater<>(), [](const auto& one) { return one.second->size(); });
      first_ = order.front().second->front();
      for (const auto& [text, places] : order) {
        const std::string more = places->size() == 1 ? "" : " and " + plural(places->size() - 1, "more file");
        const std::string& place = each_path[places->front()];
        rows_.push_back(place.empty() ? std::string(text) : fmt::format("{}{}: {}", place, more, text));
      }
    } else {
      for (const std::string& place : paths_)
        rows_.push_back((place.empty() ? "" : place + ": ") + join_some(by_path[place], 3));
    }
  }

  std::string text(const Detail& detail, const Paint& paint) const {
    const Finding& first = findings_.front();
    const std::string rule = fmt::format("{} {}", first.rule->code, first.rule->name);
    const std::string start = fmt::format("{} {}: ", severity_word(first.severity, Paint()), rule);
    std::string out =
        fmt::format("\n{} {}: {}\n", severity_word(first.severity, paint),
                    paint.rule(first.rule->code, first.rule->name), paint.wrapped(heading(), columns(start), 4));
    const std::size_t shown = rows_.size() <= detail.rows + 1 ? rows_.size() : detail.rows;
    for (std::size_t i = 0; i < shown; ++i) out += fmt::format("  {}\n", paint.wrapped(rows_[i], 2, 4));
    if (shown < rows_.size()) out += fmt::format("  and {} more (-v shows all)\n", rows_.size() - shown);
    std::vector<std::string> fixes;
    for (const Finding& finding : findings_) fixes.push_back(escape(finding.fix));
    const std::string fix = fixes[first_];
    fixes = distinct(fixes);
    const bool short_fix = detail.fixes != FixDetail::Alternatives && first.severity < Severity::Error;
    if (fix.empty() || (short_fix && detail.fixes == FixDetail::ErrorsOnly)) return out;
    const std::size_t longest = first.severity == Severity::Error ? 320 : 140;  // columns: four or two lines
    const bool fixable = std::ranges::all_of(findings_, &Finding::fixable);
    const std::string shown_fix =
        fixable ? "wheelcheck fix " + file_ : first_alternatives(fix, short_fix ? paint.width() - 7 : longest);
    if (short_fix) return out + fix_text(shown_fix, "", paint);
    std::string more = !fixable && shown_fix.size() < fix.size() ? "; ... (-v shows more)" : "";
    if (!fixable && fixes.size() > 1) more = fmt::format(" (the first of {}, -v shows all)", fixes.size());
    return out + fix_text(shown_fix, more, paint);
  }

 private:
  std::string heading() const {
    const std::string files = paths_.size() > 1 ? fmt::format(" ({})", plural(paths_.size(), "file")) : "";
    if (messages_.size() == 1) return messages_.front() + files;
    std::string summary = rules::page_of(*findings_.front().rule).summary;
    while (summary.ends_with('.')) summary.pop_back();
    return summary + fmt::format(" ({}{})", plural(findings_.size(), "finding"),
                                 paths_.size() > 1 ? fmt::format(" in {}", plural(paths_.size(), "file")) : "");
  }

  std::span<const Finding> findings_;
  std::string file_;  // the wheel
  std::vector<std::string> paths_, messages_, rows_;
  std::size_t first_ = 0;  // the finding of the first row
};

bool same_evidence(const Evidence& a, const Evidence& b) { return a.label == b.label && a.value == b.value; }

// True if the two differ only in the place.
bool differ_in_place_only(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.severity == b.severity && a.message == b.message && a.fix == b.fix &&
         std::ranges::equal(a.evidence, b.evidence, same_evidence);
}

std::string evidence_text(const std::vector<Evidence>& all, const Paint& paint) {
  std::string out;
  std::size_t width = 0;
  for (const Evidence& evidence : all) width = std::max(width, columns(escape(evidence.label)) + 1);
  width = std::min(width, widest_label);
  for (const Evidence& evidence : all) {
    const std::string label = padded(escape(evidence.label) + ":", width);
    const std::string text = evidence.value.empty() ? "(empty)" : with_short_symbols(evidence.value);
    const std::string value = paint.wrapped(text, 7 + columns(label), 7 + width);
    // Continued lines also start with the bar.
    const std::string barred = replaced(value, "\n    ", "\n   " + paint.cyan("|"));
    out += fmt::format("   {}  {} {}\n", paint.cyan("|"), label, barred);
  }
  return out;
}

std::string block(std::span<const Finding> same, const PlaceText& place_of, const Paint& paint) {
  const Finding& finding = same.front();
  const std::string code = fmt::format("{} {}", finding.rule->code, finding.rule->name);
  const std::size_t used = columns(severity_word(finding.severity, Paint())) + 1 + columns(code) + 2;
  std::string out =
      fmt::format("\n{} {}: {}\n", severity_word(finding.severity, paint),
                  paint.rule(finding.rule->code, finding.rule->name), paint.wrapped(escape(finding.message), used, 4));
  const std::size_t shown = same.size() <= max_block_places + 1 ? same.size() : max_block_places;
  for (const Finding& one : same.first(shown))
    if (const std::string place = place_of(one.place); !place.empty())
      out += fmt::format("  {} {}\n", paint.cyan("-->"), place);
  if (shown < same.size()) out += fmt::format("      and {} more places\n", same.size() - shown);
  out += evidence_text(finding.evidence, paint);
  return finding.fix.empty() ? out : out + fix_text(escape(finding.fix), "", paint);
}

// Calls `take` for each run of adjacent findings for which `same(first, other)` is true.
void for_each_run(std::span<const Finding> rest, const auto& same, const auto& take) {
  while (!rest.empty()) {
    const auto differs = [&](const Finding& finding) { return !same(rest.front(), finding); };
    const auto count = static_cast<std::size_t>(std::ranges::find_if(rest, differs) - rest.begin());
    take(rest.first(count));
    rest = rest.subspan(count);
  }
}

}  // namespace

std::string ignores_to_paste(const WheelReport& wheel, const Paint& paint) {
  std::map<std::string, std::set<std::string>> paths;  // by rule
  for (const Finding& finding : wheel.findings)
    if (finding.severity != Severity::Note)
      paths[std::string(finding.rule->code)].insert(place_path(wheel.facts, finding.place));
  if (paths.empty()) return "";
  std::string out =
      fmt::format("\n{}\n", paint.bold("To accept a finding, add its entry to the configuration with a reason:"));
  for (const auto& [code, places] : paths) {
    out += fmt::format("\n[[tool.wheelcheck.ignore-rule]]\nrule = \"{}\"\n", code);
    const std::string& only = *places.begin();
    const bool plain = only.find_first_of("*?[]\\") == only.npos && !only.empty();
    if (places.size() == 1 && plain) out += fmt::format("path = {}\n", toml_text(only));
    out += "reason = \"\"\n";
  }
  return out;
}

std::string grouped_findings(const WheelReport& wheel, std::span<const Finding> findings, const Paint& paint) {
  const auto same_rule = [](const Finding& a, const Finding& b) {
    return a.rule == b.rule && a.severity == b.severity;
  };
  std::vector<FindingGroup> groups;
  for_each_run(findings, same_rule, [&](std::span<const Finding> group) { groups.emplace_back(wheel, group); });
  std::string out;
  // That each warning has its fix is worth two lines more.
  constexpr std::pair<Detail, long> levels[] = {{{3, FixDetail::Alternatives}, max_lines},
                                                {{1, FixDetail::Alternatives}, max_lines},
                                                {{1, FixDetail::OneLine}, max_lines + 2}};
  for (const auto& [detail, max] : levels) {
    out.clear();
    for (const FindingGroup& group : groups) out += group.text(detail, paint);
    if (std::ranges::count(out, '\n') <= max) return out;
  }
  out.clear();
  for (const FindingGroup& group : groups) out += group.text({1, FixDetail::ErrorsOnly}, paint);
  return out + "\n-v shows how to fix the warnings\n";
}

std::string findings_text(std::span<const Finding> findings, const PlaceText& place_of, const Paint& paint) {
  std::string out;
  for_each_run(findings, differ_in_place_only,
               [&](std::span<const Finding> same) { out += block(same, place_of, paint); });
  return out;
}

}  // namespace wheelcheck::report
