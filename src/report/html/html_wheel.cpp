// One wheel of the page: its findings, and its files.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/answers/symbols.h"
#include "report/check/ci_summary.h"
#include "report/check/facts_text.h"
#include "report/html/html_parts.h"
#include "report/shared/groups.h"
#include "report/shared/names.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "rules/page.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report::html {

namespace {

constexpr std::size_t max_value = 4096;   // bytes of one value of evidence
constexpr std::size_t max_choices = 500;  // in one selection list

// The text of a rule as markup; text in backquotes becomes code.
std::string prose(std::string_view text) {
  std::string out;
  bool code = false;
  for (const std::string_view part : split(text, '`')) {
    out += code ? fmt::format("<code>{}</code>", markup(part)) : markup(part);
    code = !code;
  }
  return out;
}

std::string evidence_list(const Finding& finding) {
  if (finding.evidence.empty()) return "";
  std::string out = "<dl>", before;
  for (const auto& [label, value] : finding.evidence) {
    const std::string text = value.size() > max_value ? escape(value, max_value) : with_short_symbols(value);
    out += fmt::format("<dt>{}</dt><dd>{}</dd>", label == before ? "" : markup(label),
                       value.empty() ? "<span class=\"soft\">(empty)</span>" : markup_shown(text));
    before = label;
  }
  return out + "</dl>\n";
}

}  // namespace

std::string finding_item(std::string_view heading, std::span<const Finding> findings, const PlaceText& place_of) {
  const Rule& rule = *findings.front().rule;
  const rules::RulePage& page = rules::page_of(rule);
  const std::string_view severity = name_of(findings.front().severity);
  std::string out = fmt::format(
      "<article class=\"finding {0}\" data-severity=\"{0}\" data-rule=\"{1}\">\n<h4><span class=\"badge "
      "{0}\">{4}</span> "
      "<span>{1}</span> <span class=\"soft\">{2}</span></h4>\n<p class=\"message\">{3}</p>\n",
      severity, rule.code, rule.name, markup_shown(heading), level_of(findings.front().severity));
  const std::vector<std::span<const Finding>> all = same_but_place(findings);
  for (const std::span<const Finding> same : all) {
    const Finding& first = same.front();
    if (all.size() > 1) out += fmt::format("<h5>{}</h5>\n", markup_shown(with_short_symbols(first.message)));
    for (const Finding& finding : same)
      if (const std::string place = place_of(finding.place); !place.empty())
        out += fmt::format("<p class=\"place\"><code>{}</code></p>\n", markup_shown(place));
    out += evidence_list(first);
    if (!first.fix.empty()) out += fmt::format("<p class=\"fix\"><b>fix</b>{}</p>\n", prose(first.fix));
  }
  return out + fmt::format(
                   "<details><summary>Why it matters</summary><p>{}</p><p>{}</p><p class=\"soft\">Known false "
                   "positives: {}</p></details>\n</article>\n",
                   prose(page.why), prose(page.fix), prose(page.false_positives));
}

namespace {

std::string choices(std::string_view name, std::string_view label, std::string_view all,
                    const std::map<std::string, std::string>& list) {
  std::string out = fmt::format("<label>{}<select name=\"{}\"><option value=\"\">{}</option>", label, name, all);
  std::size_t count = 0;
  for (const auto& [value, text] : list)
    if (++count <= max_choices) out += fmt::format("<option value=\"{}\">{}</option>", value, text);
  return out + "</select></label>\n";
}

}  // namespace

std::string findings(const WheelReport& wheel) {
  std::string out = fmt::format("<section class=\"findings\">\n<h3>Findings <small>{}</small></h3>\n",
                                wheel.findings.empty() ? "none" : fmt::format("{}", wheel.findings.size()));
  const auto place_of = [&](const Place& place) { return place_path(wheel.facts, place); };
  for (const FindingGroup& group : grouped(wheel, wheel.findings))
    out += finding_item(group.heading, group.findings, place_of);
  if (!wheel.findings.empty())
    out += "<p class=\"none filtered\" hidden>No finding of this wheel matches the filter.</p>\n";
  return out + "</section>\n";
}

std::string filters(const Report& report) {
  std::map<std::string, std::string> rules, members;
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel) continue;
    for (const Finding& finding : entry.wheel->findings) {
      rules.emplace(finding.rule->code, fmt::format("{} {}", finding.rule->code, finding.rule->name));
      const std::string path = markup_shown(place_path(entry.wheel->facts, finding.place));
      if (!path.empty()) members.emplace(path, path);
    }
  }
  if (rules.empty()) return "";
  std::string out =
      "<form class=\"filters\" hidden aria-label=\"Filter the findings\">\n<label class=\"search\">Text, of any "
      "finding "
      "(press /)<input type=\"search\" name=\"text\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
      "<fieldset><legend>Severity</legend><div class=\"toggles\">";
  const std::pair<Severity, std::size_t> counts[] = {
      {Severity::Error, report.errors}, {Severity::Warning, report.warnings}, {Severity::Note, report.notes}};
  for (const auto& [severity, count] : counts)
    out += fmt::format("<label><input type=\"checkbox\" name=\"severity\" value=\"{}\" checked>{} {}</label>",
                       name_of(severity), level_of(severity), count);
  out += "</div></fieldset>\n";
  out += choices("rule", "Rule", "every rule", rules);
  out += choices("member", "File", "every file", members);
  return out + "<button type=\"reset\">Reset</button>\n<output aria-live=\"polite\"></output>\n</form>\n";
}

// The verdict for each tag, and how many requirements each level of a policy family meets.

namespace {

std::string_view class_of(TagResult tag_result) {
  if (tag_result == TagResult::Compatible) return "compatible";
  if (tag_result == TagResult::Incompatible) return "incompatible";
  return tag_result == TagResult::Unknown ? "unknown" : "none";
}

std::string claim_item(const Claim& claim) {
  std::string note;
  if (claim.tag.canonical != claim.tag.text)
    note += fmt::format(" <span class=\"soft\">= {}</span>", markup(claim.tag.canonical));
  if (!claim.in_wheel_file) note += " <span class=\"soft\">claimed only in the file name</span>";
  if (!claim.in_name) note += " <span class=\"soft\">claimed only in WHEEL</span>";
  const std::string reason = claim.reason.empty() ? "" : fmt::format(": {}", markup(claim.reason));
  return fmt::format("<li><span class=\"badge {}\">{}</span> <code>{}</code>{}{}</li>\n", class_of(claim.tag_result),
                     tag_result_text(claim.tag_result), markup(claim.tag.text), note, reason);
}

std::string policy_levels(const WheelReport& wheel, std::size_t index) {
  const Assessment& assessment = wheel.assessments[index];
  std::string out = fmt::format(
      "<h3>Score on {} {} <small>{} of {}</small></h3>\n<table class=\"scores\">\n<thead><tr><th "
      "scope=\"col\">Level</th>"
      "<th scope=\"col\" class=\"number\">Met</th><th scope=\"col\"><span class=\"visually-hidden\">Share</span></th>"
      "<th scope=\"col\">Unmet requirements</th></tr></thead>\n<tbody>\n",
      name_of(assessment.family), name_of(assessment.arch), count_of(assessment.requirements.size(), "requirement"),
      count_of(assessment.files, "ELF file"));
  for (const ScoreRow& row : score_rows(wheel, index)) {
    const bool met = row.met == row.total;
    out += fmt::format(
        "<tr{}><td class=\"levels\"><code>{}</code></td><td class=\"number\">{} of {}</td><td class=\"graph\">{}</td>"
        "<td class=\"remark\">{}</td></tr>\n",
        row.claimed ? " class=\"claimed\"" : "", markup_shown(row.levels), row.met, row.total,
        bar(row.met, row.total,
            met           ? "met"
            : row.claimed ? "unmet"
                          : ""),
        markup_shown(row.remark));
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace

std::string number(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += "\xE2\x80\xAF";  // U+202F
    out += digits[i];
  }
  return out;
}

std::string tile(std::size_t count, std::string_view what, std::string_view heat) {
  return fmt::format("<li{}><b>{}</b>{}</li>", count != 0 && !heat.empty() ? fmt::format(" class=\"{}\"", heat) : "",
                     number(count), what);
}

std::string bar(std::uint64_t part, std::uint64_t whole, std::string_view kind) {
  // Attributes are used instead of a style, which the page's Content-Security-Policy forbids.
  const double width = whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format(
      "<svg class=\"bar{}{}\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect width=\"{:.1f}\" height=\"8\"/></svg>",
      kind.empty() ? "" : " ", kind, part == 0 ? 0.0 : std::max(width, 0.6));
}

std::string verdict(const WheelReport& wheel) {
  const TagResult tag_result = wheel.verdict.overall();
  std::uint64_t unpacked = 0;
  for (const MemberFacts& member : wheel.facts.members) unpacked += member.size;
  std::string out = fmt::format(
      "<p class=\"verdict\"><strong class=\"{}\">{}</strong> <span>lowest compatible tag: <code>{}</code></span> "
      "<span class=\"soft\">{}, {} of them ELF; {}{} unpacked</span></p>\n<ul class=\"claims\">\n",
      class_of(tag_result), tag_result_text(tag_result), markup(wheel.verdict.best_tag),
      count_of(wheel.facts.members.size(), "file"), wheel.facts.elfs.size(),
      is_unpacked(wheel.facts) ? "" : size_text(wheel.facts.size) + ", ", size_text(unpacked));
  for (const Claim& claim : wheel.verdict.claims) out += claim_item(claim);
  return out + "</ul>\n";
}

std::string scores(const WheelReport& wheel) {
  std::string out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out += policy_levels(wheel, i);
  return out;
}

}  // namespace wheelcheck::report::html

// The ELF files of a wheel in the HTML page: the versions that each requires, the libraries recognized in them, and the
// owners of the symbols that they export.
namespace wheelcheck::report::html {

namespace {

constexpr std::size_t max_files = 2000;  // in one table
constexpr std::size_t max_scopes = 25;
constexpr std::size_t html_symbols = 3;

constexpr std::string_view own_columns[] = {"GLIBC", "GLIBCXX", "CXXABI", "GCC"};

std::string floor_text(const Floor& floor) {
  std::vector<std::string> symbols;
  for (const std::string_view symbol : floor.symbols) symbols.push_back(escape(symbol));
  const std::string who = symbols.empty() ? "" : first_few(symbols, html_symbols, 90);
  return fmt::format("<code>{}</code>{}", markup(floor.node),
                     who.empty() ? "" : fmt::format("<span class=\"who\">{}</span>", markup_shown(who)));
}

// A table cell. In a narrow window, a row is shown as a list with the label in front of each value.
std::string cell(std::string_view label, const std::string& content) {
  if (content.empty()) return "<td class=\"empty\"><span class=\"soft\">&ndash;</span></td>";
  return fmt::format("<td data-label=\"{}\"><span>{}</span></td>", markup(label), content);
}

std::string file_row(const WheelReport& wheel, ElfIndex elf, const std::vector<std::string_view>& families) {
  const auto floors = floors_of(wheel, elf);
  std::string out =
      fmt::format("<tr><td class=\"file\"><code>{}</code><span class=\"who\">{}</span></td>",
                  markup_shown(elf_path(wheel.facts, elf)), markup_shown(identity_text(wheel.facts.elfs[elf.value])));
  for (const std::string_view family : families) {
    const auto at = floors.find(family);
    out += cell(family, at == floors.end() ? "" : floor_text(at->second));
  }
  std::string others;
  for (const auto& [family, floor] : floors)
    if (std::ranges::find(own_columns, family) == std::end(own_columns))
      others += fmt::format("{}{}", others.empty() ? "" : "<br>", floor_text(floor));
  return out + cell("Others", others) + "</tr>\n";
}

struct Scopes {
  std::map<std::string, ScopeCount> by_name;
  std::uint64_t all = 0, c = 0, rust = 0;
};

Scopes scopes_of(const WheelReport& wheel) {
  Scopes out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ExportSummary& exports = analysis_of(wheel.analysis, ElfIndex{i}).exports;
    out.all += exports.all;
    out.c += exports.c;
    out.rust += exports.rust;
    for (const ScopeCount& scope : exports.scopes) {
      ScopeCount& sum = out.by_name[scope.scope];
      sum.scope = scope.scope;
      sum.exports += scope.exports;
      sum.own = scope.own;
    }
  }
  return out;
}

struct Row {
  std::string name;
  std::uint64_t count = 0;
  bool own = false;
};

}  // namespace

std::string files(const Subject& subject) {
  const WheelReport& wheel = subject.wheel;
  const std::size_t count = wheel.facts.elfs.size();
  if (count == 0) return "";
  std::set<std::string_view> seen;
  for (std::uint32_t i = 0; i < count; ++i)
    for (const auto& [family, floor] : floors_of(wheel, ElfIndex{i})) seen.insert(family);
  std::vector<std::string_view> families;
  for (const std::string_view family : own_columns)
    if (seen.contains(family)) families.push_back(family);
  std::string out = fmt::format(
      "<h3>What each file requires <small>{}</small></h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Versions by file\"><table class=\"floors\">\n<thead><tr><th scope=\"col\">File</th>",
      count_of(count, "ELF file"));
  for (const std::string_view family : families) out += fmt::format("<th scope=\"col\">{}</th>", markup(family));
  out += "<th scope=\"col\">Others</th></tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(count, max_files);
  for (std::uint32_t i = 0; i < shown; ++i) out += file_row(wheel, ElfIndex{i}, families);
  out += "</tbody>\n</table></div>\n";
  if (shown < count) out += fmt::format("<p class=\"none\">and {} more files</p>\n", count - shown);
  return out;
}

std::string libraries(const WheelReport& wheel) {
  std::string rows;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    for (const IdentifiedLibrary& library : analysis_of(wheel.analysis, ElfIndex{i}).libraries) {
      std::string grounds;
      for (const LibraryEvidence& evidence : library.evidence)
        grounds += fmt::format("{}{}: <code>{}</code>", grounds.empty() ? "" : "; ", markup(evidence.what),
                               markup(evidence.text));
      rows += fmt::format(
          "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code>{}<span class=\"who\">{}</span></td></tr>\n",
          markup(library.name), library.version ? markup(*library.version) : "<span class=\"soft\">unknown</span>",
          name_of(library.confidence), markup_shown(elf_path(wheel.facts, ElfIndex{i})),
          library.itself ? "" : " <span class=\"soft\">linked in</span>", grounds);
    }
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h3>Libraries inside</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Libraries\"><table class=\"libraries\">\n"
      "<thead><tr><th scope=\"col\">Library</th><th scope=\"col\">Version</th><th scope=\"col\">Sure</th><th "
      "scope=\"col\">Where, and on what grounds</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
      rows);
}

std::string symbols(const WheelReport& wheel) {
  const Scopes scopes = scopes_of(wheel);
  if (scopes.all == 0) return "";
  std::vector<Row> rows = {{"C names", scopes.c, true}, {"Rust names", scopes.rust, true}};
  for (const auto& [name, scope] : scopes.by_name)
    rows.push_back({std::string(scope_name(name)), scope.exports, scope.own || name.empty()});
  std::erase_if(rows, [](const Row& row) { return row.count == 0; });
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::count);
  if (rows.size() > max_scopes + 1) {
    Row others{fmt::format("{} more", rows.size() - max_scopes), 0, true};
    for (std::size_t i = max_scopes; i < rows.size(); ++i) {
      others.count += rows[i].count;
      others.own = others.own && rows[i].own;
    }
    rows.resize(max_scopes);
    rows.push_back(std::move(others));
  }
  const std::uint64_t max = std::ranges::max(rows, {}, &Row::count).count;
  std::string text;
  for (const Row& row : rows)
    text += fmt::format("<tr><td class=\"name\"><code>{}</code></td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                        markup(row.name), number(row.count), bar(row.count, max, row.own ? "own" : ""));
  return fmt::format(
      "<h3>Exported symbols <small>{} in all</small></h3>\n<table class=\"bars\">\n<caption>By outermost C++ "
      "namespace, "
      "over all files</caption>\n<tbody>\n{}</tbody>\n</table>\n<p class=\"legend\"><i></i>namespaces of others <i "
      "class=\"own\"></i>the wheel's own, and names without one</p>\n",
      number(scopes.all), text);
}

// What each root of a wheel loads, as nested lists. The needs of a file are listed where it occurs first.

namespace {

constexpr std::size_t deepest = 24;      // levels of nesting
constexpr std::size_t open_roots = 5;    // further ones are folded
constexpr std::size_t max_items = 5000;  // for one wheel

class Tree {
 public:
  explicit Tree(const Subject& subject) : subject_(subject), promises_(subject.wheel) {}

  std::string root(ElfIndex elf, bool open) {
    seen_.insert(elf);
    const std::string below = children(elf, 0);
    const std::string name = fmt::format("<code>{}</code>", path_of(elf));
    if (below.empty()) return fmt::format("<li>{}</li>\n", name);
    return fmt::format("<li><details{}><summary>{}</summary>{}</details></li>\n", open ? " open" : "", name, below);
  }
  bool full() const { return items_ >= max_items; }

 private:
  std::string path_of(ElfIndex elf) const { return markup_shown(elf_path(subject_.wheel.facts, elf)); }

  // Needs that are met in the same way share an item; those that the platform provides come last.
  std::string children(ElfIndex elf, std::size_t depth) {
    if (elf.value >= subject_.wheel.resolution.needed.size()) return "";
    std::string inside, platform;
    std::vector<std::pair<std::string, std::string>> rest;  // how it is found -> names
    for (const NeededFound& needed : subject_.wheel.resolution.needed[elf.value]) {
      const std::string how = found_text(subject_, promises_, elf, needed);
      if (needed.provider && needed.provider->wheel.value == 0) {
        inside += child(needed, how, depth);
        continue;
      }
      const auto same = std::ranges::find(rest, how, &std::pair<std::string, std::string>::first);
      if (same == rest.end())
        rest.emplace_back(how, markup(needed.name));
      else
        same->second += ", " + markup(needed.name);
    }
    for (const auto& [how, names] : rest) {
      ++items_;
      std::string& part = how.starts_with("from the platform") ? platform : inside;
      part += fmt::format("<li><code>{}</code> <span class=\"{}\">{}</span></li>\n", names,
                          is_missing(how) ? "lost" : "how", markup_shown(how));
    }
    if (inside.empty() && platform.empty()) return "";
    return fmt::format("<ul>\n{}{}</ul>\n", inside, platform);
  }

  std::string child(const NeededFound& needed, const std::string& how, std::size_t depth) {
    ++items_;
    const ElfIndex file = needed.provider->elf;
    const bool fresh = seen_.insert(file).second && depth < deepest && !full();
    const std::string below = fresh ? children(file, depth + 1) : "";
    return fmt::format("<li><code>{}</code> <span class=\"how\">&rarr; {}{}</span>{}</li>\n", markup(needed.name),
                       markup_shown(how), fresh ? "" : ", as above", below);
  }

  const Subject& subject_;
  const LibraryLevels promises_;
  std::set<ElfIndex> seen_;
  std::size_t items_ = 0;
};

}  // namespace

std::string needs(const Subject& subject) {
  const std::vector<ElfIndex>& roots = subject.wheel.resolution.roots;
  if (roots.empty()) return "";
  Tree tree(subject);
  std::string items;
  std::size_t shown = 0;
  for (; shown < roots.size() && !tree.full(); ++shown) items += tree.root(roots[shown], roots.size() <= open_roots);
  std::string out = fmt::format("<h3>What is loaded <small>{}</small></h3>\n<ul class=\"tree\">\n{}</ul>\n",
                                count_of(roots.size(), "root"), items);
  if (shown < roots.size())
    out += fmt::format("<p class=\"none\">and {} more; wheelcheck tree lists them</p>\n", roots.size() - shown);
  return out;
}

}  // namespace wheelcheck::report::html
