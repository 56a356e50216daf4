// A file that is nowhere on disk, for what only reads files: its bytes are in memory, its name is a link that is made
// once for each name.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::fuzz {

class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  void write(std::string_view bytes);
  const std::string& path() const { return path_; }
  // A path whose last part is `name`, good until the next call; without a link where no file can be called so.
  std::string path_as(std::string_view name);

 private:
  int descriptor_;
  std::string path_, folder_, link_;
};

}  // namespace wheelcheck::fuzz
