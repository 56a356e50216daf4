// The tables of data/, compiled into the program as constants: no JSON is parsed for them at run time. Texts are pieces
// of one; a list is a text with a line for each item, whose words stand apart by one blank.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/piece.h"
#include "base/prefix_index.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/systems.h"

namespace wheelcheck::knowledge {

struct BuiltinLibrary {
  Piece id, name, family, namespaces, symbols, not_symbols, sonames, texts, version_nodes, owners;
  Compatible compatible;
  bool checks_version, bare_version;
  Piece ends;  // below, date, source
};

struct BuiltinGpuLibrary {
  Piece stem, vendor, component;
  bool driver, redistributable;
  Piece on_user_machines;
  bool major_in_soname;
  Piece majors;     // soname, toolkit
  Piece providers;  // major or nothing, distribution
};

struct BuiltinDistribution {
  Piece name, sonames, brings, alternatives;
};

struct BuiltinStableSymbol {
  Piece name;
  std::uint16_t minor;
  bool abi_only;
};

struct BuiltinRemedy {
  Piece name, symbols, nodes, libraries, advice, source;
};
struct BuiltinSystem {
  Piece id, distribution, version, codename;
  Libc libc;
  Version libc_version;
  Piece nodes;  // family, number
  Piece named_nodes;
  Piece machines;  // architecture, then family and number of each node that differs
  unsigned x86_64_level;
  Piece released, support_ends, basis;
};

// Written by the build from data/*.json (cmake/EmbedTables.cmake), sorted as Knowledge is.
struct BuiltinTables {
  std::string_view text;  // that all pieces are of
  std::span<const BuiltinLibrary> libraries;
  std::span<const BuiltinGpuLibrary> gpu;
  std::span<const BuiltinDistribution> distributions;
  std::span<const BuiltinStableSymbol> stable_abi;
  std::span<const BuiltinRemedy> remedies;
  std::span<const BuiltinSystem> systems;
  std::span<const PrefixIndex::Entry> symbols, mangled, sonames;  // as LibraryPatterns has them
};
extern const BuiltinTables builtin_tables;

}  // namespace wheelcheck::knowledge
