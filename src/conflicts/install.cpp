#include "conflicts/install.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "conflicts/pythons.h"

namespace wheelcheck::conflicts {
namespace {

// One virtual environment holds all, whatever Python version each wheel's own paths name.
constexpr std::string_view prefix = "/venv/", site_packages = "/venv/lib/python3/site-packages";

std::string path_in_process(std::string_view installed) {
  constexpr std::string_view mark = "/site-packages/";
  const std::size_t at = installed.find(mark);
  const bool is_library = installed.starts_with("lib/") && at != installed.npos && installed.find('/', 4) == at;
  if (!is_library) return std::string(prefix) + std::string(installed);
  return std::string(site_packages) + '/' + std::string(installed.substr(at + mark.size()));
}

// The machine that the process runs on: that of the first extension module, else of the first host code.
const ElfFacts* model_of(const std::vector<Party>& parties) {
  const ElfFacts* first = nullptr;
  for (const Party& party : parties) {
    for (const ElfMember& file : party.facts.elfs) {
      if (!is_host_code(file)) continue;
      if (std::holds_alternative<ExtensionModule>(file.role)) return &file.facts;
      if (first == nullptr) first = &file.facts;
    }
  }
  return first;
}

bool fits(const ElfFacts& facts, const ElfFacts& model) {
  return facts.machine == model.machine && facts.bits == model.bits && facts.little_endian == model.little_endian;
}

void place_parties(Installation& out) {
  const ElfFacts* const model = model_of(out.parties);
  std::set<std::string> taken;
  out.objects.resize(out.parties.size());
  for (std::uint32_t p = 0; p < out.parties.size(); ++p) {
    const std::vector<ElfMember>& elfs = out.parties[p].facts.elfs;
    out.objects[p].resize(elfs.size());
    for (std::uint32_t e = 0; e < elfs.size(); ++e) {
      if (!is_host_code(elfs[e]) || !fits(elfs[e].facts, *model)) continue;
      std::string path = path_in_process(elfs[e].installed);
      if (!taken.insert(path).second) continue;
      out.objects[p][e] = process::ObjectIndex{static_cast<std::uint32_t>(out.world.files.size())};
      out.world.files.push_back({.path = std::move(path), .facts = &elfs[e].facts});
      out.origins.push_back({.kind = Origin::Kind::Party, .party = {p}, .elf = {e}});
    }
  }
}

std::string shown_name(const Installation& installation, std::uint32_t object) {
  const std::string& path = installation.world.files[object].path;
  const std::string base = path.substr(path.rfind('/') + 1);
  if (object == installation.main.value) return "<main>";
  if (installation.origins[object].kind == Origin::Kind::Interpreter) return "<libpython>";
  if (path.starts_with(installation.site_packages + '/')) return path.substr(installation.site_packages.size() + 1);
  if (path.starts_with(prefix)) return path.substr(prefix.size());
  return base;
}

}  // namespace

Result<Installation> install(std::vector<Party> parties, const SurroundingsInput& around) {
  Installation out;
  out.parties = std::move(parties);
  out.site_packages = site_packages;
  place_parties(out);
  SurroundingsInput of_these = around;
  of_these.pythons = pythons_of(out.parties);
  auto surroundings = furnish(out.world, of_these);
  if (!surroundings) return std::unexpected(std::move(surroundings.error()));
  out.main = surroundings->main;
  out.facts = std::move(surroundings->facts);
  out.description = std::move(surroundings->description);
  std::ranges::move(surroundings->origins, std::back_inserter(out.origins));
  for (std::uint32_t i = 0; i < out.world.files.size(); ++i) out.names.push_back(shown_name(out, i));
  return out;
}

}  // namespace wheelcheck::conflicts
