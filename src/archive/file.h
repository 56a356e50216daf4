// The archive's file, read by offset with pread. It is not mapped: if a mapped file is truncated, the process ends with
// SIGBUS, whereas pread returns an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wheelcheck/input.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

class File {
 public:
  enum class Links { Follow, Refuse };  // whether a symbolic link as the last path component is followed
  // Opens only regular files and never blocks: a pipe without a writer is refused.
  static Result<File> open(const std::string& path, Links links = Links::Follow);
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), changed_(other.changed_) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  ~File();

  std::uint64_t size() const { return size_; }  // bytes, at the time of opening
  int descriptor() const { return descriptor_; }
  // Whether size and modification time are the same as at opening.
  bool unchanged() const;
  // Fills all of `out` from `offset`, or fails.
  Result<void> read_at(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  struct Time {
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const Time&) const = default;
  };
  File(int descriptor, std::uint64_t size, Time changed) : descriptor_(descriptor), size_(size), changed_(changed) {}
  int descriptor_;
  std::uint64_t size_;
  Time changed_;  // st_mtim
};

// The file of an input that is not a directory. Opens it if it is not open yet.
Result<std::shared_ptr<const File>> file_of(const OpenedInput& input);

// Buffered small reads that mostly go forward. The memory does not depend on sizes that the file declares.
class Window {
 public:
  Window(const File& file, std::size_t ahead) : file_(file), ahead_(ahead) {}
  // Exactly `length` bytes, valid until the next call. The caller has checked that the file is long enough.
  Result<std::span<const std::byte>> at(std::uint64_t offset, std::size_t length);

 private:
  const File& file_;
  std::size_t ahead_;
  std::uint64_t start_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace wheelcheck::archive
