#include "rules/common.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules {

std::string_view path_of(const WheelView& view, ElfIndex elf) {
  return view.wheel.members[view.wheel.elfs[elf.value].member.value].path.text();
}

std::set<std::string_view> needed_names(const WheelView& view) {
  std::set<std::string_view> names;
  for (const ElfMember& elf : view.wheel.elfs)
    if (elf.facts.dynamic) names.insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
  return names;
}

bool is_loaded(const WheelView& view, const std::set<std::string_view>& needed, const ElfMember& elf) {
  if (std::holds_alternative<ExtensionModule>(elf.role)) return true;
  if (needed.contains(view.wheel.members[elf.member.value].path.name())) return true;
  return elf.facts.dynamic && elf.facts.dynamic->soname && needed.contains(*elf.facts.dynamic->soname);
}

RequirementKey key_of(const Requirement& requirement) {
  struct Words {
    std::pair<std::string, std::string> operator()(const MachineRequirement& what) const {
      return {std::string(name_of(what.arch)), ""};
    }
    std::pair<std::string, std::string> operator()(const IsaRequirement& what) const {
      return {fmt::to_string(what.level), ""};
    }
    std::pair<std::string, std::string> operator()(const LibraryRequirement& what) const { return {what.library, ""}; }
    std::pair<std::string, std::string> operator()(const VersionRequirement& what) const {
      return {what.library, what.version};
    }
    std::pair<std::string, std::string> operator()(const SymbolRequirement& what) const {
      return {what.library, what.symbol};
    }
    std::pair<std::string, std::string> operator()(const InterpreterRequirement& what) const {
      return {what.symbol, ""};
    }
    std::pair<std::string, std::string> operator()(const MissingVersionRequirement& what) const {
      return {what.library, what.version};
    }
  };
  auto [first, second] = std::visit(Words{}, requirement.what);
  return {requirement.elf, std::move(first), std::move(second)};
}

EffectivePath effective_path(const ElfFacts& facts) {
  if (!facts.dynamic) return {};
  const SearchPath& search = facts.dynamic->search;
  EffectivePath path =
      search.runpath.empty() ? EffectivePath{"RPATH", search.rpath} : EffectivePath{"RUNPATH", search.runpath};
  const bool nothing = path.elements.empty() || (path.elements.size() == 1 && path.elements.front().empty());
  return nothing ? EffectivePath{} : path;
}

bool is_of_glibc(std::string_view library) {
  constexpr std::string_view starts[] = {"ld-linux",    "ld64.so",    "ld.so.1",   "libc.so.6",     "libm.so.6",
                                         "libpthread.", "libdl.so.2", "librt.so.", "libutil.so.1",  "libresolv.so.2",
                                         "libnsl.so.1", "libanl.so.", "libmvec.",  "libcrypt.so.1", "libthread_db."};
  return std::ranges::any_of(starts, [&](std::string_view start) { return library.starts_with(start); });
}

bool is_searched(const ElfMember& elf) {
  if (elf.facts.kind == ElfKind::Executable || !elf.facts.dynamic) return true;
  static constexpr std::string_view loaded[] = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2",
                                                "libutil.so.1"};
  const auto is_loaded = [](std::string_view name) {
    return std::ranges::find(loaded, name) != std::end(loaded) || name.starts_with("ld-linux");
  };
  const DynamicFacts& dynamic = *elf.facts.dynamic;
  return !std::ranges::all_of(dynamic.needed, is_loaded) || !dynamic.filters.empty() || !dynamic.auxiliaries.empty() ||
         std::ranges::any_of(dynamic.imports,
                             [](const Import& symbol) { return symbol.name == "dlopen" || symbol.name == "dlmopen"; });
}

bool starts_at_origin(std::string_view element) {
  if (element.starts_with("${ORIGIN}")) return true;
  // glibc elf/dl-load.c, is_dst: a name without braces must not be followed by another name character.
  constexpr std::string_view origin = "$ORIGIN";
  if (!element.starts_with(origin)) return false;
  return element.size() == origin.size() || !(is_alnum(element[origin.size()]) || element[origin.size()] == '_');
}

std::string origin_path(std::string_view from_file, std::string_view to_file) {
  std::vector<std::string_view> from = split(from_file, '/');
  std::vector<std::string_view> to = split(to_file, '/');
  from.pop_back();
  to.pop_back();
  const auto [rest_from, rest_to] = std::ranges::mismatch(from, to);
  std::string result = "$ORIGIN";
  for (auto part = rest_from; part != from.end(); ++part) result += "/..";
  for (auto part = rest_to; part != to.end(); ++part) result.append("/").append(*part);
  return result;
}

NeededMap needed_by_name(const WheelView& view) {
  NeededMap result;
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i)
    for (const NeededFound& found : view.resolution.needed[i]) result.try_emplace({ElfIndex{i}, found.name}, &found);
  return result;
}

std::vector<std::vector<std::string>> symbols_by_need(const DynamicFacts& dynamic) {
  std::vector<std::vector<std::string>> result(dynamic.needs.size());
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < result.size()) result[import.need->value].emplace_back(import.name);
  for (std::vector<std::string>& names : result) std::ranges::sort(names);
  return result;
}

namespace {

template <class Text>
std::string listed(const std::vector<Text>& items, std::size_t most) {
  if (items.size() <= most) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{} and {} more",
                     fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most), ", "),
                     items.size() - most);
}

}  // namespace

std::string list_of(const std::vector<std::string>& items, std::size_t most) { return listed(items, most); }

std::string list_of_first(std::vector<std::string_view> items, std::size_t most) {
  std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(std::min(most, items.size())));
  return listed(items, most);
}

std::string first_of(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  if (items.size() == 1) return items.front();
  return fmt::format("{} and {} more", items.front(), items.size() - 1);
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{}.{} MB", bytes / 1'000'000, bytes % 1'000'000 / 100'000);
}

std::string count_of(std::size_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return is_alnum(c) || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && text.front() != '-' && std::ranges::all_of(text, plain)) return std::string(text);
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace wheelcheck::rules
