#include "cache/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace wheelcheck::cache {

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
