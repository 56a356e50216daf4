#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
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

// A report replaces a file as a whole: it is written to a temporary file beside it, which then gets the name. The
// sandbox forbids that to the process that reads the wheels, so a child that knows only the two names waits for a
// message to do it.
namespace {

struct Replacement {
  int child = -1;  // write end of a pipe: a byte tells it to rename, the end alone to remove the temporary file
  std::atomic<std::uint32_t>* done = nullptr;  // shared with the child
};
enum Done : std::uint32_t { Waits, Renamed, Failed };

void futex(std::atomic<std::uint32_t>* word, int operation, std::uint32_t value, const timespec* timeout) {
  ::syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

constexpr timespec while_it_works{.tv_sec = 0, .tv_nsec = 50'000'000};

// By file descriptor. At the end of the program, the temporary files of what was not written are gone.
struct Replacements : std::map<int, Replacement> {
  ~Replacements() {
    constexpr int until_it_is_dead = 100;
    for (const auto& [file, one] : *this) {
      ::close(one.child);
      for (int waits = 0; *one.done == Waits && waits < until_it_is_dead; ++waits)
        futex(one.done, FUTEX_WAIT, Waits, &while_it_works);
    }
  }
};

Replacements& replacements() {
  static Replacements all;
  return all;
}

// After a fork, so only with calls of signal-safety(7).
[[noreturn]] void wait_and_rename(int word, const char* temporary, const char* path, std::atomic<std::uint32_t>* done) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  ::dup2(word, STDIN_FILENO);
  ::syscall(SYS_close_range, 1, ~0U, 0);
  char byte = 0;
  ssize_t got = -1;
  while ((got = ::read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR) {
  }
  const bool renamed = got == 1 && ::rename(temporary, path) == 0;
  if (!renamed) ::unlink(temporary);
  *done = renamed ? Renamed : Failed;
  futex(done, FUTEX_WAKE, 1, nullptr);
  ::_exit(0);
}

bool start_child(int file, const std::string& temporary, const std::string& path) {
  void* const page =
      ::mmap(nullptr, sizeof(std::atomic<std::uint32_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2] = {-1, -1};
  if (page == MAP_FAILED || ::pipe2(ends, O_CLOEXEC) != 0) return false;
  auto* const done = new (page) std::atomic<std::uint32_t>(Waits);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    wait_and_rename(ends[0], temporary.c_str(), path.c_str(), done);
  }
  ::close(ends[0]);
  if (child < 0) {
    ::close(ends[1]);
    return false;
  }
  replacements()[file] = {ends[1], done};
  return true;
}

// Tells the child to rename, and waits for it. Another byte shows whether it still lives: without it, SIGPIPE or EPIPE.
bool rename_by(const Replacement& replacement) {
  std::signal(SIGPIPE, SIG_IGN);
  while (*replacement.done == Waits && ::write(replacement.child, "y", 1) == 1)
    futex(replacement.done, FUTEX_WAIT, Waits, &while_it_works);
  return *replacement.done == Renamed;
}

constexpr mode_t less_the_umask = 0666;

// The temporary file beside a file of which `old` is what is there; negative: none can be made, so the file itself is
// written.
int open_beside(const std::string& path, const struct stat* old) {
  std::error_code none;
  const std::string target = old != nullptr ? std::filesystem::canonical(path, none).string() : path;
  if (none) return -1;
  std::string temporary = target + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return -1;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool same_owner = old == nullptr || old->st_uid == ::geteuid() || ::fchown(file, old->st_uid, old->st_gid) == 0;
  if (same_owner && ::fchmod(file, old != nullptr ? old->st_mode & 07777 : less_the_umask & ~mask) == 0 &&
      start_child(file, temporary, target))
    return file;
  ::unlink(temporary.c_str());
  ::close(file);
  return -1;
}

}  // namespace

int open_output(const std::string& path) {
  struct stat old{};
  const int there = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (there < 0 && errno != ENOENT) return -1;
  if (there >= 0 && (::fstat(there, &old) != 0 || !S_ISREG(old.st_mode))) return there;
  const int file = open_beside(path, there >= 0 ? &old : nullptr);
  if (file < 0)
    return there >= 0 ? there : ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, less_the_umask);
  if (there >= 0) ::close(there);
  return file;
}

void add_output(int file, std::vector<int>& outputs) {
  outputs.push_back(file);
  if (const auto at = replacements().find(file); at != replacements().end()) outputs.push_back(at->second.child);
}

bool replace_content(int file, std::string_view text) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return false;
  if (S_ISREG(about.st_mode) && ::ftruncate(file, 0) != 0) return false;
  if (!write_all(file, text) || ::close(file) != 0) return false;
  const auto at = replacements().find(file);
  return at == replacements().end() || rename_by(at->second);
}

namespace {

// Held by who writes to the line, and never given back by a handler: nothing is drawn after it.
std::atomic_flag line_taken;  // NOLINT(*-avoid-non-const-global-variables): what a handler reads is global

// Ctrl-C while a line is drawn: the line goes, and the exit code is what a shell gives for SIGINT. Only calls that
// signal-safety(7) allows, and sched_yield(2), which keeps nothing. It never interrupts the thread that draws, which
// blocks the signal.
void clear_and_exit(int /*signal*/) {
  constexpr std::string_view clear = "\r\x1b[K";
  while (line_taken.test_and_set()) ::sched_yield();
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
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  std::condition_variable_any wake;
  std::unique_lock lock(mutex_);
  for (auto next = first_; !stop.stop_requested(); next += std::chrono::milliseconds(100)) {
    wake.wait_until(lock, stop, next, [] { return false; });
    if (stop.stop_requested()) break;
    const std::uint64_t filled = total_ < width ? width : std::min(width, done_ / (total_ / width));
    // "numpy-2.4.6": a whole name and the rest of the line may be wider than the terminal.
    const std::string name = file_.substr(0, file_.find('-', file_.find('-') + 1));
    if (line_taken.test_and_set()) return;  // the program ends
    print_error("\r\x1b[K[{:#<{}}{:.<{}}] {}{}", "", filled, "", width - filled, escape(name, 40),
                done_ < total_ ? "" : ": checking");
    line_taken.clear();
  }
  if (std::chrono::steady_clock::now() > first_) print_error("\r\x1b[K");
}

}  // namespace wheelcheck::cli
