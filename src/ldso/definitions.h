// An index from the symbol names that the files of a process require to all their definitions. The loader would search
// file after file for each symbol. The index makes a look-up independent of the number of files. It is built once per
// set of files and shared by all plans.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

using SymbolNumber = Index<struct SymbolNumberTag>;  // a name that some reference requires

// One definition of a name.
struct Definition {
  process::ObjectIndex file;
  std::uint32_t symbol = 0;  // index into exports, or into imports if `canonical`
  bool canonical = false;    // an undefined symbol with an address: Import::canonical
};

class Definitions {
 public:
  explicit Definitions(std::span<const process::File> files);

  // The name that a reference of a file requires.
  SymbolNumber name(process::ObjectIndex file, std::uint32_t reference) const {
    return names_[first_reference_[file.value] + reference];
  }
  // All definitions, by file and then in the order of the symbol table of the file, which matters if there are several
  // versions.
  std::span<const Definition> of(SymbolNumber name) const {
    return std::span(definitions_).subspan(first_[name.value], first_[name.value + 1] - first_[name.value]);
  }
  std::string_view text(SymbolNumber name) const { return texts_[name.value]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }  // number of names

 private:
  std::vector<std::uint32_t> first_reference_;  // by file
  std::vector<SymbolNumber> names_;             // by reference, for one file after the other
  std::vector<std::uint32_t> first_{0};         // by name
  std::vector<std::string_view> texts_;         // by name
  std::vector<Definition> definitions_;
};

}  // namespace wheelcheck::resolver
