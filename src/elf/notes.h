// Notes: build id, GNU properties, the Android note (gABI 5, "Note Section"; Linux Extensions to gABI).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

struct Notes {
  std::optional<std::string> build_id;  // lower-case hex
  std::uint32_t x86_isa_needed = 0, x86_isa_used = 0, x86_features = 0;
  bool android = false;
};

Notes read_notes(const File& file, const Image& image, const Header& header, std::span<const Segment> segments,
                 const Limits& limits, Flaws& flaws);

}  // namespace wheelcheck::elf
