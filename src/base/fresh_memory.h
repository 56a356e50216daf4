// Memory that will be used from end to end.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace wheelcheck {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

// Takes the pages that lie in the range with all of their bytes, and that nobody has touched: huge ones where they fit,
// else in one call instead of a fault each. Where the kernel knows neither, the faults come.
inline void take_at_once(void* begin, std::size_t size) {
  constexpr std::size_t page = 4096;
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  if (size < skipped + page) return;
  void* const first = static_cast<std::byte*>(begin) + skipped;
  const std::size_t whole = (size - skipped) / page * page;
  (void)::madvise(first, whole, MADV_HUGEPAGE);
  (void)::madvise(first, whole, MADV_POPULATE_WRITE);
}

}  // namespace wheelcheck
