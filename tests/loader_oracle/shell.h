// Files and programs, for tests that ask the real tools. Everything throws where it cannot do its work.
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

// A directory of its own that goes with it.
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

// All that a command says, by way of the file `output`. Its working directory is the root; its environment holds PATH
// and what `environment` adds. A bad end is told in a line that begins with "error".
std::string run(std::vector<std::string> words, const std::filesystem::path& output,
                std::vector<std::string> environment = {});
void run_or_throw(const std::vector<std::string>& words, const std::filesystem::path& output);

}  // namespace wheelcheck::oracle
