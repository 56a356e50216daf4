// What authors of policies ask: which levels there are, what one adds to another, and what is wrong with a file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/finding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/result.h"

namespace wheelcheck {

namespace policy {

// What one policy says: a level of one C library, for every architecture that it names.
struct Level {
  std::string name;
  std::vector<std::string> aliases;
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Version libc;
  std::map<Arch, Policy> policies;
};

}  // namespace policy

// The built-in levels and those of `files`, by C library, oldest first; one that shares a name with an earlier one has
// taken its place. Errors: as load_policies.
Result<std::vector<policy::Level>> load_levels(std::span<const std::string> files);
// The levels of `files` alone, as they stand there. Errors: as load_policies.
Result<std::vector<policy::Level>> load_level_files(std::span<const std::string> files);
// The level called `name` (manylinux_2_17, manylinux2014), of `levels`; else that of the one-level file of this path.
Result<policy::Level> find_level(std::span<const policy::Level> levels, const std::string& name);
// As a document of policies/schema/policy.schema.json: what loads again as this level. basis: where the promise comes
// from; empty: it is not said.
std::string policy_document(const policy::Level& level, std::string_view basis = "");

// What a list has more and less than another, in natural order.
struct ListChange {
  std::string of;  // GLIBC; libz.so.1; empty for the list of libraries
  std::vector<std::string> added, removed;
};
enum class Presence { Both, Old, New };
struct ArchChange {
  Arch arch = Arch::Other;
  Presence presence = Presence::Both;  // lists are compared where both have the architecture
  std::vector<ListChange> versions, denied_symbols;
  ListChange libraries;
};
struct PolicyChange {
  std::string from, to;                   // names
  std::vector<ArchChange> architectures;  // those that differ
};
PolicyChange compare_levels(const policy::Level& from, const policy::Level& to);

// A mistake of a policy file. Codes: policies/README.md.
struct PolicyProblem {
  std::string_view code;  // WC902
  Severity severity = Severity::Error;
  std::string file, pointer;  // RFC 6901; empty: the whole document
  std::string message;        // with what to write instead
};
struct PolicyCheck {
  std::size_t files = 0, levels = 0;    // read
  std::vector<PolicyProblem> problems;  // by file, as they were found
};
// All mistakes of all files: each document by itself, then all levels together with the built-in ones, which they add
// to or take the place of. Error: a file cannot be read.
Result<PolicyCheck> validate_policies(std::span<const std::string> files);

}  // namespace wheelcheck
