// The file system in which `repair` looks for libraries: that of this machine, or a directory that contains the system
// of another (--sysroot). Directories are searched as the dynamic loader of that system does.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::repair {

struct SystemLibrary {
  std::string path;        // without symbolic links; without the sysroot if it is below it
  bool in_sysroot = true;  // false: found in a directory of --lib-path or LD_LIBRARY_PATH
  std::uint32_t mode = 0;  // permissions
  std::string content, sha256;
  ElfFacts facts;
};

// nullopt: `file` cannot be read, is too large or is no ELF file. The path of the result is empty.
std::optional<SystemLibrary> read_library(const std::string& file, const Limits& limits);

struct SystemRootOptions {
  std::string sysroot;                                               // "" for this machine
  std::vector<std::string> library_paths = {};                       // searched first; paths of this machine
  std::optional<std::vector<std::string>> default_directories = {};  // nullopt: as the loader of the system has them
  Limits limits = {};
};

class SystemRoot {
 public:
  explicit SystemRoot(SystemRootOptions options);

  // The path without symbolic links, which lead to files below the sysroot only; "" if there is no such file. Error: a
  // loop of symbolic links.
  Result<std::string> real_path(const std::string& path) const;
  // A file below the sysroot as text; nullopt if it cannot be read or is larger than 64 MiB.
  std::optional<std::string> text_of(const std::string& path) const;
  // The names in a directory below the sysroot, sorted.
  std::vector<std::string> names_in(const std::string& path) const;
  const std::string& sysroot() const { return options_.sysroot; }

  // The library that a file of the same machine as `user` gets for a DT_NEEDED: from --lib-path, the search path of the
  // file (`directories`), ld.so.conf or the default directories. null: there is none. Files of other machines are
  // skipped, as the loader does.
  Result<const SystemLibrary*> find(std::string_view name, const ElfFacts& user, Libc libc,
                                    const std::vector<std::string>& directories);
  // The library at a path below the sysroot, for a DT_NEEDED that is a path. null: there is none for this machine.
  Result<const SystemLibrary*> at(const std::string& path, const ElfFacts& user);
  // The directories that find() searches after `directories`.
  const std::vector<std::string>& default_directories(Libc libc, const ElfFacts& user);

 private:
  Result<const SystemLibrary*> library(const std::string& directory, std::string_view name, bool in_sysroot);
  void read_ld_so_conf(const std::string& path, std::size_t depth, std::vector<std::string>& out) const;

  SystemRootOptions options_;
  std::map<std::pair<Libc, Arch>, std::vector<std::string>> defaults_;
  // By real path; null: not an ELF file. The second map: by the path that was searched.
  std::map<std::pair<bool, std::string>, std::unique_ptr<const SystemLibrary>> libraries_;
  std::map<std::pair<bool, std::string>, const SystemLibrary*> searched_;
};

// --- What a bundled library opens at run time by name or from a directory of its own system. That is not bundled,
// because no DT_NEEDED names it.

// A sentence about them, "" if there are none. By the strings in the file, so it is a guess: a string can be a part of
// a message. `known`: names that are bundled, excluded or provided by the platform.
std::string run_time_note(const SystemLibrary& library, std::string_view name,
                          const std::set<std::string, std::less<>>& known, SystemRoot& root);

}  // namespace wheelcheck::repair
