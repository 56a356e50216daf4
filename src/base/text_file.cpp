#include "base/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <system_error>

namespace wheelcheck {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unexpected<std::string> unreadable() {
  return std::unexpected(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
}

}  // namespace

std::expected<std::string, std::string> read_text_file(const std::string& path, std::uint64_t largest) {
  constexpr std::uint64_t least_at_once = 1 << 13, max_at_once = 1 << 16;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file && errno == ENOENT) return std::unexpected("no such file");
  if (!file) return unreadable();
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    const std::uint64_t left = largest + 1 - before,
                        more = std::clamp<std::uint64_t>(before, least_at_once, max_at_once);
    text.resize(before + static_cast<std::size_t>(std::min(more, left)));
    const std::size_t got = std::fread(text.data() + before, 1, text.size() - before, file.get());
    const bool all = before + got < text.size();
    text.resize(before + got);
    if (std::ferror(file.get()) != 0) return unreadable();  // errno is EISDIR for a directory
    if (text.size() > largest) return std::unexpected(fmt::format("is too long: at most {} bytes are read", largest));
    if (all) return text;
  }
}

}  // namespace wheelcheck
