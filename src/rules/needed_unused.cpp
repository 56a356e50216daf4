// WC512: a library that is loaded although nothing of it is used.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
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

// Which names that somebody imports a library exports. A library of a quarter of a million symbols may serve a hundred
// modules, so its exports are gone through once for all of them.
class Exporters {
 public:
  explicit Exporters(const WheelView& view) {
    for_each_judged(view, [&](ElfIndex index, const ElfMember& user) {
      if (!user.facts.dynamic) return;
      bool asks = false;
      for (const NeededFound& found : view.resolution.needed[index.value]) {
        const ElfMember* const provider = provider_of(view, found);
        if (!provider || needs_a_version_of(user, found.name)) continue;
        exported_.try_emplace(provider);
        asks = true;
      }
      if (asks)
        for (const Import& import : user.facts.dynamic->imports) names_.add(import.name);
    });
    names_.finish();
    for (auto& [provider, names] : exported_) {
      if (!provider->facts.dynamic) continue;
      names.resize(names_.size());
      each_symbol(provider->facts.dynamic->exports, [&](const Export& symbol) {
        if (const auto at = names_.find(symbol.name)) names[*at] = true;
      });
    }
  }

  // What a user imports that somebody may export, by number.
  std::vector<std::size_t> asked_by(const DynamicFacts& user) const {
    std::vector<std::size_t> names;
    names.reserve(user.imports.size());
    for (const Import& import : user.imports)
      if (const auto at = names_.find(import.name)) names.push_back(*at);
    return names;
  }
  bool answers(const ElfMember& provider, std::span<const std::size_t> asked) const {
    const std::vector<bool>& names = exported_.at(&provider);
    return std::ranges::any_of(asked, [&](std::size_t name) { return names[name]; });
  }

 private:
  NameTable names_;
  std::map<const ElfMember*, std::vector<bool>> exported_;  // never walked in an order that a report could show
};

void check(const WheelView& view, const Emit& emit) {
  const Exporters exporters(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    std::optional<std::vector<std::size_t>> asked;  // of those that are needed
    const auto is_unused = [&](const NeededFound& found) {
      if (needs_a_version_of(elf, found.name)) return false;
      const ElfMember* const provider = provider_of(view, found);
      if (!provider) return elf.libc == Libc::Glibc && has_versions_throughout(found.name);
      if (!provider->facts.dynamic) return false;
      if (!asked) asked = exporters.asked_by(*elf.facts.dynamic);
      return !exporters.answers(*provider, *asked);
    };
    std::vector<std::string> unused;
    for (const NeededFound& found : view.resolution.needed[index.value])
      if (is_unused(found)) unused.emplace_back(found.name);
    if (unused.empty()) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("needs {} but uses no symbol of {}", first_of(unused), unused.size() == 1 ? "it" : "them"),
          .evidence = {{"unused", list_of(unused)}},
          .fix = fmt::format("link with -Wl,--as-needed before the libraries, or patchelf --remove-needed {} {}",
                             shell_word(unused.front()), shell_word(path_of(view, index))),
          .severity = {}});
  });
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
