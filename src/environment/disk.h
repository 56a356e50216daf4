// The ELF files that a process could load, read from disk: those of the environment, the program, and what they need
// from the sysroot.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/environment.h"

namespace wheelcheck::environment {

class Disk {
 public:
  Disk(Environment& out, const EnvironmentInput& input) : out_(out), input_(input) {}

  // Every ELF file below the directory, which the process sees as `top`, and what is only called like one.
  Result<void> read_directory(const std::filesystem::path& top);
  // A file of the process's file system: below the sysroot, or, where the user named it (`or_here`), else as it stands.
  // nullopt: there is none, or it is no ELF file.
  std::optional<process::ObjectIndex> read_file(const std::string& path, bool or_here);
  // Whatever any file needs by name, in directories of the platform and in those that the user named, until nothing new
  // comes.
  void read_needed(const std::vector<std::string>& platform, const std::vector<std::string>& named);

 private:
  struct Candidate {
    std::filesystem::path on_disk;
    std::string path;  // as the process sees it
    bool link = false;
  };
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode
  static std::optional<Identity> identity(const std::filesystem::path& path);
  void read_all(const std::vector<Candidate>& candidates);
  std::set<std::string> needed_names() const;

  Environment& out_;
  const EnvironmentInput& input_;
  std::map<std::filesystem::path, process::ObjectIndex> known_;  // by canonical path on disk
  std::map<Identity, process::ObjectIndex> inodes_;
};

}  // namespace wheelcheck::environment
