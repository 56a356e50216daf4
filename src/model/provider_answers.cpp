// Compares the imports of a wheel with the libraries of other distributions: does each provider wheel define the
// symbols and version nodes that the wheel imports? See ProviderAnswer in interfaces.h.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "base/text.h"
#include "model/each_symbol.h"
#include "model/required_needs.h"
#include "model/requires_dist.h"
#include "wheelcheck/interfaces.h"
#include "wheelcheck/version.h"

namespace wheelcheck {
namespace {

using Missing = ProviderAnswer::Missing;

template <class Visit>
void each_dynamic(const WheelFacts& wheel, Visit visit) {
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    if (is_host_code(wheel.elfs[i]) && wheel.elfs[i].facts.dynamic) visit(ElfIndex{i}, *wheel.elfs[i].facts.dynamic);
}

// The libraries of a wheel by soname, with the version nodes that each defines.
using Libraries = std::map<std::string_view, std::set<std::string_view>>;
Libraries libraries_of(const WheelFacts& wheel) {
  Libraries libraries;
  each_dynamic(wheel, [&](ElfIndex, const DynamicFacts& dynamic) {
    if (!dynamic.soname) return;
    std::set<std::string_view>& nodes = libraries[*dynamic.soname];
    for (const VersionDefinition& node : dynamic.provides) nodes.insert(node.version);
  });
  return libraries;
}

// A mangled name from its first scope on, as in 3c1013MessageLoggerC1EPKcii. "" for other names.
std::string_view first_scope(std::string_view name) {
  if (!name.starts_with("_Z")) return {};
  name.remove_prefix(2);
  for (const std::string_view special : {"TV", "TT", "TI", "TS", "GV"})
    if (name.starts_with(special)) name.remove_prefix(special.size());
  if (name.starts_with("N")) name.remove_prefix(std::min(name.find_first_not_of("rVKRO", 1), name.size()));
  return name;
}

// A name of namespace std or an operator new or delete, as the Itanium C++ ABI mangles it ("Compression"). A provider
// that contains a part of libstdc++ can export it, and an import of a program linked with that provider has no version;
// but the libstdc++ of the system defines it as well.
bool is_cxx_runtime(std::string_view name) {
  static constexpr auto starts =
      std::to_array<std::string_view>({"St", "Sa", "Sb", "Ss", "Si", "So", "Sd", "nw", "na", "dl", "da"});
  return std::ranges::any_of(starts, [&](std::string_view start) { return first_scope(name).starts_with(start); });
}

// The first scope: "c10". "" for other names.
std::string_view scope_of(std::string_view name) {
  name = first_scope(name);
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  std::size_t size = 0;
  std::from_chars(name.data(), name.data() + digits, size);
  return name.substr(digits, size);
}

// The wheels of one distribution, ordered by version, and the sonames of their libraries.
struct ProviderWheels {
  std::vector<std::size_t> wheels;
  std::set<std::string_view> sonames;
};

class Comparison {
 public:
  Comparison(const WheelFacts& wheel, std::span<const WheelFacts> providers) : wheel_(wheel), providers_(providers) {
    own_ = libraries_of(wheel);
    for (const WheelFacts& provider : providers) libraries_.push_back(libraries_of(provider));
  }

  std::vector<ProviderAnswer> answers(const std::string& name, const ProviderWheels& distribution) {
    const auto wanted = imports(distribution);
    std::vector<std::set<std::string_view>> defined;
    std::set<std::string_view> any;
    std::map<std::string_view, std::size_t> scopes;  // the number of exports by namespace
    for (const auto& [symbol, file] : wanted) scopes.try_emplace(scope_of(symbol));
    for (const std::size_t index : distribution.wheels) {
      std::set<std::string_view>& names = defined.emplace_back();
      each_dynamic(providers_[index], [&](ElfIndex, const DynamicFacts& dynamic) {
        each_symbol(dynamic.exports, [&](const Export& symbol) {
          if (wanted.contains(symbol.name)) names.insert(symbol.name);
          if (const auto at = scopes.find(scope_of(symbol.name)); at != scopes.end()) ++at->second;
        });
      });
      any.insert(names.begin(), names.end());
    }
    for (const auto& [symbol, file] : wanted)
      if (const std::string_view scope = scope_of(symbol); !scope.empty() && scopes[scope] >= own_namespace)
        any.insert(symbol);
    for (std::size_t other = 0; other < providers_.size(); ++other)
      if (!contains(distribution.wheels, other))
        each_dynamic(providers_[other], [&](ElfIndex, const DynamicFacts& dynamic) {
          each_symbol(dynamic.exports, [&](const Export& symbol) { any.erase(symbol.name); });
        });
    std::vector<ProviderAnswer> list;
    for (std::size_t i = 0; i < distribution.wheels.size(); ++i) {
      const std::size_t index = distribution.wheels[i];
      ProviderAnswer answer{index, name, providers_[index].name.version, missing_nodes(index)};
      for (const std::string_view symbol : any)
        if (!defined[i].contains(symbol)) answer.missing.push_back({wanted.at(symbol), "", std::string(symbol)});
      std::ranges::sort(answer.missing, {},
                        [](const Missing& one) { return std::tie(one.file, one.library, one.name); });
      list.push_back(std::move(answer));
    }
    return list;
  }

 private:
  static constexpr std::size_t own_namespace = 20;  // with fewer, the names are templates of another library

  // The symbols that files with a DT_NEEDED of the distribution import, and that no file of the wheel defines. Each has
  // the first such file.
  std::map<std::string_view, ElfIndex> imports(const ProviderWheels& distribution) const {
    std::map<std::string_view, ElfIndex> wanted;
    each_dynamic(wheel_, [&](ElfIndex index, const DynamicFacts& dynamic) {
      if (std::ranges::none_of(dynamic.needed, [&](auto name) { return distribution.sonames.contains(name); })) return;
      each_symbol(dynamic.imports, [&](const Import& import) {
        if (import.weak || import.bound == Bound::Never || (!import.need && is_cxx_runtime(import.name))) return;
        if (import.need && !distribution.sonames.contains(dynamic.needs[(*import.need).value].library)) return;
        wanted.try_emplace(import.name, index);
      });
    });
    each_dynamic(wheel_, [&](ElfIndex, const DynamicFacts& dynamic) {
      each_symbol(dynamic.exports, [&](const Export& symbol) { wanted.erase(symbol.name); });
    });
    return wanted;
  }

  // The loader refuses a file if a version that it needs is not defined (glibc elf/dl-version.c).
  std::vector<Missing> missing_nodes(std::size_t provider) const {
    std::vector<Missing> missing;
    std::set<std::pair<std::string_view, std::string_view>> seen;
    each_dynamic(wheel_, [&](ElfIndex index, const DynamicFacts& dynamic) {
      const std::vector<bool> required = required_needs(dynamic);
      for (std::size_t i = 0; i < dynamic.needs.size(); ++i) {
        const VersionNeed& need = dynamic.needs[i];
        const auto library = libraries_[provider].find(need.library);
        if (!required[i] || own_.contains(need.library) || library == libraries_[provider].end()) continue;
        // glibc accepts a library without any version definitions.
        if (library->second.empty() || library->second.contains(need.version)) continue;
        if (seen.emplace(need.library, need.version).second)
          missing.push_back({index, std::string(need.library), std::string(need.version)});
      }
    });
    return missing;
  }

  const WheelFacts& wheel_;
  std::span<const WheelFacts> providers_;
  Libraries own_;
  std::vector<Libraries> libraries_;
};

}  // namespace

std::vector<ProviderAnswer> provider_answers(const WheelFacts& wheel, std::span<const WheelFacts> providers) {
  if (providers.empty()) return {};
  std::map<std::string, ProviderWheels> distributions;
  for (std::size_t i = 0; i < providers.size(); ++i) {
    ProviderWheels& distribution = distributions[normal_project_name(providers[i].name.distribution)];
    distribution.wheels.push_back(i);
    each_dynamic(providers[i], [&](ElfIndex, const DynamicFacts& dynamic) {
      if (dynamic.soname) distribution.sonames.insert(*dynamic.soname);
    });
  }
  Comparison comparison(wheel, providers);
  std::vector<ProviderAnswer> all;
  for (auto& [name, distribution] : distributions) {
    std::ranges::stable_sort(distribution.wheels, [&](std::size_t a, std::size_t b) {
      return natural_order(providers[a].name.version, providers[b].name.version) < 0;
    });
    std::ranges::move(comparison.answers(name, distribution), std::back_inserter(all));
  }
  return all;
}

}  // namespace wheelcheck
