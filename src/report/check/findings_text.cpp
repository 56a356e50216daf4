// The findings of a wheel as blocks: what, where, on what grounds, and what to type.
#include "report/check/findings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t shown_places = 10;
constexpr std::size_t widest_label = 24;

std::string severity_word(Severity severity, const Paint& paint) {
  if (severity == Severity::Error) return paint.red("error");
  return severity == Severity::Warning ? paint.yellow("warning") : paint.cyan("info");
}

bool same_evidence(const Evidence& a, const Evidence& b) { return a.label == b.label && a.value == b.value; }

// True if the two differ in nothing but the place.
bool say_the_same(const Finding& a, const Finding& b) {
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
    const std::string text = evidence.value.empty() ? "(empty)" : escape(evidence.value);
    const std::string value = wrapped(text, 7 + columns(label), 7 + width);
    // The bar stands in front of continued lines too.
    const std::string barred = replaced(value, "\n    ", "\n   " + paint.cyan("|"));
    out += fmt::format("   {}  {} {}\n", paint.cyan("|"), label, barred);
  }
  return out;
}

std::string block(std::span<const Finding> same, const PlaceText& place_of, const Paint& paint) {
  const Finding& finding = same.front();
  const std::string code = fmt::format("{} {}", finding.rule->code, finding.rule->name);
  const std::size_t used = name_of(finding.severity).size() + 1 + columns(code) + 2;
  std::string out = fmt::format("\n{} {}: {}\n", severity_word(finding.severity, paint), paint.bold(code),
                                wrapped(escape(finding.message), used, 4));
  const std::size_t shown = same.size() <= shown_places + 1 ? same.size() : shown_places;
  for (const Finding& one : same.first(shown))
    if (const std::string place = place_of(one.place); !place.empty())
      out += fmt::format("  {} {}\n", paint.cyan("-->"), place);
  if (shown < same.size()) out += fmt::format("      and {} more places\n", same.size() - shown);
  out += evidence_text(finding.evidence, paint);
  if (!finding.fix.empty()) out += fmt::format("  {} {}\n", paint.green("fix:"), wrapped(escape(finding.fix), 7, 7));
  return out;
}

}  // namespace

std::string findings_text(const WheelReport& wheel, const Paint& paint) {
  return findings_text(wheel.findings, [&](const Place& place) { return place_text(wheel.facts, place); }, paint);
}

std::string findings_text(std::span<const Finding> findings, const PlaceText& place_of, const Paint& paint) {
  std::string out;
  std::span<const Finding> rest = findings;
  while (!rest.empty()) {
    const auto differs = [&](const Finding& finding) { return !say_the_same(rest.front(), finding); };
    const auto count = static_cast<std::size_t>(std::ranges::find_if(rest, differs) - rest.begin());
    out += block(rest.first(count), place_of, paint);
    rest = rest.subspan(count);
  }
  return out;
}

std::string remarks_text(const WheelReport& wheel, const Paint& paint) {
  if (wheel.findings.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Remarks"));
  for (const Finding& finding : wheel.findings) {
    const std::string path = place_path(wheel.facts, finding.place);
    const std::string text = fmt::format("{} {}: {}{}{}", finding.rule->code, finding.rule->name, path,
                                         path.empty() ? "" : ": ", escape(finding.message));
    out += fmt::format("  {}\n", wrapped(text, 2, 4));
  }
  return out;
}

}  // namespace wheelcheck::report
