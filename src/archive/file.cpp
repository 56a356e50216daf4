#include "archive/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/fail.h"

namespace wheelcheck::archive {
namespace {

// Messages are fixed texts, because strerror depends on the locale.
std::string reason_of(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return "no such file";
    case EACCES:
    case EPERM:
      return "permission denied";
    case ELOOP:
      return "its symbolic links form a loop";
    case ENAMETOOLONG:
      return "its name is too long";
    case EMFILE:
    case ENFILE:
      return "too many open files";
    case EIO:
      return "input/output error";
    case ENXIO:
    case ENODEV:
      return "not a file";
    default:
      return fmt::format("system error {}", number);
  }
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::unexpected<Error> cannot_open(int number) {
  const bool absent = number == ENOENT || number == ENOTDIR || number == ELOOP || number == ENAMETOOLONG ||
                      number == ENXIO || number == ENODEV;
  return fail(absent ? ErrorCode::NotFound : ErrorCode::Io, "cannot be opened: " + reason_of(number));
}

}  // namespace

Result<File> File::open(const std::string& path, Links links) {
  if (path.find('\0') != std::string::npos) return cannot_open(ENOENT);
  const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (links == Links::Refuse ? O_NOFOLLOW : 0);
  int descriptor = -1;
  do descriptor = ::open(path.c_str(), flags);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return cannot_open(errno);
  struct stat status{};
  const int failed = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  if (failed != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    if (failed != 0) return cannot_open(failed);
    return fail(ErrorCode::NotFound, "is {}, not a file", kind_of(status.st_mode));
  }
  return File(descriptor, static_cast<std::uint64_t>(status.st_size),
              {.seconds = status.st_mtim.tv_sec, .nanoseconds = status.st_mtim.tv_nsec});
}

bool File::unchanged() const {
  struct stat status{};
  return ::fstat(descriptor_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == size_ &&
         Time{status.st_mtim.tv_sec, status.st_mtim.tv_nsec} == changed_;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> File::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::Io, "cannot be read: " + reason_of(errno));
    if (got == 0) return fail(ErrorCode::Io, "cannot be read: it became shorter meanwhile");
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Result<std::shared_ptr<const File>> file_of(const OpenedInput& input) {
  if (input.error) return std::unexpected(*input.error);
  if (input.file) return input.file;
  Result<File> file = File::open(input.path);
  if (!file) return std::unexpected(std::move(file.error()));
  return std::make_shared<const File>(std::move(*file));
}

Result<std::span<const std::byte>> Window::at(std::uint64_t offset, std::size_t length) {
  const bool inside =
      offset >= start_ && offset - start_ <= bytes_.size() && length <= bytes_.size() - (offset - start_);
  if (!inside) {
    const std::uint64_t left = file_.size() - std::min(offset, file_.size());
    bytes_.resize(std::max<std::uint64_t>(length, std::min<std::uint64_t>(ahead_, left)));
    start_ = offset;
    if (auto done = file_.read_at(offset, bytes_); !done) {
      bytes_.clear();
      return std::unexpected(std::move(done.error()));
    }
  }
  return std::span<const std::byte>(bytes_).subspan(offset - start_, length);
}

}  // namespace wheelcheck::archive
