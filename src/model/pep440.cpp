// Parses the grammar of PEP 440 from left to right without backtracking, so the time is linear.
#include "model/pep440.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "base/text.h"

namespace wheelcheck {
namespace {

std::uint64_t number_of(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  std::uint64_t number = 0;
  if (digits.empty() || parse_number(digits, number)) return number;
  return std::numeric_limits<std::uint64_t>::max();
}

struct Spelling {
  std::string_view word;
  char normal = 0;
};
// If one spelling is a prefix of another, the longer one comes first.
constexpr std::array<Spelling, 8> pre_words = {
    {{"alpha", 'a'}, {"beta", 'b'}, {"preview", 'c'}, {"pre", 'c'}, {"rc", 'c'}, {"a", 'a'}, {"b", 'b'}, {"c", 'c'}}};
constexpr std::array<Spelling, 3> post_words = {{{"post"}, {"rev"}, {"r"}}};
constexpr std::array<Spelling, 1> dev_words = {{{"dev"}}};

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
  std::string_view take_digits() {
    return take_while([](char c) { return is_digit(c); });
  }

  void take_epoch(PackageVersion& version) {
    VersionReader trial = *this;
    const std::string_view epoch = trial.take_digits();
    if (epoch.empty() || !trial.take('!')) return;
    version.epoch = number_of(epoch);
    *this = trial;
  }
  bool take_release(PackageVersion& version) {
    VersionReader trial = *this;
    do {
      const std::string_view digits = trial.take_digits();
      if (digits.empty()) break;
      version.release.push_back(number_of(digits));
      *this = trial;
    } while (trial.take('.'));
    return !version.release.empty();
  }
  // [-_.]? word [-_.]? digits? where a missing number is 0.
  std::optional<std::pair<char, std::uint64_t>> take_segment(std::span<const Spelling> words) {
    VersionReader trial = *this;
    trial.take_separator();
    for (const Spelling& spelling : words) {
      if (!trial.rest_.starts_with(spelling.word)) continue;
      trial.rest_.remove_prefix(spelling.word.size());
      trial.take_separator();
      const std::uint64_t number = number_of(trial.take_digits());
      *this = trial;
      return std::pair(spelling.normal, number);
    }
    return std::nullopt;
  }
  // "-N" is the old form of ".postN".
  std::optional<std::uint64_t> take_implicit_post() {
    VersionReader trial = *this;
    if (!trial.take('-')) return std::nullopt;
    const std::string_view digits = trial.take_digits();
    if (digits.empty()) return std::nullopt;
    *this = trial;
    return number_of(digits);
  }
  bool take_local(PackageVersion& version) {
    if (!take('+')) return true;
    do {
      std::string_view part = take_while([](char c) { return is_alnum(c); });
      if (part.empty()) return false;
      if (std::ranges::all_of(part, is_digit))
        part.remove_prefix(std::min(part.find_first_not_of('0'), part.size() - 1));
      version.local.emplace_back(part);
    } while (take_separator());
    return true;
  }

 private:
  bool take_separator() { return take('-') || take('_') || take('.'); }
  std::string_view take_while(auto belongs) {
    std::size_t length = 0;
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

// Missing parts are 0.
std::strong_ordering compare_releases(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const auto part = [](std::span<const std::uint64_t> release, std::size_t i) {
    return i < release.size() ? release[i] : 0;
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (const auto order = part(a, i) <=> part(b, i); order != 0) return order;
  return std::strong_ordering::equal;
}

bool starts_with(std::span<const std::uint64_t> release, std::span<const std::uint64_t> prefix) {
  return compare_releases(release.first(std::min(release.size(), prefix.size())), prefix) == 0;
}

// A development release of a version without other parts is before its alphas, and a version without a pre-release part
// is after its release candidates.
int pre_rank(const PackageVersion& version) {
  if (version.pre) return 0;
  return version.dev && !version.post ? -1 : 1;
}

// Texts are before numbers, and numbers are compared as numbers.
std::strong_ordering compare_local(const std::string& a, const std::string& b) {
  const bool number_a = std::ranges::all_of(a, is_digit), number_b = std::ranges::all_of(b, is_digit);
  if (number_a != number_b) return number_a <=> number_b;
  if (number_a && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

// The order without the local parts.
std::strong_ordering compare_public(const PackageVersion& a, const PackageVersion& b) {
  if (const auto order = a.epoch <=> b.epoch; order != 0) return order;
  if (const auto order = compare_releases(a.release, b.release); order != 0) return order;
  if (const auto order = pre_rank(a) <=> pre_rank(b); order != 0) return order;
  if (const auto order = a.pre <=> b.pre; order != 0) return order;
  if (const auto order = a.post <=> b.post; order != 0) return order;  // nullopt is before every number
  if (a.dev && b.dev) return *a.dev <=> *b.dev;
  return !a.dev <=> !b.dev;  // a development release is before the version itself
}

// 1.0a1.post2 is a post-release of 1.0a1, 1.0.post1 is not.
bool is_post_release_of(const PackageVersion& candidate, const PackageVersion& version) {
  return candidate.post && !version.post && !version.dev && candidate.epoch == version.epoch &&
         candidate.pre == version.pre && compare_releases(candidate.release, version.release) == 0;
}

}  // namespace

std::strong_ordering PackageVersion::operator<=>(const PackageVersion& other) const {
  if (const auto order = compare_public(*this, other); order != 0) return order;
  return std::lexicographical_compare_three_way(local.begin(), local.end(), other.local.begin(), other.local.end(),
                                                compare_local);
}

std::string to_string(const PackageVersion& version) {
  std::string out = version.epoch == 0 ? "" : fmt::format("{}!", version.epoch);
  out += fmt::format("{}", fmt::join(version.release, "."));
  if (version.pre)
    out +=
        fmt::format("{}{}", version.pre->first == 'c' ? "rc" : std::string(1, version.pre->first), version.pre->second);
  if (version.post) out += fmt::format(".post{}", *version.post);
  if (version.dev) out += fmt::format(".dev{}", *version.dev);
  if (!version.local.empty()) out += fmt::format("+{}", fmt::join(version.local, "."));
  return out;
}

std::optional<PackageVersion> parse_package_version(std::string_view text) {
  const std::string small = lower(text);
  VersionReader reader(small);
  PackageVersion version;
  reader.take('v');
  reader.take_epoch(version);
  if (!reader.take_release(version)) return std::nullopt;
  version.pre = reader.take_segment(pre_words);
  version.post = reader.take_implicit_post();
  if (!version.post)
    if (const auto post = reader.take_segment(post_words)) version.post = post->second;
  if (const auto dev = reader.take_segment(dev_words)) version.dev = dev->second;
  if (!reader.take_local(version) || !reader.at_end()) return std::nullopt;
  return version;
}

bool is_package_version(std::string_view text) { return parse_package_version(text).has_value(); }

bool same_version(std::string_view a, std::string_view b) {
  const auto first = parse_package_version(a), second = parse_package_version(b);
  return first && second && *first == *second;
}

std::optional<Specifier> parse_specifier(std::string_view text) {
  using enum Specifier::Operator;
  static constexpr auto operators =
      std::to_array<std::pair<std::string_view, Specifier::Operator>>({{"===", Identical},
                                                                       {"~=", Compatible},
                                                                       {"==", Equal},
                                                                       {"!=", NotEqual},
                                                                       {">=", GreaterEqual},
                                                                       {"<=", LessEqual},
                                                                       {">", Greater},
                                                                       {"<", Less}});
  text = trim(text);
  const auto* const found =
      std::ranges::find_if(operators, [&](const auto& one) { return text.starts_with(one.first); });
  if (found == operators.end()) return std::nullopt;
  Specifier specifier{.op = found->second};
  std::string_view version = trim(text.substr(found->first.size()));
  if (specifier.op == Identical) {
    specifier.text = lower(version);
    if (version.empty() || std::ranges::any_of(version, is_blank)) return std::nullopt;
    return specifier;
  }
  const bool equality = specifier.op == Equal || specifier.op == NotEqual;
  specifier.any_tail = equality && version.ends_with(".*");
  if (specifier.any_tail) version.remove_suffix(2);
  auto parsed = parse_package_version(version);
  if (!parsed) return std::nullopt;
  specifier.version = std::move(*parsed);
  PackageVersion& bound = specifier.version;
  if (!equality && !bound.local.empty()) return std::nullopt;
  if (specifier.any_tail && (bound.pre || bound.post || bound.dev || !bound.local.empty())) return std::nullopt;
  if (specifier.op == Compatible && bound.release.size() < 2) return std::nullopt;
  if (specifier.op == Less && !bound.is_prerelease()) bound.dev = 0;  // 1.0rc1 is not accepted by "<1.0"
  return specifier;
}

bool Specifier::contains(const PackageVersion& candidate) const {
  const auto order = compare_public(candidate, version);
  const auto is_equal = [&] {
    if (any_tail) return candidate.epoch == version.epoch && starts_with(candidate.release, version.release);
    return version.local.empty() ? order == 0 : candidate == version;
  };
  switch (op) {
    case Operator::Identical:
      return to_string(candidate) == text;
    case Operator::Compatible:  // no copy of the release, which may have millions of parts
      return order >= 0 && candidate.epoch == version.epoch &&
             starts_with(candidate.release, std::span(version.release).first(version.release.size() - 1));
    case Operator::Equal:
      return is_equal();
    case Operator::NotEqual:
      return !is_equal();
    case Operator::GreaterEqual:
      return order >= 0;
    case Operator::LessEqual:
      return order <= 0;
    case Operator::Greater:  // neither 1.0.post1 nor 1.0+local is greater than 1.0
      return order > 0 && !is_post_release_of(candidate, version);
    case Operator::Less:
      return order < 0;
  }
  return false;
}

std::string specifiers_problem(std::string_view list) {
  for (const std::string_view one : split(list, ','))
    if (const std::string_view text = trim(one); !text.empty() && !parse_specifier(text))
      return fmt::format("has the invalid version specifier '{}'", text);
  return "";
}

std::optional<bool> allows(std::string_view list, std::string_view version) {
  const auto candidate = parse_package_version(version);
  if (!candidate) return std::nullopt;
  bool all = true;
  for (const std::string_view one : split(list, ',')) {
    if (trim(one).empty()) continue;
    const auto specifier = parse_specifier(one);
    if (!specifier) return std::nullopt;
    all = all && specifier->contains(*candidate);
  }
  return all;
}

}  // namespace wheelcheck
