// One pass over many symbols, whose names lie strewn over a table of up to 100 MB that is in no cache: each name is
// asked of the processor a few symbols ahead.
#pragma once

#include <cstddef>

namespace wheelcheck {

// What of the names is read.
enum class NamePlace { Both, Start, End };

// Whether the predicate holds for one of them; those behind the first such are not looked at.
template <NamePlace place = NamePlace::Both, class Symbols, class Predicate>
bool any_symbol(const Symbols& symbols, Predicate predicate) {
  constexpr std::size_t ahead = 12;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (i + ahead < symbols.size()) {
      const auto& name = symbols[i + ahead].name;
      if (place != NamePlace::End) __builtin_prefetch(name.data());
      if (place != NamePlace::Start) __builtin_prefetch(name.data() + name.size());
    }
    if (predicate(symbols[i])) return true;
  }
  return false;
}

template <NamePlace place = NamePlace::Both, class Symbols, class Visit>
void each_symbol(const Symbols& symbols, Visit visit) {
  any_symbol<place>(symbols, [&](const auto& symbol) {
    visit(symbol);
    return false;
  });
}

}  // namespace wheelcheck
