// Directory access by file descriptors and without following symbolic links, so that every listed file is really inside
// the folder.
#include "archive/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "archive/fields.h"
#include "archive/file.h"
#include "archive/inflate.h"
#include "base/hash.h"
#include "base/parallel.h"

namespace wheelcheck::archive {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using OpenDirectory = std::unique_ptr<DIR, CloseDirectory>;

OpenDirectory open_directory(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  OpenDirectory directory(::fdopendir(descriptor));
  if (!directory) ::close(descriptor);
  return directory;
}

std::string joined(std::string_view directory, std::string_view name) {
  return directory.empty() ? std::string(name) : fmt::format("{}/{}", directory, name);
}

std::optional<std::string> real_place(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> place(::realpath(path.c_str(), nullptr), &std::free);
  if (!place) return std::nullopt;
  return std::string(place.get());
}

Entry entry_of(MemberPath path, std::string place, const struct stat& status) {
  return {.path = std::move(path),
          .place = std::move(place),
          .size = static_cast<std::uint64_t>(status.st_size),
          .unix_mode = static_cast<std::uint32_t>(status.st_mode)};
}

class Walk {
 public:
  Walk(const std::string& root, std::string_view below, std::uint64_t max, const Limits& limits)
      : root_(root), below_(below), max_(max), limits_(limits) {}

  Result<Listing> run() {
    waiting_.emplace_back();
    while (!waiting_.empty()) {
      const std::string directory = std::move(waiting_.back());
      waiting_.pop_back();
      const OpenDirectory open = open_directory(root_ + '/' + joined(below_, directory));
      if (!open) return fail(ErrorCode::Io, "{}: the directory cannot be read", escape(directory));
      while (const dirent* const found = ::readdir(open.get())) {
        look_at(::dirfd(open.get()), directory, found->d_name);
        if (out_.entries.size() > max_)
          return fail(ErrorCode::OverLimit,
                      "the directory contains more than {} files; raise it with --limit members=N", max_);
      }
    }
    std::ranges::sort(out_.warnings, {}, &Warning::subject);
    for (const Warning& warning : out_.warnings)
      if (is_metadata(warning.subject)) return fail(ErrorCode::Io, "{}: {}", escape(warning.subject), warning.reason);
    std::ranges::sort(out_.entries, {}, &Entry::path);
    return std::move(out_);
  }

 private:
  // What the files of a distribution are, and what it is.
  static bool is_metadata(std::string_view path) {
    constexpr std::string_view names[] = {"METADATA", "PKG-INFO", "RECORD", "WHEEL", "entry_points.txt"};
    const std::size_t slash = path.find('/');
    const std::string_view directory = path.substr(0, slash);
    return slash != path.npos && (directory.ends_with(".dist-info") || directory.ends_with(".egg-info")) &&
           std::ranges::find(names, path.substr(slash + 1)) != std::end(names);
  }

  void warn(const std::string& path, std::string reason) {
    out_.warnings.push_back({std::nullopt, path, std::move(reason)});
  }

  void look_at(int descriptor, const std::string& directory, std::string_view name) {
    if (name == "." || name == ".." || name == "__pycache__") return;
    const std::string path = joined(directory, name);
    std::optional<MemberPath> member = MemberPath::parse(path);
    if (!member || path.size() > limits_.name_bytes) return warn(path, "no wheel could have a file of this name");
    struct stat status{};
    if (::fstatat(descriptor, std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      return warn(path, "cannot be looked at");
    if (S_ISDIR(status.st_mode)) {
      waiting_.push_back(path);
    } else if (S_ISREG(status.st_mode)) {
      out_.entries.push_back(entry_of(std::move(*member), joined(below_, path), status));
    } else if (S_ISLNK(status.st_mode)) {
      follow(std::move(*member));
    } else {
      warn(path, "neither a file nor a directory");
    }
  }

  void follow(MemberPath member) {
    const std::optional<std::string> place = real_place(root_ + '/' + joined(below_, member.text()));
    if (!place) return warn(member.text(), "a symbolic link that leads nowhere");
    if (!place->starts_with(root_ + '/'))
      return warn(member.text(), "a symbolic link that leaves the directory, which is not followed");
    struct stat status{};
    if (::lstat(place->c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      return warn(member.text(), "a symbolic link to a directory, which is not followed");
    out_.entries.push_back(entry_of(std::move(member), place->substr(root_.size() + 1), status));
  }

  const std::string& root_;
  const std::string_view below_;
  const std::uint64_t max_;
  const Limits& limits_;
  std::vector<std::string> waiting_;
  Listing out_;
};

SparseBytes::Fetch read_pages(std::shared_ptr<const File> file) {
  return [file = std::move(file)](std::uint64_t begin, std::uint64_t end, SparseBytes& into) -> Result<std::uint64_t> {
    std::vector<std::byte> piece;
    for (std::uint64_t at = begin; at < end; at += piece.size()) {
      piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, end - at)));
      if (const auto done = file->read_at(at, piece); !done) return std::unexpected(done.error());
      into.keep(at, piece);
    }
    return end - begin;
  };
}

}  // namespace

Result<Folder> Folder::open(const std::string& path) {
  std::optional<std::string> place = real_place(path);
  struct stat status{};
  if (!place || ::lstat(place->c_str(), &status) != 0)
    return fail(ErrorCode::NotFound, "cannot be opened: no such directory");
  if (!S_ISDIR(status.st_mode)) return fail(ErrorCode::NotFound, "is not a directory");
  if (*place == "/") place->clear();
  return Folder(std::move(*place));
}

Result<std::pair<Folder, Listing>> Folder::open_file(const std::string& path) {
  const auto none = [] { return fail(ErrorCode::NotFound, "cannot be opened: no such file"); };
  const std::optional<std::string> place = real_place(path);
  if (!place) return none();
  const std::size_t slash = place->rfind('/');
  const auto member = MemberPath::parse(std::string_view(*place).substr(slash + 1));
  if (!member) return none();
  Folder folder(place->substr(0, slash));
  std::optional<Entry> entry = folder.find(*member, *member);
  if (!entry) return none();
  Listing listing;
  listing.entries.push_back(std::move(*entry));
  return std::pair(std::move(folder), std::move(listing));
}

Folder Folder::above(unsigned levels) const {
  std::string root = root_;
  for (; levels > 0 && !root.empty(); --levels) root.resize(root.rfind('/'));
  return Folder(std::move(root));
}

std::vector<std::string> Folder::directories(std::string_view below) const {
  std::vector<std::string> names;
  const OpenDirectory open = open_directory(root_ + '/' + std::string(below));
  while (const dirent* const found = open ? ::readdir(open.get()) : nullptr) {
    struct stat status{};
    const std::string_view name = found->d_name;
    if (name == "." || name == ".." || !MemberPath::parse(name)) continue;
    if (::fstatat(::dirfd(open.get()), found->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode))
      names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Result<Listing> Folder::walk(std::string_view below, std::uint64_t max, const Limits& limits) const {
  return Walk(root_, below, max, limits).run();
}

std::optional<Entry> Folder::find(const MemberPath& place, MemberPath path) const {
  struct stat status{};
  const std::string& text = place.text();
  for (std::size_t slash = text.find('/');; slash = text.find('/', slash + 1)) {
    if (::lstat((root_ + '/' + text.substr(0, slash)).c_str(), &status) != 0) return std::nullopt;
    if (slash == std::string::npos) break;
    if (!S_ISDIR(status.st_mode)) return std::nullopt;
  }
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return entry_of(std::move(path), text, status);
}

Result<Content> Folder::read(const Entry& entry, const ReadOptions& options, const Limits& limits) const {
  const auto in_member = [&](const Error& error) {
    return fail(error.code, "member {} {}", escape(entry.path.text()), error.message);
  };
  Result<File> opened = File::open(root_ + '/' + entry.place, File::Links::Refuse);
  if (!opened) return in_member(opened.error());
  const auto file = std::make_shared<const File>(std::move(*opened));
  if (file->size() != entry.size) return in_member({ErrorCode::Io, "changed while it was read"});
  Content content;
  std::array<std::byte, FirstBytes::max> buffer;
  const auto start =
      std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), entry.size)));
  if (const auto done = file->read_at(0, start); !done) return in_member(done.error());
  content.elf = has_elf_magic(start);
  content.start = FirstBytes(start);
  if (options.keep == Keep::Nothing || (options.keep == Keep::IfElf && !content.elf)) return content;
  if (entry.size > limits.member_bytes)
    return fail(ErrorCode::OverLimit, "member {}: it has {} bytes, over the limit of {}; raise it with {}",
                escape(entry.path.text()), entry.size, limits.member_bytes, "--limit member-bytes=N");
  if (options.selector != nullptr && entry.size > whole_limit) {
    content.pages = SparseBytes::reserve(entry.size, read_pages(file));
    return content;
  }
  content.owned.resize(entry.size);
  if (const auto done = file->read_at(0, content.owned); !done) return in_member(done.error());
  content.bytes = content.owned;
  return content;
}

Result<std::string> Folder::sha256(const Entry& entry) const {
  const Result<File> file = File::open(root_ + '/' + entry.place, File::Links::Refuse);
  if (!file) return std::unexpected(file.error());
  if (file->size() != entry.size) return fail(ErrorCode::Io, "changed while it was read");
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, entry.size)));
  Sha2 hash;
  for (std::uint64_t at = 0; at < entry.size; at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), entry.size - at)));
    if (const auto done = file->read_at(at, piece); !done) return std::unexpected(done.error());
    hash.update(piece);
  }
  return hash.hex();
}

Result<std::string> FolderSource::sha256(unsigned jobs) const {
  std::vector<Result<std::string>> digests(listing_.entries.size());
  parallel_for(digests.size(), jobs, [&](std::size_t i) { digests[i] = folder_.sha256(listing_.entries[i]); });
  for (const Result<std::string>& digest : digests)
    if (!digest) return digest;
  const std::string all = described([&](std::size_t i) { return *digests[i]; });
  return sha256_hex(std::as_bytes(std::span(all)));
}

State FolderSource::state() const {
  State out;
  out.text = described([&](std::size_t i) -> std::string {
    struct stat now{};
    if (::lstat((folder_.place() + '/' + listing_.entries[i].place).c_str(), &now) != 0) return "absent";
    out.changed = std::max<std::int64_t>({out.changed, now.st_mtim.tv_sec, now.st_ctim.tv_sec});
    return fmt::format("{} {} {} {}.{} {}.{}", now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec,
                       now.st_mtim.tv_nsec, now.st_ctim.tv_sec, now.st_ctim.tv_nsec);
  });
  return out;
}

template <typename BytesOf>
std::string FolderSource::described(const BytesOf& bytes_of) const {
  std::string out;
  const auto add = [&](const std::string& text) { out += fmt::format("{} {}\n", text.size(), text); };
  for (const Warning& warning : listing_.warnings) add(fmt::format("{}: {}", warning.subject, warning.reason));
  for (std::size_t i = 0; i < listing_.entries.size(); ++i) {
    const Entry& entry = listing_.entries[i];
    add(fmt::format("{:o} {} {} {}", entry.unix_mode, entry.size, bytes_of(i), entry.path.text()));
  }
  return out;
}

}  // namespace wheelcheck::archive
