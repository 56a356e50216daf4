// Which libraries come with the distributions that METADATA requires. auditwheel knows none of them, so that every
// wheel of a family (torch and nvidia-*, PyQt6 and PyQt6-Qt6) needs a list of --exclude. A distribution counts only if
// pip installs it with the wheel and something shows that it has the library:
//
// - the tables of data/ list the soname, and for CUDA the major version;
// - a search path of the file leads into the directory of a distribution of that name (PyQt6/Qt6/lib, pkg/lib), and the
//   tables do not list what is in it;
// - the library is called like the distribution (librmm.so, librmm-cu12), and Python code of the wheel imports it, or
//   such a path leads out of the wheel.
//
// Runtime libraries of compilers come from no such distribution: every repair tool bundles them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/internal.h"
#include "base/text.h"
#include "model/installed_files.h"
#include "model/installed_with.h"
#include "model/needed_closure.h"
#include "model/requirement.h"
#include "model/search_path.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

constexpr std::string_view of_compilers[] = {"libstdc++.so", "libgcc_s.so",  "libgomp.so",     "libomp.so",
                                             "libiomp5.so",  "libatomic.so", "libgfortran.so", "libquadmath.so"};

class Marker {
 public:
  Marker(const WheelFacts& wheel, const Knowledge& knowledge, Resolution& resolution)
      : wheel_(wheel),
        knowledge_(knowledge),
        resolution_(resolution),
        installed_(wheel.members),
        requirements_(wheel, knowledge.distributions) {}

  void run() {
    std::vector<std::pair<NeededFound*, LibrarySource>> marked;
    for (std::uint32_t i = 0; i < resolution_.needed.size(); ++i) {
      if (!is_host_code(wheel_.elfs[i])) continue;
      for (NeededFound& needed : resolution_.needed[i]) {
        if (needed.found != Found::Outside || needed.unreached || is_libpython(needed.name)) continue;
        if (std::optional<LibrarySource> source = source_of(ElfIndex{i}, needed.name))
          marked.emplace_back(&needed, std::move(*source));
      }
    }
    for (const auto& [needed, source] : marked) {
      LibrarySource& one = sources_.try_emplace({source.kind, source.name}, source).first->second;
      one.libraries.emplace_back(needed->name);
    }
    for (auto& [key, source] : sources_) {
      std::ranges::sort(source.libraries);
      const auto rest = std::ranges::unique(source.libraries);
      source.libraries.erase(rest.begin(), rest.end());
      numbers_.emplace(key, SourceIndex{static_cast<std::uint32_t>(resolution_.sources.size())});
      resolution_.sources.push_back(std::move(source));
    }
    for (const auto& [needed, source] : marked) {
      needed->found = Found::Required;
      needed->source = numbers_.at({source.kind, source.name});
    }
  }

 private:
  using Key = std::pair<LibrarySource::Kind, std::string>;

  std::optional<LibrarySource> source_of(ElfIndex file, std::string_view library) {
    const auto [at, is_new] = known_.try_emplace(library);
    if (is_new) at->second = lookup(library);
    const Known& known = at->second;
    if (known.driver) {
      if (loaded().contains(file)) return std::nullopt;
      return LibrarySource{LibrarySource::Kind::Driver, known.name, {}, {}};
    }
    if (!known.name.empty()) return installed(known.name, known.extras);
    if (known.listed || requirements_.direct().empty()) return std::nullopt;
    const auto directory = foreign_directory(file);
    if (directory)
      if (auto source = unlisted(required_for(*directory))) return source;
    const std::string_view name = requirements_.called_like(library);
    return directory || is_imported(name) ? unlisted(name) : std::nullopt;
  }

  // A direct requirement whose libraries the tables do not list.
  std::optional<LibrarySource> unlisted(std::string_view name) const {
    if (name.empty() || lists_libraries(name)) return std::nullopt;
    return installed(std::string(name), requirements_.direct().find(name)->second);
  }

  static LibrarySource installed(const std::string& name, const std::set<std::string>& extras) {
    const bool always = extras.empty();
    return {always ? LibrarySource::Kind::Distribution : LibrarySource::Kind::Extra,
            name,
            {extras.begin(), extras.end()},
            {}};
  }

  // What the tables say of a library, once for each name.
  struct Known {
    bool driver = false;
    bool listed = false;  // no other evidence is looked for
    std::string name;     // the distribution, or the driver
    std::set<std::string> extras;
  };

  Known lookup(std::string_view library) const {
    Known known;
    std::vector<std::string> holders;
    if (const auto gpu = analysis::read_gpu_name(library, knowledge_.gpu)) {
      known.listed = true;
      if (gpu->library->driver) {
        known.driver = true;
        known.name = gpu->library->vendor == "cuda" ? "the NVIDIA driver" : "the GPU's driver";
        return known;
      }
      for (const GpuProvider& provider : gpu->library->providers)
        if (provider.major.empty() || gpu->major.empty() || provider.major == gpu->major)
          holders.emplace_back(provider.distribution);
    }
    for (const KnownDistribution& one : knowledge_.distributions)
      if (std::ranges::any_of(one.sonames, [&](std::string_view p) { return glob_match(p, library); })) {
        known.listed = true;
        holders.emplace_back(one.name);
        for (const auto& [name, extras] : requirements_.direct())
          if (std::ranges::any_of(one.alternatives, [&](std::string_view p) { return glob_match(p, name); }))
            holders.push_back(name);
      }
    known.listed = known.listed || std::ranges::any_of(of_compilers, [&](std::string_view start) {
                     return library.starts_with(start);
                   });
    InstalledBy by = requirements_.first_of(holders);
    known.name = std::move(by.distribution);
    known.extras = std::move(by.extras);
    return known;
  }

  bool lists_libraries(std::string_view distribution) const {
    const auto at = std::ranges::lower_bound(knowledge_.distributions, distribution, {}, &KnownDistribution::name);
    return at != knowledge_.distributions.end() && at->name == distribution && !at->sonames.empty();
  }

  // The installed directory that a search path of the file leads to and in which the wheel has no library.
  std::optional<std::string> foreign_directory(ElfIndex index) {
    const auto [at, is_new] = directories_.try_emplace(index);
    if (!is_new) return at->second;
    const ElfMember& elf = wheel_.elfs[index.value];
    for (const std::string_view element : effective_path(elf.facts).elements) {
      if (!starts_at_origin(element) || names_a_file(element) || target_of(elf, element) != PathTarget::Inside)
        continue;
      const auto parts = directory_of(elf.installed, element);
      if (!parts || parts->empty()) continue;
      std::string directory = fmt::format("{}/", fmt::join(*parts, "/"));
      if (!own_directories().contains(directory)) return at->second = std::move(directory);
    }
    return std::nullopt;
  }

  const std::set<std::string, std::less<>>& own_directories() {
    if (own_directories_.empty())
      for (const ElfMember& elf : wheel_.elfs)
        own_directories_.emplace(elf.installed.substr(0, elf.installed.rfind('/') + 1));
    return own_directories_;
  }

  // The requirement whose name the directory has: "PyQt6-Qt6" for PyQt6/Qt6/lib/. The first part alone is not enough if
  // it is a package of the wheel itself.
  std::string_view required_for(std::string_view directory) const {
    std::string_view result;
    std::string name;
    std::vector<std::string_view> parts = split(directory.substr(0, directory.size() - 1), '/');
    const auto site = std::ranges::find(parts, "site-packages");
    if (site != parts.end()) parts.erase(parts.begin(), site + 1);
    if (parts.empty()) return result;
    const bool own = installed_.has_directory(parts.front());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      name = normal_project_name(name.empty() ? std::string(parts[i]) : name + "-" + std::string(parts[i]));
      if (i == 0 && own) continue;
      if (const std::string_view required = requirements_.named(name); !required.empty()) result = required;
    }
    return result;
  }

  // Whether Python code imports the module that is called like a distribution.
  bool is_imported(std::string_view distribution) {
    if (imports_.empty()) {
      imports_.insert("");
      for (const PythonFile& file : wheel_.python)
        for (const PythonEvent& event : file.events)
          if (event.action == PythonAction::Import)
            imports_.emplace(plain_name(normal_project_name(event.name.substr(0, event.name.find('.')))));
    }
    return !distribution.empty() && imports_.contains(plain_name(distribution));
  }

  const std::set<ElfIndex>& loaded() {
    if (!loaded_) {
      std::vector<ElfIndex> modules;
      for (std::uint32_t i = 0; i < wheel_.elfs.size(); ++i)
        if (is_host_code(wheel_.elfs[i]) && std::holds_alternative<ExtensionModule>(wheel_.elfs[i].role))
          modules.push_back({i});
      loaded_.emplace(modules.begin(), modules.end());
      for (const ElfRef& file : needed_closure(resolution_, modules))
        if (file.wheel.value == 0) loaded_->insert(file.elf);
    }
    return *loaded_;
  }

  const WheelFacts& wheel_;
  const Knowledge& knowledge_;
  Resolution& resolution_;
  const InstalledFiles installed_;
  const InstalledWith requirements_;
  std::map<std::string_view, Known> known_;
  std::map<ElfIndex, std::optional<std::string>> directories_;
  std::set<std::string, std::less<>> own_directories_;
  std::set<std::string, std::less<>> imports_;  // by plain_name
  std::optional<std::set<ElfIndex>> loaded_;
  std::map<Key, LibrarySource> sources_;
  std::map<Key, SourceIndex> numbers_;
};

}  // namespace

void mark_required(Resolution& resolution, const WheelFacts& wheel, const Knowledge& knowledge) {
  Marker(wheel, knowledge, resolution).run();
}

}  // namespace wheelcheck
