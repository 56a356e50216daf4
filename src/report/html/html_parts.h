// The parts of the HTML page, each a string of markup. All text from a wheel is escaped (report/shared/text.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "report/shared/groups.h"
#include "report/shared/names.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report::html {

// The number with thin spaces as thousands separators.
std::string number(std::uint64_t value);
// A bar that fills part / whole of its cell. `kind` is "met", "unmet", "own" or "".
std::string bar(std::uint64_t part, std::uint64_t whole, std::string_view kind);

std::string verdict(const WheelReport& wheel);    // each claim
std::string scores(const WheelReport& wheel);     // of each policy family
std::string files(const Subject& subject);        // the minimum requirements of each ELF file
std::string libraries(const WheelReport& wheel);  // the libraries recognized in the files
std::string symbols(const WheelReport& wheel);    // exports by namespace
std::string needs(const Subject& subject);        // what each root file loads, as a tree
std::string findings(const WheelReport& wheel);
// Findings of one rule and severity.
std::string finding_item(std::string_view heading, std::span<const Finding> findings, const PlaceText& place_of);
// A number of the head of a page. `heat` is its class if it is not 0: "hot", "warm" or "".
std::string tile(std::size_t count, std::string_view what, std::string_view heat);
std::string filters(const Report& report);  // of all findings; "" if there are none

// Builds a self-contained page around a body. Its CSS and its few lines of script are in src/report/page. Nothing else
// can run in the page, whatever a wheel contains: its Content-Security-Policy lists the hashes of its own style and
// script and forbids all others (Content Security Policy Level 3, section 6.7).

// `title` and `body` are markup. `more_style` is a second CSS file of src/report/page, or "".
std::string page(std::string_view title, std::string_view body, std::string_view more_style = "");

}  // namespace wheelcheck::report::html
