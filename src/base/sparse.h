// The bytes of a large file in a range of addresses as long as the file, of which only selected pages use memory. It
// lets the ELF reader access a file of some GB as one contiguous image while memory stays small. A page that is absent
// can be fetched again from the file's source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "wheelcheck/result.h"

namespace wheelcheck {

class SparseBytes {
 public:
  static constexpr std::uint64_t page = 4096;  // bytes; if the system's pages are larger, less memory is given back

  // Passes the bytes from `begin` to `end` to keep(), whole pages each time. The bounds are page boundaries or the end
  // of the file. Returns the number of bytes that it had to read or inflate.
  using Fetch = std::function<Result<std::uint64_t>(std::uint64_t begin, std::uint64_t end, SparseBytes& into)>;

  // If the address range cannot be reserved: out_of_memory().
  static std::unique_ptr<SparseBytes> reserve(std::uint64_t size, Fetch fetch);
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;
  ~SparseBytes();

  // The whole range, valid for the lifetime of this object. Absent pages read as zeros.
  std::span<const std::byte> bytes() const { return {begin_, static_cast<std::size_t>(size_)}; }
  std::uint64_t size() const { return size_; }

  // `offset` is a page boundary. `bytes` consists of whole pages, or reaches the end of the file.
  void keep(std::uint64_t offset, std::span<const std::byte> bytes);
  // Whether the page that contains the byte at `offset` is present.
  bool has(std::uint64_t offset) const { return present_[offset / page]; }
  // The first page boundary after `offset`, up to `end`, at which present changes to absent or back.
  std::uint64_t same_until(std::uint64_t offset, std::uint64_t end) const;
  // Fetches the absent pages of a range. If that fails, or exceeds the work budget of the file, the range reads as
  // zeros and error() has the reason.
  void need(std::uint64_t begin, std::uint64_t end);
  // Protects these bytes from drop(), because there are views into them.
  void hold(std::uint64_t begin, std::uint64_t end);
  // Gives back the pages that are entirely inside the range, except the held ones.
  void drop(std::uint64_t begin, std::uint64_t end);
  // Gives back everything outside a range. Nothing can be fetched afterwards.
  void keep_only(std::uint64_t begin, std::uint64_t end);

  const std::optional<Error>& error() const { return error_; }

 private:
  SparseBytes(std::byte* begin, std::uint64_t size, Fetch fetch);
  void give_back(std::uint64_t begin, std::uint64_t end);
  void make_room(std::uint64_t begin, std::uint64_t end);
  void give_back_unused();

  std::byte* begin_;
  std::uint64_t held_begin_ = 0, held_end_ = 0;  // whole pages
  std::uint64_t size_;
  Budget budget_;                              // bytes that fetching may go through
  std::uint64_t run_begin_ = 0, run_end_ = 0;  // the last run of adjacent pages that were kept
  std::uint64_t huge_end_ = 0;                 // end of the huge pages in that run; 0 if there are none
  std::vector<bool> present_;
  Fetch fetch_;
  std::optional<Error> error_;
};

}  // namespace wheelcheck
