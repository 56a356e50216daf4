#include "base/sparse.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/memory.h"

namespace wheelcheck {
namespace {

// The limit of bytes that fetching may go through. A file whose tables lie together is fetched once or twice; only a
// file that is made to be slow needs more.
std::uint64_t fair_work(std::uint64_t size) { return 3 * size + (std::uint64_t{256} << 20); }

constexpr std::uint64_t page_down(std::uint64_t offset) { return offset / SparseBytes::page * SparseBytes::page; }

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

}  // namespace

std::unique_ptr<SparseBytes> SparseBytes::reserve(std::uint64_t size, Fetch fetch) {
  assert(size > 0);
  void* const place = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) out_of_memory();
  // A huge page would use 2 MB for one page that is kept. make_room enables huge pages where they pay.
  (void)::madvise(place, size, MADV_NOHUGEPAGE);
  return std::unique_ptr<SparseBytes>(new SparseBytes(static_cast<std::byte*>(place), size, std::move(fetch)));
}

SparseBytes::SparseBytes(std::byte* begin, std::uint64_t size, Fetch fetch)
    : begin_(begin),
      size_(size),
      budget_(fair_work(size), "reading again"),
      present_(static_cast<std::size_t>((size + page - 1) / page)),
      fetch_(std::move(fetch)) {}

SparseBytes::~SparseBytes() { ::munmap(begin_, size_); }

// Prepares memory for pages that are kept one after another. Tables are long: after 1 MB of adjacent pages, the
// following ones are allocated as huge pages, which cost a sixth of the time of small pages.
void SparseBytes::make_room(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t worth_huge_pages = std::uint64_t{1} << 20, worth_a_call = 16 * page;
  if (begin != run_end_) {
    give_back_unused();
    run_begin_ = begin;
  }
  run_end_ = end;
  if (end - run_begin_ >= worth_huge_pages) {
    const std::uint64_t from = std::max(begin, huge_end_);
    const std::uint64_t first =
        from + (huge_page - reinterpret_cast<std::uintptr_t>(begin_ + from) % huge_page) % huge_page;
    const std::uint64_t last = first + (end - std::min(end, first) + huge_page - 1) / huge_page * huge_page;
    if (first < last && last <= size_ && ::madvise(begin_ + first, last - first, MADV_HUGEPAGE) == 0) huge_end_ = last;
  }
  // One call instead of a page fault for each page. If the kernel does not know MADV_POPULATE_WRITE, the faults happen
  // later.
  if (end - begin >= worth_a_call) (void)::madvise(begin_ + begin, end - begin, MADV_POPULATE_WRITE);
}

// Gives back the part of the last huge page that is behind the end of the adjacent pages. Without MADV_NOHUGEPAGE,
// khugepaged would make the page whole again.
void SparseBytes::give_back_unused() {
  const std::uint64_t huge_end = std::exchange(huge_end_, 0);
  if (huge_end <= run_end_) return;
  (void)::madvise(begin_ + huge_end - huge_page, huge_page, MADV_NOHUGEPAGE);
  const std::uint64_t first = page_down(run_end_ + page - 1);
  std::uint64_t last = first;
  while (last < huge_end && !has(last)) last += page;
  if (first < last) (void)::madvise(begin_ + first, last - first, MADV_DONTNEED);
}

void SparseBytes::keep(std::uint64_t offset, std::span<const std::byte> bytes) {
  assert(offset % page == 0 && offset <= size_ && bytes.size() <= size_ - offset);
  assert(bytes.size() % page == 0 || offset + bytes.size() == size_);
  make_room(offset, offset + bytes.size());
  std::memcpy(begin_ + offset, bytes.data(), bytes.size());
  for (std::uint64_t at = offset; at < offset + bytes.size(); at += page) present_[at / page] = true;
}

std::uint64_t SparseBytes::same_until(std::uint64_t offset, std::uint64_t end) const {
  const bool now = has(offset);
  std::uint64_t at = page_down(offset) + page;
  while (at < end && present_[at / page] == now) at += page;
  return std::min(at, end);
}

// Pages that are there are fetched again between two that are not, if they are few: each fetch goes through some MB.
void SparseBytes::need(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t few = std::uint64_t{1} << 20;
  assert(begin <= end && end <= size_);
  for (std::uint64_t at = begin; at < end;) {
    const bool here = has(at);
    std::uint64_t until = same_until(at, end);
    while (!here && until < end) {
      const std::uint64_t next = same_until(until, end);
      if (next == end || next - until > few) break;
      until = same_until(next, end);
    }
    if (!here && !error_) {
      const std::uint64_t from = page_down(at), to = std::min(page_down(until + page - 1), size_);
      const Result<std::uint64_t> cost =
          fetch_ ? fetch_(from, to, *this) : std::unexpected(Error{ErrorCode::Io, "cannot be read again"});
      if (!cost)
        error_ = cost.error();
      else if (!budget_.spend(*cost))
        error_ = Error{ErrorCode::OverLimit, "its tables lie so scattered that reading them would take too long"};
    }
    at = until;
  }
}

void SparseBytes::hold(std::uint64_t begin, std::uint64_t end) {
  held_begin_ = page_down(begin);
  held_end_ = page_down(end + page - 1);
}

void SparseBytes::drop(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = page_down(begin + page - 1), last = end == size_ ? size_ : page_down(end);
  if (first < last) {
    give_back(first, std::min(last, std::max(first, held_begin_)));
    give_back(std::max(first, held_end_), last);
  }
}

void SparseBytes::give_back(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  (void)::madvise(begin_ + begin, end - begin, MADV_DONTNEED);
  for (std::uint64_t at = begin; at < end; at += page) present_[at / page] = false;
}

void SparseBytes::keep_only(std::uint64_t begin, std::uint64_t end) {
  held_end_ = held_begin_ = 0;
  drop(0, page_down(begin));
  drop(std::min(page_down(end + page - 1), size_), size_);
  (void)::madvise(begin_, size_, MADV_NOHUGEPAGE);  // existing huge pages stay huge
  fetch_ = {};
}

}  // namespace wheelcheck
