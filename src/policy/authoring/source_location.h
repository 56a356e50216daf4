// Levels with the place that they were read from, for what is said about them once they are compared with others.
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
  std::string entry;  // pointer to the level's object
  bool auditwheel = false;

  bool is_builtin() const { return file.empty(); }
  // Pointers to what a level says, in the format that it was written in.
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

// The levels of a document without mistakes.
std::vector<Placed> placed(const Document& document, std::vector<Level> levels);

}  // namespace wheelcheck::policy
