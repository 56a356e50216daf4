// A file in memory for code that only reads files. Its name is a link that is created once per name.
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
  // A path whose last part is `name`, valid until the next call. Without a link if a file cannot have that name.
  std::string path_as(std::string_view name);

 private:
  int descriptor_;
  std::string path_, folder_, link_;
};

}  // namespace wheelcheck::fuzz
