// Machine code that opens libraries: the calls that elf/loader_calls.cpp read, and the names in the data of files whose
// calls could not be read.
#include "import_plan/code_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "import_plan/distribution_files.h"
#include "model/loader_calls.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

using process::ObjectIndex;

constexpr std::size_t most_names = 16;  // of one file's data

bool has_name(const Installation& installation, ObjectIndex object, std::string_view name) {
  const process::File& file = installation.world.files[object.value];
  if (base_name(file.path) == name) return true;
  return file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname == name;
}

// Of the own wheel first, as the search paths of a wheel mostly lead there.
std::optional<ObjectIndex> file_named(const Installation& installation, DistributionIndex own, std::string_view name,
                                      bool others) {
  std::optional<ObjectIndex> found;
  for (std::uint32_t p = 0; p < installation.distributions.size(); ++p) {
    if (p != own.value && (!others || found)) continue;
    for (const auto& object : installation.objects[p]) {
      if (!object || !has_name(installation, *object, name)) continue;
      if (p == own.value) return object;
      if (!found) found = object;
    }
  }
  return found;
}

}  // namespace

std::vector<CodeOpen> opened_by_code(const Installation& installation, DistributionIndex distribution, ElfIndex elf) {
  const ElfFacts& facts = installation.distributions[distribution.value].facts.elfs[elf.value].facts;
  const ObjectIndex caller = *installation.objects[distribution.value][elf.value];
  std::vector<CodeOpen> result;
  for (const LoaderCall& call : facts.loader_calls) {
    if (call.function != LoaderCall::Function::Dlopen || call.name.empty()) continue;
    if (call.name.find('/') != call.name.npos || (call.flags & rtld_noload) != 0) continue;
    if (const auto object = file_named(installation, distribution, call.name, true))
      result.push_back({*object, caller, call.name, call.flags, call.at_load, true});
  }
  if (!has_unread_dlopen(facts)) return result;
  std::size_t names = 0;
  for (const std::string_view text : facts.texts.libraries) {
    if (names == most_names) break;
    const std::string_view name = base_name(text);
    if (name.find_first_of("%* ") != name.npos) continue;
    const auto object = file_named(installation, distribution, name, false);
    if (!object || *object == caller) continue;
    result.push_back({*object, caller, "", rtld_now, false, false});
    ++names;
  }
  return result;
}

std::vector<ElfIndex> with_own_dependencies(const Distribution& distribution, ElfIndex elf) {
  std::vector<ElfIndex> result;
  std::set<ElfIndex> seen{elf};
  std::vector<ElfIndex> todo{elf};
  while (!todo.empty()) {
    const ElfIndex one = todo.back();
    todo.pop_back();
    result.push_back(one);
    if (one.value >= distribution.resolution.needed.size()) continue;
    for (const NeededFound& found : distribution.resolution.needed[one.value])
      if (found.found == Found::InWheel && found.provider &&
          found.provider->elf.value < distribution.facts.elfs.size() && seen.insert(found.provider->elf).second)
        todo.push_back(found.provider->elf);
  }
  std::ranges::reverse(result);
  return result;
}

std::string call_text(const CodeOpen& open) {
  std::string flags = (open.flags & rtld_lazy) != 0 ? "RTLD_LAZY" : "RTLD_NOW";
  if ((open.flags & rtld_global) != 0) flags += " | RTLD_GLOBAL";
  if ((open.flags & rtld_deepbind) != 0) flags += " | RTLD_DEEPBIND";
  return fmt::format("dlopen(\"{}\", {})", open.name, flags);
}

}  // namespace wheelcheck::import_plan
