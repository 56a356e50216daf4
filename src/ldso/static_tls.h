// The space for initial-exec TLS of files that are opened after the start (glibc elf/dl-reloc.c,
// _dl_try_allocate_static_tls; elf/dl-tls.c, _dl_determine_tlsoffset). The block of a thread has a fixed size, so an
// open fails if the surplus is used up. The model is for machines with the TLS below the thread pointer; on others the
// blocks are above it, with the same sizes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "ldso/process_maps.h"

namespace wheelcheck::resolver {

class StaticTls {
 public:
  explicit StaticTls(const Maps& maps) : maps_(maps), placed_(maps.files().size()) {}

  // Places the TLS of the files that are loaded at the start; the surplus follows.
  void start(std::span<const ObjectIndex> loaded) {
    std::uint64_t used = 0;
    for (const ObjectIndex object : loaded) {
      const Segments& segments = maps_.files().facts(object).segments;
      placed_[object.value] = true;
      if (segments.tls_size == 0 || segments.tls_size > largest) continue;
      const std::uint64_t align = alignment(segments);
      align_ = std::max(align_, align);
      used = round_up(used + segments.tls_size, align);
    }
    free_ = round_up(used + surplus, align_) - used;
  }

  // Returns false if there is not enough space: the open fails.
  bool place(ObjectIndex object) {
    const Segments& segments = maps_.files().facts(object).segments;
    if (placed_[object.value] || segments.tls_size == 0) return true;
    const std::uint64_t align = alignment(segments);
    if (align > align_ || segments.tls_size > free_) return false;
    free_ = (free_ - segments.tls_size) / align * align;
    placed_[object.value] = true;
    placed_order_.push_back(object);
    return true;
  }
  // For TLS descriptors: without space, the variables get dynamic TLS. Since glibc 2.32 such files may use only a part
  // of the surplus (glibc.rtld.optional_static_tls, by default 512 bytes).
  void place_if_possible(ObjectIndex object, bool limited) {
    const Segments& segments = maps_.files().facts(object).segments;
    if (placed_[object.value] || segments.tls_size == 0) return;
    const std::uint64_t align = alignment(segments);
    if (align > align_ || segments.tls_size > free_) return;
    const std::uint64_t rest = (free_ - segments.tls_size) / align * align, used = free_ - rest;
    if (limited && used > optional_) return;
    if (limited) optional_ -= used;
    free_ = rest;
    placed_[object.value] = true;
    placed_order_.push_back(object);
  }
  std::uint64_t free() const { return free_; }
  std::size_t placed() const { return placed_order_.size(); }
  // Restores the state before the last files were placed, because they are unloaded.
  void undo(std::size_t placed, std::uint64_t free) {
    for (; placed_order_.size() > placed; placed_order_.pop_back()) placed_[placed_order_.back().value] = false;
    free_ = free;
  }

 private:
  // 64 + DL_NNS * 100 up to glibc 2.31. Since 2.32 it is set by tunables whose defaults give the same value
  // (elf/dl-tls.c, _dl_tls_static_surplus_init). On glibc 2.36 a file with 1,712 bytes can be opened, and one with
  // 1,728 bytes cannot.
  static constexpr std::uint64_t surplus = 1664;
  static constexpr std::uint64_t largest = std::uint64_t{1} << 40;

  static std::uint64_t alignment(const Segments& segments) {
    return std::clamp<std::uint64_t>(segments.tls_align, 1, std::uint64_t{1} << 20);
  }
  static std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

  const Maps& maps_;
  std::vector<bool> placed_;  // by object
  std::vector<ObjectIndex> placed_order_;
  std::uint64_t free_ = 0, align_ = 64;  // TCB_ALIGNMENT
  std::uint64_t optional_ = 512;         // a failed open does not give it back
};

}  // namespace wheelcheck::resolver
