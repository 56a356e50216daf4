#include "remediation/advice.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/pattern.h"
#include "base/text.h"
#include "model/machines.h"

namespace wheelcheck {
namespace {

// How specifically a list matches a text: 0 for an empty list, else 1 plus the length of the literal prefix of the best
// matching pattern. nullopt if no pattern matches.
std::optional<std::size_t> weight(TextSpan patterns, std::string_view text) {
  if (patterns.empty()) return 0;
  std::optional<std::size_t> best;
  for (const std::string_view pattern : patterns)
    if (glob_match(pattern, text)) best = std::max(best.value_or(0), 1 + literal_prefix(pattern).size());
  return best;
}

}  // namespace

const KnownRemedy* find_remedy(const Knowledge& knowledge, std::string_view library, std::string_view node,
                               std::string_view symbol) {
  const KnownRemedy* found = nullptr;
  std::pair<std::size_t, std::size_t> max;
  for (const KnownRemedy& remedy : knowledge.remedies) {
    const auto of_symbol = weight(remedy.symbols, symbol), of_node = weight(remedy.nodes, node);
    if (!of_symbol || !of_node || !weight(remedy.libraries, library)) continue;
    const std::pair says(*of_symbol, *of_node);
    if (found != nullptr && says <= max) continue;
    found = &remedy;
    max = says;
  }
  return found;
}

namespace remediation {
namespace {

std::string filled(std::string text, std::string_view mark, std::string_view with) {
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
  return text;
}

struct Words {
  std::string operator()(const LibraryRequirement&) const {
    return "cannot be fixed by avoiding symbols: bundle it, as auditwheel repair does, link it statically, or do "
           "without it";
  }
  std::string operator()(const IsaRequirement&) const {
    return "compile for the baseline: without -march of a newer level";
  }
  std::string operator()(const MachineRequirement&) const { return "leave the file out, or claim its machine"; }
  std::string operator()(const InterpreterRequirement&) const { return "build with another interpreter"; }
  std::string operator()(const MissingVersionRequirement&) const {
    return "bundle the library that the file was linked with";
  }
  std::string operator()(const auto&) const { return ""; }
};

}  // namespace

Advice advice_for(const Case& requested, const Knowledge& knowledge) {
  const KnownRemedy* const remedy = find_remedy(knowledge, requested.library, requested.node, requested.symbol);
  if (remedy != nullptr)
    return {filled(std::string(remedy->advice), "{base}", machine_of(requested.arch).first_glibc_node), true};
  return {"no way round it is known: build on a system as old as the tag, as the manylinux and musllinux images are",
          false};
}

std::string told_of(std::string advice, const std::vector<RemovedSymbol>& symbols) {
  constexpr std::string_view mark = "{symbol}";
  if (advice.find(mark) == advice.npos) return advice;
  const std::string told = filled(std::move(advice), mark, symbols.front().name);
  return symbols.size() == 1 ? told : told + "; likewise the others";
}

std::string advice_for(const Requirement& other) { return std::visit(Words{}, other.what); }

}  // namespace remediation
}  // namespace wheelcheck
