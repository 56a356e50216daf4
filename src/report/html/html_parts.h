// The parts of the HTML page, each a piece of markup. Whatever comes from a wheel goes through report/shared/markup.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/shared/names.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report::html {

// With thin spaces between thousands.
std::string number(std::uint64_t value);
// A bar that fills part / whole of its cell. `kind`: "met", "unmet", "own" or "".
std::string bar(std::uint64_t part, std::uint64_t whole, std::string_view kind);

std::string verdict(const WheelReport& wheel);    // each claim
std::string scores(const WheelReport& wheel);     // of each policy family
std::string files(const Subject& subject);        // what each ELF file asks of the platform at least
std::string libraries(const WheelReport& wheel);  // that were recognised in them
std::string symbols(const WheelReport& wheel);    // exports by namespace
std::string needs(const Subject& subject);        // what each root loads, as a tree
std::string findings(const WheelReport& wheel);
std::string filters(const Report& report);  // of all findings; "" where there are none

// A page that needs nothing beside itself, around its body: its look and its few lines of script are in
// src/report/page. Nothing else can run in it, whatever a name in a wheel says: the page's policy names the hashes of
// what it holds and forbids all else (Content Security Policy Level 3, 6.7).

// title, body: markup. more_style: a second file of src/report/page with rules of style, or "".
std::string page(std::string_view title, std::string_view body, std::string_view more_style = "");

}  // namespace wheelcheck::report::html
