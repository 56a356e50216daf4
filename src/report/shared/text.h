// What the formats for people share: colour, columns, plural forms and lines that break between names, never inside
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

inline constexpr std::size_t line_width = 120;

// Colours text, or leaves it as it is. Text is measured and wrapped before it is coloured.
class Paint {
 public:
  // links: address of the pages of docs/rules; empty: codes of rules are no links.
  explicit Paint(bool on, std::string links = "") : on_(on), links_(std::move(links)) {}
  // WC102 symbol-version-too-new, bold, and a link to its page.
  std::string rule(std::string_view code, std::string_view name) const;
  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string red(std::string_view text) const { return with("1;31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("1;33", text); }
  std::string cyan(std::string_view text) const { return with("36", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;
  bool on_;
  std::string links_;
};

// `text` as a link of the terminal (OSC 8); as it is where there is no address.
std::string linked(std::string_view text, std::string_view address);
// Columns that a text takes on a terminal: its code points. Every text was escaped before, so nothing else moves the
// cursor.
std::size_t columns(std::string_view text);
// `text` and blanks up to `width` columns.
std::string padded(std::string_view text, std::size_t width);
// 1 file, 2 files; `many` where an 's' is not enough.
std::string plural(std::size_t count, std::string_view one, std::string_view many = "");
// 999 B, 1.2 kB, 40.1 MB: decimal units, one place, cut, not rounded.
std::string size_text(std::uint64_t bytes);
// Breaks at blanks so that no line is longer than `width` where a name allows it. `used` columns of the first line are
// taken; the others start with `indent` blanks. No line end at the end.
std::string wrapped(std::string_view text, std::size_t used, std::size_t indent, std::size_t width = line_width);
// a, b, c and 7 more: the first `shown` of them, and no more than fit in `width` columns, but always one.
std::string first_few(const std::vector<std::string>& names, std::size_t shown, std::size_t width = std::string::npos);
// A path without its directories.
std::string_view base_name(std::string_view path);
// `text` with every `what` replaced.
std::string replaced(std::string_view text, std::string_view what, std::string_view with);

// Text of a wheel inside of other languages: XML and HTML, markdown, URIs. Every format that writes one of them escapes
// here, so that no name of a member or symbol can end an element, a table or a line. Those that end in _shown take text
// that is safe to print already (base/text.h, escape), which twice would spoil; the others take it as it is.

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

// An input that is no wheel, in one line.

// The error's own message, with the input's name in front where the message does not say it. Escaped.
std::string unreadable_text(const Unreadable& unreadable);
// "WC703 archive-refused", or the kind of the error: "not-found".
std::string unreadable_title(const Unreadable& unreadable);
// The same for documents that must not depend on where the file lies: the path's last part only.
std::string unreadable_message(const Unreadable& unreadable);
// That, with the input's name in front where it does not say it.
std::string unreadable_sentence(const Unreadable& unreadable);

// An error with unreadable_text as its message.
Error named(const std::string& path, Error error);

}  // namespace wheelcheck::report
