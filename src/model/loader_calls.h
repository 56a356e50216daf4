// Calls of dlopen in machine code (elf/loader_calls.cpp).
#pragma once

#include <algorithm>

#include "model/each_symbol.h"
#include "wheelcheck/elf.h"

namespace wheelcheck {

inline bool calls(const ElfFacts& facts, LoaderCall::Function function) {
  return std::ranges::any_of(facts.loader_calls, [&](const LoaderCall& call) { return call.function == function; });
}

// False where every call of dlopen was read, or there is none.
inline bool has_unread_dlopen(const ElfFacts& facts) {
  for (const LoaderCall& call : facts.loader_calls)
    if (call.function == LoaderCall::Function::Dlopen && call.name.empty()) return true;
  return !calls(facts, LoaderCall::Function::Dlopen) && facts.dynamic &&
         any_symbol(facts.dynamic->imports, [](const Import& import) { return import.name == "dlopen"; });
}

}  // namespace wheelcheck
