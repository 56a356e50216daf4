// One input of a run as JSON, the same in the formats `json` and `json-lines`. Long lists contain only the most
// important entries; a number next to each gives how many were left out.
#pragma once

#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// Increased when a program that knows only the old version can no longer read the document.
inline constexpr int json_version = 1;
inline constexpr std::string_view json_name = "wheelcheck-report";

Json entry_json(const Report& report, const Report::Entry& entry);
// The number of members, and their bytes.
Json members_json(const WheelFacts& wheel);
// `place` and `path` are safe to print; `path` is "" for the whole wheel.
Json finding_json(const Finding& finding, const std::string& place, const std::string& path);
Json findings_json(const WheelReport& wheel, const std::vector<Finding>& findings);
Json summary_json(const Report& report);
// The configuration and the baseline, if the run had them.
void add_terms(Json& out, const Report& report);
// One requirement of a file: its kind, the member and what is required.
Json requirement_json(const WheelFacts& facts, const Requirement& requirement);

// Adds the keys of the whole wheel: own_scopes, gpu, python.
void add_analysis(Json& out, const WheelReport& wheel);

// The facts and the analysis of one ELF file.
Json elf_json(const Subject& subject, ElfIndex elf);

}  // namespace wheelcheck::report
