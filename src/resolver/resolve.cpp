// The whole answer for one wheel: which files are opened by themselves, one walk for each, and for every DT_NEEDED the
// worst that any walk met.
#include "resolver/resolve.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "resolver/needed_result.h"
#include "resolver/walk.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::resolver {
namespace {

bool is_opened_by_itself(const ElfRole& role) {
  return std::holds_alternative<ExtensionModule>(role) || std::holds_alternative<Program>(role);
}
bool is_library(const ElfRole& role) {
  return std::holds_alternative<BundledLibrary>(role) || std::holds_alternative<PlainLibrary>(role);
}

// From best to worst; Declared is decided at the end.
int badness(Found found) {
  switch (found) {
    case Found::InWheel:
    case Found::InProcess:
      return 0;
    case Found::InProvider:
      return 1;
    case Found::Declared:
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
        told_(catalog_, external) {
    needed_.resize(wheel.elfs.size());
    taken_in_.resize(wheel.elfs.size());
  }

  Resolution run() {
    for (const FileIndex file : files())
      if (is_opened_by_itself(member(file).role)) record(file);
    for (const FileIndex file : unopened_roots()) record(file);
    // What only a dropped candidate's walk took in (or none, where work ran out) is left over.
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
    walk_.run(root, dialect_of_root(member(root), libc_), std::holds_alternative<Program>(member(root).role));
  }

  // Libraries that nothing opened so far takes in. A candidate that another's walk takes in is dropped, unless the
  // other is within its own: of a cycle the first by path stays.
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
      if (edge.user.value >= needed_.size()) continue;  // a provider's own needs are its own wheel's business
      auto& entries = needed_[edge.user.value];
      if (edge.entry >= entries.size()) entries.resize(edge.entry + 1);
      auto& worst = entries[edge.entry];
      if (!worst || badness(edge.outcome.found) > badness(worst->outcome.found)) worst = Worst{edge.outcome, root};
    }
    check_versions();
  }

  // elf/dl-version.c, _dl_check_map_versions. musl does not look at versions.
  void check_versions() {
    if (walk_.dialect() == Dialect::Musl) return;
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
    const auto& provides = member(provider).facts.dynamic->provides;
    if (provides.empty()) return;  // without DT_VERDEF every version is taken for present
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
    out.needed.resize(needed_.size());
    for (std::uint32_t i = 0; i < needed_.size(); ++i) {
      const File& file = catalog_.file({i});
      for (std::uint32_t entry = 0; entry < needed_[i].size(); ++entry) {
        // Holes are DT_AUXILIARY entries that were not found: no loader minds.
        if (const auto& worst = needed_[i][entry])
          out.needed[i].push_back(told_({i}, text_of_entry(file, entry), worst->outcome, worst->root));
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
  Told told_;
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
