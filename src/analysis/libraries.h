// What one file says of one known library: its name, its strings, its version nodes, its symbols.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::analysis {

// One thing seen, and the version that it tells, "" if none.
struct Clue {
  std::string text, version;
};

// The names of the file itself, and of what it needs, without a repair tool's hash.
struct FileNames {
  std::vector<std::string> own, needed;
};
FileNames names_of(const ElfMember& file, const WheelFacts& wheel);

// Inline namespaces that carry a version, as absl::lts_20250127 does: told by the mangled names of the library's
// exports, which are added one by one.
class NamespaceClues {
 public:
  explicit NamespaceClues(const KnownLibrary& library);  // which must live as long
  void add(std::string_view name);
  std::vector<Clue> clues() const;

  // Where a pattern has its version: behind `before`, mangled, in a scope that matches `scope`.
  struct Scope {
    std::string shown;       // "absl::"
    std::string before;      // "4absl"
    std::string_view scope;  // "lts_{version}"
    std::size_t names = 0;   // that had such a scope
    std::vector<Clue> clues;
  };

 private:
  std::vector<Scope> scopes_;
};
using CluesByLibrary = std::map<std::string_view, std::vector<Clue>>;  // by KnownLibrary::id

// Every function gives at most a handful, in the file's order, each version once.
std::vector<Clue> clues_of_names(const std::vector<std::string>& names, const KnownLibrary& library);
std::vector<Clue> clues_of_texts(const std::vector<std::string_view>& sorted_texts, const KnownLibrary& library);
// The node with the highest version alone: a library keeps the nodes of its past.
std::vector<Clue> clues_of_nodes(const std::vector<VersionDefinition>& provides, const KnownLibrary& library);
// Strings that are nothing but a version: "22.1.0", "23.0.0git". Of several, those that end in "git" if there are any:
// that is LLVM's way.
std::vector<Clue> bare_versions(const std::vector<std::string_view>& sorted_texts);

}  // namespace wheelcheck::analysis
