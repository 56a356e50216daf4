// A file of the system that is closed when nobody looks at it any more.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace wheelcheck::cache {

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
