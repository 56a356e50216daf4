#include "rewrite/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/fail.h"
#include "base/text.h"

namespace wheelcheck::rewrite {
namespace {

constexpr mode_t new_file = 0666;  // reduced by the umask

std::unexpected<Error> failed(std::string_view what, const std::string& name) {
  return fail(ErrorCode::Usage, "{} {}: {}", what, escape(name), std::strerror(errno));
}

// Several files can wait for their names.
std::string temporary_name(const std::string& directory) {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{}/.wheelcheck-{}-{}.tmp", directory, ::getpid(), ++count);
}

}  // namespace

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

std::string Descriptor::path() const { return fmt::format("/proc/self/fd/{}", value_); }

Result<OutputFile> OutputFile::create(const std::string& directory) {
  OutputFile out;
  out.directory_ = directory.empty() ? "." : directory;
  std::error_code error;
  std::filesystem::create_directories(out.directory_, error);
  if (error)
    return fail(ErrorCode::Usage, "cannot create the directory {}: {}", escape(out.directory_), error.message());
  out.descriptor_ = Descriptor(::open(out.directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, new_file));
  if (out.descriptor_.value() >= 0) return out;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
    return failed("cannot write in", out.directory_);
  // overlayfs before Linux 6.3 and NFS have no O_TMPFILE: a temporary name, which this object removes.
  out.visible_ = temporary_name(out.directory_);
  out.descriptor_ = Descriptor(::open(out.visible_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, new_file));
  if (out.descriptor_.value() < 0) {
    const std::string name = std::exchange(out.visible_, "");
    return failed("cannot write", name);
  }
  return out;
}

Result<OutputFile> OutputFile::nameless() {
  auto file = memory_file();
  if (!file) return std::unexpected(std::move(file.error()));
  OutputFile out;
  out.descriptor_ = std::move(*file);
  return out;
}

OutputFile::~OutputFile() {
  if (!visible_.empty() && descriptor_.value() >= 0) ::unlink(visible_.c_str());
}

Result<void> OutputFile::keep(const std::string& name) {
  const std::string path = directory_ + "/" + name;
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (error) return fail(ErrorCode::Usage, "cannot create the directory of {}: {}", escape(path), error.message());
  }
  if (::fsync(descriptor_.value()) != 0) return failed("cannot write", path);
  if (visible_.empty()) {
    // linkat does not replace a file. If the name exists, the file gets a temporary name first, then rename replaces.
    const std::string self = descriptor_.path();
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) return {};
    if (errno != EEXIST) return failed("cannot write", path);
    struct stat replaced{};  // the name of a link gets a file of its own
    if (::lstat(path.c_str(), &replaced) == 0 && S_ISREG(replaced.st_mode))
      ::fchmod(descriptor_.value(), replaced.st_mode & 0777);
    const std::string other = temporary_name(directory_);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, other.c_str(), AT_SYMLINK_FOLLOW) != 0)
      return failed("cannot write", other);
    visible_ = other;
  }
  if (std::rename(visible_.c_str(), path.c_str()) != 0) return failed("cannot write", path);
  visible_.clear();
  return {};
}

Result<Descriptor> memory_file(std::string_view bytes) {
  Descriptor file(::memfd_create("wheelcheck", MFD_CLOEXEC));
  if (file.value() < 0) return failed("cannot write", "a file in memory");
  while (!bytes.empty()) {
    const ssize_t done = ::write(file.value(), bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return failed("cannot write", "a file in memory");
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return file;
}

Result<std::string> bytes_of(const Descriptor& file) {
  struct stat status{};
  if (::fstat(file.value(), &status) != 0) return failed("cannot read", "a file in memory");
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string out;
  out.resize_and_overwrite(size, [&](char* to, std::size_t) {
    std::size_t at = 0;
    while (at < size) {
      const ssize_t done = ::pread(file.value(), to + at, size - at, static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) break;
      at += static_cast<std::size_t>(done);
    }
    return at;
  });
  if (out.size() < size) return failed("cannot read", "a file in memory");
  return out;
}

}  // namespace wheelcheck::rewrite
