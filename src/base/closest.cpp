#include "base/closest.h"

#include <algorithm>
#include <vector>

namespace wheelcheck {
namespace {

// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string closest(std::string_view word, std::span<const std::string> words) {
  constexpr std::size_t longest = 64;
  std::string best;
  std::size_t least = std::min<std::size_t>(word.size() / 3, 3) + 1;
  if (word.size() > longest) return "";
  for (const std::string& candidate : words) {
    const std::size_t edits = distance(word, candidate);
    if (edits < least) least = edits, best = candidate;
  }
  return best;
}

}  // namespace wheelcheck
