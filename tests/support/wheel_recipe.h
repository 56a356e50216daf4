// The wheels of wheels/made: small wheels described in JSON, with their expected results. METADATA, WHEEL and RECORD
// are written as a good build tool would, unless the recipe says otherwise.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wheelcheck::test {

struct MadeMember {
  std::string path, bytes;
  bool recorded = true;  // listed in RECORD
};
// The behaviour of the real loader with the installed files.
struct MadeLoader {
  std::string open;  // path in the archive
  bool loads = false;
  std::string message;  // part of dlerror() if it does not load
};
struct MadeWheel {
  std::string stem, quirk, file, bytes;
  std::vector<MadeMember> members;  // without dist-info
  std::map<std::string, std::string> environment;
  std::optional<MadeLoader> loader;
  // Expected results.
  int exit = 0;
  std::string best_tag;
  std::map<std::string, std::string> levels;  // tag -> "kept"
  std::vector<std::string> findings;          // "WC102 path", sorted; the wheel itself has no path
};

MadeWheel read_made_wheel(const std::string& recipe_path);
// The recipes of wheels/made, sorted by name.
std::vector<std::string> made_recipe_paths();

}  // namespace wheelcheck::test
