// Colour, columns, line breaks and escaping for the text formats.

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "model/enum_names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

std::string Paint::with(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::size_t columns(std::string_view text) {
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; };
  return static_cast<std::size_t>(std::ranges::count_if(text, starts));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t have = columns(text);
  if (have < width) out.append(width - have, ' ');
  return out;
}

std::string and_more(std::size_t left, std::string_view what) {
  if (left == 0) return "";
  return fmt::format(" and {} more{}{}{}", left, what.empty() ? "" : " ", what, what.empty() || left == 1 ? "" : "s");
}

std::string wrapped(std::string_view text, std::size_t used, std::size_t indent, std::size_t limit) {
  std::string out;
  std::size_t column = used;
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t width = columns(word);
    if (!at_start && column + 1 + width > limit) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!at_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    at_start = false;
  }
  return out;
}

std::string Paint::wrapped(std::string_view text, std::size_t used, std::size_t indent) const {
  constexpr std::size_t least = 20, otherwise = 8;  // columns to the right of the indentation
  return report::wrapped(text, used, indent + least <= width_ ? indent : otherwise, width_);
}

std::string Paint::rule(std::string_view code, std::string_view name) const {
  const std::string text = bold(fmt::format("{} {}", code, name));
  return links_.empty() ? text : linked(text, fmt::format("{}/{}-{}.md", links_, code, name));
}

std::string linked(std::string_view text, std::string_view address) {
  if (address.empty()) return std::string(text);
  return fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", address, text);
}

std::size_t number_of_first_few(std::span<const std::size_t> widths, std::size_t shown, std::size_t width) {
  std::size_t count = 0, used = 0;
  while (count < widths.size() && count < shown) {
    used += widths[count] + (count == 0 ? 0 : 2);
    if (count > 0 && used > width) break;
    ++count;
  }
  // "and 1 more" is as long as a short name, so the name is shown.
  const bool is_all = count + 1 == widths.size() && used + widths.back() <= width;
  return is_all ? widths.size() : count;
}

std::string first_few(const std::vector<std::string>& names, std::size_t shown, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const std::string& name : names) widths.push_back(columns(name));
  const std::size_t count = number_of_first_few(widths, shown, width);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(count);
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), and_more(names.size() - count));
}

std::string cut_at_word(std::string_view text, std::size_t width) {
  constexpr std::string_view dots = "...";
  if (columns(text) <= width) return std::string(text);
  const auto starts_character = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U; };
  std::size_t end = 0;
  for (std::size_t left = width - std::min(width, dots.size()); end < text.size(); ++end)
    if (starts_character(end) && left-- == 0) break;
  // A blank, else a separator inside a name, unless most of the text would be lost.
  for (const std::string_view separators : {" ", "-_./:,(<"}) {
    const std::size_t at = text.find_last_of(separators, end);
    if (at == text.npos || at < end / 2) continue;
    end = at;
    break;
  }
  const std::size_t last = text.find_last_not_of(" ,;:-_./(<", end > 0 ? end - 1 : 0);
  return std::string(text.substr(0, last == text.npos ? end : last + 1)) + std::string(dots);
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t at = path.rfind('/');
  return at == std::string_view::npos || path.size() == 1 ? path : path.substr(at + 1);
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out;
  while (!what.empty()) {
    const std::size_t at = text.find(what);
    if (at == std::string_view::npos) break;
    out.append(text.substr(0, at)).append(with);
    text.remove_prefix(at + what.size());
  }
  return out.append(text);
}

namespace {

// U+FFFE and U+FFFF are valid UTF-8 but not characters of XML (XML 1.0, section 2.2).
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

// longer than any message; a field of a wheel may contain megabytes
constexpr std::size_t longest = 64 * 1024;

std::string shown(std::string_view text) { return escape(text, longest); }

// Characters without a meaning in Markdown, except at the start of a line, where no text of a wheel appears. All others
// are written as numeric references, which CommonMark treats as text (CommonMark 0.31, section 2.5).
bool is_plain(char c) {
  constexpr std::string_view plain = " ,/;%-=+()";
  return is_alnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0 || plain.find(c) != std::string_view::npos;
}

// A dot creates a link only after "www" (GitHub Flavored Markdown, section 6.9).
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
      out += "<code>&#64;</code>";  // mentions are searched in the rendered text, but not in code
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

// Texts for an input that cannot be read as a wheel.

std::string unreadable_text(const Unreadable& unreadable) {
  const std::string& message = unreadable.error.message;
  if (message.find(base_name(unreadable.path)) != std::string::npos) return escape(message);
  return fmt::format("{}: {}", escape(unreadable.path), escape(message));
}

Error named(const std::string& path, Error error) {
  const ErrorCode code = error.code;
  return {code, unreadable_text({path, std::move(error)})};
}

std::string unreadable_title(const Unreadable& unreadable) {
  return unreadable.refused() ? "WC703 archive-refused" : std::string(name_of(unreadable.error.code));
}

std::string unreadable_message(const Unreadable& unreadable) {
  return escape(replaced(unreadable.error.message, unreadable.path, base_name(unreadable.path)));
}

std::string unreadable_sentence(const Unreadable& unreadable) {
  const std::string name = escape(base_name(unreadable.path)), message = unreadable_message(unreadable);
  return message.find(name) != std::string::npos ? message : fmt::format("{}: {}", name, message);
}

}  // namespace wheelcheck::report
