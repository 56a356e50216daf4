// Helpers for the text formats: colour, columns, plural forms, and line wrapping that never breaks inside a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The terminal that text is for: its width, and whether it shows colours. Text is measured and wrapped before it is
// coloured.
class Paint {
 public:
  Paint() = default;  // plain text, 80 columns
  // links: address of the pages of docs/rules; empty: codes of rules are no links.
  explicit Paint(bool on, std::size_t width, std::string links = "")
      : on_(on), width_(width), links_(std::move(links)) {}
  std::size_t width() const { return width_; }
  // As `wrapped` below, for this width.
  std::string wrapped(std::string_view text, std::size_t used, std::size_t indent) const;
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
  bool on_ = false;
  std::size_t width_ = 80;
  std::string links_;
};

// `text` as a link of the terminal (OSC 8); as it is where there is no address.
std::string linked(std::string_view text, std::string_view address);
// The columns of a text on a terminal, which is its number of code points. All text is escaped before, so it contains
// no cursor movements.
std::size_t columns(std::string_view text);
// `text`, padded with blanks to `width` columns.
std::string padded(std::string_view text, std::size_t width);
// " and 1 more file", " and 7 more files", " and 7 more" if `what` is empty; "" for 0.
std::string and_more(std::size_t left, std::string_view what = "");
// Breaks the text at blanks so that no line is longer than `width`, unless a single name is. `used` columns of the
// first line are taken; the other lines are indented by `indent` blanks. There is no newline at the end.
std::string wrapped(std::string_view text, std::size_t used, std::size_t indent, std::size_t width);
// "a, b, c and 7 more": at most the first `shown` names, and at most what fits in `width` columns, but at least one.
std::string first_few(const std::vector<std::string>& names, std::size_t shown, std::size_t width = std::string::npos);
// How many names first_few shows, from their columns.
std::size_t number_of_first_few(std::span<const std::size_t> widths, std::size_t shown, std::size_t width);
// The first `width` columns of the text. If there are more, it ends after a word or a part of a name, with "...".
std::string cut_at_word(std::string_view text, std::size_t width);
// The last part of a path.
std::string_view base_name(std::string_view path);
// `text` with every `what` replaced.
std::string replaced(std::string_view text, std::string_view what, std::string_view with);

// Escaping of a wheel's text for other languages: XML and HTML, Markdown, URIs. All formats in these languages use it,
// so a member or symbol name cannot end an element, a table or a line. The functions that end in _shown take text that
// is already safe to print (base/text.h, escape) and must not be escaped twice; the others take raw text.

// For text and double-quoted attributes of XML and HTML. Characters that XML 1.0 does not allow are written in ASCII.
std::string markup(std::string_view text);
std::string markup_shown(std::string_view text);
// For GitHub Flavored Markdown, in a paragraph or a table cell. The text is shown literally, on one line, and an @name
// notifies nobody.
std::string markdown(std::string_view text);
std::string markdown_shown(std::string_view text);
// The same inside <code>.
std::string markdown_code(std::string_view text);
std::string markdown_code_shown(std::string_view text);
// One path segment of a URI (RFC 3986, section 3.3): all except unreserved characters become %XX, so that ':' does not
// start a scheme.
std::string uri_segment(std::string_view text);

// Texts for an input that is not a wheel, in one line.

// The error's own message, preceded by the input's name if the message does not contain it. Escaped.
std::string unreadable_text(const Unreadable& unreadable);
// "WC703 archive-refused", or the kind of the error: "not-found".
std::string unreadable_title(const Unreadable& unreadable);
// The same for documents that must not depend on where the file lies: the path's last part only.
std::string unreadable_message(const Unreadable& unreadable);
// unreadable_message, preceded by the input's name if it does not contain it.
std::string unreadable_sentence(const Unreadable& unreadable);

// An error with unreadable_text as its message.
Error named(const std::string& path, Error error);

}  // namespace wheelcheck::report
