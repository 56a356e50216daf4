// What stands around the files of a process that are not judged: the interpreter with its extension modules, and the
// libraries of the platform. From disk where the user named a place, else from the shipped reference, else assumed.
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
#include "facts/process_facts.h"
#include "wheelcheck/installation.h"

namespace wheelcheck::environment {

class RuntimeBuilder {
 public:
  // All files that the world has by now are inside: the interpreter and the platform are put around them.
  RuntimeBuilder(process::World& world, std::vector<std::unique_ptr<const ElfFacts>>& facts, Disk& disk,
                 const SurroundingsInput& input);

  Result<process::ObjectIndex> add_interpreter();
  // What is needed by now and lies outside: read or known from the reference, then assumed. Sets the world's platform;
  // without `glibc` its C library tells the version.
  void find_names(std::set<std::string> names) {
    names_to_find_ = std::move(names);
  }  // that are opened without being needed
  Result<void> add_platform(std::optional<process::Glibc> glibc = std::nullopt);

  std::vector<Origin> origins() const;  // of all files since the first that was not inside
  std::string description() const;

 private:
  Result<process::ObjectIndex> read_interpreter();
  Result<process::ObjectIndex> known_interpreter(std::string_view name);
  process::ObjectIndex assume_interpreter();
  void read_beside(const process::File& program);
  void read_modules(const process::File& program);
  void add_known(facts::Stored&& known);
  void name_directories(const process::File& file);
  void assume();
  std::optional<process::Glibc> glibc_found() const;

  process::World& world_;
  std::vector<std::unique_ptr<const ElfFacts>>& facts_;
  Disk& disk_;
  const SurroundingsInput& input_;
  std::size_t first_;  // of the files that are not inside
  bool referable_;     // the reference is of the machine that the files inside are for
  std::optional<process::ObjectIndex> main_;
  std::string prefix_library_;                    // the lib beside its bin, if only ld.so.conf leads to libpython
  std::set<std::string> names_to_find_;           // opened without being needed
  std::vector<std::string> named_;                // directories that interpreter and modules search
  std::map<std::uint32_t, std::string> modules_;  // of the standard library, by place in the world
  std::string python_ = "an assumed CPython", platform_ = "assumed libraries";
};

}  // namespace wheelcheck::environment
