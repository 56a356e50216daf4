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
// The distributions that a finding is about; of an order the others are left out.
using Concerned = std::vector<PartyIndex>;
// "tensorflow-cpu, then triton"; of many distributions the first eight where none is named.
std::string order_of(const Conflicts& conflicts, std::uint32_t load_plan, const Concerned& parties = {});
// The orders in which something happens, and those in which it does not, where there are such.
void add_orders(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                std::vector<Evidence>& evidence, const Concerned& parties = {});
// An order that was played and in which neither this happens, nor an import fails, nor a relation is an error.
std::optional<std::string> safe_order(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                                      const Concerned& parties = {});
// User and provider of a relation.
Concerned concerned(const Relation& relation);
// Of a failure: whose open fails, who is loaded instead or should provide what is missing.
Concerned concerned(const Installation& installation, const ImportFailure& failure);
// "tensorlib 2.0"
std::string name_and_version(const Installation& installation, PartyIndex party);
std::string version_of(const WheelFacts& wheel);
// "import of ext._ext", "loading of libfoo.so"
std::string what_fails(const Installation& installation, const PlannedOpen& open);
// Failures of one file with one error in several orders, as one.
struct FailureGroup {
  const ImportFailure* first = nullptr;
  const PlannedOpen* open = nullptr;
  std::vector<std::uint32_t> load_plans;  // sorted
};
std::vector<FailureGroup> grouped_failures(const Conflicts& conflicts);
// Files of distributions that bear this name, by DT_SONAME or base name.
std::vector<process::ObjectIndex> files_called(const Installation& installation, std::string_view name);
// The Requires-Dist line by which `user` requires `provider`; nullopt where it does not.
std::optional<std::string_view> requirement_on(const Installation& installation, PartyIndex user, PartyIndex provider);
// "LLVM 23.0.0git", "libcurl (version unknown)"
std::string shown(const LibraryInside& library);
// Where a distribution makes its libraries global: "pkg/__init__.py:12, certain: sys.setdlopenflags(...)".
std::string shown(const Installation& installation, const FlagSource& source);

}  // namespace wheelcheck::rules
