// Cache entries as files in one directory, and the descriptors for reading them.
#include "cache/directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cache {

namespace {

namespace fs = std::filesystem;

// Creates directories with the permissions that the XDG base directory specification requires.
bool make_directories(const fs::path& path) {
  std::error_code none;
  if (path.empty() || fs::is_directory(path, none)) return true;
  return make_directories(path.parent_path()) && (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

// The name of an entry, or of one that is being written: NAME.jsonl.gz, NAME.jsonl.gz.XXXXXX.
bool is_ours(std::string_view name, std::string_view ending) {
  constexpr std::size_t hex = 64, rest = 16;
  const auto is_hex = [](std::string_view text) { return std::ranges::all_of(text, is_lower_hex); };
  if (name.size() < hex + 1 + rest + ending.size()) return false;
  const std::string_view end = name.substr(hex + 1 + rest);
  return is_hex(name.substr(0, hex)) && name[hex] == '-' && is_hex(name.substr(hex + 1, rest)) &&
         (end == ending || (end.starts_with(ending) && end.size() == ending.size() + 7));
}

bool is_ours(std::string_view name) {
  return is_ours(name, facts_extension) || is_ours(name, installed_ending) || is_ours(name, digest_ending);
}

// Bytes that this run wrote since it last looked for old entries. Searching after each of a thousand small entries
// would cost more than writing them. The initial value makes the first entry of a run start a search.
std::atomic<std::uint64_t> unseen = std::uint64_t{1} << 63;

}  // namespace

bool Directory::make() const { return make_directories(path_); }

std::string_view distrust_of(const struct stat& about) {
  if (about.st_uid != ::geteuid() && about.st_uid != 0) return "it belongs to another user";
  return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "others than its owner may write to it" : "";
}

std::string Directory::distrust() const {
  const Descriptor directory(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat about{};
  if (!directory.is_open() || ::fstat(directory.number(), &about) != 0) return "";
  return std::string(distrust_of(about));
}

std::optional<std::string> Directory::read(const std::string& name) const {
  const Descriptor directory(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat owner{};
  if (!directory.is_open() || ::fstat(directory.number(), &owner) != 0 || !distrust_of(owner).empty())
    return std::nullopt;
  const Descriptor file(::openat(directory.number(), name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  const auto about = file.about();
  if (!about || !distrust_of(*about).empty()) return std::nullopt;
  if (static_cast<std::uint64_t>(about->st_size) > max_bytes_) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(about->st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const auto got = file.read({bytes.data() + at, bytes.size() - at});
    if (got == 0) return std::nullopt;
    at += got;
  }
  (void)::futimens(file.number(), nullptr);  // marks the entry as recently used
  return bytes;
}

void Directory::write(const std::string& name, std::string_view bytes) const {
  if (bytes.size() > max_bytes_ || !make() || !distrust().empty()) return;
  const std::string place = path_ + '/' + name;
  std::string temporary = place + ".XXXXXX";
  bool written = false;
  {
    const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.is_open()) return;
    written = file.write(bytes);
  }
  if (!written || ::rename(temporary.c_str(), place.c_str()) != 0) {
    ::unlink(temporary.c_str());
    return;
  }
  constexpr std::uint64_t looks = 32;  // number of searches until the directory is full
  if ((unseen += bytes.size()) < max_bytes_ / looks) return;
  unseen = 0;
  remove_oldest();
}

void Directory::remove_oldest() const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t size;
  };
  std::vector<Entry> entries;
  std::uintmax_t sum = 0;
  std::error_code failed;
  auto at = fs::directory_iterator(path_, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    std::error_code gone;
    if (!is_ours(at->path().filename().string()) || !fs::is_regular_file(at->symlink_status(gone))) continue;
    Entry entry{at->last_write_time(gone), at->path(), 0};
    if (!gone) entry.size = at->file_size(gone);
    if (gone) continue;
    sum += entry.size;
    entries.push_back(std::move(entry));
  }
  if (sum <= max_bytes_) return;
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::tie(entry.used, entry.path); });
  for (const Entry& entry : entries) {
    if (sum <= max_bytes_) return;
    fs::remove(entry.path, failed);
    sum -= entry.size;
  }
}

Descriptor::~Descriptor() {
  if (is_open()) ::close(number_);
}

std::optional<struct stat> Descriptor::about() const {
  struct stat about{};
  if (!is_open() || ::fstat(number_, &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return about;
}

std::size_t Descriptor::read(std::span<char> out) const {
  for (;;) {
    const ssize_t got = ::read(number_, out.data(), out.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

bool Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::write(number_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace wheelcheck::cache
