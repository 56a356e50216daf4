// A level made from systems: what every one of them offers is promised, and of the rest it is said who lacks it.
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

struct OfferedSymbol {
  std::string name;
  std::string version;  // its node; empty: none, or the base
  auto operator<=>(const OfferedSymbol&) const = default;
};
// A shared library where the loader of a system finds it without being told (ld.so(8): the trusted directories).
struct OfferedLibrary {
  std::string soname;
  std::string path;                    // in the root
  std::vector<std::string> versions;   // nodes that it defines, sorted, each once
  std::vector<OfferedSymbol> symbols;  // sorted, each once
};
// One system: its libraries, by architecture and soname.
struct Root {
  std::string label;  // debian-13
  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> libraries;
};
// Reads `paths` as one root. A path is a directory with a file system, a directory with packages at any depth, or one
// file: .deb, .rpm, .apk, .tar and what compresses it. No code of the root is run, so it may be of any machine.
// Errors: NotFound, Io; NotAWheel where a file is no archive that can be read; OverLimit.
Result<Root> read_root(const std::string& label, std::span<const std::string> paths, const Limits& limits);

struct DeriveInput {
  std::string name;             // of the new level
  std::optional<Version> libc;  // else what the name says, else the newest glibc that the nodes tell of
  // Says which libraries are asked for, which families of nodes are judged, and which symbols were denied before.
  policy::Level base;
  std::vector<std::string> more_libraries;
  std::vector<Arch> arches;  // empty: all
};
// What some root offers and another lacks, so that the level does not promise it.
struct Lack {
  enum class Kind { Architecture, Library, Version, Symbol };
  Kind kind = Kind::Library;
  Arch arch = Arch::Other;
  std::string library;              // empty for Architecture
  std::vector<std::string> names;   // nodes or symbols, in natural order
  std::vector<std::string> has_it;  // labels, as the roots were given
  std::vector<std::string> lacks;
};
struct Derivation {
  policy::Level level;
  std::string base;                // its name
  std::vector<std::string> roots;  // labels
  std::vector<Lack> lacks;         // by architecture, then library
  // Families of nodes that the base does not judge, so that the level does not either, by library.
  std::map<std::string, std::vector<std::string>, std::less<>> unjudged;
};
// Usage where the name is none, or says another libc than `libc`; NotFound where no root has a library that is asked
// for.
Result<Derivation> derive_level(const DeriveInput& input, std::span<const Root> roots);

// What validate_policies says of these files, and, held against each root that has the architecture: a version node of
// a listed library that the root does not define (WC905), a library that it has not (WC906).
Result<PolicyCheck> validate_policies(std::span<const std::string> files, std::span<const Root> roots);

// As policy_document of the level, with the roots as its basis.
std::string derived_document(const Derivation& derivation);

}  // namespace wheelcheck
