// The members of a wheel as its central directory lists them (APPNOTE 4.3.12), and nothing checked: the floor does the
// least that gets at the bytes, so it shares no reader with the program that is held against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

struct Member {
  std::uint64_t header = 0, packed = 0, size = 0;  // where its local header is; bytes in the wheel; inflated
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflate
  bool python = false;       // its name ends in .py
};

class Wheel {
 public:
  // Ends the program if the file is no wheel: a benchmark has no use for half of one.
  explicit Wheel(const char* path);
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;
  ~Wheel();

  const std::vector<Member>& members() const { return members_; }
  // As many bytes as the file has from `offset`, at most out.size().
  std::size_t read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  int file_ = -1;
  std::vector<Member> members_;
};

[[noreturn]] void give_up(const char* what);

constexpr std::size_t local_length = 30;  // of a local header without its name and extra field
// Bytes from a local header's start to the member's; `header` has local_length bytes.
std::size_t length_of_local(std::span<const std::uint8_t> header);

}  // namespace bench
