// Writes ZIP archives in memory: valid ones for tests that need a wheel, and, with hooks on every header, all kinds of
// invalid ones. It uses no other ZIP library, so that tests of the reader do not depend on one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::test {

// The fields of a local or central header before they are written. Hooks may change each field.
struct ZipHeader {
  std::uint32_t signature = 0;
  std::uint16_t made_by = 3 << 8 | 20;  // central only: Unix
  std::uint16_t version = 20;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc32 = 0, packed_size = 0, size = 0;
  std::string name, extra, comment;  // comment: central only
  std::uint16_t disk = 0;            // central only, like all following fields
  std::uint32_t attributes = 0, offset = 0;
};
struct ZipEnd {
  std::uint16_t disk = 0, directory_disk = 0, members_here = 0, members = 0;
  std::uint32_t directory_size = 0, directory_offset = 0;
  std::string comment;
  std::optional<std::uint16_t> comment_length;  // replaces the real length
};
struct Zip64End {
  std::uint32_t signature = 0x06064b50;
  std::uint64_t length = 44;
  std::uint16_t made_by = 45, version = 45;
  std::uint32_t disk = 0, directory_disk = 0;
  std::uint64_t members_here = 0, members = 0, directory_size = 0, directory_offset = 0;
  std::string extensible;  // bytes after the fixed fields
  // Fields of the locator.
  std::uint32_t locator_disk = 0, disks = 1;
  std::uint64_t offset = 0;
};

struct ZipMember {
  std::string name;  // ends in '/': a directory
  std::string data;
  std::uint16_t method = 8;
  std::uint32_t mode = 0100644;
  bool zip64 = false;       // both sizes only in a ZIP64 extra field, in both headers
  bool descriptor = false;  // CRC-32 and sizes after the data, zero in the local header
  bool descriptor_signature = true;
  std::optional<std::string> packed;  // packed bytes that replace those of `data`
  std::optional<std::string> descriptor_bytes;
  std::string before;  // bytes before its local header
  bool listed = true;  // false: not in the central directory
  std::function<void(ZipHeader&)> local, central;
};
struct ZipOptions {
  std::string comment;
  std::string before, before_directory, before_end, after;  // bytes that belong to no structure
  bool zip64 = false;                                       // ZIP64 end record and locator; all ones in the end record
  bool counts_before = true;  // offsets are relative to the start of the file, including `before`
  std::function<void(ZipEnd&)> end;
  std::function<void(Zip64End&)> zip64_end;
};

std::string make_zip(const std::vector<ZipMember>& members, const ZipOptions& options = {});

std::string deflate(std::string_view data, int level = 6);
std::uint32_t crc32_of(std::string_view data);
// Little-endian.
std::string u16(std::uint16_t value);
std::string u32(std::uint32_t value);
std::string u64(std::uint64_t value);
// One extra field.
std::string extra_field(std::uint16_t id, std::string_view payload);

// Writes `bytes` and returns `path`; aborts the test program on failure.
std::string write_file(const std::string& path, std::string_view bytes);

// A temporary directory that is removed with its files.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  const std::string& path() const { return path_; }
  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace wheelcheck::test
