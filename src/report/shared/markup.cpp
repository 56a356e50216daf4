#include "report/shared/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/text.h"

namespace wheelcheck::report {
namespace {

// U+FFFE and U+FFFF are UTF-8, but no character of XML (XML 1.0, 2.2).
std::string without_noncharacters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::uint32_t c = next_code_point(text, at);
    if (c == 0xFFFE || c == 0xFFFF)
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", c);
    else
      out.append(text.substr(start, at - start));
  }
  return out;
}

// Longer than any message; a field of a wheel may hold megabytes.
constexpr std::size_t longest = 64 * 1024;

std::string shown(std::string_view text) { return escape(text, longest); }

// Characters that mean nothing to markdown behind the start of a line, where no text of a wheel stands. All others are
// written as numbers, which CommonMark reads as text only (CommonMark 0.31, 2.5).
bool is_plain(char c) {
  constexpr std::string_view plain = " ,/;%-=+()";
  return is_alnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0 || plain.find(c) != std::string_view::npos;
}

// A dot makes a link of "www." only (GitHub Flavored Markdown, 6.9).
bool is_plain_dot(char c, std::string_view before) {
  return c == '.' && lower(before.substr(before.size() - std::min<std::size_t>(3, before.size()))) != "www";
}

void add_number(std::string& out, char c) {
  fmt::format_to(std::back_inserter(out), "&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
}

}  // namespace

std::string markup_shown(std::string_view text) {
  std::string out;
  for (const char c : without_noncharacters(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markdown_shown(std::string_view text) {
  std::string out;
  for (const char c : without_noncharacters(text)) {
    if (is_plain(c) || is_plain_dot(c, out))
      out += c;
    else if (c == '@')
      out += "<code>&#64;</code>";  // names are looked for in what is rendered, but not in code
    else
      add_number(out, c);
  }
  return out;
}

std::string markdown_code_shown(std::string_view text) {
  std::string out = "<code>";
  for (const char c : without_noncharacters(text)) {
    if (is_plain(c) || is_plain_dot(c, out))
      out += c;
    else
      add_number(out, c);
  }
  return out + "</code>";
}

std::string markup(std::string_view text) { return markup_shown(shown(text)); }
std::string markdown(std::string_view text) { return markdown_shown(shown(text)); }
std::string markdown_code(std::string_view text) { return markdown_code_shown(shown(text)); }

std::string uri_segment(std::string_view text) {
  constexpr std::string_view unreserved = "-._~";
  std::string out;
  for (const char c : text) {
    if (is_alnum(c) || unreserved.find(c) != std::string_view::npos)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace wheelcheck::report
