#include "model/imported_files.h"

#include <algorithm>
#include <string>
#include <variant>

#include "base/text.h"
#include "model/import_checks.h"

namespace wheelcheck {

bool is_named_for_a_processor(std::string_view path) {
  const std::string name = lower(path);
  static constexpr std::string_view words[] = {"avx",      "sse4", "haswell", "skylake", "x86-64-v",
                                               "x86_64_v", "_v3",  "_v4",     "_sve",    "neoverse"};
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

ImportedFiles::ImportedFiles(const WheelFacts& wheel) : wheel_(wheel) {
  for (const ElfMember& elf : wheel.elfs) {
    if (!elf.facts.dynamic) continue;
    const auto& needed = elf.facts.dynamic->needed;
    needed_.insert(needed.begin(), needed.end());
    if (!is_host_code(elf) || is_named_for_a_processor(wheel.members[elf.member.value].path.text())) continue;
    always_needed_.insert(needed.begin(), needed.end());
    for (const std::string_view module : cython_modules(elf.facts.interfaces)) imported_.insert(module);
  }
}

bool ImportedFiles::is_among(const std::set<std::string_view>& needed, std::string_view path, const ElfMember& elf) {
  return needed.contains(base_name(path)) ||
         (elf.facts.dynamic && elf.facts.dynamic->soname && needed.contains(*elf.facts.dynamic->soname));
}

bool ImportedFiles::contains(ElfIndex index) const {
  const ElfMember& elf = wheel_.elfs[index.value];
  const auto& path = wheel_.members[elf.member.value].path;
  const auto* const module = std::get_if<ExtensionModule>(&elf.role);
  if (!is_named_for_a_processor(path.text())) return module != nullptr || is_among(needed_, path.text(), elf);
  return module != nullptr ? imported_.contains(module->module) : is_among(always_needed_, path.text(), elf);
}

}  // namespace wheelcheck
