#include "archive/names.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ranges>

#include "archive/fields.h"
#include "base/text.h"

namespace wheelcheck::archive {

namespace {

std::string_view without_slash(std::string_view name) {
  if (name.ends_with('/')) name.remove_suffix(1);
  return name;
}

std::optional<std::string> unsafe_parts(std::string_view path, const Limits& limits) {
  const auto depth = static_cast<std::uint64_t>(std::ranges::count(path, '/')) + 1;
  if (depth > limits.depth)
    return fmt::format("its path is {} levels deep, over the limit of {}; raise it with --limit depth=N", depth,
                       limits.depth);
  for (const auto each : std::views::split(path, '/')) {
    const std::string_view part(each);
    if (part.empty()) return "its path has an empty part";
    if (part == "." || part == "..") return fmt::format("its path has a part '{}'", part);
    if (part.size() > limits.part_bytes)
      return fmt::format("a part of its path has {} bytes, over the limit of {}; raise it with --limit part-bytes=N",
                         part.size(), limits.part_bytes);
  }
  return std::nullopt;
}

bool is_odd_blank(std::uint32_t c) {
  // The last ones are letters and symbols that fonts draw as blank: Hangul fillers and the empty Braille pattern.
  return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000 ||
         c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0x2800;
}
bool is_private_or_none(std::uint32_t c) {  // private use, and noncharacters
  return (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000 || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

bool any_part(std::string_view name, bool (*test)(std::string_view)) {
  return std::ranges::any_of(split(without_slash(name), '/'), test);
}

}  // namespace

std::optional<std::string> unsafe_name(std::string_view name, const Limits& limits) {
  if (name.empty()) return "its name is empty";
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(name, control)) return "its name has a control character";
  if (!is_utf8(name)) return "its name is not UTF-8";
  if (name.find('\\') != std::string_view::npos) return "its name has a backslash, which some systems take for a '/'";
  if (name.front() == '/') return "its path is absolute";
  if (name.size() >= 2 && is_alpha(name[0]) && name[1] == ':') return "its path starts with a drive letter";
  return unsafe_parts(without_slash(name), limits);
}

std::vector<std::string> odd_name(std::string_view name, std::uint16_t flags) {
  std::vector<std::string> reasons;
  std::optional<std::uint32_t> hidden, blank, unassigned;
  bool ascii = true;
  for (std::size_t at = 0; at < name.size();) {
    if (static_cast<unsigned char>(name[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::uint32_t c = next_code_point(name, at);
    ascii = false;
    if (!hidden && is_deceptive(c)) hidden = c;
    if (!blank && is_odd_blank(c)) blank = c;
    if (!unassigned && is_private_or_none(c)) unassigned = c;
  }
  if (hidden) reasons.push_back(fmt::format("its name has U+{:04X}, which is invisible or reorders text", *hidden));
  if (blank) reasons.push_back(fmt::format("its name has U+{:04X}, which looks like a space", *blank));
  if (unassigned)
    reasons.push_back(fmt::format("its name has U+{:04X}, which is not an assigned character", *unassigned));
  if (!ascii && !(flags & utf8_flag))
    reasons.push_back("its name is not ASCII and lacks the UTF-8 flag: CPython reads it as code page 437");
  return reasons;
}

bool loses_its_end(std::string_view name) {
  return any_part(name, [](std::string_view part) { return part.ends_with('.') || part.ends_with(' '); });
}

Result<std::vector<std::uint32_t>> check_names(std::span<const Member> members, const Limits& limits) {
  for (const Member& m : members)
    if (const auto reason = unsafe_name(m.name, limits)) return reject_member(m.name, "{}", *reason);
  std::vector<std::uint32_t> order(members.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto path = [&](std::uint32_t i) { return without_slash(members[i].name); };
  std::ranges::sort(order, [&](auto a, auto b) { return std::pair(path(a), a) < std::pair(path(b), b); });
  // Paths of files that are a prefix of the current name, shortest first. In byte order they all come before it, and
  // every name between them and the current one also starts with them.
  std::vector<std::string_view> heads;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Member& m = members[order[i]];
    const std::string_view name = path(order[i]);
    if (i > 0 && path(order[i - 1]) == name) {
      if (members[order[i - 1]].is_directory() != m.is_directory())
        return reject_member(name, "it is both a file and a directory");
      return reject_member(m.name, "two members have this name");
    }
    while (!heads.empty() && !name.starts_with(heads.back())) heads.pop_back();
    for (std::size_t slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/', slash + 1))
      if (std::ranges::binary_search(heads, slash, {}, &std::string_view::size))
        return reject_member(name.substr(0, slash), "it is a file, and {} lies in it as in a directory", escape(name));
    if (!m.is_directory()) heads.push_back(name);
  }
  return order;
}

std::vector<Collision> find_collisions(std::span<const std::string_view> names) {
  struct Folded {
    std::size_t hash, name;
    auto operator<=>(const Folded&) const = default;
  };
  std::vector<Folded> folded;
  folded.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) folded.push_back({std::hash<std::string>{}(fold(names[i])), i});
  std::ranges::sort(folded);
  std::vector<Collision> collisions;
  for (std::size_t i = 0; i < folded.size();) {
    std::size_t end = i + 1;
    while (end < folded.size() && folded[end].hash == folded[i].hash) ++end;
    if (end - i > 1) {  // equal hashes only suggest a collision
      std::vector<std::pair<std::string, std::size_t>> run;
      for (std::size_t k = i; k < end; ++k) run.emplace_back(fold(names[folded[k].name]), folded[k].name);
      std::ranges::sort(run);
      for (std::size_t k = 1; k < run.size(); ++k)
        if (run[k].first == run[k - 1].first) collisions.push_back({run[k].second, run[k - 1].second});
    }
    i = end;
  }
  std::ranges::sort(collisions, {}, [](const Collision& c) { return std::pair(c.name, c.other); });
  return collisions;
}

namespace {

std::string mapped_by(std::string_view text, int options) {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);  // not UTF-8, or no memory
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size)};
}

}  // namespace

std::string fold(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return lower(text);
  return mapped_by(text, UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);
}

std::string compatible_form(std::string_view text) {
  return mapped_by(text, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE);
}

}  // namespace wheelcheck::archive
