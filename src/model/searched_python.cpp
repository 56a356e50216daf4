#include "model/searched_python.h"

#include <cstdint>

namespace wheelcheck {

bool has_little_python(const WheelFacts& wheel) {
  constexpr std::uint64_t kib = 1024, mib = 1024 * kib;
  std::uint64_t python = 0;
  for (const MemberFacts& member : wheel.members)
    if (member.path.text().ends_with(".py") || member.path.text().ends_with(".pth")) python += member.size;
  if (!wheel.elfs.empty() && python > 256 * kib) return false;
  const bool is_directory = wheel.size == 0;
  return python <= mib + 5 * wheel.size && (is_directory || python <= 64 * kib + 8 * wheel.size);
}

}  // namespace wheelcheck
