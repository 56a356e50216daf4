// Names of members and places, and the imports of each version need.
#include "report/shared/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/text.h"
#include "mangling/demangle.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

const ElfAnalysis& analysis_of(const Analysis& analysis, ElfIndex elf) {
  static const ElfAnalysis nothing;
  return elf.value < analysis.elfs.size() ? analysis.elfs[elf.value] : nothing;
}

const MemberFacts& member_of(const WheelFacts& wheel, ElfIndex elf) {
  return wheel.members[wheel.elfs[elf.value].member.value];
}

std::string elf_path(const WheelFacts& wheel, ElfIndex elf) { return escape(path_of(wheel, elf)); }

const WheelFacts& wheel_of(const Subject& subject, WheelIndex index) {
  return index.value == 0 ? subject.wheel.facts : subject.providers[index.value - 1];
}

std::string elf_path(const Subject& subject, ElfRef elf) {
  const WheelFacts& wheel = wheel_of(subject, elf.wheel);
  const std::string path = elf_path(wheel, elf.elf);
  return elf.wheel.value == 0 ? path : fmt::format("{}::{}", escape(wheel.file), path);
}

std::string place_path(const WheelFacts& wheel, const Place& place) { return escape(path_of(wheel, place)); }

std::string place_text(const WheelFacts& wheel, const Place& place) {
  const std::string path = place_path(wheel, place);
  return path.empty() ? escape(wheel.file) : fmt::format("{}::{}", escape(wheel.file), path);
}

std::string source_text(const LibrarySource& source) {
  std::string out = escape(source.name);
  if (!source.extras.empty()) out += fmt::format(" (extra {})", escape(join(source.extras, " or ")));
  return out;
}

const LibrarySource* source_of(const Resolution& resolution, ElfIndex elf, std::string_view library) {
  if (elf.value >= resolution.needed.size()) return nullptr;
  const auto at = std::ranges::find_if(
      resolution.needed[elf.value], [&](const NeededFound& needed) { return needed.source && needed.name == library; });
  return at == resolution.needed[elf.value].end() ? nullptr : &resolution.sources[at->source->value];
}

std::optional<ElfRef> unreached(const Resolution& resolution, ElfIndex elf, std::string_view library) {
  if (elf.value >= resolution.needed.size()) return std::nullopt;
  const auto at = std::ranges::find(resolution.needed[elf.value], library, &NeededFound::name);
  return at == resolution.needed[elf.value].end() ? std::nullopt : at->unreached;
}

std::string_view tag_result_text(TagResult result) {
  switch (result) {
    case TagResult::Compatible:
      return "compatible";
    case TagResult::Incompatible:
      return "not compatible";
    case TagResult::NoMinimum:
      return "no minimum system";
    case TagResult::Unknown:
      break;
  }
  return "unknown";
}

std::string other_systems(const WheelReport& wheel) {
  if (!wheel.verdict.best_tag.empty()) return "";
  std::vector<std::string> systems;
  for (const Claim& claim : wheel.verdict.claims)
    if (const std::string system(other_system(claim.tag));
        !system.empty() && std::ranges::find(systems, system) == systems.end())
      systems.push_back(system);
  return join(systems, ", ");
}

std::string tag_result_word(TagResult tag_result) { return replaced(name_of(tag_result), " ", "-"); }

std::vector<std::vector<std::string_view>> symbols_by_need(const DynamicFacts& dynamic) {
  std::vector<std::vector<std::string_view>> out(dynamic.needs.size());
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < out.size()) out[import.need->value].push_back(import.name);
  for (std::vector<std::string_view>& names : out) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
  }
  return out;
}

namespace {

constexpr std::size_t longest_symbol = 60;  // in a sentence

// basic_string<...>::_M_dispose: without the outermost template arguments. Names of operators may contain '<' and '>'.
std::string without_template_arguments(std::string_view name) {
  if (name.find("operator") != name.npos) return std::string(name);
  std::string out;
  std::size_t depth = 0;
  for (const char c : name) {
    if (c == '<' && depth++ == 0) out += "<...>";
    if (depth == 0) out += c;
    if (c == '>' && depth > 0) --depth;
  }
  return out;
}

bool is_symbol_character(char c) { return is_alnum(c) || c == '_' || c == '.' || c == '$'; }

}  // namespace

std::string short_symbol(std::string_view symbol) {
  std::string plain = demangle_briefly(symbol);
  if (plain.size() > longest_symbol)
    if (const std::size_t arguments = plain.find('('); arguments != std::string::npos && arguments > 0)
      plain = plain.substr(0, arguments) + "(...)";
  if (plain.size() > longest_symbol) plain = without_template_arguments(plain);
  return plain.size() > longest_symbol ? std::string(symbol) : plain;
}

std::string with_short_symbols(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t start = text.find("_Z");
    out += text.substr(0, start);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const auto end = std::ranges::find_if_not(text, is_symbol_character);
    const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(name.size());
    out += short_symbol(name);
  }
  return escape(out);
}

}  // namespace wheelcheck::report
