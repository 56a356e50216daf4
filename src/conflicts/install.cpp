// Places several distributions in one site-packages, and checks whether they fit together and for which Python.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text.h"
#include "conflicts/find.h"
#include "model/machines.h"
#include "model/python_tag.h"
#include "wheelcheck/version.h"

namespace wheelcheck::conflicts {

namespace {

// One virtual environment for all distributions, whatever Python version the paths of a wheel contain.
constexpr std::string_view prefix = "/venv/", site_packages = "/venv/lib/python3/site-packages";

std::string path_in_process(std::string_view installed) {
  constexpr std::string_view mark = "/site-packages/";
  const std::size_t at = installed.find(mark);
  const bool is_library = installed.starts_with("lib/") && at != installed.npos && installed.find('/', 4) == at;
  if (!is_library) return std::string(prefix) + std::string(installed);
  return std::string(site_packages) + '/' + std::string(installed.substr(at + mark.size()));
}

// The file that determines the machine of the process: the first extension module, or else the first host code.
const ElfFacts* model_of(const std::vector<Distribution>& distributions) {
  const ElfFacts* first = nullptr;
  for (const Distribution& distribution : distributions) {
    for (const ElfMember& file : distribution.facts.elfs) {
      if (!is_host_code(file)) continue;
      if (std::holds_alternative<ExtensionModule>(file.role)) return &file.facts;
      if (first == nullptr) first = &file.facts;
    }
  }
  return first;
}

void place_distributions(Installation& out) {
  const ElfFacts* const model = model_of(out.distributions);
  std::set<std::string> taken;
  out.objects.resize(out.distributions.size());
  for (std::uint32_t p = 0; p < out.distributions.size(); ++p) {
    const std::vector<ElfMember>& elfs = out.distributions[p].facts.elfs;
    out.objects[p].resize(elfs.size());
    for (std::uint32_t e = 0; e < elfs.size(); ++e) {
      if (!is_host_code(elfs[e]) || !is_same_machine(elfs[e].facts, *model)) continue;
      std::string path = path_in_process(elfs[e].installed);
      if (!taken.insert(path).second) continue;
      out.objects[p][e] = process::ObjectIndex{static_cast<std::uint32_t>(out.world.files.size())};
      out.world.files.push_back({.path = std::move(path), .facts = &elfs[e].facts});
      out.origins.push_back({.kind = Origin::Kind::Distribution, .distribution = {p}, .elf = {e}});
    }
  }
}

std::string shown_name(const Installation& installation, std::uint32_t object) {
  const std::string& path = installation.world.files[object].path;
  const std::string base = path.substr(path.rfind('/') + 1);
  if (object == installation.main.value) return "<main>";
  if (installation.origins[object].kind == Origin::Kind::Interpreter) return "<libpython>";
  if (path.starts_with(installation.site_packages + '/')) return path.substr(installation.site_packages.size() + 1);
  if (path.starts_with(prefix)) return path.substr(prefix.size());
  return base;
}

// The newest version of each family that files of the distributions require of a library of the reference, and that its
// release does not define (File::reference).
std::vector<std::string_view> newer_versions(const Installation& all) {
  std::map<std::string_view, std::set<std::string_view>> known;  // versions of each library of the reference
  for (const process::File& file : all.world.files)
    if (file.reference && file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname)
      for (const VersionDefinition& defined : file.facts->dynamic->provides)
        known[*file.facts->dynamic->soname].insert(defined.version);
  std::map<std::string_view, std::string_view> newest;  // by family
  for (const Distribution& distribution : all.distributions)
    for (const ElfMember& elf : distribution.facts.elfs) {
      if (!elf.facts.dynamic || !is_host_code(elf)) continue;
      for (const VersionNeed& need : elf.facts.dynamic->needs) {
        const auto library = known.find(need.library);
        if (need.weak || library == known.end() || library->second.contains(need.version)) continue;
        std::string_view& one = newest[need.version.substr(0, need.version.find('_'))];
        if (natural_order(need.version, one) > 0) one = need.version;
      }
    }
  std::vector<std::string_view> out;
  for (const auto& [family, version] : newest) out.push_back(version);
  return out;
}

}  // namespace

Result<Installation> install(std::vector<Distribution> distributions, const RuntimeInput& around) {
  Installation out;
  out.distributions = std::move(distributions);
  out.site_packages = site_packages;
  place_distributions(out);
  RuntimeInput of_these = around;
  of_these.pythons = pythons_of(out.distributions);
  auto runtime = add_runtime(out.world, of_these);
  if (!runtime) return std::unexpected(std::move(runtime.error()));
  out.main = runtime->main;
  out.facts = std::move(runtime->facts);
  out.description = std::move(runtime->description);
  if (const std::vector<std::string_view> newer = newer_versions(out); !newer.empty())
    out.description += fmt::format(", as if it had {}", fmt::join(newer, ", "));
  std::ranges::move(runtime->origins, std::back_inserter(out.origins));
  for (std::uint32_t i = 0; i < out.world.files.size(); ++i) out.names.push_back(shown_name(out, i));
  return out;
}

namespace {

std::string shown(const WheelFacts& wheel) { return escape(wheel.file); }

bool is_for_linux(const WheelFacts& wheel) {
  using Family = PlatformTag::Family;
  return wheel.name.platforms.empty() || std::ranges::any_of(wheel.name.platforms, [](const PlatformTag& tag) {
           return tag.family != Family::Other && tag.family != Family::Android;
         });
}

std::set<Arch> machines_of(const WheelFacts& wheel) {
  std::set<Arch> out;
  for (const PlatformTag& tag : wheel.name.platforms)
    if (tag.arch != Arch::Other) out.insert(tag.arch);
  if (!out.empty()) return out;
  for (const ElfMember& file : wheel.elfs)
    if (std::holds_alternative<ExtensionModule>(file.role)) out.insert(file.facts.arch);
  return out;
}

std::set<Libc> libcs_of(const WheelFacts& wheel) {
  std::set<Libc> out;
  for (const PlatformTag& tag : wheel.name.platforms) {
    if (tag.family == PlatformTag::Family::Manylinux) out.insert(Libc::Glibc);
    if (tag.family == PlatformTag::Family::Musllinux) out.insert(Libc::Musl);
  }
  if (!out.empty()) return out;
  for (const ElfMember& file : wheel.elfs)
    if (std::holds_alternative<ExtensionModule>(file.role) && file.libc != Libc::None) out.insert(file.libc);
  return out;
}

// The intersection of the sets of all wheels. It must not be empty; a wheel with an empty set is compatible with all.
template <class Value, class Of>
Result<std::set<Value>> common(std::span<const WheelFacts> wheels, std::string_view what, const Of& of) {
  std::set<Value> both;
  const WheelFacts* first = nullptr;
  for (const WheelFacts& wheel : wheels) {
    const std::set<Value> own = of(wheel);
    if (own.empty()) continue;
    if (first == nullptr) {
      first = &wheel;
      both = own;
      continue;
    }
    std::set<Value> rest;
    std::ranges::set_intersection(both, own, std::inserter(rest, rest.end()));
    if (rest.empty())
      return fail(ErrorCode::Usage, "{} is for {} and {} for {}: no process loads both ({})", shown(*first),
                  name_of(*both.begin()), shown(wheel), name_of(*own.begin()), what);
    both = std::move(rest);
  }
  return both;
}

}  // namespace

Result<Libc> can_share_a_process(std::span<const WheelFacts> wheels) {
  for (const WheelFacts& wheel : wheels)
    if (is_for_python2_alone(wheel.name))
      return fail(ErrorCode::Usage, "{} is for Python 2 alone, which is not modelled", shown(wheel));
  for (const WheelFacts& wheel : wheels)
    if (!is_for_linux(wheel))
      return fail(ErrorCode::Usage, "{} is not a wheel for Linux ({}): its loader is not modelled", shown(wheel),
                  escape(wheel.name.platforms.front().text));
  if (auto machines = common<Arch>(wheels, "different machines", machines_of); !machines)
    return std::unexpected(std::move(machines.error()));
  const auto libcs = common<Libc>(wheels, "different C libraries", libcs_of);
  if (!libcs) return std::unexpected(libcs.error());
  if (libcs->empty() || libcs->contains(Libc::Glibc)) return Libc::Glibc;
  if (libcs->contains(Libc::Musl)) return Libc::Musl;
  return fail(ErrorCode::Usage, "these wheels are for {}, whose loader is not modelled", name_of(*libcs->begin()));
}

PythonReleases pythons_of(const WheelName& name) {
  PythonReleases all{.oldest = PythonReleases::any, .newest = 0};
  for (const std::string& tag : name.python) {
    const auto minor = cpython3_tag(tag);
    if (!minor) return {};
    all.oldest = std::min(all.oldest, *minor);
    all.newest = std::max(all.newest, *minor);
  }
  if (name.python.empty()) return {};
  if (has_abi(name, "abi3") || has_abi(name, "abi3t")) all.newest = PythonReleases::any;
  return all;
}

PythonReleases pythons_of(std::span<const Distribution> distributions) {
  PythonReleases all;
  for (const Distribution& distribution : distributions) {
    const PythonReleases one = pythons_of(distribution.facts.name);
    all.oldest = std::max(all.oldest, one.oldest);
    all.newest = std::min(all.newest, one.newest);
  }
  all.newest = std::max(all.newest, all.oldest);
  return all;
}

}  // namespace wheelcheck::conflicts
