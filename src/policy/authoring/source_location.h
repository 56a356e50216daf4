// Levels with the place where they are defined, for messages about comparisons between levels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policy/level.h"
#include "policy/load.h"

namespace wheelcheck::policy {

struct Origin {
  std::string file;   // empty: built in
  std::string entry;  // JSON pointer to the object of the level
  bool auditwheel = false;

  bool is_builtin() const { return file.empty(); }
  // JSON pointers to parts of the level, in the format of its file.
  std::string name() const;
  std::string architectures() const;
  std::string versions(Arch arch, std::string_view family) const;
  std::string libraries(Arch arch) const;
  std::string denied(Arch arch, std::string_view library) const;
};

struct Placed {
  Level level;
  Origin origin;
};

// Adds the places to the levels of a document without problems.
std::vector<Placed> placed(const Document& document, std::vector<Level> levels);

}  // namespace wheelcheck::policy
