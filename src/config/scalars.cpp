#include "config/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "model/required_tag.h"

namespace wheelcheck::config {
namespace {

constexpr std::size_t longest_text = 4096;

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr Unit units[] = {{"", 1},
                          {"B", 1},
                          {"kB", 1'000},
                          {"MB", 1'000'000},
                          {"GB", 1'000'000'000},
                          {"KiB", std::uint64_t{1} << 10},
                          {"MiB", std::uint64_t{1} << 20},
                          {"GiB", std::uint64_t{1} << 30}};
constexpr std::string_view size_form = "a number of bytes, or a text with a unit: \"600MB\", \"600 MiB\"";

// Parses "600MB": digits, an optional blank, and a unit of the table.
std::optional<std::uint64_t> parse_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t number = 0;
  if (!parse_number(text.substr(0, digits), number)) return std::nullopt;
  const auto* const unit = std::ranges::find(units, trim(text.substr(digits)), &Unit::name);
  if (unit == std::end(units) || number > std::numeric_limits<std::uint64_t>::max() / unit->bytes) return std::nullopt;
  return number * unit->bytes;
}

// Why a pattern cannot match as intended; "" if it can.
std::string_view objection_to_glob(std::string_view pattern) {
  if (pattern.empty()) return "is empty";
  if (pattern.size() > longest_text) return "is too long";
  if (pattern.front() == '/') return "starts with '/', but paths in a wheel do not";
  if (pattern.find('\\') != pattern.npos) return "holds a '\\', which is not an escape; write [*] for a star";
  for (std::size_t at = pattern.find('['); at != pattern.npos; at = pattern.find('[', at)) {
    const std::size_t first = at + 1 < pattern.size() && pattern[at + 1] == '!' ? at + 2 : at + 1;
    const std::size_t end = pattern.find(']', first + 1);  // a ']' in the first position is literal
    if (end == pattern.npos) return "has a '[' without its ']'";
    at = end + 1;
  }
  return {};
}

}  // namespace

void Reader::wrong(const Value& value, std::string_view allowed) const {
  problems.add(value.at, fmt::format("must be {}, not {}", allowed, kind_of(value)));
}

const Table* Reader::table(const Value& value) const {
  const auto* const found = std::get_if<Table>(&value.what);
  if (found == nullptr) wrong(value, "a table");
  return found;
}

std::optional<std::string> Reader::text(const Value& value, std::string_view allowed) const {
  const auto* const found = std::get_if<std::string>(&value.what);
  if (found == nullptr) {
    wrong(value, allowed);
    return std::nullopt;
  }
  if (found->empty() || found->size() > longest_text) {
    problems.add(value.at, fmt::format("must be {}, not {}", allowed, found->empty() ? "empty" : "so long"));
    return std::nullopt;
  }
  return *found;
}

std::optional<std::string> Reader::plain(const Value& value) const { return text(value, "a text"); }

std::optional<std::string> Reader::word(const Value& value, std::span<const std::string_view> allowed) const {
  const std::string words = one_of(allowed);
  std::optional<std::string> found = text(value, words);
  if (!found || std::ranges::find(allowed, *found) != allowed.end()) return found;
  problems.add(value.at, fmt::format("must be {}, not `{}`", words, escape(*found, 80)));
  return std::nullopt;
}

std::optional<bool> Reader::truth(const Value& value) const {
  const auto* const found = std::get_if<bool>(&value.what);
  if (found == nullptr) {
    wrong(value, "true or false");
    return std::nullopt;
  }
  return *found;
}

std::optional<std::uint64_t> Reader::number(const Value& value, std::uint64_t least, std::uint64_t max) const {
  const auto* const found = std::get_if<std::int64_t>(&value.what);
  const std::string allowed = fmt::format("a whole number from {} to {}", least, max);
  if (found == nullptr) {
    wrong(value, allowed);
    return std::nullopt;
  }
  if (*found >= 0 && static_cast<std::uint64_t>(*found) >= least && static_cast<std::uint64_t>(*found) <= max)
    return static_cast<std::uint64_t>(*found);
  problems.add(value.at, fmt::format("must be {}, not {}", allowed, *found));
  return std::nullopt;
}

std::optional<std::uint64_t> Reader::size(const Value& value) const {
  if (std::holds_alternative<std::int64_t>(value.what))
    return number(value, 0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  const std::optional<std::string> found = text(value, size_form);
  if (!found) return std::nullopt;
  const std::optional<std::uint64_t> bytes = parse_size(*found);
  if (!bytes) problems.add(value.at, fmt::format("must be {}, not `{}`", size_form, escape(*found, 80)));
  return bytes;
}

std::optional<Date> Reader::date(const Value& value) const {
  if (const auto* const found = std::get_if<Date>(&value.what)) return *found;
  wrong(value, "a date without quotes, as 2027-01-31");
  return std::nullopt;
}

bool Reader::is_rule(std::string_view word, Position at) const {
  if (known.is_rule(word)) return true;
  const std::string meant = closest(word, std::vector<std::string>(known.rules.begin(), known.rules.end()));
  const std::string help =
      meant.empty() ? "; `wheelcheck rules` lists them" : fmt::format("; did you mean `{}`?", meant);
  problems.add(at, fmt::format("no rule is named `{}`{}", escape(word, 80), help));
  return false;
}

std::optional<std::string> Reader::rule(const Value& value) const {
  std::optional<std::string> found = text(value, "the name, the code or the start of the code of a rule");
  if (!found || !is_rule(*found, value.at)) return std::nullopt;
  return found;
}

bool Reader::is_glob(std::string_view pattern, Position at) const {
  const std::string_view why = objection_to_glob(pattern);
  if (!why.empty()) problems.add(at, fmt::format("the pattern `{}` {}", escape(pattern, 80), why));
  return why.empty();
}

std::optional<std::string> Reader::glob(const Value& value) const {
  std::optional<std::string> found = text(value, "a pattern: `*`, `**`, `?`, `[a-z]`");
  if (!found || !is_glob(*found, value.at)) return std::nullopt;
  return found;
}

std::optional<std::string> Reader::path(const Value& value) const {
  std::optional<std::string> found = text(value, "a path");
  if (!found) return std::nullopt;
  if (found->find('\0') != found->npos) {
    problems.add(value.at, "must be a path, without NUL");
    return std::nullopt;
  }
  return found->front() == '/' ? *found : fmt::format("{}{}", directory, *found);
}

std::optional<std::string> Reader::tag(const Value& value) const {
  const std::string allowed = fmt::format("a tag: {}", required_tag_form);
  std::optional<std::string> found = text(value, allowed);
  if (!found || parse_required_tag(*found)) return found;
  const std::string meant = meant_tag(*found);
  const std::string wanted = meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant);
  problems.add(value.at, fmt::format("must be {}, not `{}`{}", allowed, escape(*found, 80), wanted));
  return std::nullopt;
}

std::optional<unsigned> Reader::sm(const Value& value) const {
  std::uint64_t capability = 0;
  const auto* const written = std::get_if<std::string>(&value.what);
  if (written != nullptr && parse_number(*written, capability) && capability >= 1 && capability <= 9999)
    return static_cast<unsigned>(capability);
  if (std::holds_alternative<std::int64_t>(value.what)) {
    const auto found = number(value, 1, 9999);
    return found ? std::optional(static_cast<unsigned>(*found)) : std::nullopt;
  }
  constexpr std::string_view allowed = "a compute capability: \"90\" or 90";
  if (written == nullptr)
    wrong(value, allowed);
  else
    problems.add(value.at, fmt::format("must be {}, not `{}`", allowed, escape(*written, 80)));
  return std::nullopt;
}

}  // namespace wheelcheck::config
