// The tables of data/, compiled into the program as constants: no JSON is parsed for them at run time. A list is a text
// with a line for each item, whose words stand apart by one blank.
#pragma once

#include <span>
#include <string_view>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/systems.h"

namespace wheelcheck::knowledge {

struct BuiltinLibrary {
  std::string_view id, name, family, namespaces, symbols, not_symbols, sonames, texts, version_nodes, owners;
  Compatible compatible;
  bool checks_version, bare_version;
  std::string_view ends;  // below, date, source
};

struct BuiltinGpuLibrary {
  std::string_view stem, vendor, component;
  bool driver, redistributable;
  std::string_view on_user_machines;
  bool major_in_soname;
  std::string_view majors;     // soname, toolkit
  std::string_view providers;  // major or nothing, distribution
};

struct BuiltinDistribution {
  std::string_view name, sonames, brings;
};

struct BuiltinRemedy {
  std::string_view name, symbols, nodes, libraries, advice, source;
};
struct BuiltinSystem {
  std::string_view id, distribution, version, codename;
  Libc libc;
  Version libc_version;
  std::string_view nodes;  // family, number
  std::string_view named_nodes;
  std::string_view machines;  // architecture, then family and number of each node that differs
  unsigned x86_64_level;
  std::string_view released, support_ends, basis;
};

// Written by the build from data/*.json (cmake/EmbedTables.cmake), sorted as Knowledge is.
struct BuiltinTables {
  std::span<const BuiltinLibrary> libraries;
  std::span<const BuiltinGpuLibrary> gpu;
  std::span<const BuiltinDistribution> distributions;
  std::span<const StableSymbol> stable_abi;
  std::span<const BuiltinRemedy> remedies;
  std::span<const BuiltinSystem> systems;
};
extern const BuiltinTables builtin_tables;

}  // namespace wheelcheck::knowledge
