// What the rules about several wheels in one process share: names, orders, and words for whoever must act.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// "tensorflow-cpu", as the metadata has it; "the standard library" for none.
std::string name_of(const Installation& installation, const std::optional<PartyIndex>& party);
// The file, with its distribution where that is not the first part of the path: "numpy/x.so", "libfoo.so (foo)".
std::string_view file_name(const Installation& installation, process::ObjectIndex object);
// "tensorflow-cpu, then triton"
std::string order_of(const Conflicts& conflicts, std::uint32_t load_plan);
// The orders in which something happens, and those in which it does not, where there are such.
void add_orders(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                std::vector<Evidence>& evidence);
// In which some order is free of it; what to import first, then.
std::optional<std::string> safe_order(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans);
// "LLVM 23.0.0git", "libcurl (version unknown)"
std::string shown(const LibraryInside& library);
// Where a distribution makes its libraries global: "pkg/__init__.py:12, certain: sys.setdlopenflags(...)".
std::string shown(const Installation& installation, const FlagSource& source);

}  // namespace wheelcheck::rules
