// A small installation, made by the real linker in a temporary directory, about which two are asked the same question:
// the ld.so of this machine, and `resolve` from the facts of the same files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/loader_oracle/shell.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::oracle {

// A shared object to link. Texts go into the file as they stand.
struct Object {
  std::string path;  // below site-packages
  std::vector<std::string> needed = {};
  std::string soname = {}, rpath = {}, runpath = {}, filter = {}, auxiliary = {};
  std::vector<std::string> defines = {};                        // version nodes, each with a function
  std::vector<std::string> exports = {};                        // the functions of such nodes, but without a version
  std::vector<std::pair<std::string, std::string>> wants = {};  // {a needed library, a version node of it}
  bool program = false;
};

struct Answer {
  bool loads = false;
  std::set<std::string> loaded;  // paths below site-packages, the root among them; empty if it does not load
  std::string reason;            // of ld.so: its message; of resolve: each name that is not found, each missing version
};

class World {
 public:
  World();

  void link(const Object& object);
  void text(const std::string& path, std::string_view content);
  // Changes bytes of a linked file: e_machine, EI_CLASS, EI_DATA, EI_OSABI, e_type.
  void patch(const std::string& path, std::size_t offset, std::string_view bytes);
  void retag(const std::string& path, std::int64_t from, std::int64_t to);  // a dynamic entry's tag
  void weaken_version_needs(const std::string& path);                       // VER_FLG_WEAK

  // Opens (or starts) the file from another working directory, without LD_ variables. `hwcaps_mask`: run under
  // ld.so --glibc-hwcaps-mask.
  Answer real(const std::string& root, const std::string& hwcaps_mask = {}) const;
  Answer predicted(const std::string& root) const;
  // What is searched for, in order, and by whose search path it is found.
  std::vector<std::string> real_steps(const std::string& root) const;
  std::vector<std::string> predicted_steps(const std::string& root) const;
  std::vector<std::string> lucky(const std::string& root) const;  // whose own search finds nothing

 private:
  std::string stub(const std::string& soname, const std::vector<std::string>& versions);
  std::string compile(const Object& object);
  void run_or_throw(const std::vector<std::string>& words) const;
  std::filesystem::path at(const std::string& path) const;
  WheelFacts wheel(const std::string& root) const;
  void each_need(const std::string& root, auto f) const;
  std::string below_site(std::string_view path) const;

  Scratch scratch_;
  std::filesystem::path top_, site_;
  std::map<std::pair<std::string, std::vector<std::string>>, std::string> stubs_;  // by DT_SONAME and version nodes
};

// What the test states, ld.so does and resolve predicts: the root loads with exactly these files, or it does not load
// and the reason holds this text.
void expect_loads(const World& world, const std::string& root, const std::set<std::string>& others);
void expect_fails(const World& world, const std::string& root, const std::string& culprit);

}  // namespace wheelcheck::oracle
