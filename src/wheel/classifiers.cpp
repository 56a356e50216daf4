// The classifiers of PyPI, from data/classifiers.txt.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"
#include "wheel/index_checks.h"

namespace wheelcheck {
extern const EmbeddedFile embedded_classifiers[];
}  // namespace wheelcheck

namespace wheelcheck::wheel {
namespace {

std::string_view name_of(std::string_view line) { return line.substr(0, line.find('\t')); }

// The first line names the package and its version. The others are sorted by name.
const std::vector<std::string_view>& lines() {
  static const std::vector<std::string_view> all = [] {
    std::string_view text = embedded_classifiers[0].text;
    if (text.ends_with('\n')) text.remove_suffix(1);
    return split(text, '\n');
  }();
  return all;
}

// The line of a classifier; "" if PyPI does not know it.
std::string_view line_of(std::string_view text) {
  const auto first = lines().begin() + 1, end = lines().end();
  const auto at = std::ranges::lower_bound(first, end, text, {}, name_of);
  return at != end && name_of(*at) == text ? *at : std::string_view();
}

}  // namespace

std::string_view classifier_list() { return lines().front(); }

bool is_classifier(std::string_view text) {
  const std::string_view line = line_of(text);
  return !line.empty() && line.find('\t') == line.npos;
}

std::optional<DeprecatedClassifier> deprecated_classifier(std::string_view text) {
  const std::string_view line = line_of(text);
  const std::size_t tab = line.find('\t');
  if (tab == line.npos) return std::nullopt;
  return DeprecatedClassifier{line.substr(0, tab), line.substr(tab + 1)};
}

}  // namespace wheelcheck::wheel
