// The look-up of one symbol in the scopes of a loaded file (glibc elf/dl-lookup.c, musl ldso/dynlink.c find_sym). glibc
// searches file after file. Here all definitions of a name are known (definitions.h), and the one whose file is first
// in the scopes is used. The cost does not grow with the number of loaded files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ldso/definitions.h"
#include "ldso/process_maps.h"

namespace wheelcheck::resolver {

// The result of a look-up, before it is considered an error.
struct LookupResult {
  std::optional<ObjectIndex> object;
  std::uint32_t definition = process::unknown_definition;  // index into its exports
  process::BindingResult way = process::BindingResult::Missing;
  bool inconsistent = false;  // the assertion in check_match of glibc before 2.41 fails
};

// The definitions of STB_GNU_UNIQUE symbols that the process uses: the first one that was looked up. The key is the
// name without its version.
class UniqueTable {
 public:
  struct Entry {
    ObjectIndex object;
    std::uint32_t definition = process::unknown_definition;
  };
  // Returns the entry, after adding `taken` if there is none.
  Entry settle(SymbolNumber name, Entry taken) { return entries_.try_emplace(name.value, taken).first->second; }
  bool holds(SymbolNumber name) const { return entries_.contains(name.value); }
  std::size_t size() const { return entries_.size(); }
  void forget(const std::vector<bool>& gone) {
    std::erase_if(entries_, [&](const auto& entry) { return gone[entry.second.object.value]; });
  }

 private:
  // Keys are numbers given by Definitions, so an attacker cannot choose colliding ones.
  std::unordered_map<std::uint32_t, Entry> entries_;
};

class LookUpTable {
 public:
  LookUpTable(const Definitions& definitions, Maps& maps, bool dynamic_weak);

  // Selects the file of the next look-ups. Scopes must not change until the next call.
  void enter(ObjectIndex object);
  LookupResult look_up(std::uint32_t reference);
  // The look-up at the first call of a lazily bound function (elf/dl-runtime.c). A protected symbol is not looked up.
  LookupResult look_up_late(std::uint32_t reference);
  // The lists that a look-up searches at present.
  std::vector<process::Search::List> scope() const;
  std::size_t unique_symbols() const { return unique_.size(); }
  // Call this after files are unloaded and searchlists have changed.
  void forget(const std::vector<bool>& gone) {
    unique_.forget(gone);
    ranked_scope_.clear();
  }

 private:
  struct Version {
    std::string_view name;
    std::uint16_t index = 0;
    std::string_view library;  // set for a version need
  };
  struct Request {
    SymbolNumber name;
    LookUp kind;
    std::optional<Version> version;
  };
  struct Hit {
    const Definition* definition = nullptr;
    std::optional<ObjectIndex> assumed;
    bool somewhere = false;  // defined by an assumed library, but it is not known which
    bool inconsistent = false;
  };
  enum class Match { No, Yes, IfAlone };
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  void rank(const std::vector<ScopeEntry>& scope);
  std::optional<Version> version_of(ObjectIndex file, std::uint32_t symbol, bool own) const;
  Hit first(const Request& request) const;
  bool assume(const Request& request, std::uint32_t before, Hit& hit) const;
  std::optional<ObjectIndex> newer(const Version& version, std::optional<ObjectIndex> assumed) const;
  std::optional<ObjectIndex> assumed_owner(std::string_view name) const;
  const Definition* choose(std::span<const Definition> of_one_file, const Request& request) const;
  Match match(const Definition& definition, const Request& request) const;
  Match match_unversioned(const Definition& definition) const;
  bool is_hidden(const Definition& definition) const;
  bool contradicts_known_names(ObjectIndex object, const Request& request) const;
  static std::uint32_t export_of(const Definition& definition);
  Binding binding_of(const Definition& definition) const;
  LookupResult settle(const Hit& hit, const Request& request);
  LookupResult as_lfs64(std::string_view name) const;

  const Definitions& definitions_;
  Maps& maps_;
  bool dynamic_weak_;
  const LoaderRules& rules_;
  bool asserts_, prefers_exact_;
  UniqueTable unique_;
  // Library by symbol name, built at first use.
  mutable std::optional<std::map<std::string_view, std::string_view>> requested_;
  ObjectIndex object_;
  std::vector<ScopeEntry> ranked_scope_;
  std::size_t ranked_global_ = 0;
  std::vector<std::uint32_t> rank_;  // position in the scopes of object_, by object
  // `ranked_` has all files with a rank; the others have those of them with the property of process::File.
  std::vector<ObjectIndex> ranked_, assumed_, references_, further_;
  std::vector<bool> versioned_;  // has version tables; by object
};

}  // namespace wheelcheck::resolver
