// Working memory for a member's bytes. It is reused from member to member, so that memory is allocated only when a
// member is larger than all earlier ones.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "base/memory.h"

namespace wheelcheck::archive {

// A growing buffer that does not zero its bytes. Large buffers use huge pages: with 4 KB pages, page faults take a
// tenth of the time to inflate a member of some MB.
class ScratchBuffer {
 public:
  // The content is lost if the buffer grows. If there is no memory: out_of_memory().
  std::span<std::byte> get(std::size_t size) {
    if (size_ < size) {
      give_back();
      size > worth_huge_pages ? map(size) : allocate(std::max(size, least));
    }
    return {many_ ? many_.get() : few_.get(), size};
  }
  void give_back() {
    few_.reset();
    many_.reset();
    size_ = 0;
  }

 private:
  static constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;
  static constexpr std::size_t least = std::size_t{256} << 10, worth_huge_pages = huge_page / 4;

  struct Unmap {
    std::size_t size;
    void operator()(std::byte* begin) const { ::munmap(begin, size); }
  };

  void allocate(std::size_t size) {
    few_ = std::make_unique_for_overwrite<std::byte[]>(size);
    size_ = size;
  }
  void map(std::size_t size) {
    const std::size_t whole = (size + huge_page - 1) / huge_page * huge_page;
    void* const place = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) out_of_memory();
    many_ = {static_cast<std::byte*>(place), Unmap{whole}};
    size_ = whole;
    (void)::madvise(place, whole, MADV_HUGEPAGE);
    // Without huge pages, one call replaces a page fault for each page. If the kernel does not know
    // MADV_POPULATE_WRITE, the faults happen later.
    (void)::madvise(place, size / page * page, MADV_POPULATE_WRITE);
  }

  std::unique_ptr<std::byte[]> few_;
  std::unique_ptr<std::byte, Unmap> many_{nullptr, Unmap{0}};
  std::size_t size_ = 0;
};

}  // namespace wheelcheck::archive
