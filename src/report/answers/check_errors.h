// What `check` says of a wheel, for the commands that answer another question. None of them may sound as if a wheel
// were fine that check fails, and their exit code agrees with that of check.
#pragma once

#include <vector>

#include "report/shared/document.h"
#include "report/shared/json_text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// Of the findings that fail the wheel, those that no requirement of the system is about: the others say that the
// content exceeds the claimed tag, which each command answers in its own way.
std::vector<const Finding*> check_errors(const WheelReport& wheel);
bool has_check_errors(const WheelReport& wheel);
// "check reports 3 errors: WC506 needed-unresolvable (foo/x.so), WC708 elf-malformed (foo/y.so) and 1 more; see ...".
// Nothing if there are none.
void add_check_errors(Document& out, const WheelReport& wheel);
// [{"code", "name", "member"}]
Json check_errors_json(const WheelReport& wheel);

// Files that were not read whole, each with the first fault; nothing if all were.
void add_unread(Document& out, const WheelFacts& wheel);

}  // namespace wheelcheck::report
