// Versions, version nodes, and natural order.
#include "wheelcheck/version.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"

namespace wheelcheck {

bool parse_version(std::string_view text, Version& out) {
  Version version;
  const auto parts = split(text, '.');
  if (parts.size() > version.parts.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::uint64_t number = 0;
    if (!parse_number(parts[i], number) || number > std::numeric_limits<std::uint32_t>::max()) return false;
    version.parts[i] = static_cast<std::uint32_t>(number);
  }
  out = version;
  return true;
}

std::string to_string(const Version& version) {
  std::size_t count = version.parts.size();
  while (count > 2 && version.parts[count - 1] == 0) --count;
  return fmt::format("{}", fmt::join(version.parts.begin(), version.parts.begin() + count, "."));
}

namespace {

// Index of the '_' between family and suffix; npos if there is none.
std::size_t family_end(std::string_view node) {
  for (std::size_t i = 0; i + 1 < node.size(); ++i)
    if (node[i] == '_' && is_digit(node[i + 1])) return i;
  return node.find('_');
}

}  // namespace

std::string_view version_family(std::string_view node) { return node.substr(0, family_end(node)); }

std::string_view version_suffix(std::string_view node) {
  const std::size_t end = family_end(node);
  return end == std::string_view::npos ? std::string_view() : node.substr(end + 1);
}

std::strong_ordering natural_order(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t m = i, n = j;
      while (m < a.size() && a[m] == '0') ++m;
      while (n < b.size() && b[n] == '0') ++n;
      std::size_t end_a = m, end_b = n;
      while (end_a < a.size() && is_digit(a[end_a])) ++end_a;
      while (end_b < b.size() && is_digit(b[end_b])) ++end_b;
      if (const auto order = (end_a - m) <=> (end_b - n); order != 0) return order;
      if (const auto order = a.substr(m, end_a - m) <=> b.substr(n, end_b - n); order != 0) return order;
      i = end_a;
      j = end_b;
    } else {
      const auto x = static_cast<unsigned char>(a[i++]), y = static_cast<unsigned char>(b[j++]);
      if (x != y) return x <=> y;
    }
  }
  if (const auto order = (a.size() - i) <=> (b.size() - j); order != 0) return order;
  return a <=> b;  // 1.0 and 1.00 differ, so that the order is total
}

}  // namespace wheelcheck
