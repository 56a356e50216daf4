// Parses --global and --dlopen-flags.
#include "import_plan/flag_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "import_plan/party_files.h"
#include "model/requires_dist.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

// Matches a wheel by file name, by distribution name, or by the beginning of the latter.
bool names_party(std::string_view wish, const Party& party) {
  if (glob_match(wish, party.facts.file)) return true;
  const std::string name = normal_project_name(party.facts.name.distribution);
  const std::string wanted = normal_project_name(wish);
  return !wanted.empty() && (glob_match(wanted, name) || name.starts_with(wanted));
}

// Matches the whole path or its last parts: "_ext*.so" matches in every directory.
bool names_file(std::string_view wish, std::string_view path) {
  if (glob_match(wish, path)) return true;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
    if (glob_match(wish, path.substr(at + 1))) return true;
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

std::string near_names(std::string_view wanted, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 200, shown = 3;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  wanted = wanted.substr(0, longest);
  for (const std::string& name : names) {
    if (name.size() > longest) continue;
    const bool inside = !wanted.empty() && name.find(wanted) != name.npos;
    const std::size_t apart = inside ? 0 : distance(wanted, name);
    if (apart <= 1 + wanted.size() / 3) near.emplace_back(apart, name);
  }
  std::ranges::sort(near);
  const auto [last, end] = std::ranges::unique(near);
  near.erase(last, end);
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, near.size()); ++i) list += (i > 0 ? ", " : "") + escape(near[i].second);
  return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

Result<void> DlopenFlagOverrides::add(const Installation& installation, const std::string& wish) {
  const auto usage = [&](std::string text) {
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("--global {}: {}", escape(wish), text)});
  };
  const std::size_t colons = wish.find("::");
  if (colons == 0 || colons == wish.npos || colons + 2 == wish.size()) return usage("write WHEEL::MEMBER");
  const std::string_view wheel = std::string_view(wish).substr(0, colons);
  const std::string_view member = std::string_view(wish).substr(colons + 2);
  std::vector<std::string> parties, paths;
  bool any_party = false, any_file = false;
  for (std::uint32_t p = 0; p < installation.parties.size(); ++p) {
    const Party& party = installation.parties[p];
    parties.push_back(normal_project_name(party.facts.name.distribution));
    if (!names_party(wheel, party)) continue;
    any_party = true;
    for (std::uint32_t e = 0; e < party.facts.elfs.size(); ++e) {
      if (!installation.objects[p][e] || std::holds_alternative<Program>(party.facts.elfs[e].role)) continue;
      const std::string& path = path_of(party, ElfIndex{e});
      paths.push_back(path);
      if (!names_file(member, path)) continue;
      any_file = true;
      const FlagSource source{.by = FlagSource::By::CommandLine,
                              .party = PartyIndex{p},
                              .text = "--global " + wish,
                              .reach = Reach::Certain};
      global_[p].try_emplace(ElfIndex{e}, source);
    }
  }
  if (!any_party)
    return usage(fmt::format("no distribution is called {}{}", escape(wheel), near_names(wheel, parties)));
  if (!any_file)
    return usage(fmt::format("no library is called {} there{}", escape(member), near_names(member, paths)));
  return {};
}

Result<DlopenFlagOverrides> DlopenFlagOverrides::read(const Installation& installation,
                                                      const LoadPlanOptions& options) {
  DlopenFlagOverrides wishes;
  wishes.global_.resize(installation.parties.size());
  if (options.dlopen_flags) {
    if ((*options.dlopen_flags & (rtld_lazy | rtld_now)) == 0) {
      return std::unexpected(
          Error{ErrorCode::Usage, fmt::format("--dlopen-flags {:#x}: dlopen wants RTLD_NOW (2) or RTLD_LAZY (1) there",
                                              *options.dlopen_flags)});
    }
    wishes.bits_ = *options.dlopen_flags;
    wishes.every_import_ = FlagSource{.by = FlagSource::By::CommandLine,
                                      .text = fmt::format("--dlopen-flags {:#x}", *options.dlopen_flags),
                                      .reach = Reach::Certain};
  }
  for (const std::string& wish : options.global)
    if (Result<void> added = wishes.add(installation, wish); !added) return std::unexpected(added.error());
  return wishes;
}

const FlagSource* DlopenFlagOverrides::global(PartyIndex party, ElfIndex elf) const {
  const auto at = global_[party.value].find(elf);
  return at == global_[party.value].end() ? nullptr : &at->second;
}

}  // namespace wheelcheck::import_plan
