// Clues that a file contains a known library: from its file name, strings, version nodes and symbols. A clue may also
// give the library's version.
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

// One observation, and the version that it gives; "" if none.
struct Clue {
  std::string text, version;
};

// The names of the file itself and of the libraries that it needs, without the hash of a repair tool.
struct FileNames {
  std::vector<std::string> own, needed;
};
FileNames names_of(const ElfMember& file, const WheelFacts& wheel);

// Finds inline namespaces that contain a version, such as absl::lts_20250127, in the mangled names of the exports. The
// names are added one by one.
class NamespaceClues {
 public:
  explicit NamespaceClues(const KnownLibrary& library);  // the library must outlive this object
  void add(std::string_view name);
  std::vector<Clue> clues() const;

  // The position of a version in mangled names: after `before`, in a scope that matches `scope`.
  struct Scope {
    std::string shown;       // "absl::"
    std::string before;      // "4absl"
    std::string_view scope;  // "lts_{version}"
    std::size_t names = 0;   // number of names with such a scope
    std::vector<Clue> clues;
  };

 private:
  std::vector<Scope> scopes_;
};
using CluesByLibrary = std::map<std::string_view, std::vector<Clue>>;  // by KnownLibrary::id

// Each function returns at most a few clues, in the file's order, each version once.
std::vector<Clue> clues_of_names(const std::vector<std::string>& names, const KnownLibrary& library);
// A pattern "NAME=..." matches the exported variable of that name, too.
std::vector<Clue> clues_of_texts(const TextFacts& texts, const KnownLibrary& library);
// Only the node with the highest version: a library keeps the nodes of its earlier versions.
std::vector<Clue> clues_of_nodes(const std::vector<VersionDefinition>& provides, const KnownLibrary& library);
// Strings that consist only of a version: "22.1.0", "23.0.0git". If some end in "git", only those are returned; this is
// LLVM's format.
std::vector<Clue> bare_versions(const std::vector<std::string_view>& sorted_texts);

}  // namespace wheelcheck::analysis
