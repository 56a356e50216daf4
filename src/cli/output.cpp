#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "base/text.h"

namespace wheelcheck::cli {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool accepts(const char* name) { return is_set(name) && std::string_view(std::getenv(name)) != "0"; }

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EPIPE;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

bool wants_colour(std::string_view choice) {
  if (choice != "auto") return choice == "always";
  if (is_set("NO_COLOR")) return false;
  if (accepts("FORCE_COLOR") || accepts("CLICOLOR_FORCE")) return true;
  if (is_set("TERM") && std::string_view(std::getenv("TERM")) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

bool shows_links() {
  if (is_set("FORCE_HYPERLINK")) return accepts("FORCE_HYPERLINK");
  if (isatty(STDOUT_FILENO) != 1 || is_set("CI")) return false;
  const auto value = [](const char* name) { return std::string_view(is_set(name) ? std::getenv(name) : ""); };
  if (is_set("WT_SESSION") || is_set("KONSOLE_VERSION") || is_set("DOMTERM")) return true;
  std::uint64_t vte = 0;
  if (parse_number(value("VTE_VERSION"), vte) && vte >= 5000) return true;
  constexpr std::string_view programs[] = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"};
  constexpr std::string_view terms[] = {"xterm-kitty", "alacritty", "xterm-ghostty", "foot"};
  return std::ranges::find(programs, value("TERM_PROGRAM")) != std::end(programs) ||
         std::ranges::find(terms, value("TERM")) != std::end(terms);
}

std::size_t terminal_width() {
  constexpr std::size_t unknown = 80, least = 40;
  struct winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return unknown;
  return std::max<std::size_t>(size.ws_col, least);
}

void write_error(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

bool write_out(std::string_view text) { return write_all(STDOUT_FILENO, text); }

int open_output(const std::string& path) {
  constexpr mode_t less_the_umask = 0666;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, less_the_umask);
}

bool replace_content(int file, std::string_view text) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return false;
  if (S_ISREG(about.st_mode) && ::ftruncate(file, 0) != 0) return false;
  return write_all(file, text) && ::close(file) == 0;
}

namespace {

// Ctrl-C while a line is drawn: the line goes, and the exit code is what a shell gives for SIGINT. Only calls that
// signal-safety(7) allows.
void clear_and_exit(int /*signal*/) {
  constexpr std::string_view clear = "\r\x1b[K";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, clear.data(), clear.size());
  constexpr int ended_by_sigint = 128 + SIGINT;
  ::_exit(ended_by_sigint);
}

}  // namespace

ProgressLine::ProgressLine(bool off) : on_(!off && !is_set("CI") && isatty(STDERR_FILENO) == 1) {
  if (on_) std::signal(SIGINT, &clear_and_exit);
}

ProgressLine::~ProgressLine() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (on_) std::signal(SIGINT, SIG_DFL);
}

void ProgressLine::show(std::string_view file, std::uint64_t done, std::uint64_t total) {
  if (!on_) return;
  const std::scoped_lock lock(mutex_);
  file_ = file.substr(file.rfind('/') + 1);
  done_ = done;
  total_ = total;
  if (thread_.joinable()) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { draw(stop); });
  } catch (const std::system_error&) {
    on_ = false;  // no thread is left: the work is done without a line
  }
}

void ProgressLine::draw(const std::stop_token& stop) {
  constexpr std::uint64_t width = 20;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex_);
  for (auto next = first_; !stop.stop_requested(); next += std::chrono::milliseconds(100)) {
    wake.wait_until(lock, stop, next, [] { return false; });
    if (stop.stop_requested()) break;
    const std::uint64_t filled = total_ < width ? width : std::min(width, done_ / (total_ / width));
    // "numpy-2.4.6": a whole name and the rest of the line may be wider than the terminal.
    const std::string name = file_.substr(0, file_.find('-', file_.find('-') + 1));
    print_error("\r\x1b[K[{:#<{}}{:.<{}}] {}{}", "", filled, "", width - filled, escape(name, 40),
                done_ < total_ ? "" : ": checking");
  }
  if (std::chrono::steady_clock::now() > first_) print_error("\r\x1b[K");
}

}  // namespace wheelcheck::cli
