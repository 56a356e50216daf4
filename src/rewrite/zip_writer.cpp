#include "rewrite/zip_writer.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "archive/fields.h"
#include "base/fail.h"
#include "base/memory.h"

namespace wheelcheck::rewrite {
namespace {

using archive::no_16, archive::no_32;
constexpr std::uint16_t deflate_method = 8, version_deflate = 20, version_zip64 = 45, unix_host = 3 << 8;
constexpr std::uint16_t zip64_extra = 1;
constexpr std::uint32_t permissions_and_type = 16;  // the Unix mode's place in the external attributes (4.4.15)

// Little-endian fields, one after the other.
class FieldWriter {
 public:
  template <std::unsigned_integral T>
  FieldWriter& put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFF));
    return *this;
  }
  FieldWriter& put(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

std::uint32_t low_32(std::uint64_t value) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, no_32)); }
bool is_large(std::uint64_t value) { return value >= no_32; }

std::uint16_t flags_of(const std::string& name) {
  return std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) ? archive::utf8_flag
                                                                                                 : std::uint16_t{0};
}

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

}  // namespace

DosTime dos_time(std::uint64_t seconds_since_1970) {
  using namespace std::chrono;
  const sys_seconds first = sys_days{year{1980} / 1 / 1}, last = sys_days{year{2107} / 12 / 31} + hours{23};
  const auto latest = static_cast<std::uint64_t>(last.time_since_epoch().count());
  const sys_seconds at = std::max(
      first, sys_seconds{seconds{static_cast<std::int64_t>(std::min<std::uint64_t>(seconds_since_1970, latest))}});
  const sys_days day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss time{at - day};
  return {
      .time = static_cast<std::uint16_t>(time.hours().count() << 11 | time.minutes().count() << 5 |
                                         time.seconds().count() / 2),
      .date = static_cast<std::uint16_t>((static_cast<int>(date.year()) - 1980) << 9 |
                                         static_cast<unsigned>(date.month()) << 5 | static_cast<unsigned>(date.day()))};
}

Result<DosTime> time_of(const archive::File& file, const archive::Entry& entry) {
  std::array<std::byte, archive::local_length> header{};
  if (auto done = file.read_at(entry.header_offset, header); !done) return std::unexpected(std::move(done.error()));
  const archive::Fields fields(header);
  return DosTime{.time = fields.u16(10), .date = fields.u16(12)};  // 4.3.7
}

Packed pack(std::span<const std::byte> bytes, int level) {
  Packed out{.bytes = {}, .size = bytes.size(), .crc32 = libdeflate_crc32(0, bytes.data(), bytes.size()), .method = 0};
  if (level > 0) {
    const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor{
        allocated(libdeflate_alloc_compressor(level))};
    out.bytes.resize(bytes.size());
    // 0: the result does not fit in this many bytes.
    const std::size_t packed =
        libdeflate_deflate_compress(compressor.get(), bytes.data(), bytes.size(), out.bytes.data(), out.bytes.size());
    if (packed > 0 && packed < bytes.size()) {
      out.bytes.resize(packed);
      out.method = deflate_method;
      return out;
    }
  }
  out.bytes.assign(bytes.begin(), bytes.end());
  return out;
}

Result<void> write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0)
      return fail(ErrorCode::Usage, "the wheel cannot be written: {}", std::strerror(done < 0 ? errno : EIO));
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

Result<void> ZipWriter::write(std::span<const std::byte> bytes) {
  at_ += bytes.size();
  return write_all(descriptor_, bytes);
}

Result<void> ZipWriter::begin(const Header& header, std::uint64_t size, std::uint64_t packed_size, std::uint32_t crc32,
                              std::uint16_t method) {
  records_.push_back({header, size, packed_size, at_, crc32, method});
  const bool large = is_large(size) || is_large(packed_size);
  FieldWriter fields;  // 4.3.7
  fields.put(archive::local_signature)
      .put(large ? version_zip64 : version_deflate)
      .put(flags_of(header.name))
      .put(method)
      .put(header.time.time)
      .put(header.time.date)
      .put(crc32)
      .put(large ? no_32 : low_32(packed_size))
      .put(large ? no_32 : low_32(size))
      .put(static_cast<std::uint16_t>(header.name.size()))
      .put(static_cast<std::uint16_t>(large ? 20 : 0))
      .put(std::string_view(header.name));
  if (large) fields.put(zip64_extra).put(std::uint16_t{16}).put(size).put(packed_size);  // 4.5.3: both, where either
  return write(fields.bytes());
}

Result<void> ZipWriter::copy(const Header& header, const archive::File& file, const archive::Entry& entry) {
  if (auto done = begin(header, entry.size, entry.packed_size, entry.crc32, entry.method); !done) return done;
  constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(chunk, entry.packed_size)));
  for (std::uint64_t at = 0; at < entry.packed_size; at += chunk) {
    const auto part = std::span(buffer).first(static_cast<std::size_t>(std::min(chunk, entry.packed_size - at)));
    if (auto done = file.read_at(entry.data_offset + at, part); !done) return done;
    if (auto done = write(part); !done) return done;
  }
  return {};
}

Result<void> ZipWriter::add(const Header& header, const Packed& packed) {
  if (auto done = begin(header, packed.size, packed.bytes.size(), packed.crc32, packed.method); !done) return done;
  return write(packed.bytes);
}

Result<void> ZipWriter::finish() {
  const std::uint64_t start = at_;
  for (const Record& record : records_) {  // 4.3.12
    FieldWriter extra;
    for (const std::uint64_t value : {record.size, record.packed_size, record.offset})
      if (is_large(value)) extra.put(value);
    const bool large = !extra.bytes().empty();
    FieldWriter fields;
    fields.put(archive::central_signature)
        .put(static_cast<std::uint16_t>(unix_host | (large ? version_zip64 : version_deflate)))
        .put(large ? version_zip64 : version_deflate)
        .put(flags_of(record.header.name))
        .put(record.method)
        .put(record.header.time.time)
        .put(record.header.time.date)
        .put(record.crc32)
        .put(low_32(record.packed_size))
        .put(low_32(record.size))
        .put(static_cast<std::uint16_t>(record.header.name.size()))
        .put(static_cast<std::uint16_t>(large ? 4 + extra.bytes().size() : 0))
        .put(std::uint16_t{0})  // comment
        .put(std::uint16_t{0})  // disk
        .put(std::uint16_t{0})  // internal attributes
        .put(record.header.mode << permissions_and_type)
        .put(low_32(record.offset))
        .put(std::string_view(record.header.name));
    if (large) fields.put(zip64_extra).put(static_cast<std::uint16_t>(extra.bytes().size()));
    if (auto done = write(fields.bytes()); !done) return done;
    if (auto done = write(extra.bytes()); !done) return done;
  }
  const std::uint64_t end = at_, length = end - start, count = records_.size();
  FieldWriter fields;
  if (count >= no_16 || is_large(length) || is_large(start))  // 4.3.14, 4.3.15
    fields.put(archive::zip64_end_signature)
        .put(std::uint64_t{archive::zip64_end_length - 12})
        .put(static_cast<std::uint16_t>(unix_host | version_zip64))
        .put(version_zip64)
        .put(std::uint32_t{0})
        .put(std::uint32_t{0})
        .put(count)
        .put(count)
        .put(length)
        .put(start)
        .put(archive::zip64_locator_signature)
        .put(std::uint32_t{0})
        .put(end)
        .put(std::uint32_t{1});
  const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, no_16));
  fields
      .put(archive::end_signature)  // 4.3.16
      .put(std::uint16_t{0})
      .put(std::uint16_t{0})
      .put(short_count)
      .put(short_count)
      .put(low_32(length))
      .put(low_32(start))
      .put(std::uint16_t{0});
  return write(fields.bytes());
}

}  // namespace wheelcheck::rewrite
