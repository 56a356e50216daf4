// The run as JSON lines: one line for each input, and a last line with the totals. Suitable for streams, grep and jq.
#include "report/check/json_wheel.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

std::string line(const Json& document) { return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string render_json_lines(const Report& report, const RenderOptions&) {
  std::string out;
  for (const Report::Entry& entry : report.entries) out += line(entry_json(report, entry));
  Json last = {
      {"type", "summary"}, {"schema", json_name}, {"version", json_version}, {"wheelcheck", safe(report.version)}};
  last.update(summary_json(report));
  add_terms(last, report);
  return out + line(last);
}

}  // namespace

extern const Renderer json_lines{"json-lines", "JSON lines: one object for each wheel, then a summary",
                                 &render_json_lines};

}  // namespace wheelcheck::report
