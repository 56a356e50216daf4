// Where the report goes: stdout or a file, with colour and progress as a terminal wants them.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace wheelcheck::cli {

// `choice` is auto, always or never. auto: on a terminal unless NO_COLOR is set or TERM is dumb, or where FORCE_COLOR
// or CLICOLOR_FORCE require it.
bool wants_colour(std::string_view choice);
// Columns of the terminal that stdout is; 80 if it is none.
std::size_t terminal_width();
// Whether the terminal of stdout is known to show links (OSC 8). FORCE_HYPERLINK says yes, or with 0 no.
bool shows_links();

// Writes all of `text`; false where that failed for another reason than a reader that went away.
bool write_out(std::string_view text);
// Opens a file for a report, new or with what it holds; negative: that failed.
int open_output(const std::string& path);
// The text in place of what the file holds.
bool replace_content(int file, std::string_view text);

// A line on stderr that is redrawn, for work over a second, on a terminal only, never in CI.
class ProgressLine {
 public:
  explicit ProgressLine(bool off);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  void show(std::string_view file, std::uint64_t done, std::uint64_t total);  // bytes of one wheel; from any thread
  bool on() const { return on_; }

 private:
  bool on_ = false, drawn_ = false;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace wheelcheck::cli
