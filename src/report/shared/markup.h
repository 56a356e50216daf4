// Text of a wheel inside of other languages: XML and HTML, markdown, URIs. Every format that writes one of them escapes
// here, so that no name of a member or symbol can end an element, a table or a line. Those that end in _shown take text
// that is safe to print already (base/text.h, escape), which twice would spoil; the others take it as it is.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::report {

// For XML's and HTML's text and for attributes in double quotes. What XML 1.0 has no character for is written in ASCII.
std::string markup(std::string_view text);
std::string markup_shown(std::string_view text);
// For GitHub Flavored Markdown, in a paragraph or a cell of a table: shown as it stands, on one line, and nobody is
// notified of an @name.
std::string markdown(std::string_view text);
std::string markdown_shown(std::string_view text);
// The same in <code>.
std::string markdown_code(std::string_view text);
std::string markdown_code_shown(std::string_view text);
// One segment of a URI's path (RFC 3986, 3.3): all but unreserved characters as %XX, so that no ':' makes a scheme.
std::string uri_segment(std::string_view text);

}  // namespace wheelcheck::report
