// Tools for authors of policies: load levels from files, compare two levels, write a level as a document, and validate
// policy files.
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

// One policy: a level of one C library, for every architecture that it lists.
struct Level {
  std::string name;
  std::vector<std::string> aliases;
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Version libc;
  std::map<Arch, Policy> policies;
};

}  // namespace policy

// The built-in levels and those of `files`, by C library, oldest first. A level of `files` replaces a built-in level of
// the same name. Errors: as load_policies.
Result<std::vector<policy::Level>> load_levels(std::span<const std::string> files);
// Only the levels of `files`, as written. Errors: as load_policies.
Result<std::vector<policy::Level>> load_level_files(std::span<const std::string> files);
// The level of `levels` with the name or alias `name` (manylinux_2_17, manylinux2014). If there is none, `name` is the
// path of a file with one level. Errors: as load_policies.
Result<policy::Level> find_level(std::span<const policy::Level> levels, const std::string& name);
// A JSON document of policies/schema/policy.schema.json that loads again as this level. basis: where the contents come
// from; empty: not given.
std::string policy_document(const policy::Level& level, std::string_view basis = "");

// The difference between two lists, in natural order.
struct ListChange {
  std::string of;  // the family GLIBC, or the library libz.so.1; empty for the list of libraries
  std::vector<std::string> added, removed;
};
// Which of the two levels has an architecture.
enum class Presence { Both, Old, New };
struct ArchChange {
  Arch arch = Arch::Other;
  Presence presence = Presence::Both;  // the lists are compared only for Both
  std::vector<ListChange> versions, denied_symbols;
  ListChange libraries;
};
struct PolicyChange {
  std::string from, to;                   // names
  std::vector<ArchChange> architectures;  // architectures that differ
};
PolicyChange compare_levels(const policy::Level& from, const policy::Level& to);

// A mistake in a policy file. The codes are listed in policies/README.md.
struct PolicyProblem {
  std::string_view code;  // WC902
  Severity severity = Severity::Error;
  std::string file, pointer;  // a JSON pointer (RFC 6901); empty: the whole document
  std::string message;        // includes what to write instead
};
struct PolicyCheck {
  std::size_t files = 0, levels = 0;    // number read
  std::vector<PolicyProblem> problems;  // by file, in the order of detection
};
// All mistakes in all files. Each document is validated by itself; then all levels are validated together with the
// built-in ones, which they add to or replace. Error: a file cannot be read.
Result<PolicyCheck> validate_policies(std::span<const std::string> files);

}  // namespace wheelcheck
