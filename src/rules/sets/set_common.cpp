#include "rules/sets/set_common.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/requirements.h"

namespace wheelcheck::rules {

std::string name_of(const Installation& installation, const std::optional<PartyIndex>& party) {
  if (!party) return "the standard library";
  return name_of_distribution(installation.parties[party->value].facts);
}

std::string_view file_name(const Installation& installation, process::ObjectIndex object) {
  return installation.names[object.value];
}

std::string order_of(const Conflicts& conflicts, std::uint32_t load_plan) {
  std::string out;
  for (const PartyIndex party : conflicts.load_plans[load_plan].order)
    out += (out.empty() ? "" : ", then ") + name_of(conflicts.installation, party);
  return out;
}

void add_orders(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                std::vector<Evidence>& evidence) {
  std::vector<std::string> with, without;
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    (std::ranges::binary_search(load_plans, i) ? with : without).push_back(order_of(conflicts, i));
  for (const std::string& order : with) evidence.push_back({"import order", order});
  for (const std::string& order : without) evidence.push_back({"not with", order});
}

std::optional<std::string> safe_order(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans) {
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    if (!std::ranges::binary_search(load_plans, i)) return order_of(conflicts, i);
  return std::nullopt;
}

std::string shown(const LibraryInside& library) {
  return library.version ? fmt::format("{} {}", library.name, *library.version)
                         : fmt::format("{} (version unknown)", library.name);
}

std::string shown(const Installation& installation, const FlagSource& source) {
  if (source.by == FlagSource::By::CommandLine) return source.text;
  const WheelFacts& facts = installation.parties[source.party.value].facts;
  std::string out;
  if (source.file)
    out = fmt::format("{}:{}, {}: ", facts.members[source.file->value].path.text(), source.line, name_of(source.reach));
  return out + source.text;
}

}  // namespace wheelcheck::rules
