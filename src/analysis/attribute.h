// An index of the known libraries that answers which library an exported symbol belongs to. It is built once for each
// run of analyse(), because the lookup runs for every export and must cost no more than a binary search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/prefix_index.h"
#include "mangling/mangled.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::analysis {

using LibraryNumber = std::uint32_t;  // index into Knowledge::libraries

Attribution::Form form_of(Mangled::Scheme scheme);

class Index {
 public:
  // Keeps views into `knowledge`, which must outlive the index.
  explicit Index(const Knowledge& knowledge);

  struct Answer {
    Attribution what;
    std::optional<LibraryNumber> library;
  };
  Answer answer_for(std::string_view symbol) const;

  // The result for an outermost scope, before inner scopes are examined. It is computed once and used for thousands of
  // names.
  struct Scope {
    bool standard = false;
    std::vector<std::uint32_t> namespaces;  // candidates for the namespace of the name
  };
  Scope scope(std::string_view outermost) const;
  // For a mangled C++ name in that scope.
  std::optional<LibraryNumber> library_in(const Scope& scope, const Mangled& name, std::string_view symbol) const;
  // For an unmangled name.
  std::optional<LibraryNumber> library_of_c(std::string_view symbol) const { return library_of(symbol, symbols_); }

  // The library that owns the whole outermost scope: "llvm" has one, "google" does not.
  std::optional<LibraryNumber> library_of_scope(std::string_view scope) const;
  static bool is_standard(std::string_view scope);
  // The libraries whose file names match `names` (without the hash of a repair tool); sorted by number, without
  // repetitions.
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
  PrefixIndex outermost_;                    // of the first parts; values are indexes into namespaces_
  PrefixIndex symbols_, mangled_, sonames_;  // of the patterns of libraries; values are library numbers
};

}  // namespace wheelcheck::analysis
