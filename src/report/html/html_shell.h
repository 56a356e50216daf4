// A page that needs nothing beside itself, around its body: its look and its few lines of script are in
// src/report/page. Nothing else can run in it, whatever a name in a wheel says: the page's policy names the hashes of
// what it holds and forbids all else (Content Security Policy Level 3, 6.7).
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::report::html {

// title, body: markup. more_style: a second file of src/report/page with rules of style, or "".
std::string page(std::string_view title, std::string_view body, std::string_view more_style = "");

}  // namespace wheelcheck::report::html
