// The libraries of root file systems with their packages: what `library-index` writes and `sbom --library-index` reads.
//
// A library is found again by the digest of what patchelf and strip leave alone, and by its build ID if both files have
// one. Where the libraries of several packages agree in both, none of them is named.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::repair {

struct IndexedLibrary {
  std::string code;      // elf::code_digest
  std::string build_id;  // "": it has none
  std::string purl, name, version;
  std::string path;  // below the root
  auto operator<=>(const IndexedLibrary&) const = default;
};

class LibraryIndex {
 public:
  static Result<LibraryIndex> read(const std::string& path);
  // null: no package has such a library, or several have.
  const IndexedLibrary* find(std::string_view code, std::string_view build_id) const;

 private:
  std::vector<IndexedLibrary> libraries_;  // sorted
};

struct IndexedRoots {
  std::string text;         // of the file
  std::size_t unowned = 0;  // libraries that belong to no package
};
// Error: a root is not a directory, or no library of it belongs to a package.
Result<IndexedRoots> index_libraries(const std::vector<std::string>& roots, const std::string& program_path,
                                     const Limits& limits, unsigned jobs);

}  // namespace wheelcheck::repair
