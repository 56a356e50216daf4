// A parser for the grammar of PEP 440 that reads from left to right without backtracking, so its time is linear.

#include "wheel/pep440.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/requires_dist.h"

namespace wheelcheck::wheel {

namespace {

bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

// The unread text. Each take_ function consumes what it finds, or nothing.
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
// If one spelling is a prefix of another, the longer one comes first.
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

// Parses [-_.]? word [-_.]? digits? where a missing number is 0.
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

// "-N" is the old form of ".postN".
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

// Parses the grammar of PEP 440, appendix B.
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

// Parses the specifiers of Requires-Python and evaluates them for the Python versions of the tags.

namespace {

// Upper limits for Python versions. No existing version reaches them.
constexpr std::uint32_t last_minor = 60, last_micro = 60;

using Release = std::vector<std::uint64_t>;  // 3.11.4

struct Specifier {
  std::string_view comparison;
  Release release;
  bool prefix = false;  // 3.11.*
};
struct Minors {  // versions of one major version
  std::uint32_t major = 0, first = 0, last = 0;
};

std::strong_ordering compare(const Release& a, const Release& b) {
  const auto part = [](const Release& release, std::size_t i) { return i < release.size() ? release[i] : 0; };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (const auto order = part(a, i) <=> part(b, i); order != 0) return order;
  return std::strong_ordering::equal;
}

bool starts_with(const Release& release, std::span<const std::uint64_t> prefix) {
  return prefix.size() <= release.size() && std::equal(prefix.begin(), prefix.end(), release.begin());
}

bool satisfies(const Release& python, const Specifier& specifier) {
  const auto order = compare(python, specifier.release);
  const bool equal = specifier.prefix ? starts_with(python, specifier.release) : order == 0;
  if (specifier.comparison == ">=") return order >= 0;
  if (specifier.comparison == "<=") return order <= 0;
  if (specifier.comparison == ">") return order > 0;
  if (specifier.comparison == "<") return order < 0;
  if (specifier.comparison == "!=") return !equal;
  if (specifier.comparison != "~=") return equal;  // == and ===
  // No copy is made: a release may have millions of parts and is compared with thousands of Python versions.
  return order >= 0 && starts_with(python, std::span(specifier.release).first(specifier.release.size() - 1));
}

std::optional<Release> parse_release(std::string_view text) {
  Release release;
  for (const std::string_view part : split(text, '.')) {
    std::uint64_t number = 0;
    if (!parse_number(part, number)) return std::nullopt;
    release.push_back(number);
  }
  return release;
}

std::optional<Specifier> parse_specifier(std::string_view text) {
  static constexpr std::array<std::string_view, 8> comparisons = {"===", "~=", "==", "!=", ">=", "<=", ">", "<"};
  const auto* const found =
      std::ranges::find_if(comparisons, [text](std::string_view comparison) { return text.starts_with(comparison); });
  if (found == comparisons.end()) return std::nullopt;
  Specifier specifier{.comparison = *found, .release = {}};
  std::string_view version = trim(text.substr(found->size()));
  if (version.ends_with(".*")) {
    specifier.prefix = true;
    version.remove_suffix(2);
  }
  auto release = parse_release(version);
  if (!release) return std::nullopt;
  specifier.release = std::move(*release);
  if (specifier.comparison == "~=" && specifier.release.size() < 2) return std::nullopt;
  return specifier;
}

// The Python versions of a tag: one minor version, or that one and all later ones if the ABI is the stable ABI or the
// tag is not for CPython (PEP 425, "Use").
std::optional<Minors> minors_of(std::string_view tag, const WheelName& name) {
  const std::string_view digits = tag.substr(std::min<std::size_t>(tag.size(), 2));
  std::uint64_t major = 0, minor = 0;
  if (!tag.starts_with("cp") && !tag.starts_with("pp") && !tag.starts_with("py")) return std::nullopt;
  if (digits.empty() || !parse_number(digits.substr(0, 1), major)) return std::nullopt;
  if (digits.size() > 1 && (!parse_number(digits.substr(1), minor) || minor > last_minor)) return std::nullopt;
  const bool exact = digits.size() > 1 && !tag.starts_with("py") &&
                     std::ranges::none_of(name.abi, [](const std::string& abi) { return abi.starts_with("abi3"); }) &&
                     std::ranges::find(name.abi, "none") == name.abi.end();
  const auto first = static_cast<std::uint32_t>(minor);
  return Minors{.major = static_cast<std::uint32_t>(major), .first = first, .last = exact ? first : last_minor};
}

bool admits(const std::vector<Specifier>& specifiers, const Minors& minors) {
  for (std::uint32_t minor = minors.first; minor <= minors.last; ++minor) {
    for (std::uint32_t micro = 0; micro <= last_micro; ++micro) {
      const Release python = {minors.major, minor, micro};
      if (std::ranges::all_of(specifiers, [&](const Specifier& specifier) { return satisfies(python, specifier); }))
        return true;
    }
  }
  return false;
}

}  // namespace

std::optional<bool> satisfies(std::string_view version, std::string_view specifier) {
  const std::optional<Release> release = parse_release(version);
  const std::optional<Specifier> asked = parse_specifier(specifier);
  if (!release || !asked) return std::nullopt;
  return satisfies(*release, *asked);
}

bool admits_tags(std::string_view requires_python, const WheelName& name) {
  static constexpr std::size_t most_specifiers = 64;
  if (trim(requires_python).empty() || name.python.empty()) return true;
  std::vector<Specifier> specifiers;
  for (const std::string_view text : split(requires_python, ',')) {
    if (trim(text).empty()) continue;  // a trailing comma
    const std::optional<Specifier> specifier = parse_specifier(trim(text));
    if (!specifier || specifiers.size() == most_specifiers) return true;
    specifiers.push_back(*specifier);
  }
  return std::ranges::any_of(name.python, [&](const std::string& tag) {
    const std::optional<Minors> minors = minors_of(tag, name);
    return !minors || admits(specifiers, *minors);
  });
}

}  // namespace wheelcheck::wheel
