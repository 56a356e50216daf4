// The report on several wheels in one process, as text.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/check/findings_text.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string title_of(const Distribution& distribution) {
  const WheelFacts& facts = distribution.facts;
  const std::string& version =
      facts.metadata && !facts.metadata->version.empty() ? facts.metadata->version : facts.name.version;
  return escape(name_of_distribution(facts) + (version.empty() ? "" : " ") + version);
}

std::string short_name(const Distribution& distribution) { return escape(name_of_distribution(distribution.facts)); }

std::string order_text(const ConflictReport& report, std::uint32_t load_plan) {
  std::vector<std::string> names;
  for (const DistributionIndex distribution : report.conflicts.load_plans[load_plan].order)
    names.push_back(short_name(report.conflicts.installation.distributions[distribution.value]));
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
  std::string out = errors > 0 ? paint.red(plural(errors, "error")) : "";
  if (warnings > 0) out += (out.empty() ? "" : ", ") + paint.yellow(plural(warnings, "warning"));
  return out;
}

std::string heading(const ConflictReport& report, const Paint& paint) {
  const Conflicts& conflicts = report.conflicts;
  std::vector<std::string> names;
  for (const Distribution& distribution : conflicts.installation.distributions) names.push_back(title_of(distribution));
  std::string out = paint.bold(wrapped(first_few(names, 12), 0, 2)) + "\n";
  out += fmt::format("  in one process of {}\n", escape(conflicts.installation.description));
  for (const std::string& change : report.what_if) out += fmt::format("  what if: {}\n", escape(change));
  std::size_t width = 0;
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    width = std::max(width, columns(order_text(report, i)));
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    out += fmt::format("  imported as {}  {}\n", padded(order_text(report, i), width), verdict_of(report, i, paint));
  return out;
}

// The last line, which is one of three answers.
std::string answer_text(const ConflictReport& report, const Paint& paint) {
  const Conflicts& conflicts = report.conflicts;
  std::string out = "\n";
  std::string counts;
  const auto count = [&](std::size_t number, std::string_view one, std::string_view many = "") {
    if (number > 0) counts += (counts.empty() ? "" : ", ") + plural(number, one, many);
  };
  count(report.errors, "error");
  count(report.warnings, "warning");
  count(report.infos, "info", "info");
  const std::string orders = plural(conflicts.load_plans.size(), "order");
  switch (report.answer) {
    case ConflictAnswer::Conflict:
      out += fmt::format("{}: {} in {}\n", paint.red("CONFLICT"), counts, orders);
      break;
    case ConflictAnswer::Incomplete:
      out += fmt::format("{}: {} not known{}\n", paint.yellow("incomplete"),
                         plural(conflicts.not_known.size(), "thing"), counts.empty() ? "" : "; " + counts);
      break;
    case ConflictAnswer::None:
      out += fmt::format("{}: {} opened, {} bound{}\n", paint.green("no conflict found"),
                         plural(conflicts.files_opened, "file"), plural(conflicts.references_bound, "reference"),
                         counts.empty() ? "" : "; " + counts);
      break;
  }
  return out;
}

// --- short form: at most four lines for each finding -----------------------------------------------------------------
constexpr std::size_t shown_findings = 10, short_width = 118;

std::string cut(std::string text) {
  if (columns(text) <= short_width) return text;
  std::size_t end = short_width - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a UTF-8 character
  return text.substr(0, end) + "...";
}

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

// The order in which it happens, followed by the evidence.
std::string grounds_text(const Finding& finding, std::string_view site) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  if (const Evidence* const order = evidence_called(finding, "import order");
      order != nullptr && evidence_called(finding, "not with") != nullptr)
    add("in the order " + order->value);
  for (const std::string_view label : {"grounds", "made global by", "ImportError", "Requires-Dist", "set at", "read by",
                                       "paths", "winner", "called by", "shared as", "if imported"})
    if (const Evidence* const one = evidence_called(finding, label)) add(std::string(label) + ": " + one->value);
  for (std::size_t at = site.empty() ? out.npos : out.find(site); at != out.npos; at = out.find(site, at))
    out.erase(at, site.size());
  return cut("  " + escape(out));
}

std::string short_findings(const ConflictReport& report, const Paint& paint) {
  std::string out;
  std::size_t shown = 0, left = 0;
  const std::string_view site = site_of(report.conflicts.installation);
  const bool few = report.errors + report.warnings <= shown_findings / 2;  // then there is space for whole fixes
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::Info) continue;
    if (shown++ >= shown_findings) {
      ++left;
      continue;
    }
    const Evidence* const effect = evidence_called(finding, "effect");
    const std::string head = std::string(name_of(finding.severity)) + ' ' + std::string(finding.rule->code) + ": ";
    const std::string& words = effect != nullptr ? effect->value : finding.message;
    out += (finding.severity == Severity::Error ? paint.red(head) : paint.yellow(head)) +
           wrapped(escape(words), head.size(), 4) + "\n";
    if (const std::string grounds = grounds_text(finding, site); grounds != "  ") out += grounds + "\n";
    if (finding.fix.empty()) continue;
    const std::string fix = escape(finding.fix.substr(0, finding.fix.find("; ")));
    out += few ? fmt::format("  fix: {}\n", wrapped(fix, 7, 7)) : cut("  fix: " + fix) + "\n";
  }
  if (left > 0) out += fmt::format("and {} more\n", plural(left, "finding"));
  return out.empty() ? "" : "\n" + out;
}

std::string not_known_text(const ConflictReport& report) {
  constexpr std::size_t shown = 6;
  const std::vector<std::string>& all = report.conflicts.not_known;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), shown); ++i)
    out += fmt::format("  not known: {}\n", wrapped(escape(all[i]), 13, 4));
  if (all.size() > shown) out += fmt::format("  and {} more\n", all.size() - shown);
  return out;
}

}  // namespace

std::string render_conflicts(const ConflictReport& report, bool colour, bool details) {
  const Paint paint(colour);
  std::string out = heading(report, paint);
  out += not_known_text(report);
  if (!report.traced.empty()) return out + searches_text(report, colour);
  if (!details) {
    const bool notes = std::ranges::any_of(report.findings, [](const Finding& each) {
      return each.severity == Severity::Info || each.evidence.size() > 1;
    });
    return out + short_findings(report, paint) + answer_text(report, paint) +
           (notes ? "(all evidence and notes: --details)\n" : "");
  }
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
