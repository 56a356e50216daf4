// A wheel is a ZIP archive, and ZIP repeats its metadata in several places: end record, central directory and local
// headers. Readers differ in which one they use, so a crafted archive can show different files to different tools. This
// reader accepts only an archive for which all careful readers see the same members and bytes; it refuses any other as
// a whole and names the member that causes it. Code that reads a wheel uses the interface Source, which a directory
// implements as well (folder.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/sparse.h"
#include "wheelcheck/member.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

class File;

struct Entry {  // a file; directories are checked but not listed
  MemberPath path;
  std::string place = {};         // for a directory's file: its path below the directory
  std::uint64_t size = 0;         // bytes, inflated
  std::uint64_t packed_size = 0;  // bytes in the archive
  std::uint64_t data_offset = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t crc32 = 0;
  std::uint32_t unix_mode = 0;  // st_mode from the external attributes; 0 if not recorded
  std::uint16_t method = 0;     // 0 stored, 8 deflate
};

// A warning about something unusual that has only one reading; a rule may report it.
struct Warning {
  std::optional<std::size_t> entry;  // index into entries(); nothing for a directory or the archive itself
  std::string subject;               // the member's name as written in the archive; empty for the archive itself
  std::string reason;                // starts with a lower-case letter, no full stop
  bool elsewhere = false;            // only other systems mind it: names differ in case, or end with a dot
};

// The first bytes of a member; all bytes if it is shorter, empty if they were not read.
class FirstBytes {
 public:
  static constexpr std::size_t max = 64;
  FirstBytes() = default;
  explicit FirstBytes(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, max> bytes_{};
  std::uint8_t size_ = 0;
};

bool has_elf_magic(std::span<const std::byte> bytes);

// Observes the bytes of an ELF file that is too large to be kept in memory, and selects the pages to keep.
class PageSelector {
 public:
  virtual ~PageSelector() = default;
  // Called once, before the first chunk. `pages` has the member's size and no page present.
  virtual void start(SparseBytes& pages) = 0;
  // Called in order; each chunk begins at a page boundary.
  virtual void take(std::span<const std::byte> chunk) = 0;
};

enum class Keep { Nothing, IfElf, Everything };  // IfElf: only if the bytes start with 7F 45 4C 46
struct ReadOptions {
  Keep keep = Keep::Nothing;
  bool hash = true;  // computes `digest`; if false, a member that is not kept is read only as far as needed
  Digest digest = Digest::Sha256;
  PageSelector* selector = nullptr;  // with IfElf: of a large file, only the pages that it selects are kept
  Helpers* idle = nullptr;           // threads that may hash while this one inflates
};
struct Content {
  std::span<const std::byte> bytes;    // valid until this thread reads again; empty if not kept as a whole
  std::unique_ptr<SparseBytes> pages;  // of a large ELF file; to be used by this thread, while the source exists
  std::string digest;  // lower-case hex of the inflated bytes; empty if not requested or not all bytes were read
  bool elf = false;    // starts with the ELF magic
  FirstBytes start = {};
  bool elf_inside = false;            // an ELF header is found further inside; only searched if all bytes are read
  std::vector<std::byte> owned = {};  // `bytes` may point into it
};

// The source of a distribution's files: an archive or a directory. Error messages name a member, never the source's own
// path, which the caller knows.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::span<const Entry> entries() const = 0;                     // sorted by path
  virtual std::span<const Warning> warnings() const = 0;                  // sorted by subject
  virtual std::span<const Warning> index_refusals() const { return {}; }  // why PyPI refuses the archive
  virtual std::uint64_t size() const = 0;                                 // bytes of the archive; 0 for a directory
  // Thread-safe.
  virtual Result<Content> read(const Entry& entry, const ReadOptions& options) const = 0;
  // Whether the archive's file is unchanged since it was opened, by its size and times.
  virtual bool unchanged() const { return true; }
  // Frees the calling thread's working memory. Call it after the thread's last read().
  virtual void release() const {}

 protected:
  Source() = default;
  Source(Source&&) = default;
  Source& operator=(Source&&) = default;
};

class Archive final : public Source {
 public:
  // Reads and checks all structures of the archive, but not the members' data.
  static Result<Archive> open(const std::string& path, const Limits& limits);
  static Result<Archive> open(std::shared_ptr<const File> file, const Limits& limits);
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;
  ~Archive() override;

  std::span<const Entry> entries() const override { return entries_; }
  std::span<const Warning> warnings() const override { return warnings_; }
  std::span<const Warning> index_refusals() const override { return index_refusals_; }
  std::uint64_t size() const override;
  // Inflates the member to its end, unless the options allow less, and checks its size, its CRC-32 and that nothing
  // follows its stream.
  Result<Content> read(const Entry& entry, const ReadOptions& options) const override;
  bool unchanged() const override;
  void release() const override;

 private:
  Archive(std::shared_ptr<const File> file, std::vector<Entry> entries, std::vector<Warning> warnings,
          std::vector<Warning> index_refusals);
  std::shared_ptr<const File> file_;
  std::vector<Entry> entries_;
  std::vector<Warning> warnings_, index_refusals_;
};

// Reads an archive again with libarchive and compares names, sizes and contents. On a difference the error names the
// member.
class SecondReader {
 public:
  // Loads everything that libarchive's name conversion needs from the system, so that compare() opens no files.
  SecondReader();
  SecondReader(const SecondReader&) = delete;
  SecondReader& operator=(const SecondReader&) = delete;
  ~SecondReader();
  // `file` must be the one that the archive was opened from.
  Result<void> compare(const Archive& archive, const File& file) const;
  // The paths of the regular files in a .tar.gz file, an sdist. Nothing is hashed or kept.
  Result<std::vector<std::string>> tar_files(const File& file, const Limits& limits) const;

 private:
  struct Locale;
  std::unique_ptr<const Locale> locale_;
};

}  // namespace wheelcheck::archive
