// What several wheels do to each other, for people and for programs.
#pragma once

#include <string>
#include <string_view>

#include "wheelcheck/conflict_report.h"

namespace wheelcheck::report {

// One screen: the process, each order with its worst finding, the findings; of traced symbols, the search.
// details: all evidence of each finding, and notes.
std::string render_conflicts(const ConflictReport& report, bool colour, bool details = false);
// A stack trace, frame by frame: which distribution each library is of, and which capture led there.
using Demangle = std::string (*)(std::string_view);
std::string crash_text(const ConflictReport& report, std::string_view trace, Demangle demangle);
// docs/conflicts.schema.json
std::string render_conflicts_json(const ConflictReport& report);
// How the look-ups of the traced names went, in each order, and what would change them.
std::string searches_text(const ConflictReport& report, bool colour);

}  // namespace wheelcheck::report
