// The tables of data/, compiled into the program as constants: no JSON is parsed for them at run time. A list is a text
// with a line for each item, whose words stand apart by one blank.
#pragma once

#include <span>
#include <string_view>

#include "wheelcheck/knowledge.h"

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

// Written by the build from data/*.json (cmake/EmbedTables.cmake), sorted as Knowledge is.
struct BuiltinTables {
  std::span<const BuiltinLibrary> libraries;
  std::span<const BuiltinGpuLibrary> gpu;
  std::span<const BuiltinDistribution> distributions;
  std::span<const StableSymbol> stable_abi;
  std::span<const BuiltinRemedy> remedies;
};
extern const BuiltinTables builtin_tables;

}  // namespace wheelcheck::knowledge
