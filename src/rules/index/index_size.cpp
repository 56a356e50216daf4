// WC853: PyPI refuses the wheel for its size, or as a decompression bomb.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::index_size {
namespace {

// Warehouse, warehouse/forklift/legacy.py: COMPRESSION_RATIO_THRESHOLD and COMPRESSION_RATIO_MIN_SIZE.
constexpr std::uint64_t highest_ratio = 50, least_inflated = std::uint64_t{64} << 20;

void check(const WheelView& view, const Emit& emit) {
  const std::uint64_t size = view.wheel.size, limit = view.options.max_wheel_bytes;
  if (view.options.index.empty() || size == 0) return;
  if (size > limit)
    emit({.place = WholeWheel{},
          .message = fmt::format("has {} bytes, {} above the limit of {}", size, megabytes(size - limit), limit),
          .evidence = {},
          .fix = fmt::format("ask PyPI for a higher limit; where it was granted: --max-wheel-bytes {}", size),
          .severity = {}});
  std::uint64_t inflated = 0;
  for (const MemberFacts& member : view.wheel.members) inflated += member.size;
  if (inflated > least_inflated && inflated / size >= highest_ratio && inflated > size * highest_ratio)
    emit({.place = WholeWheel{},
          .message = fmt::format("{} bytes inflate to {}, more than {} to 1", size, inflated, highest_ratio),
          .evidence = {},
          .fix = "leave out the members that are nearly empty, or create them at run time",
          .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC853",
    .name = "index-size",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_size
