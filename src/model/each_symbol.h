// One pass over many symbols, whose names lie strewn over a table of up to 100 MB that is in no cache: each name is
// asked of the processor a few symbols ahead.
#pragma once

#include <cstddef>

#include "wheelcheck/name_sketch.h"

namespace wheelcheck {

// Whether the predicate holds for one of those that `wanted` takes; those behind the first such are not looked at, and
// the names of the others are not asked for. `wanted` is asked twice of each symbol and should read no name.
template <class Symbols, class Wanted, class Predicate>
bool any_symbol(const Symbols& symbols, Wanted wanted, Predicate predicate) {
  constexpr std::size_t ahead = 12;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (i + ahead < symbols.size() && wanted(symbols[i + ahead])) {
      const auto& name = symbols[i + ahead].name;
      __builtin_prefetch(name.data());
      __builtin_prefetch(name.data() + name.size());
    }
    if (wanted(symbols[i]) && predicate(symbols[i])) return true;
  }
  return false;
}

template <class Symbols, class Wanted, class Visit>
void each_symbol(const Symbols& symbols, Wanted wanted, Visit visit) {
  any_symbol(symbols, wanted, [&](const auto& symbol) {
    visit(symbol);
    return false;
  });
}
template <class Symbols, class Visit>
void each_symbol(const Symbols& symbols, Visit visit) {
  each_symbol(symbols, [](const auto&) { return true; }, visit);
}

// Takes the symbols whose names are not those of C++.
inline constexpr auto is_plain_symbol = [](const auto& symbol) { return !sketch_of(symbol).mangled(); };

}  // namespace wheelcheck
