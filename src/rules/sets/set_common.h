// Functions for the rules about several wheels in one process: names, import orders, and texts for messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// "tensorflow-cpu", as in the metadata; "the standard library" for none.
std::string name_of(const Installation& installation, const std::optional<DistributionIndex>& distribution);
// The file, with its distribution if that is not the first part of the path: "numpy/x.so", "libfoo.so (foo)".
std::string_view file_name(const Installation& installation, process::ObjectIndex object);
inline bool is_of_distribution(const Installation& installation, process::ObjectIndex object) {
  return installation.member(object) != nullptr;
}
// Null if the file has no dynamic section, or nothing is known of it.
const DynamicFacts* dynamic_of(const Installation& installation, process::ObjectIndex object);
bool defines(const Installation& installation, process::ObjectIndex object, std::string_view symbol);
// "LLVM 23.0.0git", "libcurl"
std::string name_and_version(const LibraryInside& library);
// The distributions that a finding is about. Others are left out of a printed order.
using Concerned = std::vector<DistributionIndex>;
// "tensorflow-cpu, then triton". If there are many distributions and `distributions` is empty, the first eight.
std::string order_of(const Conflicts& conflicts, std::uint32_t load_plan, const Concerned& distributions = {});
// False for a plan in which only one of the distributions is imported first (ImportFailure::import_first).
bool imports_all(const Conflicts& conflicts, std::uint32_t load_plan);
// Adds the orders in which something happens, and those in which it does not, if there are any. `late`: orders that are
// neither (Relation::late_plans).
void add_orders(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                std::vector<Evidence>& evidence, const Concerned& distributions = {},
                const std::vector<std::uint32_t>& late = {});
// An order that was simulated and in which this does not happen, no import fails, and no relation is an error. None if
// it would have only one name.
std::optional<std::string> safe_order(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                                      const Concerned& distributions = {});
// What a user can do, as the first part of a fix: "import in the order beta, then alpha; ". Empty if only one
// distribution is concerned.
std::string fix_of_user(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                        const Concerned& distributions = {});
// Relations between the same two distributions in the same orders, of which the first is the most severe.
std::vector<std::vector<const Relation*>> grouped_relations(const Conflicts& conflicts,
                                                            const std::function<bool(const Relation&)>& is_wanted);
// The load plans in which a relation happens, and those in which it may happen later; sorted.
std::vector<std::uint32_t> all_plans(const Relation& relation);
// The user and the provider of a relation.
Concerned concerned(const Relation& relation);
// For a failure: the distribution whose file cannot be opened, and the one that is loaded instead or should provide
// what is missing.
Concerned concerned(const Installation& installation, const ImportFailure& failure);
// "tensorlib 2.0"
std::string name_and_version(const Installation& installation, DistributionIndex distribution);
std::string version_of(const WheelFacts& wheel);
// "import of ext._ext", "loading of libfoo.so"
std::string what_fails(const Installation& installation, const PlannedOpen& open);
// Failures of one file with the same error in several orders.
struct FailureGroup {
  const ImportFailure* first = nullptr;
  const PlannedOpen* open = nullptr;
  std::vector<std::uint32_t> load_plans;  // sorted
};
std::vector<FailureGroup> grouped_failures(const Conflicts& conflicts);
// Whether the open that loads a file in a plan is uncertain. The file must have one (`Loaded::by`).
inline bool is_opened_uncertainly(const Conflicts& conflicts, std::uint32_t plan, const process::Loaded& loaded) {
  return conflicts.load_plans[plan].opens[loaded.by->step][loaded.by->open].maybe;
}
// Files of distributions with this name, by DT_SONAME or base name.
std::vector<process::ObjectIndex> files_called(const Installation& installation, std::string_view name);
// The Requires-Dist line by which `user` requires `provider`; nullopt if there is none.
std::optional<std::string_view> requirement_on(const Installation& installation, DistributionIndex user,
                                               DistributionIndex provider);
// "LLVM 23.0.0git", "libcurl (version unknown)"
std::string shown(const LibraryInside& library);
// The place where a distribution makes its libraries global: "pkg/__init__.py:12, certain: sys.setdlopenflags(...)".
std::string shown(const Installation& installation, const FlagSource& source);

}  // namespace wheelcheck::rules
