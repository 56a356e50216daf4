// Common functions of all fuzz targets: reading the input, and reporting a violated property. A target is a file
// fuzz_NAME.cpp with LLVMFuzzerTestOneInput. It is run by libFuzzer, or by run.cpp, which replays files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::fuzz {

// Ends the process like an error of a sanitizer, so that libFuzzer stores the input.
[[noreturn]] inline void fail(std::string_view what, std::string_view more = {}) {
  std::fprintf(stderr, "does not hold: %.*s\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(std::min<std::size_t>(more.size(), 4096)), more.data());
  std::abort();
}
inline void demand(bool holds, std::string_view what, std::string_view more = {}) {
  if (!holds) fail(what, more);
}
// Fails if two texts differ, and shows the first difference.
inline void demand_same(std::string_view a, std::string_view b, std::string_view what) {
  if (a == b) return;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::size_t from = at - std::min<std::size_t>(at, 200);
  fail(what, "one:   " + std::string(a.substr(from, 500)) + "\nother: " + std::string(b.substr(from, 500)));
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Takes numbers and texts from the front of an input. Beyond its end all bytes are zero.
class Input {
 public:
  explicit Input(std::string_view bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      if (i < left_.size()) value |= std::uint64_t{static_cast<unsigned char>(left_[i])} << 8 * i;
    left_.remove_prefix(std::min(bytes, left_.size()));
    return value;
  }
  std::string_view text(std::uint64_t size) {
    const std::string_view out = left_.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, left_.size())));
    left_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest() { return text(left_.size()); }

 private:
  std::string_view left_;
};

}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
