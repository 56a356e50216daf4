#include "policy/authoring/provided_symbols.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "elf/read.h"

namespace wheelcheck::sysroot {
namespace {

constexpr std::uint64_t elf_header_bytes = 52;                // of a 32-bit file
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // held in memory; no library of a policy has a tenth

template <class List>
void sort_once(List& list) {
  std::ranges::sort(list);
  const auto rest = std::ranges::unique(list);
  list.erase(rest.begin(), rest.end());
}

OfferedLibrary offer_of(std::string_view path, const DynamicFacts& dynamic) {
  OfferedLibrary out;
  out.soname = dynamic.soname ? std::string(*dynamic.soname) : std::string(base_name(path));
  out.path = path;
  for (const VersionDefinition& node : dynamic.provides) out.versions.emplace_back(node.version);
  for (const Export& symbol : dynamic.exports)
    out.symbols.push_back(
        {std::string(symbol.name), symbol.version ? std::string(dynamic.provides[*symbol.version].version) : ""});
  sort_once(out.versions);
  sort_once(out.symbols);
  return out;
}

}  // namespace

bool Offers::wants(std::string_view path, std::uint64_t size) const {
  if (size < elf_header_bytes || size > std::min(most_bytes, limits_.member_bytes) || !rank_of(path)) return false;
  // libc.so.6, libc-2.31.so, ld-linux-x86-64.so.2, ld64.so.1
  return base_name(path).find(".so") != path.npos;
}

void Offers::add(std::string_view path, std::span<const std::byte> bytes) {
  const auto rank = rank_of(path);
  if (!rank || !elf::has_elf_magic(bytes)) return;
  const ElfFacts facts = elf::read_elf(bytes, limits_);
  if (facts.arch == Arch::Other || facts.kind != ElfKind::SharedObject || !facts.dynamic) return;
  Held found{*rank, offer_of(in_root(path), *facts.dynamic)};
  auto& of_arch = held_[facts.arch];
  const auto at = of_arch.find(found.library.soname);
  const auto key = [](const Held& one) { return std::tie(one.rank, one.library.path); };
  if (at == of_arch.end())
    of_arch.emplace(found.library.soname, std::move(found));
  else if (key(found) < key(at->second))
    at->second = std::move(found);
}

std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> Offers::take() {
  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> out;
  for (auto& [arch, libraries] : held_)
    for (auto& [soname, one] : libraries) out[arch].emplace(soname, std::move(one.library));
  return out;
}

std::string_view in_root(std::string_view path) {
  while (path.starts_with("./") || path.starts_with('/')) path.remove_prefix(path.starts_with('/') ? 1 : 2);
  return path;
}

std::optional<unsigned> rank_of(std::string_view path) {
  path = in_root(path);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return std::nullopt;
  std::string_view directory = path.substr(0, slash);
  const bool below_usr = directory.starts_with("usr/");
  if (below_usr) directory.remove_prefix(4);
  constexpr std::array<std::string_view, 5> plain = {"lib64/lp64d", "lib64", "lib", "lib32", "local/lib"};
  if (const auto at = std::ranges::find(plain, directory); at != plain.end())
    return 2 + 2 * static_cast<unsigned>(at - plain.begin()) + (below_usr ? 1 : 0);
  const std::string_view multiarch = "lib/";
  if (!directory.starts_with(multiarch)) return std::nullopt;
  directory.remove_prefix(multiarch.size());
  const bool is_triplet = directory.find('/') == directory.npos && directory.find("-linux-") != directory.npos;
  return is_triplet ? std::optional<unsigned>(below_usr ? 1 : 0) : std::nullopt;
}

}  // namespace wheelcheck::sysroot
