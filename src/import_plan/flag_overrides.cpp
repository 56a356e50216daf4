// Parses --global and --dlopen-flags.
#include "import_plan/flag_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "import_plan/distribution_files.h"
#include "model/requires_dist.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

// Matches a wheel by file name, by distribution name, or by the beginning of the latter.
bool names_distribution(std::string_view option, const Distribution& distribution) {
  if (glob_match(option, distribution.facts.file)) return true;
  const std::string name = normal_project_name(distribution.facts.name.distribution);
  const std::string orders = normal_project_name(option);
  return !orders.empty() && (glob_match(orders, name) || name.starts_with(orders));
}

// Matches the whole path or its last parts: "_ext*.so" matches in every directory.
bool names_file(std::string_view option, std::string_view path) {
  if (glob_match(option, path)) return true;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
    if (glob_match(option, path.substr(at + 1))) return true;
  return false;
}

// The Levenshtein distance of two short names, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (to_lower(a[i]) == to_lower(b[j]) ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j + 1] + 1, row[j] + 1}));
    }
  }
  return row.back();
}

}  // namespace

process::OpenFlags flags_of_bits(std::uint32_t bits) {
  return {.lazy = (bits & rtld_lazy) != 0,  // also with RTLD_NOW (glibc elf/dl-open.c)
          .global = (bits & rtld_global) != 0,
          .deepbind = (bits & rtld_deepbind) != 0,
          .noload = (bits & rtld_noload) != 0,
          .nodelete = (bits & rtld_nodelete) != 0};
}

std::string near_names(std::string_view orders, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 200, shown = 3;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  orders = orders.substr(0, longest);
  for (const std::string& name : names) {
    if (name.size() > longest) continue;
    const bool inside = !orders.empty() && name.find(orders) != name.npos;
    const std::size_t apart = inside ? 0 : distance(orders, name);
    if (apart <= 1 + orders.size() / 3) near.emplace_back(apart, name);
  }
  std::ranges::sort(near);
  const auto [last, end] = std::ranges::unique(near);
  near.erase(last, end);
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, near.size()); ++i) list += (i > 0 ? ", " : "") + escape(near[i].second);
  return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

Result<void> DlopenFlagOverrides::add(const Installation& installation, const std::string& option) {
  const auto usage = [&](std::string text) {
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("--global {}: {}", escape(option), text)});
  };
  const std::size_t colons = option.find("::");
  if (colons == 0 || colons == option.npos || colons + 2 == option.size()) return usage("write WHEEL::MEMBER");
  const std::string_view wheel = std::string_view(option).substr(0, colons);
  const std::string_view member = std::string_view(option).substr(colons + 2);
  std::vector<std::string> distributions, paths;
  bool any_distribution = false, any_file = false;
  for (std::uint32_t p = 0; p < installation.distributions.size(); ++p) {
    const Distribution& distribution = installation.distributions[p];
    distributions.push_back(normal_project_name(distribution.facts.name.distribution));
    if (!names_distribution(wheel, distribution)) continue;
    any_distribution = true;
    for (std::uint32_t e = 0; e < distribution.facts.elfs.size(); ++e) {
      if (!installation.objects[p][e] || std::holds_alternative<Program>(distribution.facts.elfs[e].role)) continue;
      const std::string& path = path_of(distribution, ElfIndex{e});
      paths.push_back(path);
      if (!names_file(member, path)) continue;
      any_file = true;
      const FlagSource source{.by = FlagSource::By::CommandLine,
                              .distribution = DistributionIndex{p},
                              .text = "--global " + option,
                              .reach = Reach::Certain};
      global_[p].try_emplace(ElfIndex{e}, source);
    }
  }
  if (!any_distribution)
    return usage(fmt::format("no distribution is called {}{}", escape(wheel), near_names(wheel, distributions)));
  if (!any_file)
    return usage(fmt::format("no library is called {} there{}", escape(member), near_names(member, paths)));
  return {};
}

Result<DlopenFlagOverrides> DlopenFlagOverrides::read(const Installation& installation,
                                                      const LoadPlanOptions& options) {
  DlopenFlagOverrides overrides;
  overrides.global_.resize(installation.distributions.size());
  if (options.dlopen_flags) {
    if ((*options.dlopen_flags & (rtld_lazy | rtld_now)) == 0) {
      return std::unexpected(
          Error{ErrorCode::Usage, fmt::format("--dlopen-flags {:#x}: dlopen wants RTLD_NOW (2) or RTLD_LAZY (1) there",
                                              *options.dlopen_flags)});
    }
    overrides.bits_ = *options.dlopen_flags;
    overrides.every_import_ = FlagSource{.by = FlagSource::By::CommandLine,
                                         .text = fmt::format("--dlopen-flags {:#x}", *options.dlopen_flags),
                                         .reach = Reach::Certain};
  }
  for (const std::string& option : options.global)
    if (Result<void> added = overrides.add(installation, option); !added) return std::unexpected(added.error());
  return overrides;
}

const FlagSource* DlopenFlagOverrides::global(DistributionIndex distribution, ElfIndex elf) const {
  const auto at = global_[distribution.value].find(elf);
  return at == global_[distribution.value].end() ? nullptr : &at->second;
}

}  // namespace wheelcheck::import_plan
