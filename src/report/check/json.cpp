// The whole run as one JSON document for programs (docs/report.schema.json).
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

}  // namespace

extern const Renderer json{"json", "one JSON document (wheelcheck schema json)", &render_json};

}  // namespace wheelcheck::report
