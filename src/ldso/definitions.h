// Who defines what: for every symbol that some file of the process asks for, all its definitions, found without looking
// through the files. Made once a set of files and shared by all plans.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

using SymbolNumber = Index<struct SymbolNumberTag>;  // a name that is asked for somewhere

struct Definition {
  process::ObjectIndex file;
  std::uint32_t symbol = 0;  // into exports, or into imports if `canonical`
  bool canonical = false;    // undefined, but with an address: Import::canonical
};

class Definitions {
 public:
  explicit Definitions(std::span<const process::File> files);

  // The name that a reference of a file asks for.
  SymbolNumber name(process::ObjectIndex file, std::uint32_t reference) const {
    return names_[first_reference_[file.value] + reference];
  }
  // By file, then in the order of its symbol table, which decides between versions.
  std::span<const Definition> of(SymbolNumber name) const {
    return std::span(definitions_).subspan(first_[name.value], first_[name.value + 1] - first_[name.value]);
  }
  std::string_view text(SymbolNumber name) const { return texts_[name.value]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }  // names that are asked for

 private:
  std::vector<std::uint32_t> first_reference_;  // by file
  std::vector<SymbolNumber> names_;             // by reference, file after file
  std::vector<std::uint32_t> first_{0};         // by name
  std::vector<std::string_view> texts_;         // by name
  std::vector<Definition> definitions_;
};

}  // namespace wheelcheck::resolver
