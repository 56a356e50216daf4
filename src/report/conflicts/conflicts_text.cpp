// The report on several wheels in one process, as text.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/check/findings_text.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string title_of(const Distribution& distribution) {
  const WheelFacts& facts = distribution.facts;
  const std::string& version =
      facts.metadata && !facts.metadata->version.empty() ? facts.metadata->version : facts.name.version;
  return escape(name_of_distribution(facts) + (version.empty() ? "" : " ") + version);
}

std::string order_text(const ConflictReport& report, std::uint32_t load_plan) {
  std::vector<std::string> names;
  const LoadPlan& plan = report.conflicts.load_plans[load_plan];
  for (std::size_t at = 0; at < plan.order.size(); ++at)
    names.push_back(escape(name_in_order(report.conflicts.installation, plan, at)));
  return first_few(names, 8) + (names.size() > 1 ? "" : " alone");
}

// The worst severity of the findings for one order.
std::string verdict_of(const ConflictReport& report, std::uint32_t load_plan, const Paint& paint) {
  std::size_t errors = 0, warnings = 0;
  for (const Finding& finding : report.findings) {
    if (!finding.load_plans.empty() && !std::ranges::binary_search(finding.load_plans, load_plan)) continue;
    errors += finding.severity == Severity::Error ? 1U : 0U;
    warnings += finding.severity == Severity::Warning ? 1U : 0U;
  }
  if (errors + warnings == 0) return paint.green("no finding");
  std::string out = errors > 0 ? paint.red(count_of(errors, "error")) : "";
  if (warnings > 0) out += (out.empty() ? "" : ", ") + paint.yellow(count_of(warnings, "warning"));
  return out;
}

// is_short: in four lines, if the user simulates no change.
std::string heading(const ConflictReport& report, const Paint& paint, bool is_short) {
  const Conflicts& conflicts = report.conflicts;
  std::vector<std::string> names;
  for (const Distribution& distribution : conflicts.installation.distributions) names.push_back(title_of(distribution));
  std::string out =
      paint.bold(is_short ? first_few(names, 12, paint.width()) : paint.wrapped(first_few(names, 12), 0, 2)) + "\n";
  out += paint.wrapped(fmt::format("  in one process of {}", escape(conflicts.installation.description)), 0, 4) + "\n";
  for (const std::string& change : report.what_if) out += fmt::format("  what if: {}\n", escape(change));
  std::size_t width = 0;
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    width = std::max(width, columns(order_text(report, i)));
  const std::size_t orders = conflicts.load_plans.size(), shown = is_short && orders > 2 ? 1 : orders;
  for (std::uint32_t i = 0; i < shown; ++i)
    out += fmt::format("  imported as {}  {}\n", padded(order_text(report, i), width), verdict_of(report, i, paint));
  if (shown < orders) out += fmt::format("  and in {} more\n", count_of(orders - shown, "order"));
  return out;
}

// The last line, which is one of three answers.
std::string answer_text(const ConflictReport& report, const Paint& paint) {
  const Conflicts& conflicts = report.conflicts;
  std::string out = "\n";
  std::string counts;
  const auto count = [&](std::size_t number, std::string_view one) {
    if (number > 0) counts += (counts.empty() ? "" : ", ") + count_of(number, one);
  };
  count(report.errors, "error");
  count(report.warnings, "warning");
  count(report.notes, "note");
  const std::string orders = count_of(conflicts.load_plans.size(), "order");
  switch (report.answer) {
    case ConflictAnswer::Conflict:
      out += fmt::format("{}: {} in {}\n", paint.red("CONFLICT"), counts, orders);
      break;
    case ConflictAnswer::Incomplete:
      out += fmt::format("{}: {} not known{}\n", paint.yellow("incomplete"),
                         count_of(conflicts.not_known.size(), "thing"), counts.empty() ? "" : "; " + counts);
      break;
    case ConflictAnswer::None:
      out += fmt::format("{}: {} opened, {} bound{}\n",
                         report.warnings > 0 ? paint.yellow("no error found") : paint.green("no conflict found"),
                         count_of(conflicts.files_opened, "file"), count_of(conflicts.references_bound, "reference"),
                         counts.empty() ? "" : "; " + counts);
      break;
  }
  return out;
}

// --- short form: ten findings in 40 lines ----------------------------------------------------------------------------
constexpr std::size_t shown_findings = 10;
constexpr std::ptrdiff_t max_lines = 40;

const Evidence* evidence_called(const Finding& finding, std::string_view label) {
  const auto found = std::ranges::find(finding.evidence, label, &Evidence::label);
  return found == finding.evidence.end() ? nullptr : &*found;
}

// The directory of the distributions, with a slash at the end. Texts of ld.so name files by their paths; the part below
// is enough.
std::string_view site_of(const Installation& all) {
  for (std::size_t i = 0; i < all.world.files.size(); ++i) {
    const std::string_view path = all.world.files[i].path, name = all.names[i];
    if (all.origins[i].kind == Origin::Kind::Distribution && path.ends_with(name) && name.find('/') != name.npos)
      return path.substr(0, path.size() - name.size());
  }
  return {};
}

// The order in which it happens, followed by as much of the evidence as fits in two lines.
std::string grounds_text(const Finding& finding, std::string_view site, const Paint& paint) {
  std::string out;
  const auto add = [&](std::string text) {
    for (std::size_t at = site.empty() ? text.npos : text.find(site); at != text.npos; at = text.find(site, at))
      text.erase(at, site.size());
    if (!out.empty() && columns(out) + columns(text) + 8 > 2 * paint.width()) return;
    out += (out.empty() ? "" : "; ") + with_short_symbols(text);
  };
  if (const Evidence* const order = evidence_called(finding, "import order");
      order != nullptr && evidence_called(finding, "not with") != nullptr)
    add("in the order " + order->value);
  for (const std::string_view label : {"grounds", "made global by", "ImportError", "Requires-Dist", "set at", "read by",
                                       "paths", "winner", "called by", "shared as", "if imported"})
    if (const Evidence* const one = evidence_called(finding, label)) add(std::string(label) + ": " + one->value);
  return out;
}

std::ptrdiff_t lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }

// A finding: its effect, the grounds and a fix. A short one has one line for each of the three.
std::string finding_text(const Finding& finding, std::string_view site, const Paint& paint, bool is_short) {
  const std::string_view severity = name_of(finding.severity);
  const std::size_t used = columns(fmt::format("{} {} {}: ", severity, finding.rule->code, finding.rule->name));
  const Evidence* const effect = evidence_called(finding, "effect");
  const std::string words = with_short_symbols(effect != nullptr ? effect->value : finding.message);
  const auto one_line = [&](std::string_view text, std::size_t before) {
    return cut_at_word(text, paint.width() - std::min(paint.width(), before));
  };
  std::string out =
      fmt::format("{} {}: {}\n", finding.severity == Severity::Error ? paint.red(severity) : paint.yellow(severity),
                  paint.rule(finding.rule->code, finding.rule->name),
                  is_short ? one_line(words, used) : paint.wrapped(words, used, 4));
  const std::string grounds = grounds_text(finding, site, paint);
  if (!grounds.empty()) out += fmt::format("  {}\n", is_short ? one_line(grounds, 2) : paint.wrapped(grounds, 2, 4));
  if (finding.fix.empty()) return out;
  // The first clause is for the user of the environment, the others are for the authors.
  const std::string fix = escape(is_short ? finding.fix.substr(0, finding.fix.find("; ")) : finding.fix);
  return out + (is_short ? fmt::format("  fix: {}\n", one_line(fix, 7)) : fix_text(fix, "", paint));
}

// The first findings, which are the worst. From the last one on they are shortened until they fit in `lines` lines.
std::string short_findings(const ConflictReport& report, const Paint& paint, std::ptrdiff_t lines) {
  const std::string_view site = site_of(report.conflicts.installation);
  std::vector<const Finding*> findings;
  for (const Finding& finding : report.findings)
    if (finding.severity != Severity::Note) findings.push_back(&finding);
  const std::size_t left = findings.size() - std::min(findings.size(), shown_findings);
  findings.resize(findings.size() - left);
  std::vector<std::string> texts;
  for (const Finding* finding : findings) texts.push_back(finding_text(*finding, site, paint, false));
  std::ptrdiff_t used = left > 0 ? 1 : 0;
  for (const std::string& text : texts) used += lines_of(text);
  for (std::size_t i = texts.size(); i-- > 0 && used > lines;) {
    used -= lines_of(texts[i]);
    texts[i] = finding_text(*findings[i], site, paint, true);
    used += lines_of(texts[i]);
  }
  std::string out;
  for (const std::string& text : texts) out += text;
  if (left > 0) out += fmt::format("and {} more\n", count_of(left, "finding"));
  return out.empty() ? "" : "\n" + out;
}

std::string not_known_text(const ConflictReport& report, const Paint& paint, bool is_short) {
  const std::size_t shown = is_short ? 0 : 6;
  const std::vector<std::string>& all = report.conflicts.not_known;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), shown); ++i)
    out += fmt::format("  not known: {}\n", paint.wrapped(escape(all[i]), 13, 4));
  if (all.size() > shown)
    out += shown > 0 ? fmt::format("  and {} more\n", all.size() - shown)
                     : fmt::format("  not known: {}\n", count_of(all.size(), "thing"));
  return out;
}

}  // namespace

std::string render_conflicts(const ConflictReport& report, const Paint& paint, bool details) {
  const std::string head = heading(report, paint, false) + not_known_text(report, paint, false);
  if (!report.traced.empty()) return head + searches_text(report, paint);
  if (!details) {
    const bool notes = std::ranges::any_of(report.findings, [](const Finding& each) {
      return each.severity == Severity::Note || each.evidence.size() > 1;
    });
    const std::string end = answer_text(report, paint) + (notes ? "(all evidence and notes: --details)\n" : "");
    const std::string short_head = heading(report, paint, true) + not_known_text(report, paint, true);
    const auto with = [&](const std::string& top) {
      return top + short_findings(report, paint, max_lines - 1 - lines_of(top) - lines_of(end)) + end;
    };
    std::string out = with(head);
    return lines_of(out) <= max_lines ? out : with(short_head);
  }
  std::string out = head;
  const auto place_of = [&](const Place& place) {
    const AtObject* const at = std::get_if<AtObject>(&place);
    return at == nullptr ? std::string() : escape(report.conflicts.installation.names[at->object.value]);
  };
  out += findings_text(report.findings, place_of, paint);
  return out + answer_text(report, paint);
}

}  // namespace wheelcheck::report

namespace wheelcheck {

std::string_view name_of(ConflictAnswer answer) {
  switch (answer) {
    case ConflictAnswer::Conflict:
      return "conflict";
    case ConflictAnswer::Incomplete:
      return "incomplete";
    case ConflictAnswer::None:
      break;
  }
  return "no conflict found";
}

}  // namespace wheelcheck
