// What the formats for people share: colour, columns, plural forms and lines that break between names, never inside
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::report {

inline constexpr std::size_t line_width = 120;

// Colours text, or leaves it as it is. Text is measured and wrapped before it is coloured.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string red(std::string_view text) const { return with("1;31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("1;33", text); }
  std::string cyan(std::string_view text) const { return with("36", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;
  bool on_;
};

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

}  // namespace wheelcheck::report
