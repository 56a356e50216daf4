// The tables of known libraries, arranged for the question that is asked of every export: whose is this name? Made once
// a run of analyse(), because a question must cost no more than a binary search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/prefix_index.h"
#include "knowledge/patterns.h"
#include "mangling/mangled.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::analysis {

using LibraryNumber = std::uint32_t;  // into Knowledge::libraries

Attribution::Form form_of(Mangled::Scheme scheme);

class Index {
 public:
  // Keeps views into `knowledge`.
  explicit Index(const Knowledge& knowledge);

  struct Answer {
    Attribution what;
    std::optional<LibraryNumber> library;
  };
  Answer ask(std::string_view symbol) const;

  // What is known of an outermost scope before the inner ones are looked at; asked once for thousands of names.
  struct Scope {
    bool standard = false;
    std::vector<std::uint32_t> namespaces;  // that may be the name's
  };
  Scope scope(std::string_view outermost) const;
  // For a mangled C++ name of that scope.
  std::optional<LibraryNumber> library_in(const Scope& scope, const Mangled& name, std::string_view symbol) const;
  // For a name that is not mangled.
  std::optional<LibraryNumber> library_of_c(std::string_view symbol) const {
    return library_of(symbol, patterns_.symbols);
  }

  // The library whose namespace is all of this outermost scope: "llvm", not "google".
  std::optional<LibraryNumber> library_of_scope(std::string_view scope) const;
  static bool is_standard(std::string_view scope);
  // Those that the name of a file, without a repair tool's hash, may be one of; by number, each once.
  std::vector<LibraryNumber> libraries_named(std::span<const std::string> names) const;
  const Knowledge& knowledge() const { return knowledge_; }

 private:
  std::optional<LibraryNumber> library_of(std::span<const std::string_view> scopes,
                                          std::span<const std::uint32_t> namespaces) const;
  std::optional<LibraryNumber> library_of(std::string_view symbol, const PrefixIndex& symbols) const;

  struct Namespace {
    std::vector<CompiledPattern> parts;  // outermost first
    LibraryNumber library = 0;
  };
  const Knowledge& knowledge_;
  std::vector<Namespace> namespaces_;
  PrefixIndex outermost_;  // of the first parts, into namespaces_
  knowledge::LibraryPatterns patterns_;
};

}  // namespace wheelcheck::analysis
