// WC512: a library that is loaded although nothing of it is used.
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

// Libraries all of whose symbols have versions: who uses one, has a version need.
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

// Which of the libraries that are asked for export what their users import. A library of a quarter of a million symbols
// may serve a hundred modules, so its exports are gone through for all of them at once.
class Uses {
 public:
  void ask(const ElfMember& user, const ElfMember& provider) { asked_[&provider].try_emplace(&user, Use::Unknown); }
  // When all have asked, and before the answers.
  void find() {
    for (auto& [provider, users] : asked_) {
      const Exports& exports = provider->facts.dynamic->exports;
      for (auto& [user, use] : users)
        if (user->facts.dynamic->imports.size() / shorter > exports.size()) use = by_exports(exports, *user);
      if (!by_few_imports(exports, users)) by_imports(exports, users);
    }
  }
  bool is_used(const ElfMember& user, const ElfMember& provider) const {
    return asked_.at(&provider).at(&user) == Use::Found;
  }

 private:
  using Exports = std::vector<Export>;
  enum class Use { Unknown, Found, None };
  using Users = std::map<const ElfMember*, Use>;
  // A list of exports that is so many times shorter than one of imports is looked up in that, else the other way round.
  static constexpr std::size_t shorter = 16;

  // A file may import from thousands of small libraries.
  Use by_exports(const Exports& exports, const ElfMember& user) {
    const auto [at, is_new] = imports_.try_emplace(&user);
    NameTable& names = at->second;
    if (is_new) {
      for (const Import& import : user.facts.dynamic->imports) names.add(import.name);
      names.finish();
    }
    return any_found(exports, names, [](std::size_t) { return true; }) ? Use::Found : Use::None;
  }

  // Tries a few names of each user, which is enough for most; those without a version, because a name with one is
  // seldom from this library. False where that does not decide for every user.
  static bool by_few_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<Use*> tried;  // by name that was added
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

  // Tries all names of the others.
  static void by_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<std::pair<Use*, std::size_t>> tried;  // how many names of whom
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

  // None is walked in an order that a report could show.
  std::map<const ElfMember*, Users> asked_;        // by provider
  std::map<const ElfMember*, NameTable> imports_;  // by user
};

void check(const WheelView& view, const Emit& emit) {
  Uses uses;
  // Calls visit(index, file, library, its provider or null) for each entry that no version need answers for.
  const auto each_entry = [&](auto visit) {
    for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
      if (!elf.facts.dynamic) return;
      for (const NeededFound& found : view.resolution.needed[index.value])
        if (!needs_a_version_of(elf, found.name)) visit(index, elf, found, provider_of(view, found));
    });
  };
  each_entry([&](ElfIndex, const ElfMember& elf, const NeededFound&, const ElfMember* provider) {
    if (provider && provider->facts.dynamic) uses.ask(elf, *provider);
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
          .message = fmt::format("needs {} but uses no symbol of {}", first_of(libraries),
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
