// WC509: a wheel contains two copies of a runtime library that must exist only once in a process.
#include <fmt/format.h>

#include <algorithm>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::runtime_twice {
namespace {

struct Family {
  std::string_view id, what, trouble;
};
constexpr Family families[] = {
    {"openmp", "OpenMP runtimes", "each starts its own threads"},
    {"blas", "BLAS libraries", "each starts its own threads"},
    {"fortran", "Fortran runtimes", "each has its own units and buffers"},
    {"tbb", "TBB runtimes", "each has its own scheduler"},
};

// One library from the loader's point of view: files with the same soname count as one.
struct Copy {
  std::string path;
  const IdentifiedLibrary* library;
  ElfIndex elf;
};

std::string_view loaded_name(const WheelView& view, ElfIndex index, const ElfMember& elf) {
  if (elf.facts.dynamic && elf.facts.dynamic->soname) return *elf.facts.dynamic->soname;
  return path_of(view, index);
}

std::vector<Copy> copies_of(const WheelView& view, std::string_view family) {
  std::vector<Copy> result;
  std::set<std::string_view> names;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject) return;
    for (const IdentifiedLibrary& library : view.analysis.elfs[index.value].libraries) {
      // Linked-in code with weak evidence may be the caller's own.
      if (library.family != family || (!library.itself && library.confidence != Confidence::High)) continue;
      if (!names.insert(loaded_name(view, index, elf)).second) continue;
      result.push_back({std::string(path_of(view, index)), &library, index});
      return;
    }
  });
  return result;
}

// Two runtimes with the __kmpc interface abort the program: the second one finds the variable that the first has
// registered ("OMP: Error #15", openmp/runtime/src/kmp_runtime.cpp, __kmp_register_library_startup).
Severity grade(const WheelView& view, const std::vector<Copy>& copies) {
  const std::set<std::string_view> needed = needed_names(view);
  std::set<std::string> kinds;
  std::size_t kmp = 0;
  for (const Copy& copy : copies) {
    kinds.insert(copy.library->library);
    kmp += static_cast<std::size_t>(copy.library->library == "libomp" &&
                                    is_loaded(view, needed, view.wheel.elfs[copy.elf.value]));
  }
  if (kmp >= 2) return Severity::Error;
  return kinds.size() > 1 || kinds.contains("libomp") ? Severity::Warning : Severity::Info;
}

std::string shown(const IdentifiedLibrary& library) {
  return library.version ? fmt::format("{} {}", library.name, *library.version) : library.name;
}

std::string words_for(const Family& family, std::size_t count, const std::vector<std::string>& names) {
  if (names.size() == 1) return fmt::format("contains {} copies of {}; {}", count, names.front(), family.trouble);
  return fmt::format("contains {} {} ({}); {}", count, family.what, list_of(names), family.trouble);
}

void check(const WheelView& view, const Emit& emit) {
  for (const Family& family : families) {
    const std::vector<Copy> copies = copies_of(view, family.id);
    if (copies.size() < 2) continue;
    std::vector<std::string> names;
    std::vector<Evidence> evidence;
    for (const Copy& copy : copies) {
      const std::string name = shown(*copy.library);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      if (evidence.size() < shown_items) evidence.push_back({name, copy.path});
    }
    emit({.place = WholeWheel{},
          .message = words_for(family, copies.size(), names),
          .evidence = std::move(evidence),
          .fix = "build all parts against one of them, so that the repair tool copies it once; or require the wheel "
                 "that contains it and exclude it: auditwheel repair --exclude NAME",
          .severity = grade(view, copies),
          .confidence = {}});
  }
}

std::string_view what_of(std::string_view family) {
  const auto known = std::ranges::find(families, family, &Family::id);
  if (known != std::end(families)) return known->what;
  return family == "cxx-runtime" ? "C++ runtimes" : "copies of one library";
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const RuntimeTwice& twice : conflicts.runtimes) {
    std::vector<std::string> names;
    std::vector<Evidence> evidence;
    for (const RuntimeTwice::Copy& copy : twice.copies) {
      const std::string name = rules::shown(copy.library);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      if (evidence.size() < shown_items) evidence.push_back({name, std::string(file_name(all, copy.object))});
    }
    // Only copies of Intel's and LLVM's OpenMP are an error.
    if (twice.severity == Severity::Error) {
      std::vector<std::string> files;
      for (const RuntimeTwice::Copy& copy : twice.copies) files.emplace_back(file_name(all, copy.object));
      evidence.insert(evidence.begin(), {"effect", fmt::format("{} are copies of one OpenMP runtime: the second that "
                                                               "starts ends the process (OMP: Error #15)",
                                                               list_of(files))});
    }
    Concerned distributions;
    for (const RuntimeTwice::Copy& copy : twice.copies)
      distributions.push_back(all.origins[copy.object.value].distribution);
    add_orders(conflicts, twice.load_plans, evidence, distributions);
    emit({.place = WholeWheel{},
          .message = fmt::format("the process has {} {} of different distributions: {}", twice.copies.size(),
                                 what_of(twice.family), list_of(names)),
          .evidence = std::move(evidence),
          .fix = twice.severity != Severity::Info
                     ? "install builds that share one runtime, or keep the two in separate processes"
                 : twice.family == "openmp"
                     ? "set OMP_NUM_THREADS or use threadpoolctl if they start more threads than there are cores"
                     : "nothing has to be done as long as each uses its own",
          .severity = twice.severity,
          .load_plans = twice.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC509",
    .name = "runtime-twice",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::runtime_twice
