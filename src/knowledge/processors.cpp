// Reads data/processors.txt.
#include "wheelcheck/processors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_processors[];  // data/processors.txt

namespace {

const KnownProcessor* find(std::span<const KnownProcessor> all, std::string_view name) {
  const auto at = std::ranges::find_if(
      all, [&](const KnownProcessor& one) { return std::ranges::find(one.names, name) != one.names.end(); });
  return at == all.end() ? nullptr : &*at;
}

std::vector<KnownProcessor> read_processors(std::string_view text) {
  std::vector<KnownProcessor> all;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> columns = split(line, '\t');
    KnownProcessor one;
    if (const KnownProcessor* const base = find(all, columns.at(1)))
      one = *base;
    else
      one.arch = arch_from_name(columns[1]).value();
    one.names.clear();
    for (const std::string_view name : split(columns[0], ' ')) one.names.emplace_back(name);
    for (const std::string_view feature : std::span(columns).subspan(2)) {
      if (feature.ends_with('?'))
        one.options.emplace_back(feature.substr(0, feature.size() - 1));
      else
        one.features.emplace_back(feature);
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Result<std::vector<KnownProcessor>> find_processors(std::span<const std::string> names) {
  if (names.empty()) return {};
  const std::vector<KnownProcessor> all = read_processors(embedded_processors[0].text);
  std::vector<KnownProcessor> found;
  for (const std::string& name : names) {
    const std::string word = lower(name);
    if (const KnownProcessor* const one = find(all, word)) {
      found.push_back(*one);
      found.back().names = {word};
      continue;
    }
    std::vector<std::string> known;
    for (const KnownProcessor& one : all) known.insert(known.end(), one.names.begin(), one.names.end());
    const std::string similar = closest(word, known);
    return std::unexpected(
        Error{ErrorCode::Usage, fmt::format("--cpu {}: no such processor; {}", escape(name),
                                            similar.empty() ? fmt::format("known are {}", join(known, ", "))
                                                            : fmt::format("a similar one is {}", similar))});
  }
  return found;
}

}  // namespace wheelcheck
