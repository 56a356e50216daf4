// Finds the files that are loaded together with one file, and what they define.
#include "policy/dependency_closure.h"

#include <algorithm>

#include "model/needed_closure.h"

namespace wheelcheck::policy {
namespace {

bool is_system(Found found) { return found == Found::Outside || found == Found::InProcess; }

}  // namespace

Scope::Scope(const Subject& subject, ElfIndex file) : subject_(subject), file_(file) {
  if (file.value >= subject.resolution.needed.size()) return;
  for (const NeededFound& found : subject.resolution.needed[file.value]) {
    // A name that occurs twice is one library. An entry that was not found takes precedence.
    const auto [at, is_new] = needed_.emplace(found.name, &found);
    if (!is_new && is_system(found.found)) at->second = &found;
  }
}

Found Scope::found(std::string_view needed) const {
  const auto at = needed_.find(needed);
  if (at == needed_.end()) return Found::Outside;
  return at->second->opened ? Found::Required : at->second->found;
}

bool Scope::requires_system(std::string_view library) const {
  if (needed_.contains(library)) return is_system(found(library));
  return std::ranges::none_of(needed_, [&](const auto& entry) {
    if (!entry.second->provider) return false;
    const ElfMember* const provider = file_of(*entry.second->provider);
    return provider != nullptr && provider->facts.dynamic && provider->facts.dynamic->soname == library;
  });
}

bool Scope::defines(std::string_view symbol) const {
  if (!closure_) closure_ = needed_closure(subject_.resolution, {file_});
  return std::ranges::any_of(*closure_, [&](const ElfRef& ref) {
    const ElfMember* const file = ref == ElfRef{WheelIndex{0}, file_} ? nullptr : file_of(ref);
    return file != nullptr && file->facts.dynamic &&
           std::ranges::find(file->facts.dynamic->exports, symbol, &Export::name) != file->facts.dynamic->exports.end();
  });
}

bool Scope::defines_version(const VersionNeed& need) const {
  const auto at = needed_.find(need.library);
  if (at == needed_.end() || !at->second->provider) return false;
  const ElfMember* const provider = file_of(*at->second->provider);
  return provider != nullptr && provider->facts.dynamic &&
         std::ranges::any_of(provider->facts.dynamic->provides,
                             [&](const VersionDefinition& each) { return each.version == need.version; });
}

const ElfMember* Scope::file_of(const ElfRef& ref) const {
  const std::size_t wheel = ref.wheel.value;
  if (wheel > subject_.providers.size()) return nullptr;
  const WheelFacts& facts = wheel == 0 ? subject_.wheel : subject_.providers[wheel - 1];
  return ref.elf.value < facts.elfs.size() ? &facts.elfs[ref.elf.value] : nullptr;
}

}  // namespace wheelcheck::policy
