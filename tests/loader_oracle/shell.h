// Files and programs for tests that use real tools. All functions throw on failure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"

namespace wheelcheck::oracle {

std::string contents(const std::filesystem::path& path);
void write(const std::filesystem::path& path, std::string_view bytes);
ElfFacts facts_of(const std::filesystem::path& path);

// A temporary directory that is removed with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a command and returns its output, which it writes to the file `output`. Its working directory is the root, and
// its environment contains PATH and `environment`. A failure is a line that begins with "error".
std::string run(std::vector<std::string> words, const std::filesystem::path& output,
                std::vector<std::string> environment = {});
void run_or_throw(const std::vector<std::string>& words, const std::filesystem::path& output);

}  // namespace wheelcheck::oracle
