// Output to stdout, files and the terminal: colour, width, and a progress line.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace wheelcheck::cli {

// `choice` is auto, always or never. auto means yes on a terminal unless NO_COLOR is set or TERM is dumb, and yes if
// FORCE_COLOR or CLICOLOR_FORCE require it.
bool wants_colour(std::string_view choice);
// Columns of the terminal at stdout; 80 if stdout is not a terminal.
std::size_t terminal_width();
// Whether the terminal of stdout is known to show links (OSC 8). FORCE_HYPERLINK says yes, or with 0 no.
bool shows_links();

// Writes all of `text`. False on an error other than a closed pipe.
bool write_out(std::string_view text);
void write_error(std::string_view text);  // to stderr
// Opens a file for a report. Negative on failure. An existing file keeps its content until the whole report is written;
// a device or a pipe is written itself, and so is a file in a directory in which no file can be made.
int open_output(const std::string& path);
// Adds the descriptors that are written for such a file.
void add_output(int file, std::vector<int>& outputs);
// Replaces the content of the file by the text.
bool replace_content(int file, std::string_view text);

// Prints to stderr. If stderr cannot be written either, there is no place left for a message.
template <class... T>
void print_error(fmt::format_string<T...> format, T&&... values) {
  write_error(fmt::format(format, std::forward<T>(values)...));
}

// A line on stderr that is redrawn. It appears only for work of more than a second, on a terminal, and never in CI. A
// thread draws it, because the work after reading tells nothing while it lasts.
class ProgressLine {
 public:
  explicit ProgressLine(bool off);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  // done, total: bytes of one wheel; thread-safe
  void show(std::string_view file, std::uint64_t done, std::uint64_t total);
  bool on() const { return on_; }

 private:
  void draw(const std::stop_token& stop);

  bool on_ = false;
  std::mutex mutex_;  // of the three below
  std::string file_;
  std::uint64_t done_ = 0, total_ = 0;
  const std::chrono::steady_clock::time_point first_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::jthread thread_;  // from the first call of show() on, when the sandbox is entered
};

}  // namespace wheelcheck::cli
