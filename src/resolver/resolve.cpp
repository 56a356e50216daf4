// Resolves one wheel: determines the files that are opened by themselves, runs one walk for each, and takes the worst
// result of all walks for every DT_NEEDED.

#include "resolver/resolve.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "base/text.h"
#include "resolver/walk.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::resolver {
namespace {

bool is_opened_by_itself(const ElfRole& role) {
  return std::holds_alternative<ExtensionModule>(role) || std::holds_alternative<Program>(role);
}
// From best to worst. Declared and Required are applied at the end.
int badness(Found found) {
  switch (found) {
    case Found::InWheel:
    case Found::InProcess:
      return 0;
    case Found::InProvider:
      return 1;
    case Found::Declared:
    case Found::Required:
      return 2;
    case Found::Outside:
      return 3;
  }
  return 3;
}

struct Worst {
  Outcome outcome;
  FileIndex root;
};

class Resolver {
 public:
  Resolver(const WheelFacts& wheel, std::span<const WheelFacts> providers, std::span<const std::string> external,
           std::uint64_t work)
      : wheel_(wheel),
        catalog_(wheel, providers),
        walk_(catalog_, work),
        libc_(libc_of(wheel)),
        needed_results_(catalog_, external) {
    needed_.resize(wheel.elfs.size());
    taken_in_.resize(wheel.elfs.size());
  }

  Resolution run() {
    for (const FileIndex file : files())
      if (is_opened_by_itself(member(file).role)) record(file);
    for (const FileIndex file : unopened_roots()) record(file);
    // Libraries that only the walk of a removed candidate loaded, or none because the work was cut.
    for (const FileIndex file : files())
      if (is_library(member(file).role) && !taken_in_[file.value]) record(file);
    return result();
  }

 private:
  const ElfMember& member(FileIndex file) const { return *catalog_.file(file).member; }
  std::vector<FileIndex> files() const {
    std::vector<FileIndex> out;
    for (std::uint32_t i = 0; i < wheel_.elfs.size(); ++i) out.push_back(Catalog::of_wheel(ElfIndex{i}));
    return out;
  }

  void load(FileIndex root) {
    walk_.run(root, loader_of_root(member(root), libc_), std::holds_alternative<Program>(member(root).role));
  }

  // Libraries that are not loaded by the roots so far. A candidate that the walk of another candidate loads is removed;
  // of a cycle the first by path stays.
  std::vector<FileIndex> unopened_roots() {
    std::vector<FileIndex> candidates;
    std::vector<bool> inside(wheel_.elfs.size());
    for (const FileIndex file : files()) {
      if (!is_library(member(file).role) || taken_in_[file.value] || inside[file.value]) continue;
      load(file);
      for (const FileIndex loaded : walk_.loaded())
        if (loaded != file && loaded.value < inside.size() && walk_.took_in(loaded)) inside[loaded.value] = true;
      candidates.push_back(file);
    }
    std::erase_if(candidates, [&](FileIndex file) { return inside[file.value]; });
    return candidates;
  }

  void record(FileIndex root) {
    load(root);
    roots_.push_back(catalog_.file(root).ref.elf);
    for (const FileIndex file : walk_.loaded())
      if (file.value < taken_in_.size() && walk_.took_in(file)) taken_in_[file.value] = true;
    for (const Edge& edge : walk_.edges()) {
      if (edge.user.value >= needed_.size()) continue;  // the needs of a provider's file belong to its own wheel
      auto& entries = needed_[edge.user.value];
      if (edge.entry >= entries.size()) entries.resize(edge.entry + 1);
      auto& worst = entries[edge.entry];
      if (!worst || badness(edge.outcome.found) > badness(worst->outcome.found)) worst = Worst{edge.outcome, root};
    }
    check_versions();
  }

  // elf/dl-version.c, _dl_check_map_versions. musl does not check versions.
  void check_versions() {
    if (walk_.loader_kind() == LoaderKind::Musl) return;
    for (const FileIndex user : walk_.loaded()) {
      if (user.value >= needed_.size()) continue;
      for (const VersionedLibrary& versioned : catalog_.file(user).versioned) {
        const auto provider = walk_.answering(versioned.library);
        if (!provider || !checked_.emplace(user, versioned.library, *provider).second) continue;
        check_versions(user, versioned, *provider);
      }
    }
  }
  void check_versions(FileIndex user, const VersionedLibrary& versioned, FileIndex provider) {
    const DynamicFacts& dynamic = *member(provider).facts.dynamic;
    const auto& provides = dynamic.provides;
    // Without DT_VERDEF every version is accepted, but without DT_VERSYM, which a file without any version lacks, the
    // first look-up ends the process (glibc elf/dl-lookup.c, check_match: an assertion).
    if (provides.empty() && !dynamic.needs.empty()) return;
    std::set<std::string_view> defined;
    for (const VersionDefinition& definition : provides) defined.insert(definition.version);
    for (const NeedIndex need : versioned.needs) {
      if (defined.contains(member(user).facts.dynamic->needs[need.value].version)) continue;
      missing_.emplace(user, need, provider);
    }
  }

  Resolution result() {
    Resolution out;
    out.roots = roots_;
    out.cut = walk_.work().cut();
    out.needed.resize(needed_.size());
    for (std::uint32_t i = 0; i < needed_.size(); ++i) {
      const File& file = catalog_.file({i});
      for (std::uint32_t entry = 0; entry < needed_[i].size(); ++entry) {
        // Entries without a value are DT_AUXILIARY entries that were not found, which is not an error.
        if (const auto& worst = needed_[i][entry])
          out.needed[i].push_back(needed_results_({i}, text_of_entry(file, entry), worst->outcome, worst->root));
      }
    }
    for (const auto& [user, need, provider] : missing_)
      out.missing_versions.push_back({catalog_.file(user).ref.elf, need, catalog_.file(provider).ref});
    return out;
  }

  const WheelFacts& wheel_;
  Catalog catalog_;
  Walk walk_;
  Libc libc_;
  std::vector<ElfIndex> roots_;
  std::vector<std::vector<std::optional<Worst>>> needed_;  // by ElfIndex
  std::vector<bool> taken_in_;                             // by any recorded walk
  std::set<std::tuple<FileIndex, NameIndex, FileIndex>> checked_;
  std::set<std::tuple<FileIndex, NeedIndex, FileIndex>> missing_;
  NeededResults needed_results_;
};

}  // namespace

Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external, std::uint64_t work) {
  return Resolver(wheel, providers, external, work).run();
}

}  // namespace wheelcheck::resolver

namespace wheelcheck {

Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external) {
  return resolver::resolve(wheel, providers, external, resolver::default_work);
}

}  // namespace wheelcheck

namespace wheelcheck {

// --- one walk per requested root, for `wheelcheck tree` -----------------------------------------------------------

// Limit of steps over all loads, because all are stored, and shown with up to 4 KB for each. pyside6 needs 0.4 million
// for 100 MB.
std::uint64_t trace_work(const WheelFacts& wheel) {
  std::uint64_t bytes = wheel.size;
  if (is_unpacked(wheel))
    for (const MemberFacts& member : wheel.members) bytes += member.size / 3;
  return std::min<std::uint64_t>(20'000 + bytes / 32, 1'500'000);
}

std::vector<Load> trace(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                        std::span<const std::string> external, std::span<const ElfIndex> roots) {
  using namespace resolver;
  const Catalog catalog(wheel, providers);
  Walk walk(catalog, trace_work(wheel));
  walk.explain();
  const Libc of_wheel = libc_of(wheel);
  NeededResults needed_results(catalog, external);
  std::vector<Load> out;
  for (const ElfIndex elf : roots) {
    const FileIndex root = Catalog::of_wheel(elf);
    const ElfMember& member = *catalog.file(root).member;
    walk.run(root, loader_of_root(member, of_wheel), std::holds_alternative<Program>(member.role));
    if (walk.work().is_spent()) break;
    Load& load = out.emplace_back(Load{.root = elf, .needs = {}});
    std::map<FileIndex, ElfRef> brought;  // file -> the first file that needs it
    for (const Edge& edge : walk.edges()) {
      const File& user = catalog.file(edge.user);
      Load::Need& need = load.needs.emplace_back(
          Load::Need{.user = user.ref,
                     .found = needed_results(edge.user, text_of_entry(user, edge.entry), edge.outcome, root),
                     .first = {},
                     .own_search = edge.own_search});
      if (!edge.outcome.provider || *edge.outcome.provider == root) continue;
      const auto [first, fresh] = brought.try_emplace(*edge.outcome.provider, user.ref);
      if (!fresh) need.first = first->second;
    }
  }
  return out;
}

}  // namespace wheelcheck

namespace wheelcheck::resolver {

// --- results: adds the --external globs of the user, and the files of that name that were not found ---------------

Libc libc_of(const WheelFacts& wheel) {
  std::set<PlatformTag::Family> families;
  for (const PlatformTag& tag : wheel.name.platforms) families.insert(tag.family);
  if (families == std::set{PlatformTag::Family::Musllinux}) return Libc::Musl;
  if (families == std::set{PlatformTag::Family::Android}) return Libc::Bionic;
  if (families == std::set{PlatformTag::Family::Manylinux}) return Libc::Glibc;
  const auto known = std::ranges::find_if(wheel.elfs, [](const ElfMember& elf) { return elf.libc != Libc::None; });
  return known == wheel.elfs.end() ? Libc::Glibc : known->libc;
}

std::string_view text_of_entry(const File& file, std::uint32_t entry) {
  const DynamicFacts& dynamic = *file.member->facts.dynamic;
  if (entry < dynamic.needed.size()) return dynamic.needed[entry];
  entry -= static_cast<std::uint32_t>(dynamic.needed.size());
  if (entry < dynamic.filters.size()) return dynamic.filters[entry];
  return dynamic.auxiliaries[entry - dynamic.filters.size()];
}

NeededFound NeededResults::operator()(FileIndex user, std::string_view text, const Outcome& outcome, FileIndex root) {
  const auto ref = [&](const std::optional<FileIndex>& file) {
    return file ? std::optional(catalog_.file(*file).ref) : std::nullopt;
  };
  NeededFound out{.name = text,
                  .found = outcome.found,
                  .how = outcome.how,
                  .provider = ref(outcome.provider),
                  .by = ref(outcome.by),
                  .element = std::string(outcome.element),
                  .root = catalog_.file(root).ref,
                  .unreached = {}};
  if (out.found != Found::Outside) return out;
  if (is_declared(text)) out.found = Found::Declared;
  // If the file name is right, a search path suffices, most simply to the directory of the user.
  const std::optional<NameIndex> base = catalog_.names().find(base_name(text));
  int best = -1;
  for (const FileIndex file : catalog_.called(*catalog_.names().find(text))) {
    const File& candidate = catalog_.file(file);
    const int suits = (base == candidate.base ? 2 : 0) + (candidate.directory == catalog_.file(user).directory ? 1 : 0);
    if (file == user || suits <= best || catalog_.fit(file, user, LoaderKind::Glibc) != Fit::Loads) continue;
    best = suits;
    out.unreached = candidate.ref;
  }
  return out;
}

bool NeededResults::is_declared(std::string_view name) {
  const auto [known, fresh] = declared_.try_emplace(name);
  if (fresh)
    known->second = std::ranges::any_of(external_, [&](const std::string& glob) { return glob_match(glob, name); });
  return known->second;
}

}  // namespace wheelcheck::resolver
