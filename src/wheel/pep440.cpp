// The grammar of PEP 440 as a reader that goes from left to right and never back, so its time is linear.
#include "wheel/pep440.h"

#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/dependency.h"

namespace wheelcheck::wheel {
namespace {

bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

// What is left to read. Each take_ consumes what it finds, or nothing.
class VersionReader {
 public:
  explicit VersionReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view take_digits() {
    return take_while([](char c) { return is_digit(c); });
  }
  std::string_view take_alnum() {
    return take_while([](char c) { return is_alnum(c); });
  }
  bool take_separator() {
    if (rest_.empty() || !is_separator(rest_.front())) return false;
    rest_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view take_while(auto wanted) {
    std::size_t length = 0;
    while (length < rest_.size() && wanted(rest_[length])) ++length;
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

struct Spelling {
  std::string_view word, normal;
};
// Where one spelling begins another, the longer stands first.
constexpr std::array<Spelling, 8> pre_words = {{{"alpha", "a"},
                                                {"beta", "b"},
                                                {"preview", "rc"},
                                                {"pre", "rc"},
                                                {"rc", "rc"},
                                                {"a", "a"},
                                                {"b", "b"},
                                                {"c", "rc"}}};
constexpr std::array<Spelling, 3> post_words = {{{"post", ".post"}, {"rev", ".post"}, {"r", ".post"}}};
constexpr std::array<Spelling, 1> dev_words = {{{"dev", ".dev"}}};

// [-_.]? word [-_.]? digits? ; a missing number is 0.
void take_segment(VersionReader& reader, const auto& words, std::string& out) {
  VersionReader trial = reader;
  trial.take_separator();
  for (const Spelling& spelling : words) {
    if (!trial.take_word(spelling.word)) continue;
    trial.take_separator();
    const std::string_view number = trial.take_digits();
    out += spelling.normal;
    out += number.empty() ? std::string_view("0") : without_zeros(number);
    reader = trial;
    return;
  }
}

// "-N" is the old way to write ".postN".
bool take_implicit_post(VersionReader& reader, std::string& out) {
  VersionReader trial = reader;
  if (!trial.take('-')) return false;
  const std::string_view number = trial.take_digits();
  if (number.empty()) return false;
  out += ".post";
  out += without_zeros(number);
  reader = trial;
  return true;
}

bool take_release(VersionReader& reader, std::string& out) {
  std::vector<std::string_view> parts;
  VersionReader trial = reader;
  do {
    const std::string_view digits = trial.take_digits();
    if (digits.empty()) break;
    parts.push_back(without_zeros(digits));
    reader = trial;
  } while (trial.take('.'));
  if (parts.empty()) return false;
  while (parts.size() > 1 && parts.back() == "0") parts.pop_back();  // 1.0 == 1.0.0
  out += parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    out += '.';
    out += parts[i];
  }
  return true;
}

bool take_local(VersionReader& reader, std::string& out) {
  if (!reader.take('+')) return true;
  char before = '+';
  do {
    const std::string_view part = reader.take_alnum();
    if (part.empty()) return false;
    out += before;
    out += part.find_first_not_of("0123456789") == std::string_view::npos ? without_zeros(part) : part;
    before = '.';
  } while (reader.take_separator());
  return true;
}

}  // namespace

// The grammar of PEP 440, appendix B.
std::optional<std::string> comparable_version(std::string_view text) {
  const std::string small = lower(text);
  VersionReader reader(small);
  std::string out;
  reader.take('v');
  VersionReader trial = reader;
  if (const std::string_view epoch = trial.take_digits(); !epoch.empty() && trial.take('!')) {
    reader = trial;
    if (without_zeros(epoch) != "0") {
      out += without_zeros(epoch);
      out += '!';
    }
  }
  if (!take_release(reader, out)) return std::nullopt;
  take_segment(reader, pre_words, out);
  if (!take_implicit_post(reader, out)) take_segment(reader, post_words, out);
  take_segment(reader, dev_words, out);
  if (!take_local(reader, out) || !reader.at_end()) return std::nullopt;
  return out;
}

bool same_version(std::string_view a, std::string_view b) {
  const std::optional<std::string> first = comparable_version(a);
  return first && first == comparable_version(b);
}

std::string normal_name(std::string_view text) { return normal_project_name(text); }

}  // namespace wheelcheck::wheel
