// The members of a wheel as its central directory lists them (APPNOTE 4.3.12), without any checks. The benchmark floor
// does the minimum to access the bytes, so it does not share a reader with the program that is compared with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

struct Member {
  std::uint64_t header = 0, packed = 0, size = 0;  // offset of the local header; bytes in the wheel; inflated bytes
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflate
  bool python = false;       // its name ends in .py
};

class Wheel {
 public:
  // Ends the program if the file is not a wheel.
  explicit Wheel(const char* path);
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;
  ~Wheel();

  const std::vector<Member>& members() const { return members_; }
  // Reads at most out.size() bytes from `offset`; returns the number of bytes.
  std::size_t read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  int file_ = -1;
  std::vector<Member> members_;
};

[[noreturn]] void give_up(const char* what);

constexpr std::size_t local_length = 30;  // of a local header without name and extra field
// Offset of the member's data relative to its local header; `header` has local_length bytes.
std::size_t length_of_local(std::span<const std::uint8_t> header);

}  // namespace bench
