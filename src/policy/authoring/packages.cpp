#include "policy/authoring/packages.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/text.h"

namespace wheelcheck::sysroot {
namespace {

struct FreeReader {
  void operator()(::archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

constexpr std::size_t block_bytes = std::size_t{256} << 10;

// What this build of libarchive does by itself: it would run programs of the machine for the rest (ARCHIVE_WARN).
Reader make_reader() {
  Reader reader(archive_read_new());
  if (!reader) return reader;
  using Enable = int (*)(::archive*);
  for (const Enable format : {archive_read_support_format_ar, archive_read_support_format_tar,
                              archive_read_support_format_cpio, archive_read_support_filter_rpm})
    if (format(reader.get()) != ARCHIVE_OK) return nullptr;
  return reader;
}

struct Filter {
  const char* name;
  int (*enable)(::archive*);
};
constexpr Filter filters[] = {{"gzip", archive_read_support_filter_gzip},
                              {"bzip2", archive_read_support_filter_bzip2},
                              {"xz", archive_read_support_filter_xz},
                              {"lzma", archive_read_support_filter_lzma},
                              {"zstd", archive_read_support_filter_zstd}};

// A filter that only an outside program could do must not be there at all, so a first reader tells which to leave out.
void add_filters(::archive* reader) {
  for (const Filter& filter : filters) {
    const Reader probe(archive_read_new());
    if (probe && filter.enable(probe.get()) == ARCHIVE_OK) filter.enable(reader);
  }
}

std::string missing_filters() {
  std::vector<std::string> out;
  for (const Filter& filter : filters) {
    const Reader probe(archive_read_new());
    if (probe && filter.enable(probe.get()) != ARCHIVE_OK) out.emplace_back(filter.name);
  }
  return out.empty() ? "" : fmt::format("; this build cannot read {}", join(out, ", "));
}

std::string said(::archive* reader) {
  const char* const text = archive_error_string(reader);
  return escape(text != nullptr ? text : "no reason given", 300);
}

std::unexpected<Error> bad(const std::string& file, std::string_view what) {
  return std::unexpected(Error{ErrorCode::NotAWheel, fmt::format("{}: {}", escape(file), what)});
}

class Walk {
 public:
  Walk(const std::string& file, const Limits& limits, Offers& offers) : file_(file), limits_(limits), offers_(offers) {}

  Result<void> all(::archive* reader, unsigned depth) {
    for (;;) {
      ::archive_entry* entry = nullptr;
      const int got = archive_read_next_header(reader, &entry);
      if (got == ARCHIVE_EOF) return {};
      if (got < ARCHIVE_WARN) return bad(file_, "cannot be read: " + said(reader) + missing_filters());
      if (++members_ > limits_.members)
        return std::unexpected(Error{ErrorCode::OverLimit,
                                     fmt::format("{} contains more than {} members", escape(file_), limits_.members)});
      if (auto done = one(reader, entry, depth); !done) return done;
    }
  }

 private:
  // deb(5): an ar archive whose member data.tar, however compressed, holds the files.
  static bool is_data_of_deb(::archive* reader, std::string_view name) {
    return (archive_format(reader) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_AR && name.starts_with("data.tar");
  }

  Result<void> one(::archive* reader, ::archive_entry* entry, unsigned depth) {
    const char* const text = archive_entry_pathname(entry);
    const std::string name = text != nullptr ? text : "";
    if (archive_entry_filetype(entry) != AE_IFREG) return {};
    if (depth == 0 && is_data_of_deb(reader, name)) return inner(reader, depth);
    const la_int64_t size = archive_entry_size(entry);
    if (size < 0 || !offers_.wants(name, static_cast<std::uint64_t>(size))) return {};
    std::vector<std::byte> bytes;
    while (bytes.size() < static_cast<std::size_t>(size)) {  // grows with what is there, not with what is said
      const std::size_t from = bytes.size();
      bytes.resize(std::min(from + block_bytes, static_cast<std::size_t>(size)));
      const la_ssize_t got = archive_read_data(reader, bytes.data() + from, bytes.size() - from);
      if (got < 0) return bad(file_, fmt::format("{} cannot be read: {}", escape(name), said(reader)));
      bytes.resize(from + static_cast<std::size_t>(got));
      if (got == 0) return bad(file_, fmt::format("{} ends early", escape(name)));
    }
    total_ += bytes.size();
    if (total_ > limits_.total_bytes)
      return std::unexpected(Error{ErrorCode::OverLimit, fmt::format("{} contains more than {} bytes of libraries",
                                                                     escape(file_), limits_.total_bytes)});
    offers_.add(name, bytes);
    return {};
  }

  struct Feed {
    ::archive* outer;
    std::vector<std::byte> block;
  };
  Result<void> inner(::archive* outer, unsigned depth) {
    Feed feed{outer, std::vector<std::byte>(block_bytes)};
    const Reader reader = make_reader();
    if (!reader) return bad(file_, "libarchive cannot be set up");
    add_filters(reader.get());
    const auto read = [](::archive* a, void* data, const void** out) -> la_ssize_t {
      Feed& from = *static_cast<Feed*>(data);
      const la_ssize_t got = archive_read_data(from.outer, from.block.data(), from.block.size());
      if (got < 0) archive_set_error(a, archive_errno(from.outer), "%s", archive_error_string(from.outer));
      *out = from.block.data();
      return got < 0 ? ARCHIVE_FATAL : got;
    };
    if (archive_read_open(reader.get(), &feed, nullptr, read, nullptr) != ARCHIVE_OK)
      return bad(file_, "data.tar cannot be read: " + said(reader.get()) + missing_filters());
    return all(reader.get(), depth + 1);
  }

  const std::string& file_;
  const Limits& limits_;
  Offers& offers_;
  std::uint64_t members_ = 0, total_ = 0;
};

}  // namespace

bool is_package(std::string_view file) {
  return file.ends_with(".deb") || file.ends_with(".rpm") || file.ends_with(".apk");
}

Result<void> read_package(const std::string& file, const Limits& limits, Offers& offers) {
  const Reader reader = make_reader();
  if (!reader) return bad(file, "libarchive cannot be set up");
  add_filters(reader.get());
  if (archive_read_open_filename(reader.get(), file.c_str(), block_bytes) != ARCHIVE_OK)
    return bad(file, "cannot be read as a package or a tar archive: " + said(reader.get()) + missing_filters());
  return Walk(file, limits, offers).all(reader.get(), 0);
}

}  // namespace wheelcheck::sysroot
