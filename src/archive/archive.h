// A wheel as a ZIP archive that has exactly one reading. Two careful ZIP readers must see the same members and the same
// bytes; an archive where they could differ is refused as a whole, by name of the member that shows it. What reads a
// wheel asks a Source, which may be a directory as well (folder.h).
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

struct Entry {  // a file; directories are checked and dropped
  MemberPath path;
  std::string place = {};         // of a directory's file: where it lies, below the directory
  std::uint64_t size = 0;         // bytes, inflated
  std::uint64_t packed_size = 0;  // bytes in the archive
  std::uint64_t data_offset = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t crc32 = 0;
  std::uint32_t unix_mode = 0;  // st_mode from the external attributes; 0 where none is recorded
  std::uint16_t method = 0;     // 0 stored, 8 deflate
};

// Odd, but with one reading: material for a finding.
struct Remark {
  std::optional<std::size_t> entry;  // into entries(); nothing for a directory or the archive itself
  std::string subject;               // the member's name as it stands in the archive; empty: the archive itself
  std::string reason;                // starts small, no full stop
};

// The first bytes of a member: all of a shorter one, none where nobody looked.
class Start {
 public:
  static constexpr std::size_t most = 64;
  Start() = default;
  explicit Start(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, most> bytes_{};
  std::uint8_t size_ = 0;
};

bool has_elf_magic(std::span<const std::byte> bytes);

// Sees the bytes of an ELF file pass that is too large to be held, and keeps what it wants of them.
class Watch {
 public:
  virtual ~Watch() = default;
  // Once, before the first chunk. `pages` has the member's size and nothing in it.
  virtual void start(SparseBytes& pages) = 0;
  // In order; each begins at a page.
  virtual void take(std::span<const std::byte> chunk) = 0;
};

enum class Keep { Nothing, IfElf, Everything };  // IfElf: keep the bytes only if they start with 7F 45 4C 46
struct Wish {
  Keep keep = Keep::Nothing;
  bool hash = true;  // with `digest`; without it, a member that would not be kept is read only as far as that takes
  Digest digest = Digest::Sha256;
  Watch* watch = nullptr;   // for IfElf: of a large file only what it keeps is kept
  Helpers* idle = nullptr;  // threads that may hash while this one inflates
};
struct Content {
  std::span<const std::byte> bytes;    // good until this thread reads again; empty if they were not kept as a whole
  std::unique_ptr<SparseBytes> pages;  // of a large ELF file; to be used while the source lives, by this thread
  std::string digest;                  // lower-case hex of the inflated bytes; empty: not asked for, or not all read
  bool elf = false;                    // starts with the ELF magic
  Start start = {};
  bool elf_inside = false;            // an ELF header stands further in; looked for where all bytes are read
  std::vector<std::byte> owned = {};  // what `bytes` may point into
};

// Where a distribution's files come from. Messages of errors name a member, never the source's own path: whoever opened
// it knows that.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::span<const Entry> entries() const = 0;   // by path
  virtual std::span<const Remark> remarks() const = 0;  // by subject
  virtual std::uint64_t size() const = 0;               // bytes of the archive; 0: it is none
  // May be called from several threads at once.
  virtual Result<Content> read(const Entry& entry, const Wish& wish) const = 0;
  // Whether the archive's file is still the one that was opened, as far as its size and times tell.
  virtual bool unchanged() const { return true; }
  // After the last read(): the calling thread will read no more.
  virtual void release() const {}

 protected:
  Source() = default;
  Source(Source&&) = default;
  Source& operator=(Source&&) = default;
};

class Archive final : public Source {
 public:
  // Reads and checks every structure of the archive, no member's bytes.
  static Result<Archive> open(const std::string& path, const Limits& limits);
  static Result<Archive> open(std::shared_ptr<const File> file, const Limits& limits);
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;
  ~Archive() override;

  std::span<const Entry> entries() const override { return entries_; }
  std::span<const Remark> remarks() const override { return remarks_; }
  std::uint64_t size() const override;
  // Inflates the member to its end, unless the wish allows less, and checks size, CRC-32 and that nothing follows its
  // stream.
  Result<Content> read(const Entry& entry, const Wish& wish) const override;
  bool unchanged() const override;
  void release() const override;

 private:
  Archive(std::shared_ptr<const File> file, std::vector<Entry> entries, std::vector<Remark> remarks);
  std::shared_ptr<const File> file_;
  std::vector<Entry> entries_;
  std::vector<Remark> remarks_;
};

// Reads an archive again with libarchive and compares names, sizes and contents. A difference is an Error that names
// the member.
class SecondReader {
 public:
  // Opens what libarchive's conversion of names wants of the system, so that nothing is opened by compare().
  SecondReader();
  SecondReader(const SecondReader&) = delete;
  SecondReader& operator=(const SecondReader&) = delete;
  ~SecondReader();
  // `file`: the one that the archive was opened from.
  Result<void> compare(const Archive& archive, const File& file) const;

 private:
  struct Locale;
  std::unique_ptr<const Locale> locale_;
};

}  // namespace wheelcheck::archive
