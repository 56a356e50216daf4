// Reads and merges tables. The readers of three small tables follow at the end.
#include "knowledge/tables.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "knowledge/fields.h"

namespace wheelcheck::knowledge {
namespace {

// The entries of both lists, sorted by name. Of two with the same name, the later one is used.
template <class Entry, class Name>
std::vector<Entry> joined(std::vector<Entry> entries, std::vector<Entry> more, Name Entry::* name) {
  std::ranges::sort(more, {}, name);
  std::erase_if(entries, [&](const Entry& entry) { return std::ranges::binary_search(more, entry.*name, {}, name); });
  const auto old = static_cast<std::ptrdiff_t>(entries.size());
  std::ranges::move(more, std::back_inserter(entries));
  std::ranges::inplace_merge(entries, entries.begin() + old, {}, name);
  return entries;
}

}  // namespace

Result<Knowledge> read_tables(std::string_view text, std::string_view file) {
  FirstProblem problem(file);
  const std::shared_ptr<const nlohmann::json> document = parse_table(text, problem);
  if (!document) return std::unexpected(problem.error());
  const Field root(*document, problem);
  Knowledge read;
  bool holds_one = false;
  const auto take = [&](std::string_view key, auto read_table) {
    const std::optional<Field> table = root.find(key);
    if (!table) return;
    holds_one = true;
    read_table(*table);
  };
  root.object({}, {"$schema", "$comment", "libraries", "gpu", "distributions", "stable_abi", "remedies", "systems"});
  take("libraries", [&](const Field& table) { read.libraries = libraries_of(table); });
  take("gpu", [&](const Field& table) { read.gpu = gpu_of(table); });
  take("distributions", [&](const Field& table) { read.distributions = distributions_of(table); });
  take("stable_abi", [&](const Field& table) { read.stable_abi = stable_abi_of(table); });
  take("remedies", [&](const Field& table) { read.remedies = remedies_of(table); });
  take("systems", [](const Field& table) { systems_of(table); });
  if (!holds_one) root.fail("contains none of libraries, gpu, distributions, stable_abi, remedies, systems; add one");
  if (!problem.empty()) return std::unexpected(problem.error());
  read.owners = problem.take_lists();
  read.owners.push_back(document);
  return merged({}, std::move(read));
}

Knowledge merged(Knowledge knowledge, Knowledge more) {
  std::ranges::move(more.owners, std::back_inserter(knowledge.owners));
  return {joined(std::move(knowledge.libraries), std::move(more.libraries), &KnownLibrary::id),
          joined(std::move(knowledge.gpu), std::move(more.gpu), &KnownGpuLibrary::stem),
          joined(std::move(knowledge.distributions), std::move(more.distributions), &KnownDistribution::name),
          joined(std::move(knowledge.stable_abi), std::move(more.stable_abi), &StableSymbol::name),
          joined(std::move(knowledge.remedies), std::move(more.remedies), &KnownRemedy::name),
          std::move(knowledge.owners)};
}

Result<std::vector<KnownSystem>> read_systems(std::string_view text, std::string_view file) {
  FirstProblem problem(file);
  const std::shared_ptr<const nlohmann::json> document = parse_table(text, problem);
  if (!document) return std::unexpected(problem.error());
  const std::optional<Field> table = Field(*document, problem).find("systems");
  std::vector<KnownSystem> systems = table ? systems_of(*table) : std::vector<KnownSystem>();
  if (!problem.empty()) return std::unexpected(problem.error());
  return merged(std::vector<KnownSystem>(), std::move(systems));
}

std::vector<KnownSystem> merged(std::vector<KnownSystem> systems, std::vector<KnownSystem> more) {
  return joined(std::move(systems), std::move(more), &KnownSystem::id);
}

// --- data/distributions.json: distributions whose wheels contain libraries for other wheels to link ---------------
std::span<const DroppedRequirement> dropped_of(const Field& field) {
  std::vector<DroppedRequirement> result;
  for (const Field& each : field.items()) {
    if (!each.object({"pattern", "since", "python"}, {})) break;
    result.push_back({each.find("pattern")->text(is_plain, plain_words),
                      each.find("since")->text(is_plain, plain_words),
                      each.find("python")->text(is_plain, plain_words)});
  }
  return field.keep(std::move(result));
}

std::vector<KnownDistribution> distributions_of(const Field& table) {
  std::vector<KnownDistribution> result;
  for (const Field& field : table.items("name")) {
    if (!field.object({"name", "sonames"}, {"brings", "alternatives", "dropped"})) break;
    KnownDistribution& one = result.emplace_back();
    one.name = field.find("name")->text(is_distribution, distribution_words);
    one.sonames = field.find("sonames")->list(is_plain, plain_words);
    if (const auto brings = field.find("brings")) one.brings = brings->list(is_plain, plain_words);
    if (const auto other = field.find("alternatives")) one.alternatives = other->list(is_plain, plain_words);
    if (const auto dropped = field.find("dropped")) one.dropped = dropped_of(*dropped);
  }
  return result;
}

// --- data/remedies.json: how to avoid symbols and version nodes that prevent compatibility with older tags --------

namespace {

TextSpan patterns_of(const Field& remedy, std::string_view key) {
  const auto list = remedy.find(key);
  if (!list) return {};
  const TextSpan result = list->list(is_plain, plain_words);
  if (result.empty()) list->fail("is empty; leave it out, or write a pattern");
  return result;
}

}  // namespace

std::vector<KnownRemedy> remedies_of(const Field& table) {
  std::vector<KnownRemedy> result;
  for (const Field& field : table.items("name")) {
    if (!field.object({"name", "advice", "source"}, {"symbols", "nodes", "libraries"})) break;
    KnownRemedy& one = result.emplace_back();
    one.name = field.find("name")->text(is_plain, plain_words);
    one.symbols = patterns_of(field, "symbols");
    one.nodes = patterns_of(field, "nodes");
    one.libraries = patterns_of(field, "libraries");
    one.advice = field.find("advice")->text(is_plain, plain_words);
    one.source = field.find("source")->text(is_plain, plain_words);
    if (one.symbols.empty() && one.nodes.empty()) field.fail("has neither \"symbols\" nor \"nodes\"; add one");
  }
  return result;
}

// --- data/stable_abi.json: names of the stable ABI of CPython -----------------------------------------------------

namespace {

// "3.7", "3.2 abi_only"
bool parse_entry(std::string_view text, StableSymbol& into) {
  static constexpr std::string_view mark = " abi_only", major = "3.";
  into.abi_only = text.ends_with(mark);
  if (into.abi_only) text.remove_suffix(mark.size());
  std::uint64_t minor = 0;
  if (!text.starts_with(major) || text.size() > 5 || !parse_number(text.substr(major.size()), minor)) return false;
  into.minor = static_cast<std::uint16_t>(minor);
  return true;
}

bool is_entry(std::string_view text) {
  StableSymbol symbol;
  return parse_entry(text, symbol);
}

bool is_python_name(std::string_view name) {
  const auto fits = [](char c) { return is_alnum(c) || c == '_'; };
  return (name.starts_with("Py") || name.starts_with("_Py")) && std::ranges::all_of(name, fits);
}

}  // namespace

std::vector<StableSymbol> stable_abi_of(const Field& table) {
  std::vector<StableSymbol> result;
  for (const auto& [name, value] : table.members()) {
    if (!is_python_name(name)) value.fail("is not a name of Python's: Py... or _Py...");
    StableSymbol& symbol = result.emplace_back();
    symbol.name = name;
    parse_entry(value.text(is_entry, "3.N or 3.N abi_only"), symbol);
  }
  return result;
}

}  // namespace wheelcheck::knowledge
