// Readers search for the end record in different ways: backwards for its signature, by a comment length that reaches
// the end of the file, with or without ZIP64. Only a file for which all of them find the same record is accepted.
#include <algorithm>
#include <optional>
#include <vector>

#include "archive/fields.h"
#include "archive/records.h"

namespace wheelcheck::archive {
namespace {

constexpr std::uint64_t longest_tail = end_length + 0xFFFF;

struct End {  // the record without ZIP64
  std::uint64_t offset = 0;
  std::uint16_t disk = 0, directory_disk = 0, members_here = 0, members = 0;
  std::uint32_t directory_size = 0, directory_offset = 0;
  std::string comment;
};
struct Zip64End {
  std::uint64_t offset = 0, members = 0, directory_size = 0, directory_offset = 0;
};

Result<std::uint32_t> first_word(const File& file) {
  std::byte bytes[4] = {};
  if (file.size() < sizeof bytes) return 0u;
  if (auto done = file.read_at(0, bytes); !done) return pass_on(done);
  return Fields(bytes).u32(0);
}

// The error if no end record reaches the end of the file. `last` is the offset of the last signature.
std::unexpected<Error> no_end(const File& file, const Fields& tail, std::uint64_t tail_size,
                              std::optional<std::uint64_t> last) {
  if (last && *last + end_length > tail_size)
    return reject("the archive is cut short in its end record; fetch it again");
  if (last) {
    const std::uint64_t end = *last + end_length + tail.u16(*last + 20);
    if (end > tail_size) return reject("the archive is cut short in its comment; fetch it again");
    return reject("{} bytes follow the archive's end record", tail_size - end);
  }
  const auto word = first_word(file);
  if (!word) return std::unexpected(word.error());
  if (*word == local_signature)
    return fail(ErrorCode::NotAWheel,
                "not a whole ZIP archive: it has no end record, so it was cut short; fetch it again");
  return fail(ErrorCode::NotAWheel, "not a ZIP archive");
}

Result<End> find_end(const File& file) {
  if (file.size() == 0) return fail(ErrorCode::NotAWheel, "not a ZIP archive: the file is empty");
  std::vector<std::byte> bytes(std::min(file.size(), longest_tail));
  const std::uint64_t base = file.size() - bytes.size();
  if (auto done = file.read_at(base, bytes); !done) return pass_on(done);
  const Fields tail(bytes);
  const std::string_view text = text_of(bytes);
  std::optional<std::uint64_t> last, reaching;
  unsigned reach = 0;
  for (std::size_t at = text.find("PK\5\6"); at != std::string_view::npos; at = text.find("PK\5\6", at + 1)) {
    last = at;
    if (at + end_length > bytes.size() || at + end_length + tail.u16(at + 20) != bytes.size()) continue;
    if (!reaching) reaching = at;
    ++reach;
  }
  if (!reaching) return no_end(file, tail, bytes.size(), last);
  if (reach > 1 || last != reaching)
    return reject("the archive's comment contains another end record: readers disagree about which one counts");
  const std::uint64_t at = *reaching;
  return End{.offset = base + at,
             .disk = tail.u16(at + 4),
             .directory_disk = tail.u16(at + 6),
             .members_here = tail.u16(at + 8),
             .members = tail.u16(at + 10),
             .directory_size = tail.u32(at + 12),
             .directory_offset = tail.u32(at + 16),
             .comment = std::string(text.substr(at + end_length))};
}

// A locator directly before the end record makes the archive ZIP64, whatever the end record's own fields contain.
// CPython always looks for it, other readers only if a field is all ones.
Result<std::optional<Zip64End>> find_zip64_end(const File& file, const End& end) {
  if (end.offset < zip64_locator_length) return std::nullopt;
  std::byte locator_bytes[zip64_locator_length] = {};
  const std::uint64_t locator_offset = end.offset - zip64_locator_length;
  if (auto done = file.read_at(locator_offset, locator_bytes); !done) return pass_on(done);
  const Fields locator(locator_bytes);
  if (locator.u32(0) != zip64_locator_signature) return std::nullopt;
  if (locator_offset < zip64_end_length) return reject("the ZIP64 end record is missing");
  const std::uint64_t offset = locator_offset - zip64_end_length;
  if (locator.u64(8) != offset)
    return reject("the ZIP64 locator points to {}, but the ZIP64 end record can only be at {}", locator.u64(8), offset);
  if (locator.u32(4) != 0 || locator.u32(16) != 1)
    return reject("the ZIP64 locator says that the archive has several parts");
  std::byte bytes[zip64_end_length] = {};
  if (auto done = file.read_at(offset, bytes); !done) return pass_on(done);
  const Fields record(bytes);
  if (record.u32(0) != zip64_end_signature)
    return reject("the ZIP64 end record is missing where its locator points to");
  if (record.u64(4) != zip64_end_length - 12)
    return reject("the ZIP64 end record says that it has {} bytes, not {}", record.u64(4), zip64_end_length - 12);
  if (const unsigned version = zip_version(record.u16(14)); version > 45)
    return reject("the ZIP64 end record needs version {} of ZIP, above 45", version);
  if (record.u32(16) != 0 || record.u32(20) != 0)
    return reject("the ZIP64 end record says that the archive has several parts");
  if (record.u64(24) != record.u64(32))
    return reject("the ZIP64 end record has two counts: {} and {}", record.u64(24), record.u64(32));
  return Zip64End{.offset = offset,
                  .members = record.u64(32),
                  .directory_size = record.u64(40),
                  .directory_offset = record.u64(48)};
}

// A field of the end record next to a ZIP64 record must be all ones or the same value.
Result<void> check_agreement(const End& end, const Zip64End& zip64) {
  const auto agrees = [](std::uint64_t small, std::uint64_t none, std::uint64_t large) {
    return small == none || small == large;
  };
  if (!agrees(end.disk, no_16, 0) || !agrees(end.directory_disk, no_16, 0))
    return reject("the end record says that the archive has several parts");
  if (!agrees(end.members, no_16, zip64.members) || !agrees(end.members_here, no_16, zip64.members))
    return reject("the end record counts {} members, the ZIP64 end record {}", end.members, zip64.members);
  if (!agrees(end.directory_size, no_32, zip64.directory_size))
    return reject("the end record says that the central directory has {} bytes, the ZIP64 end record {}",
                  end.directory_size, zip64.directory_size);
  if (!agrees(end.directory_offset, no_32, zip64.directory_offset))
    return reject("the end record places the central directory at {}, the ZIP64 end record at {}", end.directory_offset,
                  zip64.directory_offset);
  return {};
}

// The directory must end where the end records start.
Result<void> check_place(const EndRecords& records, std::uint64_t directory_end) {
  const auto sum = checked_add(records.directory_offset, records.directory_size);
  if (!sum || *sum > directory_end)
    return reject("the central directory, {} bytes at {}, does not fit before the end record at {}",
                  records.directory_size, records.directory_offset, directory_end);
  if (*sum < directory_end)
    return reject("{} bytes are before the archive, or between its central directory and its end record",
                  directory_end - *sum);
  return {};
}

}  // namespace

Result<EndRecords> read_end_records(const File& file, const Limits& limits) {
  auto end = find_end(file);
  if (!end) return pass_on(end);
  auto zip64 = find_zip64_end(file, *end);
  if (!zip64) return pass_on(zip64);
  EndRecords records{.directory_offset = end->directory_offset,
                     .directory_size = end->directory_size,
                     .members = end->members,
                     .comment = std::move(end->comment)};
  std::uint64_t directory_end = end->offset;
  if (*zip64) {
    if (auto agree = check_agreement(*end, **zip64); !agree) return pass_on(agree);
    records.directory_offset = (*zip64)->directory_offset;
    records.directory_size = (*zip64)->directory_size;
    records.members = (*zip64)->members;
    directory_end = (*zip64)->offset;
  } else {
    if (end->disk != 0 || end->directory_disk != 0)
      return reject("the end record says that the archive has several parts");
    if (end->members_here != end->members)
      return reject("the end record has two counts: {} and {}", end->members_here, end->members);
  }
  if (auto fits = check_place(records, directory_end); !fits) return pass_on(fits);
  if (records.members > limits.members)
    return fail(ErrorCode::OverLimit,
                "the archive has {} members, over the limit of {}; raise it with --limit members=N", records.members,
                limits.members);
  if (records.members > records.directory_size / central_length)
    return reject("the end record counts {} members, more than a central directory of {} bytes can contain",
                  records.members, records.directory_size);
  return records;
}

}  // namespace wheelcheck::archive
