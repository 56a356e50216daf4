// Two runtimes of one kind in a process, each with threads, tables or handlers of its own for the whole of it.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "conflicts/internal.h"

namespace wheelcheck::conflicts {
namespace {

constexpr std::array<std::string_view, 5> families = {"openmp", "tbb", "fortran", "cxx-runtime", "protobuf"};

// The interface that both Intel's and LLVM's runtime register in the process under one name; the second ends it
// (openmp/runtime/src/kmp_runtime.cpp, __kmp_register_library_startup).
constexpr std::string_view kmp = "libomp";

Severity grade(std::string_view family, const std::vector<RuntimeTwice::Copy>& copies) {
  std::set<std::string_view> kinds;
  for (const RuntimeTwice::Copy& copy : copies) kinds.insert(copy.library.id);
  const auto count = std::ranges::count_if(copies, [](const auto& copy) { return copy.library.id == kmp; });
  if (family == "openmp" && count > 1) return Severity::Error;
  if (family == "openmp" && kinds.size() > 1) return Severity::Warning;
  return family == "cxx-runtime" ? Severity::Warning : Severity::Info;
}

// A runtime by itself, or linked in and seen by others: a private copy of protobuf harms nobody, and is told all the
// same. Nothing is said of what one library only resembles.
const IdentifiedLibrary* runtime_in(const ElfAnalysis& analysis, std::string_view family) {
  for (const IdentifiedLibrary& library : analysis.libraries)
    if (library.family == family && (library.itself || library.confidence == Confidence::High)) return &library;
  return nullptr;
}

}  // namespace

std::vector<RuntimeTwice> runtimes(const Installation& installation, std::span<const process::Outcome> outcomes) {
  std::map<std::pair<std::string_view, std::vector<ObjectIndex>>, RuntimeTwice> found;
  for (std::uint32_t load_plan = 0; load_plan < outcomes.size(); ++load_plan) {
    std::map<std::string_view, std::vector<RuntimeTwice::Copy>> copies;
    for (const process::Loaded& each : outcomes[load_plan].loaded) {
      const ElfAnalysis* const analysis = analysis_of(installation, each.file);
      if (analysis == nullptr) continue;
      for (const std::string_view family : families)
        if (const auto* const library = runtime_in(*analysis, family))
          copies[family].push_back({each.file, {library->library, library->name, library->version}});
    }
    for (auto& [family, list] : copies) {
      std::set<PartyIndex> parties;
      for (const auto& copy : list) parties.insert(*party_of(installation, copy.object));
      if (parties.size() < 2) continue;  // one wheel's own affair: WC509 of that wheel
      std::ranges::sort(list, {}, &RuntimeTwice::Copy::object);
      std::vector<ObjectIndex> key;
      for (const auto& copy : list) key.push_back(copy.object);
      RuntimeTwice& entry = found[{family, key}];
      entry.family = family;
      entry.severity = grade(family, list);
      entry.copies = std::move(list);
      entry.load_plans.push_back(load_plan);
    }
  }
  std::vector<RuntimeTwice> out;
  for (auto& [key, entry] : found) out.push_back(std::move(entry));
  std::ranges::stable_sort(out, std::ranges::greater{}, &RuntimeTwice::severity);
  return out;
}

}  // namespace wheelcheck::conflicts
