// WC512: a library is in DT_NEEDED, although the file does not use any of its symbols.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/each_symbol.h"
#include "rules/common.h"
#include "rules/symbols/name_table.h"

namespace wheelcheck::rules::needed_unused {
namespace {

// Libraries in which every symbol has a version: a file that uses one of them has a version need.
bool has_versions_throughout(std::string_view library) {
  constexpr std::string_view glibc[] = {"libc.so.6",      "libm.so.6",       "libmvec.so.1",   "libpthread.so.0",
                                        "libdl.so.2",     "librt.so.1",      "libutil.so.1",   "libanl.so.1",
                                        "libresolv.so.2", "libgcc_s.so.1",   "libstdc++.so.6", "libgfortran.so.5",
                                        "libgomp.so.1",   "libquadmath.so.0"};
  return std::ranges::find(glibc, library) != std::end(glibc);
}

const ElfMember* provider_of(const WheelView& view, const NeededFound& found) {
  if (!found.provider) return nullptr;
  const std::uint32_t wheel = found.provider->wheel.value;
  if (wheel > view.providers.size()) return nullptr;
  const WheelFacts& facts = wheel == 0 ? view.wheel : view.providers[wheel - 1];
  return &facts.elfs[found.provider->elf.value];
}

bool needs_a_version_of(const ElfMember& user, std::string_view library) {
  return std::ranges::any_of(user.facts.dynamic->needs,
                             [&](const VersionNeed& need) { return need.library == library; });
}

// Determines which of the queried libraries export a symbol that their users import. A library of 250,000 symbols may
// serve a hundred modules, so its exports are scanned once for all of them.
class Uses {
 public:
  void add(const ElfMember& user, const ElfMember& provider) { uses_of_[&provider].try_emplace(&user, Use::Unknown); }
  // Call it after the last ask() and before reading the results.
  void find() {
    for (auto& [provider, users] : uses_of_) {
      const Exports& exports = provider->facts.dynamic->exports;
      for (auto& [user, use] : users)
        if (user->facts.dynamic->imports.size() / shorter > exports.size()) use = by_exports(exports, *user);
      if (!by_few_imports(exports, users)) by_imports(exports, users);
    }
  }
  bool is_used(const ElfMember& user, const ElfMember& provider) const {
    return uses_of_.at(&provider).at(&user) == Use::Found;
  }

 private:
  using Exports = std::vector<Export>;
  enum class Use { Unknown, Found, None };
  using Users = std::map<const ElfMember*, Use>;
  // If the list of exports is this many times shorter than the list of imports, exports are looked up in a table of
  // imports, otherwise the reverse.
  static constexpr std::size_t shorter = 16;

  // The table of imports is reused, because a file may import from thousands of small libraries.
  Use by_exports(const Exports& exports, const ElfMember& user) {
    const auto [at, is_new] = imports_.try_emplace(&user);
    NameTable& names = at->second;
    if (is_new) {
      for (const Import& import : user.facts.dynamic->imports) names.add(import.name);
      names.finish();
    }
    return any_found(exports, names, [](std::size_t) { return true; }) ? Use::Found : Use::None;
  }

  // Tries a few names of each user, which is sufficient for most. Names without a version are chosen, because a name
  // with a version is rarely from this library. False if that does not decide for every user.
  static bool by_few_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<Use*> tried;  // by the order in which names were added
    std::size_t left = 0;
    for (auto& [user, use] : users) {
      if (use != Use::Unknown) continue;
      ++left;
      for (const Import* const import : few_of(user->facts.dynamic->imports)) {
        names.add(import->name);
        tried.push_back(&use);
      }
    }
    if (left == 0) return true;
    names.finish();
    std::vector<std::vector<Use*>> askers(names.size());
    for (std::size_t i = 0; i < tried.size(); ++i) askers[names.numbers()[i]].push_back(tried[i]);
    return any_found(exports, names, [&](std::size_t name) {
      for (Use* const use : askers[name]) left -= std::exchange(*use, Use::Found) == Use::Unknown ? 1 : 0;
      return left == 0;
    });
  }
  static std::vector<const Import*> few_of(const std::vector<Import>& imports) {
    constexpr std::size_t most = 16;
    std::vector<const Import*> few;
    const std::size_t apart = imports.size() / most + 1;
    for (std::size_t begin = 0; begin < imports.size(); begin += apart) {
      const auto some = std::span(imports).subspan(begin, std::min(apart, imports.size() - begin));
      const auto found = std::ranges::find_if(some, [](const Import& import) { return !import.need; });
      if (found != some.end()) few.push_back(&*found);
    }
    return few;
  }

  // Tries all names of the remaining users.
  static void by_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<std::pair<Use*, std::size_t>> tried;  // the number of names of each user
    for (auto& [user, use] : users) {
      if (use != Use::Unknown) continue;
      const std::vector<Import>& imports = user->facts.dynamic->imports;
      each_symbol(imports, [&](const Import& import) { names.add(import.name); });
      tried.emplace_back(&use, imports.size());
    }
    names.finish();
    std::vector<bool> is_exported(names.size());
    any_found(exports, names, [&](std::size_t name) {
      is_exported[name] = true;
      return false;
    });
    std::span<const std::uint32_t> numbers = names.numbers();
    for (const auto& [use, count] : tried) {
      const bool found = std::ranges::any_of(numbers.first(count), [&](auto name) { return is_exported[name]; });
      *use = found ? Use::Found : Use::None;
      numbers = numbers.subspan(count);
    }
  }

  // The maps are never iterated in an order that a report could show.
  std::map<const ElfMember*, Users> uses_of_;      // by provider
  std::map<const ElfMember*, NameTable> imports_;  // by user
};

void check(const WheelView& view, const Emit& emit) {
  Uses uses;
  // Calls visit(index, file, library, provider or null) for each DT_NEEDED without a version need.
  const auto each_entry = [&](auto visit) {
    for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
      if (!elf.facts.dynamic) return;
      for (const NeededFound& found : view.resolution.needed[index.value])
        if (!needs_a_version_of(elf, found.name)) visit(index, elf, found, provider_of(view, found));
    });
  };
  each_entry([&](ElfIndex, const ElfMember& elf, const NeededFound&, const ElfMember* provider) {
    if (provider && provider->facts.dynamic) uses.add(elf, *provider);
  });
  uses.find();
  std::map<ElfIndex, std::vector<std::string>> unused;
  each_entry([&](ElfIndex index, const ElfMember& elf, const NeededFound& found, const ElfMember* provider) {
    const bool is_unused = provider ? provider->facts.dynamic && !uses.is_used(elf, *provider)
                                    : elf.libc == Libc::Glibc && has_versions_throughout(found.name);
    if (is_unused) unused[index].emplace_back(found.name);
  });
  for (const auto& [index, libraries] : unused)
    emit({.place = AtElf{index},
          .message = fmt::format("requires {} but uses no symbol of {}", first_of(libraries),
                                 libraries.size() == 1 ? "it" : "them"),
          .evidence = {{"unused", list_of(libraries)}},
          .fix = fmt::format("link with -Wl,--as-needed before the libraries, or patchelf --remove-needed {} {}",
                             shell_word(libraries.front()), shell_word(path_of(view, index))),
          .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC512",
    .name = "needed-unused",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::needed_unused
