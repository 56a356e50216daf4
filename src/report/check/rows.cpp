// One flat JSON object for each input (docs/rows.schema.json), for a database of many wheels. It omits the facts of the
// files, because writing them would take most of the time.
#include <algorithm>

#include "report/check/json_wheel.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

Json claims_json(const Verdict& verdict) {
  Json out = Json::array();
  for (const Claim& claim : verdict.claims)
    out.push_back({{"tag", safe(claim.tag.text)},
                   {"canonical", safe(claim.tag.canonical)},
                   {"result", tag_result_word(claim.tag_result)},
                   {"reason", safe(claim.reason)}});
  return out;
}

Json wheel_json(const WheelReport& wheel) {
  const Json members = members_json(wheel.facts);
  const auto findings = [&](Severity severity) {
    return std::ranges::count(wheel.findings, severity, &Finding::severity);
  };
  return {{"file", safe(wheel.facts.file)},
          {"version", safe(wheel.facts.name.version)},
          {"status", tag_result_word(wheel.verdict.overall())},
          {"error", nullptr},
          {"reason", nullptr},
          {"failed", wheel.failed},
          {"pure", wheel.verdict.pure},
          {"best_tag", safe(wheel.verdict.best_tag)},
          {"best_tags", texts(wheel.verdict.best_tags)},
          {"claims", claims_json(wheel.verdict)},
          {"bytes", wheel.facts.size},
          {"members", members.at("count")},
          {"unpacked_bytes", members.at("size")},
          {"elf_files", wheel.facts.elfs.size()},
          {"errors", findings(Severity::Error)},
          {"warnings", findings(Severity::Warning)},
          {"notes", findings(Severity::Note)},
          {"findings", findings_json(wheel, wheel.findings)}};
}

Json row_of_unreadable(const Unreadable& input) {
  Json out = {{"file", safe(base_name(input.path))},
              {"version", nullptr},
              {"status", "rejected"},
              {"error", name_of(input.error.code)},
              {"reason", unreadable_message(input)},
              {"failed", true}};
  for (const char* unknown : {"pure", "best_tag", "best_tags", "claims", "bytes", "members", "unpacked_bytes",
                              "elf_files", "errors", "warnings", "notes"})
    out[unknown] = nullptr;
  out["findings"] = Json::array();
  return out;
}

std::string render_rows(const Report& report, const RenderOptions&) {
  std::string out;
  for (const Report::Entry& entry : report.entries) {
    const Json row = entry.wheel ? wheel_json(*entry.wheel) : row_of_unreadable(*entry.unreadable);
    out += row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return out;
}

}  // namespace

extern const Renderer rows{"rows", "one flat JSON object per input, for tables (wheelcheck schema rows)", &render_rows};

}  // namespace wheelcheck::report
