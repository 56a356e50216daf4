// The output of `wheelcheck conflicts`: how several wheels affect each other in one process. The wheels are imported in
// several orders, and the report names for each order the captures, failures and other effects.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/shared/text.h"
#include "wheelcheck/conflict_report.h"
#include "wheelcheck/process.h"

namespace wheelcheck::report {

// One screen: the process, each order with its worst finding, the findings, and the search for traced symbols. With
// `details`, all evidence of each finding, and notes.
std::string render_conflicts(const ConflictReport& report, const Paint& paint = {}, bool details = false);
// Annotates a stack trace: for each frame, the distribution that its library belongs to, and the capture that led
// there.
using Demangle = std::string (*)(std::string_view);
std::string crash_text(const ConflictReport& report, std::string_view trace, Demangle demangle,
                       const Paint& paint = {});
// One page, with a graph of who uses whose symbols.
std::string render_conflicts_html(const ConflictReport& report);
// docs/conflicts.schema.json
std::string render_conflicts_json(const ConflictReport& report);
// How the traced names were looked up in each order, and what would change the result.
std::string searches_text(const ConflictReport& report, const Paint& paint);

// Which symbol of which file is bound to which definition, as JSON (docs/bindings.schema.json).
// `names` are the printable names of the files in `world`.
std::string render_bindings(const process::World& world, std::span<const std::string> names,
                            const process::Outcome& outcome);

}  // namespace wheelcheck::report
