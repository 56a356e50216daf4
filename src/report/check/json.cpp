// The whole run as JSON for programs (docs/report.schema.json): one document, or one line for each input and a last
// line with the totals, suitable for streams, grep and jq.
#include "report/check/json_wheel.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

std::string render_json(const Report& report, const RenderOptions&) {
  Json providers = Json::array(), wheels = Json::array();
  for (const WheelFacts& provider : report.providers) providers.push_back(safe(provider.file));
  for (const Report::Entry& entry : report.entries) wheels.push_back(entry_json(report, entry));
  Json document = {{"schema", json_name},
                   {"version", json_version},
                   {"wheelcheck", safe(report.version)},
                   {"providers", std::move(providers)},
                   {"wheels", std::move(wheels)},
                   {"summary", summary_json(report)}};
  add_terms(document, report);
  return document_text(document);
}

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

extern const Renderer json{"json", "one JSON document (wheelcheck schema json)", &render_json};

extern const Renderer json_lines{"json-lines", "JSON lines: one object for each wheel, then a summary",
                                 &render_json_lines};

}  // namespace wheelcheck::report
