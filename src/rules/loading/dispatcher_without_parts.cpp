// WC545: a bundled library opens its own parts by name, and the repair tool did not bundle these parts.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::dispatcher_without_parts {
namespace {

// "libcudnn" for libcudnn-74a4c495.so.9.1.0
std::string_view stem_of(std::string_view name) {
  const std::size_t end = std::min(name.find(".so"), name.size());
  const std::size_t hash = name.rfind('-', end);
  return name.substr(0, hash == name.npos ? end : hash);
}

// True for the complete file name of a part: "libcudnn_ops.so.9", not "libcudnn_%s.so".
bool is_part(std::string_view text, std::string_view stem) {
  if (!text.starts_with(stem) || text.size() <= stem.size() || text[stem.size()] != '_') return false;
  if (text.find(".so.") == text.npos && !text.ends_with(".so")) return false;
  return std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '+'; });
}

bool calls_dlopen(const ElfFacts& facts) {
  return facts.dynamic && std::ranges::any_of(facts.dynamic->imports, [](const Import& import) {
           return import.name == "dlopen" || import.name == "dlmopen";
         });
}

// True if the wheel has a file with that name or soname next to the library, where $ORIGIN (which repair tools set)
// finds it.
bool is_in_wheel(const WheelView& view, std::string_view name) {
  return std::ranges::any_of(view.wheel.elfs, [&](const ElfMember& elf) {
    return view.wheel.members[elf.member.value].path.name() == name ||
           (elf.facts.dynamic && elf.facts.dynamic->soname == std::optional(name));
  });
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<BundledLibrary>(elf.role) || !calls_dlopen(elf.facts)) return;
    const std::string_view stem = stem_of(base_name(path_of(view, index)));
    std::vector<std::string_view> absent;
    for (const std::string_view text : elf.facts.texts.libraries)
      if (is_part(text, stem) && !is_in_wheel(view, text)) absent.push_back(text);
    if (absent.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("opens {}, which the wheel does not contain", list_of_first(absent, 3)),
          .evidence = {{"opens by name", list_of_first(absent)}},
          .fix = fmt::format("exclude the library and require the distribution with all of its parts: auditwheel "
                             "repair --exclude {}",
                             shell_word(fmt::format("{}.so*", stem)))});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC545",
    .name = "dispatcher-without-parts",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::dispatcher_without_parts
