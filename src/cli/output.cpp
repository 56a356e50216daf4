#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"

namespace wheelcheck::cli {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool asks_for(const char* name) { return is_set(name) && std::string_view(std::getenv(name)) != "0"; }

}  // namespace

bool wants_colour(std::string_view choice) {
  if (choice != "auto") return choice == "always";
  if (is_set("NO_COLOR")) return false;
  if (asks_for("FORCE_COLOR") || asks_for("CLICOLOR_FORCE")) return true;
  return isatty(STDOUT_FILENO) == 1;
}

bool write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EPIPE;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool write_file(const std::string& path, std::string_view text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return (std::fclose(file) == 0) && written;
}

ProgressLine::ProgressLine(bool off) : on_(!off && !is_set("CI") && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::show(std::string_view file, std::uint64_t done, std::uint64_t total) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(mutex_);
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr std::uint64_t width = 20;
  const std::uint64_t filled = total < width ? width : std::min(width, done / (total / width));
  const std::size_t slash = file.rfind('/');
  fmt::print(stderr, "\r\x1b[K[{:#<{}}{:.<{}}] {}", "", filled, "", width - filled,
             escape(slash == file.npos ? file : file.substr(slash + 1), 60));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace wheelcheck::cli
