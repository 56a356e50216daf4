// Paths of members, roles of ELF files, and the test for host code.
#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/member.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

std::optional<MemberPath> MemberPath::parse(std::string_view raw) {
  if (raw.empty() || !is_utf8(raw)) return std::nullopt;
  if (raw.size() >= 2 && is_alpha(raw[0]) && raw[1] == ':') return std::nullopt;  // a drive letter of another system
  const auto unsafe = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\'; };
  if (std::ranges::any_of(raw, unsafe)) return std::nullopt;
  for (const auto each : std::views::split(raw, '/')) {
    const std::string_view part(each);
    if (part.empty() || part == "." || part == "..") return std::nullopt;
  }
  return MemberPath(std::string(raw));
}

std::string_view MemberPath::name() const { return base_name(text_); }

std::string_view MemberPath::directory() const { return directory_name(text_); }

const std::string& path_of(const WheelFacts& wheel, ElfIndex elf) {
  return wheel.members[wheel.elfs[elf.value].member.value].path.text();
}

std::string_view path_of(const WheelFacts& wheel, const Place& place) {
  if (const auto* const member = std::get_if<AtMember>(&place)) return wheel.members[member->member.value].path.text();
  if (const auto* const path = std::get_if<AtPath>(&place)) return path->path;
  const auto* const elf = std::get_if<AtElf>(&place);
  return elf != nullptr ? path_of(wheel, elf->elf) : std::string_view();
}

std::optional<MemberIndex> find_member(std::span<const MemberFacts> members, std::string_view path) {
  const auto text = [](const MemberFacts& member) { return std::string_view(member.path.text()); };
  const auto at = std::ranges::lower_bound(members, path, {}, text);
  if (at == members.end() || text(*at) != path) return std::nullopt;
  return MemberIndex{static_cast<std::uint32_t>(at - members.begin())};
}

std::string_view name_of(const ElfRole& role) {
  struct Names {
    std::string_view operator()(const ExtensionModule&) const { return "extension module"; }
    std::string_view operator()(const BundledLibrary&) const { return "grafted library"; }
    std::string_view operator()(const PlainLibrary&) const { return "library"; }
    std::string_view operator()(const Program&) const { return "program"; }
    std::string_view operator()(const ForeignCode& foreign) const { return foreign.what; }
    std::string_view operator()(const BrokenElf&) const { return "broken ELF file"; }
  };
  return std::visit(Names{}, role);
}

bool is_hashed(const WheelFacts& wheel) {
  return wheel.size != 0 && std::ranges::none_of(wheel.members, [](const MemberFacts& m) { return m.sha256.empty(); });
}

bool is_library(const ElfRole& role) {
  return std::holds_alternative<BundledLibrary>(role) || std::holds_alternative<PlainLibrary>(role);
}

bool is_host_code(const ElfMember& file) {
  return file.facts.use == MachineUse::Host && !std::holds_alternative<ForeignCode>(file.role) &&
         !std::holds_alternative<BrokenElf>(file.role);
}

}  // namespace wheelcheck
