// Reads a root from a directory or from archives, and collects its libraries.

#include "policy/authoring/sysroot.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "elf/read.h"

namespace wheelcheck {

namespace sysroot {
namespace {

namespace fs = std::filesystem;

bool is_file_system(const fs::path& directory) {
  std::error_code none;
  return std::ranges::any_of(std::initializer_list<const char*>{"usr", "lib", "lib64"},
                             [&](const char* name) { return fs::is_directory(directory / name, none); });
}

// The regular files below a directory, sorted by path. Links to directories are not followed; lib is often a link to
// usr/lib.
Result<std::vector<fs::path>> files_below(const fs::path& directory, const Limits& limits) {
  std::vector<fs::path> out;
  std::error_code failed;
  auto entries = fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code odd;
    if (entries->is_symlink(odd) || !entries->is_regular_file(odd)) continue;
    out.push_back(entries->path());
    if (out.size() > limits.members)
      return std::unexpected(Error{ErrorCode::OverLimit, fmt::format("{} contains more than {} files",
                                                                     escape(directory.string()), limits.members)});
  }
  if (failed)
    return std::unexpected(Error{ErrorCode::NotFound, fmt::format("cannot read the directory {}: {}",
                                                                  escape(directory.string()), failed.message())});
  std::ranges::sort(out);
  return out;
}

// Reads only the directories for libraries, because a file system contains a hundred thousand other files.
Result<void> read_file_system(const fs::path& top, const Limits& limits, Offers& offers) {
  for (const char* const name : {"lib", "lib32", "lib64", "usr/lib", "usr/lib32", "usr/lib64", "usr/local/lib"}) {
    std::error_code none;
    const fs::path directory = top / name;
    if (fs::is_symlink(directory, none) || !fs::is_directory(directory, none)) continue;
    const auto files = files_below(directory, limits);
    if (!files) return std::unexpected(files.error());
    for (const fs::path& file : *files) {
      const std::string path = file.lexically_relative(top).generic_string();
      const std::uintmax_t size = fs::file_size(file, none);
      if (none || !offers.wants(path, size)) continue;
      std::ifstream in(file, std::ios::binary);
      std::vector<std::byte> bytes(size);
      in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
      if (!in) return std::unexpected(Error{ErrorCode::Io, fmt::format("cannot read {}", escape(file.string()))});
      offers.add(path, bytes);
    }
  }
  return {};
}

Result<void> read_directory(const fs::path& directory, const Limits& limits, Offers& offers) {
  if (is_file_system(directory)) return read_file_system(directory, limits, offers);
  const auto files = files_below(directory, limits);
  if (!files) return std::unexpected(files.error());
  std::size_t packages = 0;
  for (const fs::path& file : *files) {
    if (!is_package(file.string())) continue;
    ++packages;
    if (auto done = read_package(file.string(), limits, offers); !done) return done;
  }
  if (packages == 0)
    return std::unexpected(Error{
        ErrorCode::NotFound, fmt::format("{} contains neither a file system (usr, lib) nor packages (.deb, .rpm, .apk)",
                                         escape(directory.string()))});
  return {};
}

}  // namespace
}  // namespace sysroot

Result<Root> read_root(const std::string& label, std::span<const std::string> paths, const Limits& limits) {
  sysroot::Offers offers(limits);
  for (const std::string& path : paths) {
    std::error_code none;
    if (!std::filesystem::exists(path, none))
      return std::unexpected(Error{ErrorCode::NotFound, fmt::format("there is no {}", escape(path))});
    auto done = std::filesystem::is_directory(path, none) ? sysroot::read_directory(path, limits, offers)
                                                          : sysroot::read_package(path, limits, offers);
    if (!done) return std::unexpected(std::move(done.error()));
  }
  if (!offers.too_large().empty())
    return std::unexpected(Error{ErrorCode::OverLimit,
                                 fmt::format("{}: {}, too many to read a library", escape(label), offers.too_large())});
  Root root{label, offers.take()};
  if (root.libraries.empty())
    return std::unexpected(
        Error{ErrorCode::NotFound, fmt::format("{} has no shared library where a loader looks", escape(label))});
  return root;
}

}  // namespace wheelcheck

namespace wheelcheck::sysroot {

namespace {

struct FreeReader {
  void operator()(::archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<::archive, FreeReader>;

constexpr std::size_t block_bytes = std::size_t{256} << 10;

// Enables only what this build of libarchive does itself. For other formats it would run programs of the host
// (ARCHIVE_WARN).
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

// A filter that needs an external program must not be enabled at all, so each filter is tested with a separate reader
// first.
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

std::string reader_error(::archive* reader) {
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
      if (got < ARCHIVE_WARN) return bad(file_, "cannot be read: " + reader_error(reader) + missing_filters());
      if (++members_ > limits_.members)
        return std::unexpected(Error{ErrorCode::OverLimit,
                                     fmt::format("{} contains more than {} members", escape(file_), limits_.members)});
      if (auto done = one(reader, entry, depth); !done) return done;
    }
  }

 private:
  // deb(5): an ar archive; its member data.tar, possibly compressed, contains the files.
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
    // The buffer grows with the data that exists, not with the declared size.
    while (bytes.size() < static_cast<std::size_t>(size)) {
      const std::size_t from = bytes.size();
      if (from == bytes.capacity()) bytes.reserve(std::min(2 * from + block_bytes, static_cast<std::size_t>(size)));
      bytes.resize(std::min(from + block_bytes, static_cast<std::size_t>(size)));
      const la_ssize_t got = archive_read_data(reader, bytes.data() + from, bytes.size() - from);
      if (got < 0) return bad(file_, fmt::format("{} cannot be read: {}", escape(name), reader_error(reader)));
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
      return bad(file_, "data.tar cannot be read: " + reader_error(reader.get()) + missing_filters());
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
    return bad(file, "cannot be read as a package or a tar archive: " + reader_error(reader.get()) + missing_filters());
  return Walk(file, limits, offers).all(reader.get(), 0);
}

namespace {

constexpr std::uint64_t elf_header_bytes = 52;  // of a 32-bit file
// Kept in memory, and a small archive may inflate to it. Debian's libLLVM has 125 MB, each library of a policy much
// less.
constexpr std::uint64_t max_bytes = std::uint64_t{160} << 20;

template <class List>
void sort_once(List& list) {
  std::ranges::sort(list);
  const auto rest = std::ranges::unique(list);
  list.erase(rest.begin(), rest.end());
}

OfferedLibrary offer_of(std::string_view path, const DynamicFacts& dynamic) {
  OfferedLibrary out;
  out.soname = dynamic.soname ? std::string(*dynamic.soname) : std::string(base_name(path));
  out.path = path;
  for (const VersionDefinition& node : dynamic.provides) out.versions.emplace_back(node.version);
  for (const Export& symbol : dynamic.exports)
    out.symbols.push_back(
        {std::string(symbol.name), symbol.version ? std::string(dynamic.provides[*symbol.version].version) : ""});
  sort_once(out.versions);
  sort_once(out.symbols);
  return out;
}

}  // namespace

bool Offers::wants(std::string_view path, std::uint64_t size) {
  // libc.so.6, libc-2.31.so, ld-linux-x86-64.so.2, ld64.so.1
  if (size < elf_header_bytes || !rank_of(path) || base_name(path).find(".so") == path.npos) return false;
  if (size <= std::min(max_bytes, limits_.member_bytes)) return true;
  if (too_large_.empty()) too_large_ = fmt::format("{} has {} bytes", escape(path), size);
  return false;
}

void Offers::add(std::string_view path, std::span<const std::byte> bytes) {
  const auto rank = rank_of(path);
  if (!rank || !elf::has_elf_magic(bytes)) return;
  const ElfFacts facts = elf::read_elf(bytes, limits_);
  if (facts.arch == Arch::Other || facts.kind != ElfKind::SharedObject || !facts.dynamic) return;
  Held found{*rank, offer_of(in_root(path), *facts.dynamic)};
  auto& of_arch = held_[facts.arch];
  const auto at = of_arch.find(found.library.soname);
  const auto key = [](const Held& one) { return std::tie(one.rank, one.library.path); };
  if (at == of_arch.end())
    of_arch.emplace(found.library.soname, std::move(found));
  else if (key(found) < key(at->second))
    at->second = std::move(found);
}

std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> Offers::take() {
  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> out;
  for (auto& [arch, libraries] : held_)
    for (auto& [soname, one] : libraries) out[arch].emplace(soname, std::move(one.library));
  return out;
}

std::string_view in_root(std::string_view path) {
  while (path.starts_with("./") || path.starts_with('/')) path.remove_prefix(path.starts_with('/') ? 1 : 2);
  return path;
}

std::optional<unsigned> rank_of(std::string_view path) {
  path = in_root(path);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return std::nullopt;
  std::string_view directory = path.substr(0, slash);
  const bool below_usr = directory.starts_with("usr/");
  if (below_usr) directory.remove_prefix(4);
  constexpr std::array<std::string_view, 5> plain = {"lib64/lp64d", "lib64", "lib", "lib32", "local/lib"};
  if (const auto at = std::ranges::find(plain, directory); at != plain.end())
    return 2 + 2 * static_cast<unsigned>(at - plain.begin()) + (below_usr ? 1 : 0);
  const std::string_view multiarch = "lib/";
  if (!directory.starts_with(multiarch)) return std::nullopt;
  directory.remove_prefix(multiarch.size());
  const bool is_triplet = directory.find('/') == directory.npos && directory.find("-linux-") != directory.npos;
  return is_triplet ? std::optional<unsigned>(below_usr ? 1 : 0) : std::nullopt;
}

}  // namespace wheelcheck::sysroot
