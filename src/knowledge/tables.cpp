#include "knowledge/tables.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "knowledge/fields.h"

namespace wheelcheck::knowledge {
namespace {

// The entries of both, by name; of two of one name the later.
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
  read.owners = {document, problem.lines};
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
  if (!holds_one) root.fail("holds none of libraries, gpu, distributions, stable_abi, remedies, systems; add one");
  if (!problem.empty()) return std::unexpected(problem.error());
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

}  // namespace wheelcheck::knowledge
