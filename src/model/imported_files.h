// The files of a wheel whose start-up code an import runs in any case.
#pragma once

#include <set>
#include <string_view>

#include "wheelcheck/index.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// True for files that are built for one kind of processor each, of which the code loads the matching one.
bool is_named_for_a_processor(std::string_view path);

// Extension modules and the files that others need. A file that is named for a processor is among them only if another
// file always loads it: by DT_NEEDED, or as a module of Cython does that imports its functions or types. Python code
// chooses among the others.
class ImportedFiles {
 public:
  explicit ImportedFiles(const WheelFacts& wheel);
  bool contains(ElfIndex index) const;

 private:
  static bool is_among(const std::set<std::string_view>& needed, std::string_view path, const ElfMember& elf);
  const WheelFacts& wheel_;
  // DT_NEEDED of all files, and of those that are not named for a processor; modules that these import by Cython.
  std::set<std::string_view> needed_, always_needed_, imported_;
};

}  // namespace wheelcheck
