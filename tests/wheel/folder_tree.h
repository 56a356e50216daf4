// Directories for tests of code that reads them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/zip_builder.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

using Tree = std::map<std::string, std::string>;  // path -> bytes

inline void write_tree(const std::string& top, const Tree& tree) {
  for (const auto& [path, bytes] : tree) {
    const std::string file = top + '/' + path;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    write_file(file, bytes);
  }
}

inline std::vector<std::string> flaws_of(const WheelFacts& facts) {
  std::vector<std::string> out;
  for (const WheelFlaw& flaw : facts.flaws) out.push_back(flaw.subject + ": " + flaw.reason);
  return out;
}
inline std::vector<std::string> paths_of(const WheelFacts& facts) {
  std::vector<std::string> out;
  for (const MemberFacts& member : facts.members) out.push_back(member.path.text());
  return out;
}

}  // namespace wheelcheck::test
