#include "import_plan/ctypes_targets.h"

#include <algorithm>

#include "base/text.h"
#include "import_plan/party_files.h"

namespace wheelcheck::import_plan {
namespace {

constexpr std::size_t most_files = 16;

// At least four letters beside "lib" and ".so": "*.so" may be anything.
bool says_something(std::string_view name) {
  constexpr std::size_t least = 4;
  if (name.starts_with("lib")) name.remove_prefix(3);
  name = name.substr(0, name.find(".so"));
  return name.find('*') == name.npos || static_cast<std::size_t>(std::ranges::count_if(name, is_alnum)) >= least;
}

// The parts of `wanted` behind its last gap against the end of `path`.
bool ends_with_parts(std::string_view path, std::string_view wanted) {
  const std::vector<std::string_view> has = split(path, '/'), asks = split(wanted, '/');
  for (std::size_t i = 1; i <= asks.size(); ++i) {
    const std::string_view part = asks[asks.size() - i];
    if (part == "*" || part.empty()) return true;
    if (part == ".." || part == ".") return true;  // nobody says what is above a gap
    if (i > has.size() || !glob_match(part, has[has.size() - i])) return false;
    if (i > 1 && part.find('*') != part.npos) return true;
  }
  return true;
}

bool is_soname(const ElfFacts& facts, std::string_view name) {
  return facts.dynamic && facts.dynamic->soname && *facts.dynamic->soname == name;
}

}  // namespace

std::vector<Named> libraries_named(const Installation& installation, PartyIndex party, MemberIndex file,
                                   std::string_view library) {
  const bool by_path = library.find('/') != library.npos;
  const std::string_view base = base_name(library);
  if (!says_something(base)) return {};
  const std::string& from = installation.parties[party.value].facts.members[file.value].path.text();
  const std::string_view directory = std::string_view(from).substr(0, from.rfind('/') + 1);
  std::vector<Named> near, own, others;
  for (std::uint32_t p = 0; p < installation.parties.size(); ++p) {
    const Party& one = installation.parties[p];
    for (std::uint32_t e = 0; e < one.facts.elfs.size(); ++e) {
      const auto object = installation.objects[p][e];
      if (!object || std::holds_alternative<Program>(one.facts.elfs[e].role)) continue;
      const std::string& path = path_of(one, ElfIndex{e});
      const bool fits = by_path ? ends_with_parts(path, library)
                                : base_name(path) == base || is_soname(one.facts.elfs[e].facts, base);
      if (!fits) continue;
      const bool is_near = p == party.value && !directory.empty() && path.starts_with(directory);
      (is_near ? near : p == party.value ? own : others).push_back({*object, by_path});
    }
  }
  std::vector<Named> result = !near.empty() ? near : !own.empty() ? own : others;
  if (result.size() > most_files) result.clear();
  if (!by_path && result.size() > 1) result.resize(1);
  return result;
}

}  // namespace wheelcheck::import_plan
