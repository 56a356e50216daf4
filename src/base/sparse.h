// The bytes of a large file at the addresses that they would have if it were held whole, of which only those pages take
// memory that somebody keeps. A page that is absent can be fetched again from where the file comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck {

class SparseBytes {
 public:
  static constexpr std::uint64_t page = 4096;  // bytes; where the system's pages are larger, less memory is given back

  // Sends the bytes from `begin` to `end` to keep(), whole pages each time; bounds are those of pages or the file's
  // end. Returns how many bytes it had to go through.
  using Fetch = std::function<Result<std::uint64_t>(std::uint64_t begin, std::uint64_t end, SparseBytes& into)>;

  // Nothing where the range of addresses is not to be had.
  static std::unique_ptr<SparseBytes> reserve(std::uint64_t size, Fetch fetch);
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;
  ~SparseBytes();

  // All of the file's addresses, good as long as this lives. What is absent reads as zeros.
  std::span<const std::byte> bytes() const { return {begin_, static_cast<std::size_t>(size_)}; }
  std::uint64_t size() const { return size_; }

  // `offset` is that of a page; `bytes` are whole pages, or reach to the end of the file.
  void keep(std::uint64_t offset, std::span<const std::byte> bytes);
  // Whether the page that holds the byte at `offset` is there.
  bool has(std::uint64_t offset) const { return present_[offset / page]; }
  // The first page boundary from `offset` on, up to `end`, at which presence changes.
  std::uint64_t same_until(std::uint64_t offset, std::uint64_t end) const;
  // Fetches what is absent of a range. Where that fails, or has cost more than a file deserves, the range reads as
  // zeros, and error() says why.
  void need(std::uint64_t begin, std::uint64_t end);
  // These bytes stay, whatever is given back: there are views into them.
  void hold(std::uint64_t begin, std::uint64_t end);
  // Gives back the pages that lie in the range with all of their bytes, but for those that are held.
  void drop(std::uint64_t begin, std::uint64_t end);
  // Gives back all but a range; nothing can be fetched any more.
  void keep_only(std::uint64_t begin, std::uint64_t end);

  const std::optional<Error>& error() const { return error_; }

 private:
  SparseBytes(std::byte* begin, std::uint64_t size, Fetch fetch);
  void give_back(std::uint64_t begin, std::uint64_t end);
  void make_room(std::uint64_t begin, std::uint64_t end);
  void give_back_unused();

  std::byte* begin_;
  std::uint64_t held_begin_ = 0, held_end_ = 0;  // whole pages
  std::uint64_t size_, budget_;                  // budget: bytes that fetching may still go through
  std::uint64_t run_begin_ = 0, run_end_ = 0;    // what was kept last, without a gap
  std::uint64_t huge_end_ = 0;                   // of the huge pages in it; 0: there are none
  std::vector<bool> present_;
  Fetch fetch_;
  std::optional<Error> error_;
};

}  // namespace wheelcheck
