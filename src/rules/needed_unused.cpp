// WC512: a library that is loaded although nothing of it is used.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/each_symbol.h"
#include "rules/common.h"
#include "rules/name_table.h"

namespace wheelcheck::rules {
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
// may serve a hundred modules, so its exports are gone through once for all of them.
class Uses {
 public:
  void ask(const ElfMember& user, const ElfMember& provider) {
    imports_.try_emplace(&user);
    used_[&provider].try_emplace(&user, false);
  }
  // When all have asked, and before the answers.
  void find() {
    number_imports();
    std::vector<bool> is_exported(names_.size());
    for (auto& [provider, users] : used_) {
      std::vector<std::uint32_t> exported;
      each_symbol<NamePlace::End>(provider->facts.dynamic->exports, [&](const Export& symbol) {
        const auto at = names_.find(symbol.name);
        if (!at || is_exported[*at]) return;
        is_exported[*at] = true;
        exported.push_back(static_cast<std::uint32_t>(*at));
      });
      for (auto& [user, used] : users) used = do_meet(imports_.at(user), exported, is_exported);
      for (const std::uint32_t name : exported) is_exported[name] = false;
    }
  }
  bool is_used(const ElfMember& user, const ElfMember& provider) const { return used_.at(&provider).at(&user); }

 private:
  struct Numbers {  // of names
    std::vector<std::uint32_t> all;
    bool sorted = false;
  };

  void number_imports() {
    for (const auto& [user, imports] : imports_)
      for (const Import& import : user->facts.dynamic->imports) names_.add(import.name);
    names_.finish();
    std::span<const std::uint32_t> numbers = names_.numbers();
    for (auto& [user, imports] : imports_) {
      const std::size_t count = user->facts.dynamic->imports.size();
      imports.all.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
      numbers = numbers.subspan(count);
    }
  }
  // From the shorter side: a file may import from thousands of small libraries.
  static bool do_meet(Numbers& imports, const std::vector<std::uint32_t>& exported,
                      const std::vector<bool>& is_exported) {
    if (exported.size() * std::bit_width(imports.all.size()) >= imports.all.size())
      return std::ranges::any_of(imports.all, [&](auto name) { return is_exported[name]; });
    if (!std::exchange(imports.sorted, true)) std::ranges::sort(imports.all);
    return std::ranges::any_of(exported, [&](auto name) { return std::ranges::binary_search(imports.all, name); });
  }

  NameTable names_;
  // None is walked in an order that a report could show.
  std::map<const ElfMember*, Numbers> imports_;                        // by user
  std::map<const ElfMember*, std::map<const ElfMember*, bool>> used_;  // by provider and user
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

extern const Rule needed_unused{
    .code = "WC512",
    .name = "needed-unused",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .pedantic = true,
    .summary = "A DT_NEEDED entry to which no symbol and no version binds.",
    .why =
        "Each entry is searched for, mapped and initialised at every import, and is one more file that must exist: "
        "what nobody uses can still make the import fail. Build systems that pass on the libraries of their "
        "dependencies leave such entries behind.",
    .remedy =
        "Link with `-Wl,--as-needed` in front of the libraries; in CMake set `CMAKE_SHARED_LINKER_FLAGS`. To mend a "
        "built file: `patchelf --remove-needed LIBRARY FILE`.",
    .false_positives =
        "A library that is needed for what its constructors do, or so that it is loaded before another one. Libraries "
        "outside of the wheel are judged only where every symbol of theirs has a version: those of glibc and GCC. A "
        "library whose own dependency is what the file uses is called unused.",
    .check = check,
};

}  // namespace wheelcheck::rules
