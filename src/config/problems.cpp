#include "config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"

namespace wheelcheck::config {
namespace {

constexpr std::size_t max_shown = 100;

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

std::string one_of(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

std::string hint(std::string_view word, std::span<const std::string_view> known) {
  const std::string meant = closest(word, std::vector<std::string>(known.begin(), known.end()));
  return meant.empty() ? "; there are " + one_of(known) : fmt::format("; did you mean `{}`?", meant);
}

}  // namespace wheelcheck::config
