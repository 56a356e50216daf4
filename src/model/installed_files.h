// Where the files of a wheel are installed below site-packages.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// A member of a directory NAME.data, which installers distribute over the prefix: NAME.data/SCHEME/REST (PEP 427).
struct DataPath {
  std::string_view scheme, rest;  // `rest` is "" if no path follows
};
std::optional<DataPath> data_path(std::string_view path);
// True for NAME.data/purelib/ and NAME.data/platlib/, which become site-packages.
bool is_site(std::string_view scheme);
// True for NAME.data/scripts/REST, which installers put beside the interpreter.
bool is_script(std::string_view path);
// True if the file is installed below site-packages. No search path leads from other directories to site-packages, or
// back, on every system: that depends on the CPython that installs the wheel.
bool is_in_site_packages(const ElfMember& file);
// True for a member from which repair leads to no library: it is installed outside of site-packages, and it is no
// program directly below NAME.data/scripts, which repair moves.
bool is_out_of_reach(std::string_view path);
// True for names of directories that wheels contain by mistake and nobody imports: "tests", "docs".
bool is_stray_directory(std::string_view name);
// The path below site-packages: NAME.data/platlib/pkg/x.py becomes pkg/x.py.
std::string_view below_site(std::string_view path);

// The installed paths of a wheel's files. They are views into the members.
class InstalledFiles {
 public:
  explicit InstalledFiles(std::span<const MemberFacts> members);
  bool has(std::string_view path) const;
  bool has_directory(std::string_view path) const;
  // The paths that begin with the text, sorted.
  std::span<const std::string_view> beginning_with(std::string_view start) const;

 private:
  std::vector<std::string_view> paths_;  // sorted
};

}  // namespace wheelcheck
