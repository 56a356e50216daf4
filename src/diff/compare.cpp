// Compares two releases of a wheel: first the files are paired (match.cpp), then each part of the answer is a pure
// function of the pairs: platforms and floors (floors.cpp), libraries (needed.cpp), sizes and members (contents.cpp),
// metadata and findings (metadata.cpp).
//
// Versions and the hashes of repair tools change the names of files in every release. Without the pairs, a renamed
// library would look like one that was removed and one that was added, and each of its findings as fixed and new.
#include "diff/compare.h"

#include <algorithm>
#include <utility>

#include "diff/match.h"
#include "model/requires_dist.h"

namespace wheelcheck::diff {
namespace {

std::vector<std::optional<ElfIndex>> elf_by_member(const WheelFacts& wheel) {
  std::vector<std::optional<ElfIndex>> out(wheel.members.size());
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) out[wheel.elfs[i].member.value] = ElfIndex{i};
  return out;
}

}  // namespace

Releases releases(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge) {
  Releases out{.old = old, .now = now, .knowledge = knowledge};
  out.files = match(identities(old.facts, old.analysis), identities(now.facts, now.analysis));
  const auto before = elf_by_member(old.facts), after = elf_by_member(now.facts);
  for (const FilePair& pair : out.files) {
    ElfPair elf{.old = std::nullopt, .now = std::nullopt, .by = pair.by};
    if (pair.old) elf.old = before[pair.old->value];
    if (pair.now) elf.now = after[pair.now->value];
    if (!elf.old || !elf.now) elf.by = MatchedBy::None;
    if (elf.old || elf.now) out.elfs.push_back(elf);
  }
  return out;
}

std::string path_of(const WheelReport& wheel, ElfIndex elf) { return path_of(wheel.facts, elf); }

std::string path_of(const Releases& both, const ElfPair& pair) {
  return pair.now ? path_of(both.now, *pair.now) : path_of(both.old, *pair.old);
}

const ElfAnalysis& analysis_of(const WheelReport& wheel, ElfIndex elf) {
  static const ElfAnalysis nothing;
  return elf.value < wheel.analysis.elfs.size() ? wheel.analysis.elfs[elf.value] : nothing;
}

Diff compare(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge, const Attribute& attribute,
             const Identity& identity) {
  const Releases both = releases(old, now, knowledge);
  const auto release_of = [](const WheelFacts& wheel) {
    return wheel.metadata && !wheel.metadata->version.empty() ? wheel.metadata->version : wheel.name.version;
  };
  SymbolChanges symbols = compare_symbols(both, attribute);
  return {.version = {},
          .file = {old.facts.file, now.facts.file},
          .distribution = {name_of_distribution(old.facts), name_of_distribution(now.facts)},
          .release = {release_of(old.facts), release_of(now.facts)},
          .platform = compare_platforms(both),
          .findings = compare_findings(both, identity),
          .contents = compare_contents(both),
          .exports = std::move(symbols.exports),
          .imports = std::move(symbols.imports),
          .metadata = compare_metadata(both),
          .sizes = compare_sizes(both)};
}

}  // namespace wheelcheck::diff
