// Adds the runtime of a process: the interpreter with its extension modules, and the libraries of the platform. They
// are read from disk if the user named a place, otherwise taken from the built-in reference, otherwise assumed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/disk.h"
#include "environment/reference.h"
#include "wheelcheck/installation.h"

namespace wheelcheck::environment {

class RuntimeBuilder {
 public:
  // The files that the world contains so far are the application. The runtime is added after them.
  RuntimeBuilder(process::World& world, std::vector<std::unique_ptr<const ElfFacts>>& facts, Disk& disk,
                 const RuntimeInput& input);

  Result<process::ObjectIndex> add_interpreter();
  // Adds the libraries that are needed so far and are not part of the application: from disk or the reference, and then
  // assumed ones. Sets the platform of the world; without `glibc` the version is that of its C library.
  // Libraries that are opened without being needed.
  void find_names(std::set<std::string> names) { names_to_find_ = std::move(names); }
  Result<void> add_platform(std::optional<process::Glibc> glibc = std::nullopt);

  std::vector<Origin> origins() const;  // of all files after those of the application
  std::string description() const;

 private:
  Result<process::ObjectIndex> read_interpreter();
  Result<process::ObjectIndex> known_interpreter(std::string_view name);
  process::ObjectIndex assume_interpreter();
  void read_beside(const process::File& program);
  void read_modules(const process::File& program);
  void add_known(Reference&& known);
  void name_directories(const process::File& file);
  void assume();
  bool is_musl() const;
  std::optional<process::Glibc> glibc_found() const;

  process::World& world_;
  std::vector<std::unique_ptr<const ElfFacts>>& facts_;
  Disk& disk_;
  const RuntimeInput& input_;
  std::size_t first_;  // index of the first file that is not of the application
  bool referable_;     // the files of the application are for the machine of the reference
  std::optional<process::ObjectIndex> main_;
  std::string prefix_library_;           // the lib directory next to its bin, if only ld.so.conf leads to libpython
  std::set<std::string> names_to_find_;  // opened without being needed
  std::vector<std::string> named_;       // directories that the interpreter and its modules search
  std::map<std::uint32_t, std::string> modules_;  // name of each module of the standard library, by index in the world
  std::string python_ = "an assumed CPython", platform_ = "assumed libraries";
};

}  // namespace wheelcheck::environment
