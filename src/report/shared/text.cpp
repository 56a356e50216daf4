// Colour, columns and line breaks for the formats that people read.
#include "report/shared/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  std::uint64_t unit = 1000;
  std::size_t at = 0;
  while (at + 1 < units.size() && bytes / unit >= 1000) {
    unit *= 1000;
    ++at;
  }
  return fmt::format("{}.{} {}", bytes / unit, bytes % unit / (unit / 10), units[at]);
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

std::string first_few(const std::vector<std::string>& names, std::size_t shown, std::size_t width) {
  std::size_t count = 0, used = 0;
  while (count < names.size() && count < shown) {
    used += columns(names[count]) + (count == 0 ? 0 : 2);
    if (count > 0 && used > width) break;
    ++count;
  }
  // "and 1 more" is no shorter than a short name itself.
  if (count + 1 == names.size() && used + columns(names.back()) <= width) count = names.size();
  if (count == names.size()) return fmt::format("{}", fmt::join(names, ", "));
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(count);
  return fmt::format("{} and {} more", fmt::join(names.begin(), end, ", "), names.size() - count);
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

}  // namespace wheelcheck::report
