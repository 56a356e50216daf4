// The ELF files that a process could load, read from disk: the files of the environment, the program, and what they
// need from the sysroot.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/process.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::environment {

// A regular file, or a link to one, that starts as an ELF file does.
bool is_elf_file(const std::filesystem::path& path);

struct DiskInput {
  std::string sysroot;
  Limits limits;
  unsigned jobs = 1;
};

class Disk {
 public:
  // Files are added to `world`; `facts` owns the facts that they point to.
  Disk(process::World& world, std::vector<std::unique_ptr<const ElfFacts>>& facts, const DiskInput& input)
      : world_(world), facts_(facts), input_(input) {}

  // Reads every ELF file below the directory, which the process sees as `top`, and every other file with the name of a
  // library.
  Result<void> read_directory(const std::filesystem::path& top);
  // Reads a file of the process's file system: below the sysroot, or, if the user named it (`or_here`), otherwise at
  // the path itself. nullopt: it does not exist or is not an ELF file.
  std::optional<process::ObjectIndex> read_file(const std::string& path, bool or_here);
  // The same for a program. Its path is the one without symbolic links, as the kernel provides it (elf/dl-origin.c).
  std::optional<process::ObjectIndex> read_program(const std::string& path);
  // The names in a directory of the process's file system, sorted; searched as read_file with `or_here`.
  std::vector<std::string> names_in(const std::string& directory) const;
  // The file that was read from a path, by any link. nullopt: it is not an ELF file or not of this process.
  std::optional<process::ObjectIndex> known_file(const std::string& path) const;
  // Reads the libraries that the files need by name, and `to_find`, from the directories of the platform and from those
  // that the user named, until nothing new is found.
  void read_needed(const std::vector<std::string>& platform, const std::vector<std::string>& named,
                   const std::set<std::string>& to_find = {});

 private:
  struct Candidate {
    std::filesystem::path on_disk;
    std::string path;  // in the process
    bool link = false;
  };
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode
  static std::optional<Identity> identity(const std::filesystem::path& path);
  std::vector<std::filesystem::path> places(const std::string& path, bool or_here) const;
  void read_all(const std::vector<Candidate>& candidates);
  std::set<std::string> needed_names() const;

  process::World& world_;
  std::vector<std::unique_ptr<const ElfFacts>>& facts_;
  DiskInput input_;
  std::map<std::filesystem::path, process::ObjectIndex> known_;  // by canonical path on disk
  std::map<Identity, process::ObjectIndex> inodes_;
};

// --- The interpreter of a virtual environment.

// The program that runs in the virtual or conda environment which contains this site-packages directory. "" if the
// directory is in no such environment, or if its bin/python is no ELF file on this machine.
std::string interpreter_of(const std::string& site_packages);

}  // namespace wheelcheck::environment
