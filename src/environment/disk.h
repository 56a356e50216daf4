// The ELF files that a process could load, read from disk: those of the environment, the program, and what they need
// from the sysroot.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/environment.h"

namespace wheelcheck::environment {

class Disk {
 public:
  Disk(Environment& out, const EnvironmentInput& input) : out_(out), input_(input) {}

  // Every ELF file below the directory, which the process sees as `top`.
  Result<void> read_directory(const std::filesystem::path& top);
  // A file of the process's file system: below the sysroot, or, where the user named it (`or_here`), else as it stands.
  // nullopt: there is none, or it is no ELF file.
  std::optional<process::ObjectIndex> read_file(const std::string& path, bool or_here);
  // One that was read, by any path that leads to it. nullopt: it is no ELF file, or none of this process.
  std::optional<process::ObjectIndex> known_file(const std::string& path) const;
  // Whatever any file needs by name, and `wanted`, in directories of the platform and in those that the user named,
  // until nothing new comes.
  void read_needed(const std::vector<std::string>& platform, const std::vector<std::string>& named,
                   const std::set<std::string>& wanted);

 private:
  struct Candidate {
    std::filesystem::path on_disk;
    std::string path;  // as the process sees it
  };
  void read_all(const std::vector<Candidate>& candidates);
  std::set<std::string> needed_names() const;

  Environment& out_;
  const EnvironmentInput& input_;
  std::map<std::filesystem::path, process::ObjectIndex> known_;  // by canonical path on disk
};

}  // namespace wheelcheck::environment
