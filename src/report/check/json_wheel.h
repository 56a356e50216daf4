// One input of a run as JSON, the same in `json` and `json-lines`.
#pragma once

#include "report/shared/json_text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// Raised when a document of the old version could no longer be read by a program that knows only that version.
inline constexpr int json_version = 1;
inline constexpr std::string_view json_name = "wheelcheck-report";

Json entry_json(const Report& report, const Report::Entry& entry);
// How many members there are, and their bytes.
Json members_json(const WheelFacts& wheel);
// place, path: safe to print; of the whole, path is "".
Json finding_json(const Finding& finding, const std::string& place, const std::string& path);
Json findings_json(const WheelReport& wheel, const std::vector<Finding>& findings);
Json summary_json(const Report& report);
// The configuration and the baseline, where the run had them.
void add_terms(Json& out, const Report& report);
// What one file asks: its kind, the member and what is asked.
Json requirement_json(const WheelFacts& facts, const Requirement& requirement);

}  // namespace wheelcheck::report
