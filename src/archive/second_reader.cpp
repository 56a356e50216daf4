// A second opinion: libarchive reads the same file by its own rules and must find the same members and bytes. It takes
// part of what the first reader refuses, so it can only confirm; that is why it is not the first.
#include <archive.h>
#include <archive_entry.h>
#include <libdeflate.h>
#include <locale.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/fold.h"

namespace wheelcheck::archive {
namespace {

struct FreeReader {
  void operator()(::archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

// libarchive converts names through the thread's locale: give it one in which UTF-8 stays UTF-8, for this call only.
class Utf8Locale {
 public:
  Utf8Locale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }

 private:
  locale_t locale_, before_ = nullptr;
};

std::string said(::archive* reader) {
  const char* const text = archive_error_string(reader);
  return escape(text != nullptr ? text : "no reason given");
}

struct Sum {
  std::uint64_t size = 0;
  std::uint32_t crc32 = 0;
};

Result<Sum> read_data(::archive* reader, ::archive_entry* found, const Entry& entry) {
  if (archive_entry_filetype(found) == AE_IFLNK) {  // libarchive has read the body as the link's target
    const char* const target = archive_entry_symlink(found);
    const std::string_view text = target != nullptr ? target : "";
    return Sum{text.size(), libdeflate_crc32(0, text.data(), text.size())};
  }
  std::vector<std::byte> bytes(std::size_t{256} << 10);
  Sum sum;
  for (;;) {
    const la_ssize_t got = archive_read_data(reader, bytes.data(), bytes.size());
    if (got < 0) return reject_member(entry.path.text(), "libarchive cannot read it: {}", said(reader));
    if (got == 0) return sum;
    sum.size += static_cast<std::uint64_t>(got);
    sum.crc32 = libdeflate_crc32(sum.crc32, bytes.data(), static_cast<std::size_t>(got));
    if (sum.size > entry.size) return sum;
  }
}

Result<void> compare_member(::archive* reader, ::archive_entry* found, const Entry& entry) {
  const char* const name = archive_entry_pathname(found);
  // libarchive may bring accents into another form; nothing but that and case is let pass.
  if (name == nullptr || (entry.path.text() != name && fold(entry.path.text()) != fold(name)))
    return reject_member(entry.path.text(), "libarchive calls it {}", escape(name != nullptr ? name : "nothing"));
  const std::uint32_t type = entry.unix_mode & 0170000;
  if (type != 0 && type != 0100000 && type != 0120000) return {};  // to libarchive a device or a pipe has no bytes
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

Result<void> compare_with_libarchive(const Archive& archive, const std::string& path) {
  const Utf8Locale locale;
  std::vector<const Entry*> expected;  // libarchive goes by place in the file
  for (const Entry& entry : archive.entries()) expected.push_back(&entry);
  std::ranges::sort(expected, {}, &Entry::header_offset);
  const Reader reader(archive_read_new());
  if (!reader) return refuse(ErrorCode::Io, "libarchive cannot be started");
  archive_read_support_format_zip_seekable(reader.get());
  const int opened = archive_read_open_filename(reader.get(), path.c_str(), std::size_t{128} << 10);
  if (opened != ARCHIVE_OK && expected.empty()) return {};  // it does not know a ZIP archive without members
  if (opened != ARCHIVE_OK) return reject("libarchive cannot open the archive: {}", said(reader.get()));
  std::size_t next = 0;
  for (;;) {
    ::archive_entry* found = nullptr;
    const int status = archive_read_next_header(reader.get(), &found);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) return reject("libarchive stops after {} members: {}", next, said(reader.get()));
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

}  // namespace wheelcheck::archive
