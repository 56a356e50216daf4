// A second reader for verification: libarchive reads the same file by its own rules and must find the same members and
// bytes. libarchive accepts some archives that the first reader refuses, so it can only confirm the first reader's
// result.
#include <archive.h>
#include <archive_entry.h>
#include <iconv.h>
#include <libdeflate.h>
#include <locale.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/file.h"
#include "archive/names.h"
#include "base/fail.h"

namespace wheelcheck::archive {
namespace {

struct FreeReader {
  void operator()(::archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

// Passes the bytes of the file to libarchive, whose own file reader needs a path.
class Feed {
 public:
  explicit Feed(const File& file) : file_(file), block_(std::size_t{128} << 10) {}

  int open(::archive* reader) {
    archive_read_set_callback_data(reader, this);
    archive_read_set_read_callback(
        reader, [](::archive* a, void* feed, const void** out) { return static_cast<Feed*>(feed)->read(a, out); });
    archive_read_set_skip_callback(
        reader, [](::archive*, void* feed, la_int64_t bytes) { return static_cast<Feed*>(feed)->skip(bytes); });
    archive_read_set_seek_callback(reader, [](::archive*, void* feed, la_int64_t offset, int from) {
      return static_cast<Feed*>(feed)->seek(offset, from);
    });
    return archive_read_open1(reader);
  }

 private:
  la_ssize_t read(::archive* reader, const void** out) {
    const auto piece =
        std::span(block_).first(static_cast<std::size_t>(std::min<std::uint64_t>(block_.size(), left())));
    if (const auto done = file_.read_at(at_, piece); !done) {
      archive_set_error(reader, EIO, "%s", done.error().message.c_str());
      return ARCHIVE_FATAL;
    }
    at_ += piece.size();
    *out = piece.data();
    return static_cast<la_ssize_t>(piece.size());
  }
  la_int64_t skip(la_int64_t bytes) {
    const std::uint64_t skipped = bytes < 0 ? 0 : std::min(static_cast<std::uint64_t>(bytes), left());
    at_ += skipped;
    return static_cast<la_int64_t>(skipped);
  }
  la_int64_t seek(la_int64_t offset, int from) {
    const std::uint64_t base = from == SEEK_END ? file_.size() : from == SEEK_CUR ? at_ : 0;
    la_int64_t place = 0;
    if (__builtin_add_overflow(base, offset, &place) || place < 0) return ARCHIVE_FATAL;
    at_ = static_cast<std::uint64_t>(place);
    return place;
  }
  std::uint64_t left() const { return file_.size() - std::min(at_, file_.size()); }

  const File& file_;
  std::vector<std::byte> block_;
  std::uint64_t at_ = 0;
};

std::string error_text(::archive* reader) {
  const char* const text = archive_error_string(reader);
  return escape(text != nullptr ? text : "no reason given");
}

struct Sum {
  std::uint64_t size = 0;
  std::uint32_t crc32 = 0;
};

Result<Sum> read_data(::archive* reader, ::archive_entry* found, const Entry& entry) {
  if (archive_entry_filetype(found) == AE_IFLNK) {  // libarchive has read the content as the link's target
    const char* const target = archive_entry_symlink(found);
    const std::string_view text = target != nullptr ? target : "";
    return Sum{text.size(), libdeflate_crc32(0, text.data(), text.size())};
  }
  std::vector<std::byte> bytes(std::size_t{256} << 10);
  Sum sum;
  for (;;) {
    const la_ssize_t got = archive_read_data(reader, bytes.data(), bytes.size());
    if (got < 0) return reject_member(entry.path.text(), "libarchive cannot read it: {}", error_text(reader));
    if (got == 0) return sum;
    sum.size += static_cast<std::uint64_t>(got);
    sum.crc32 = libdeflate_crc32(sum.crc32, bytes.data(), static_cast<std::size_t>(got));
    if (sum.size > entry.size) return sum;
  }
}

Result<void> compare_member(::archive* reader, ::archive_entry* found, const Entry& entry) {
  const char* const name = archive_entry_pathname(found);
  // libarchive may normalize accents differently; no difference other than that and case is accepted.
  if (name == nullptr || (entry.path.text() != name && fold(entry.path.text()) != fold(name)))
    return reject_member(entry.path.text(), "libarchive calls it {}", escape(name != nullptr ? name : "nothing"));
  const std::uint32_t type = entry.unix_mode & 0170000;
  if (type != 0 && type != 0100000 && type != 0120000) return {};  // libarchive reports no bytes for a device or a pipe
  const auto sum = read_data(reader, found, entry);
  if (!sum) return std::unexpected(sum.error());
  if (sum->size != entry.size)
    return reject_member(entry.path.text(), "libarchive reads {} bytes, not {}", sum->size, entry.size);
  if (sum->crc32 != entry.crc32)
    return reject_member(entry.path.text(), "libarchive reads bytes with CRC-32 {:08x}, not {:08x}", sum->crc32,
                         entry.crc32);
  return {};
}

}  // namespace

// libarchive converts names with the thread's locale. C.UTF-8 leaves UTF-8 unchanged.
struct SecondReader::Locale {
  locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  iconv_t conversion = iconv_open("UTF-8", "UTF-8");  // makes the C library load its conversion modules now

  Locale() = default;
  Locale(const Locale&) = delete;
  Locale& operator=(const Locale&) = delete;
  ~Locale() {
    if (locale != nullptr) freelocale(locale);
    if (conversion != reinterpret_cast<iconv_t>(-1)) iconv_close(conversion);
  }
  // Sets the locale of the calling thread for the duration of one comparison.
  class Use {
   public:
    explicit Use(const Locale& locale) : before_(locale.locale == nullptr ? nullptr : uselocale(locale.locale)) {}
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
      if (before_ != nullptr) uselocale(before_);
    }

   private:
    locale_t before_;
  };
};

// libarchive converts each member's time with mktime(), which reads the time zone at its first call. tzset() reads it
// now.
SecondReader::SecondReader() : locale_(std::make_unique<const Locale>()) { ::tzset(); }
SecondReader::~SecondReader() = default;

Result<void> SecondReader::compare(const Archive& archive, const File& file) const {
  const Locale::Use locale(*locale_);
  std::vector<const Entry*> expected;  // libarchive lists members by their position in the file
  for (const Entry& entry : archive.entries()) expected.push_back(&entry);
  std::ranges::sort(expected, {}, &Entry::header_offset);
  Feed feed(file);  // must outlive the reader
  const Reader reader(archive_read_new());
  if (!reader) return fail(ErrorCode::Io, "libarchive cannot be started");
  archive_read_support_format_zip_seekable(reader.get());
  const int opened = feed.open(reader.get());
  if (opened != ARCHIVE_OK) return reject("libarchive cannot open the archive: {}", error_text(reader.get()));
  std::size_t next = 0;
  for (;;) {
    ::archive_entry* found = nullptr;
    const int status = archive_read_next_header(reader.get(), &found);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) return reject("libarchive stops after {} members: {}", next, error_text(reader.get()));
    if (archive_entry_filetype(found) == AE_IFDIR) continue;
    if (next == expected.size()) {
      const char* const name = archive_entry_pathname(found);
      return reject("libarchive finds one more member: {}", escape(name != nullptr ? name : "without a name"));
    }
    if (auto same = compare_member(reader.get(), found, *expected[next]); !same) return same;
    ++next;
  }
  if (next != expected.size()) return reject_member(expected[next]->path.text(), "libarchive does not find it");
  return {};
}

Result<std::vector<std::string>> SecondReader::tar_files(const File& file, const Limits& limits) const {
  const Locale::Use locale(*locale_);
  Feed feed(file);  // must outlive the reader
  const Reader reader(archive_read_new());
  if (!reader) return fail(ErrorCode::Io, "libarchive cannot be started");
  archive_read_support_format_tar(reader.get());
  archive_read_support_filter_gzip(reader.get());
  if (feed.open(reader.get()) != ARCHIVE_OK)
    return fail(ErrorCode::Usage, "is not a .tar.gz file: {}", error_text(reader.get()));
  std::vector<std::string> files;
  for (;;) {
    ::archive_entry* found = nullptr;
    const int status = archive_read_next_header(reader.get(), &found);
    if (status == ARCHIVE_EOF) return files;
    if (status < ARCHIVE_WARN) return fail(ErrorCode::Usage, "is not a .tar.gz file: {}", error_text(reader.get()));
    if (static_cast<std::uint64_t>(archive_filter_bytes(reader.get(), 0)) > limits.total_bytes ||
        files.size() == limits.members)
      return fail(ErrorCode::OverLimit, "has more than {} files or {} bytes", limits.members, limits.total_bytes);
    const char* const name = archive_entry_pathname(found);
    if (archive_entry_filetype(found) == AE_IFREG && name != nullptr) files.emplace_back(name);
  }
}

}  // namespace wheelcheck::archive
