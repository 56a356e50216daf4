// Writes a ZIP archive whose bytes depend only on its members, never on the clock or the host.
// Section numbers refer to PKWARE's APPNOTE.TXT 6.3.10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "archive/file.h"
#include "wheelcheck/result.h"

namespace wheelcheck::rewrite {

// Date and time in the format of MS-DOS (4.4.6).
struct DosTime {
  std::uint16_t time = 0, date = 0x21;  // 1980-01-01, the earliest
};
// In UTC. A time before 1980 or after 2107 becomes the nearest one that the format has.
DosTime dos_time(std::uint64_t seconds_since_1970);
// The time in the local header of a member.
Result<DosTime> time_of(const archive::File& file, const archive::Entry& entry);

struct Header {
  std::string name;
  std::uint32_t mode = 0100644;  // st_mode
  DosTime time;
};
// A member's bytes as the archive stores them.
struct Packed {
  std::vector<std::byte> bytes;
  std::uint64_t size = 0;  // inflated
  std::uint32_t crc32 = 0;
  std::uint16_t method = 0;  // 8: deflate; 0: stored, if deflate does not make it smaller
};
// Of libdeflate. Its level 5 packs libraries as small as zlib's level 6, which Python's zipfile uses: 10,725,932 bytes
// of libopenblas against 10,722,903, 1,879,980 of libcrypto against 1,893,729, in less than a third of the time. Level
// 6 gains 1 % more for 20 % more time.
inline constexpr int default_level = 5;
Packed pack(std::span<const std::byte> bytes, int level = default_level);

// Error: the disk is full, or the like.
Result<void> write_all(int descriptor, std::span<const std::byte> bytes);

class ZipWriter {
 public:
  // Writes at the descriptor's position; it stays open.
  explicit ZipWriter(int descriptor) : descriptor_(descriptor) {}
  // Copies the packed bytes of a member of another archive.
  Result<void> copy(const Header& header, const archive::File& file, const archive::Entry& entry);
  Result<void> add(const Header& header, const Packed& packed);
  // Writes the central directory.
  Result<void> finish();

 private:
  struct Record {
    Header header;
    std::uint64_t size, packed_size, offset;
    std::uint32_t crc32;
    std::uint16_t method;
  };
  Result<void> begin(const Header& header, std::uint64_t size, std::uint64_t packed_size, std::uint32_t crc32,
                     std::uint16_t method);
  Result<void> write(std::span<const std::byte> bytes);

  int descriptor_;
  std::uint64_t at_ = 0;
  std::vector<Record> records_;
};

}  // namespace wheelcheck::rewrite
