#include "config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"

namespace wheelcheck::config {
namespace {

constexpr std::size_t max_shown = 100;
constexpr std::size_t longest_word = 64;  // words up to this length are compared with others

}  // namespace

void Problems::add(Position at, std::string text) { problems_.push_back({at, std::move(text)}); }

std::string Problems::lines(std::string_view file) const {
  std::vector<Problem> sorted = problems_;
  std::ranges::stable_sort(sorted, {}, &Problem::at);
  std::vector<std::string> lines;
  for (const Problem& problem : sorted) {
    if (lines.size() == max_shown) {
      lines.push_back(fmt::format("{}: {} more", escape(file), sorted.size() - max_shown));
      break;
    }
    lines.push_back(fmt::format("{}:{}:{}: {}", escape(file), problem.at.line, problem.at.column, problem.text));
  }
  return join(lines, "\n");
}

std::string_view closest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > longest_word) return {};
  const std::string wanted = lower(word);
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t edits = edit_distance(wanted, lower(candidate));
    if (edits >= least || edits >= candidate.size()) continue;
    least = edits;
    best = candidate;
  }
  return best;
}

std::string one_of(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

std::string hint(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view meant = closest(word, known);
  return meant.empty() ? "; there are " + one_of(known) : fmt::format("; did you mean `{}`?", meant);
}

}  // namespace wheelcheck::config
