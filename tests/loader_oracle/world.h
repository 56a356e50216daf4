// A small installation, made by the real linker in a temporary directory. The result of the ld.so of this machine is
// compared with that of `resolve` from the facts of the same files.
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

// A shared object to link. Texts are written to the file unchanged.
struct Object {
  std::string path;  // relative to site-packages
  std::vector<std::string> needed = {};
  std::string soname = {}, rpath = {}, runpath = {}, filter = {}, auxiliary = {};
  std::vector<std::string> defines = {};                        // version nodes, each with a function
  std::vector<std::string> exports = {};                        // functions of such nodes, but without a version
  std::vector<std::pair<std::string, std::string>> wants = {};  // {a needed library, a version node of it}
  bool program = false;
};

struct Answer {
  bool loads = false;
  std::set<std::string> loaded;  // paths relative to site-packages, including the root; empty if it does not load
  // From ld.so: its message. From resolve: each name that is not found, and each missing version.
  std::string reason;
};

class World {
 public:
  World();

  void link(const Object& object);
  void text(const std::string& path, std::string_view content);
  // Replaces bytes of a linked file: e_machine, EI_CLASS, EI_DATA, EI_OSABI, e_type.
  void patch(const std::string& path, std::size_t offset, std::string_view bytes);
  void retag(const std::string& path, std::int64_t from, std::int64_t to);  // changes the tag of a dynamic entry
  void weaken_version_needs(const std::string& path);                       // VER_FLG_WEAK

  // Opens (or starts) the file from another working directory, without LD_ variables. With `hwcaps_mask` it uses ld.so
  // --glibc-hwcaps-mask.
  Answer real(const std::string& root, const std::string& hwcaps_mask = {}) const;
  Answer predicted(const std::string& root) const;
  // The searched names in order, and the file whose search path finds each.
  std::vector<std::string> real_steps(const std::string& root) const;
  std::vector<std::string> predicted_steps(const std::string& root) const;
  std::vector<std::string> lucky(const std::string& root) const;  // files that a search of their user would not find

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

// Expects that ld.so and resolve both load the root with exactly these files, or that both fail and the reason contains
// this text.
void expect_loads(const World& world, const std::string& root, const std::set<std::string>& others);
void expect_fails(const World& world, const std::string& root, const std::string& culprit);

}  // namespace wheelcheck::oracle
