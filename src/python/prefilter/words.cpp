// Every Python file is searched for these words, and few hold one.
#include "python/prefilter/words.h"

#include <algorithm>
#include <cstddef>

#include "base/byte_scan.h"

namespace wheelcheck::python {

bool holds_loading_word(std::string_view text) {
  // Each has dl, dL, DL or d_ in it, which most files have not, and goes on with one of few letters.
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'd') & ((d == 'l') | (d == 'L') | (d == '_'))) | ((c == 'D') & (d == 'L'));
  };
  return any_pair(text, 0, text.size(), is_mark, [&](std::size_t at) {
    const char mark = text[at + 1], after = at + 2 < text.size() ? text[at + 2] : '\0';
    if (after != 'l' && !(mark == 'l' && after == 'o') && !(mark == 'L' && (after == 'L' || after == 'i'))) {
      return false;
    }
    const std::string_view around = text.substr(at - std::min<std::size_t>(at, 8), 32);
    return std::ranges::any_of(loading_words, [&](std::string_view word) { return around.find(word) != around.npos; });
  });
}

bool holds_flags_word(std::string_view text) {
  constexpr std::string_view word = loading_words.front();
  constexpr std::size_t pair = word.find("dl");
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) { marks = (c == 'd') & (d == 'l'); };
  return any_pair(text, 0, text.size(), is_mark,
                  [&](std::size_t at) { return at >= pair && text.substr(at - pair).starts_with(word); });
}

}  // namespace wheelcheck::python
