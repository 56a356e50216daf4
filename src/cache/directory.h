// Entries as files of one directory, which several runs may use at the same time: an entry is there as a whole or not
// at all. Nothing here is ever an error of the run; what cannot be read or written is not there. Files whose names are
// not those of entries are never touched.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::cache {

class Directory {
 public:
  Directory(std::string path, std::uint64_t most_bytes) : path_(std::move(path)), most_bytes_(most_bytes) {}

  bool make() const;  // with those above it, where it is not there
  std::optional<std::string> read(const std::string& name) const;
  // Now and then the entries that were not used for longest are removed, until all together are within the bound.
  void write(const std::string& name, std::string_view bytes) const;

 private:
  void remove_oldest() const;

  std::string path_;
  std::uint64_t most_bytes_;
};

// A file of the system that is closed when nobody looks at it any more.

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  std::optional<struct stat> about() const;     // of a regular file, else nothing
  std::size_t read(std::span<char> out) const;  // how many bytes came; 0 at the end, or where nothing can be read
  bool write(std::string_view bytes) const;     // all of them

 private:
  int number_;
};

}  // namespace wheelcheck::cache
