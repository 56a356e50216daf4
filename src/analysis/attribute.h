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

#include "base/mangled.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::analysis {

using LibraryNumber = std::uint32_t;  // into Knowledge::libraries

Attribution::Form form_of(Mangled::Scheme scheme);

// A pattern of the tables, taken apart once, so that the common ones ("SSL_*", "lts_{version}") cost a comparison.
struct CompiledPattern {
  enum class Rest { Nothing, Anything, Version, Pattern };

  std::string_view prefix, suffix;  // the literal start and end
  std::string_view whole;
  Rest rest = Rest::Pattern;  // what may follow the prefix

  explicit CompiledPattern(std::string_view pattern);
  bool matches(std::string_view text) const;
};

// Patterns found by what they start with: all that a text can match lie on one chain of prefixes of prefixes.
class PrefixIndex {
 public:
  void reserve(std::size_t patterns) { entries_.reserve(patterns); }
  void add(std::string_view pattern, std::uint32_t value);
  void finish();
  // Hands over the values of the patterns that match, those with the longest literal start first, until `visit`
  // returns true.
  template <class Visit>
  void find(std::string_view text, Visit visit) const {
    for (std::int32_t at = last_not_after(text); at >= 0; at = entries_[static_cast<std::size_t>(at)].shorter) {
      const Entry& entry = entries_[static_cast<std::size_t>(at)];
      if (entry.pattern.matches(text) && visit(entry.value)) return;
    }
  }

 private:
  struct Entry {
    CompiledPattern pattern;
    std::uint32_t value = 0;
    std::int32_t shorter = -1;  // the entry with the longest prefix that this prefix starts with, or -1
  };
  std::int32_t last_not_after(std::string_view text) const;

  std::vector<Entry> entries_;  // by prefix, then pattern, then value
};

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
  std::optional<LibraryNumber> library_of_c(std::string_view symbol) const { return library_of(symbol, symbols_); }

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
  // Into Knowledge::libraries: names as C has them, mangled ones ("_ZN7QString*"), and those of files.
  PrefixIndex symbols_, mangled_, sonames_;
};

}  // namespace wheelcheck::analysis
