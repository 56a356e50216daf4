#include "archive/case_folding.h"

#include <algorithm>

#include "archive/fold_table.h"
#include "base/text.h"

namespace wheelcheck::archive {
namespace {

void append_utf8(std::string& out, std::uint32_t c) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Hangul syllables decompose by arithmetic (The Unicode Standard, section 3.12).
bool append_hangul(std::string& out, std::uint32_t c) {
  constexpr std::uint32_t first = 0xAC00, count = 11172, vowels_tails = 588, tails = 28;
  if (c < first || c >= first + count) return false;
  const std::uint32_t index = c - first;
  append_utf8(out, 0x1100 + index / vowels_tails);
  append_utf8(out, 0x1161 + index % vowels_tails / tails);
  if (index % tails != 0) append_utf8(out, 0x11A7 + index % tails);
  return true;
}

}  // namespace

std::string fold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      out += to_lower(text[at++]);
      continue;
    }
    const std::size_t start = at;
    const std::uint32_t c = next_code_point(text, at);
    const auto row =
        std::ranges::lower_bound(fold_table, c, {}, [](const FoldRow& r) -> std::uint32_t { return r.from; });
    if (row != std::end(fold_table) && row->from == c) {
      for (const char16_t to : row->to)
        if (to != 0) append_utf8(out, to);
    } else if (!append_hangul(out, c)) {
      out.append(text.substr(start, at - start));
    }
  }
  return out;
}

}  // namespace wheelcheck::archive
