// Cache entries as files in one directory. Several runs may use it at the same time, so an entry appears atomically or
// not at all. Errors are not reported: an entry that cannot be read or written is treated as absent. Files whose names
// are not names of entries are never changed.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::cache {

// The ending of an entry with the facts of an installed distribution. Those of a wheel end in facts_extension.
inline constexpr std::string_view installed_ending = ".installed.gz";
// That of an entry with the SHA-256 of its files.
inline constexpr std::string_view digest_ending = ".digest.gz";

class Directory {
 public:
  Directory(std::string path, std::uint64_t max_bytes) : path_(std::move(path)), max_bytes_(max_bytes) {}

  bool make() const;  // creates the directory and its parents if needed
  // Why the directory is not used: who else may have written to it; "" if nobody, or if it does not exist.
  std::string distrust() const;
  std::optional<std::string> read(const std::string& name) const;
  // Occasionally removes the least recently used entries until the total size is within the limit.
  void write(const std::string& name, std::string_view bytes) const;

 private:
  void remove_oldest() const;

  std::string path_;
  std::uint64_t max_bytes_;
};

// Another user owns it, or others may write to it; "" if neither.
std::string_view distrust_of(const struct stat& about);

// An owned file descriptor, closed by the destructor.

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  std::optional<struct stat> about() const;     // nothing if it is not a regular file
  std::size_t read(std::span<char> out) const;  // number of bytes read; 0 at the end or on an error
  bool write(std::string_view bytes) const;     // writes all bytes

 private:
  int number_;
};

}  // namespace wheelcheck::cache
