// Compatible or not, tag by tag, and how many requirements each level of a policy family meets.
#include <fmt/format.h>

#include <algorithm>

#include "report/check/score.h"
#include "report/html/html_parts.h"
#include "report/shared/markup.h"
#include "report/shared/text.h"

namespace wheelcheck::report::html {
namespace {

std::string_view class_of(TagResult tag_result) {
  if (tag_result == TagResult::Compatible) return "kept";
  if (tag_result == TagResult::Incompatible) return "broken";
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
      "<h3>Score on {} {} <small>{} of {}</small></h3>\n<table class=\"ladder\">\n<thead><tr><th "
      "scope=\"col\">Level</th>"
      "<th scope=\"col\" class=\"number\">Met</th><th scope=\"col\"><span class=\"visually-hidden\">Share</span></th>"
      "<th scope=\"col\">Unmet requirements</th></tr></thead>\n<tbody>\n",
      name_of(assessment.family), name_of(assessment.arch), plural(assessment.requirements.size(), "requirement"),
      plural(assessment.files, "ELF file"));
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

std::string bar(std::uint64_t part, std::uint64_t whole, std::string_view kind) {
  // Attributes, not style: the page's policy lets no style in but its own.
  const double width = whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format(
      "<svg class=\"bar{}{}\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect width=\"{:.1f}\" height=\"8\"/></svg>",
      kind.empty() ? "" : " ", kind, part == 0 ? 0.0 : std::max(width, 0.6));
}

std::string verdict(const WheelReport& wheel) {
  const TagResult tag_result = overall(wheel.verdict);
  std::uint64_t unpacked = 0;
  for (const MemberFacts& member : wheel.facts.members) unpacked += member.size;
  std::string out = fmt::format(
      "<p class=\"verdict\"><strong class=\"{}\">{}</strong> <span>lowest compatible tag: <code>{}</code></span> "
      "<span class=\"soft\">{}, {} of them ELF; {}{} unpacked</span></p>\n<ul class=\"claims\">\n",
      class_of(tag_result), tag_result_text(tag_result), markup(wheel.verdict.best_tag),
      plural(wheel.facts.members.size(), "file"), wheel.facts.elfs.size(),
      wheel.facts.size == 0 ? "" : size_text(wheel.facts.size) + ", ", size_text(unpacked));
  for (const Claim& claim : wheel.verdict.claims) out += claim_item(claim);
  out += "</ul>\n";
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out += policy_levels(wheel, i);
  return out;
}

}  // namespace wheelcheck::report::html
