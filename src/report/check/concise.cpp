// One line for each verdict and each finding, for grep and for editors that jump to a location.
#include <fmt/format.h>

#include "base/text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

std::string coloured(const Paint& paint, TagResult tag_result) {
  const std::string_view word = tag_result_text(tag_result);
  if (tag_result == TagResult::Compatible) return paint.green(word);
  return tag_result == TagResult::Incompatible ? paint.red(word) : std::string(word);
}

std::string coloured(const Paint& paint, Severity severity) {
  const std::string_view word = name_of(severity);
  if (severity == Severity::Error) return paint.red(word);
  return severity == Severity::Warning ? paint.yellow(word) : std::string(word);
}

void add_wheel(std::string& out, const WheelReport& wheel, const Paint& paint) {
  const std::string file = escape(wheel.facts.file);
  for (const Claim& claim : wheel.verdict.claims) {
    out += fmt::format("{}: {} {}{}{}\n", file, escape(claim.tag.text), coloured(paint, claim.tag_result),
                       claim.reason.empty() ? "" : ": ", escape(claim.reason));
  }
  out += fmt::format("{}: lowest compatible tag {}\n", file, escape(wheel.verdict.best_tag));
  for (const Finding& finding : wheel.findings) {
    out += fmt::format("{}: {} {} {}: {}\n", place_text(wheel.facts, finding.place), coloured(paint, finding.severity),
                       finding.rule->code, finding.rule->name, escape(finding.message));
  }
}

std::string render_concise(const Report& report, const RenderOptions& options) {
  const Paint paint(options.colour, options.width);
  std::string out;
  for (const Report::Entry& entry : report.entries) {
    if (entry.wheel)
      add_wheel(out, *entry.wheel, paint);
    else if (options.unreadable || entry.unreadable->refused())
      out += fmt::format("{}: {} {}: {}\n", escape(base_name(entry.unreadable->path)), paint.red("error"),
                         unreadable_title(*entry.unreadable), unreadable_message(*entry.unreadable));
  }
  return out;
}

}  // namespace

extern const Renderer concise{"concise", "one line for each verdict and finding", &render_concise};

}  // namespace wheelcheck::report
