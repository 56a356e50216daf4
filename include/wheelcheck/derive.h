// The derivation of a policy level from systems. An author gives the file systems or packages of several distributions.
// Every library, version node and symbol that all of them have is allowed by the new level; for everything else the
// result lists the systems that lack it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/platform.h"
#include "wheelcheck/policies.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// A symbol that a library defines.
struct OfferedSymbol {
  std::string name;
  std::string version;  // version node; empty: none, or the base version
  auto operator<=>(const OfferedSymbol&) const = default;
};
// A shared library in a trusted directory of a system, where the loader finds it without a search path (ld.so(8)).
struct OfferedLibrary {
  std::string soname;
  std::string path;                    // path in the root
  std::vector<std::string> versions;   // version nodes that it defines, sorted, without duplicates
  std::vector<OfferedSymbol> symbols;  // sorted, without duplicates
};
// One system: its libraries by architecture and soname.
struct Root {
  std::string label;  // debian-13
  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> libraries;
};
// Reads `paths` as one root. A path is a directory with a file system, a directory with packages at any depth, or one
// file: .deb, .rpm, .apk, .tar, or one of these compressed. No code of the root is executed, so the root may be of any
// machine. Errors: NotFound, Io; NotAWheel if a file is not an archive that can be read; OverLimit.
Result<Root> read_root(const std::string& label, std::span<const std::string> paths, const Limits& limits);

// What a new level is derived from.
struct DeriveInput {
  std::string name;  // name of the new level
  // nullopt: the version in `name`, or else the newest glibc version among the nodes.
  std::optional<Version> libc;
  // Determines which libraries are considered, which families of version nodes are judged, and which symbols were
  // denied before.
  policy::Level base;
  // Sonames that are considered in addition to those of `base`.
  std::vector<std::string> more_libraries;
  std::vector<Arch> arches;  // empty: all
};
// What some roots have and others lack, so that the level does not allow it.
struct Lack {
  enum class Kind { Architecture, Library, Version, Symbol };
  Kind kind = Kind::Library;
  Arch arch = Arch::Other;
  std::string library;              // empty for Architecture
  std::vector<std::string> names;   // version nodes or symbols, in natural order
  std::vector<std::string> has_it;  // labels, in the order of the roots
  std::vector<std::string> lacks;
};
// A derived level, and what is left out of it.
struct Derivation {
  policy::Level level;
  std::string base;                // name of the base level
  std::vector<std::string> roots;  // labels
  std::vector<Lack> lacks;         // by architecture, then library
  // Families of version nodes that the base level does not judge, so that the new level does not judge them either; by
  // library.
  std::map<std::string, std::vector<std::string>, std::less<>> unjudged;
};
// Errors: Usage if the name is not a level name, or contains another libc version than `libc`; NotFound if no root has
// a considered library.
Result<Derivation> derive_level(const DeriveInput& input, std::span<const Root> roots);

// The problems that validate_policies reports for these files, and the result of a comparison with each root of the
// same architecture: a version node of a listed library that the root does not define (WC905), and a library that the
// root does not have (WC906). Errors: as validate_policies.
Result<PolicyCheck> validate_policies(std::span<const std::string> files, std::span<const Root> roots);

// The policy_document of the level, with the roots as its basis.
std::string derived_document(const Derivation& derivation);

}  // namespace wheelcheck
