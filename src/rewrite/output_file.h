// A file that appears under its name only when it is complete. Until then it has no name (O_TMPFILE), so a killed
// process leaves nothing behind. Also files in memory that another program can open by a path (memfd_create).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "wheelcheck/result.h"

namespace wheelcheck::rewrite {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor();
  int value() const { return value_; }
  // A path that opens the file again in this process.
  std::string path() const;

 private:
  int value_ = -1;
};

class OutputFile {
 public:
  // Creates the directory if there is none.
  static Result<OutputFile> create(const std::string& directory);
  // For a dry run: a file that never gets a name.
  static Result<OutputFile> nameless();
  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) noexcept = default;
  ~OutputFile();

  const Descriptor& descriptor() const { return descriptor_; }
  // Gives the file its name, which can have directories, replacing an existing file.
  Result<void> keep(const std::string& name);

 private:
  OutputFile() = default;
  Descriptor descriptor_;
  std::string directory_;
  std::string visible_;  // its temporary path, on file systems without O_TMPFILE
};

// A file in memory.
Result<Descriptor> memory_file(std::string_view bytes = {});
Result<std::string> bytes_of(const Descriptor& file);

}  // namespace wheelcheck::rewrite
