// Adds what no walk knows: what the user declares, and which files of that name were not reached.
#include "resolver/needed_result.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelcheck::resolver {

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

NeededFound Told::operator()(FileIndex user, std::string_view text, const Outcome& outcome, FileIndex root) {
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
  for (const FileIndex file : catalog_.called(*catalog_.names().find(text))) {
    if (file == user || catalog_.fit(file, user, Dialect::Glibc) != Fit::Loads) continue;
    out.unreached = catalog_.file(file).ref;
    break;
  }
  return out;
}

bool Told::is_declared(std::string_view name) {
  const auto [known, fresh] = declared_.try_emplace(name);
  if (fresh)
    known->second = std::ranges::any_of(external_, [&](const std::string& glob) { return glob_match(glob, name); });
  return known->second;
}

}  // namespace wheelcheck::resolver
