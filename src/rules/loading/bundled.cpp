// Bundled libraries: their sonames, second copies of them, and what they open by name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"
#include "rules/common.h"
#include "rules/sets/set_common.h"

// WC509: a wheel contains two copies of a runtime library that must exist only once in a process.
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
  return kinds.size() > 1 || kinds.contains("libomp") ? Severity::Warning : Severity::Note;
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
          .fix = twice.severity != Severity::Note
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

// WC507: a bundled library has its usual soname, so the loader may use another wheel's copy instead.
namespace wheelcheck::rules::generic_soname {
namespace {

// The name by which the loader identifies the file: DT_SONAME or, if it has none, the name in another file's DT_NEEDED.
std::string_view loaded_name(const WheelView& view, ElfIndex index, const std::set<std::string_view>& needed) {
  const ElfMember& elf = view.wheel.elfs[index.value];
  if (elf.facts.dynamic && elf.facts.dynamic->soname) return base_name(*elf.facts.dynamic->soname);
  const std::string_view name = base_name(path_of(view, index));
  return needed.contains(name) ? name : "";
}

const KnownLibrary* library_of(const Knowledge& knowledge, std::string_view name) {
  for (const KnownLibrary& library : knowledge.libraries)
    for (const std::string_view pattern : library.sonames)
      if (match_pattern(pattern, name)) return &library;
  return nullptr;
}

bool is_own(const WheelView& view, const KnownLibrary& library, std::string_view name) {
  const auto takes = [&](const std::string& glob) { return glob_match(glob, name); };
  if (std::ranges::any_of(view.options.own_sonames, takes)) return true;
  // normalised as in PEP 503, from the escaped form of PEP 427
  std::string distribution = lower(view.wheel.name.distribution);
  std::ranges::replace(distribution, '_', '-');
  std::ranges::replace(distribution, '.', '-');
  return std::ranges::find(library.owners, distribution) != library.owners.end();
}

// A repair tool may have renamed the file without changing its DT_SONAME.
std::string fix_for(std::string_view name, std::string_view path, bool is_needed) {
  const std::string_view file = base_name(path);
  if (!is_needed && plain_library_name(file) != file)
    return fmt::format("patchelf --set-soname {} {}, and the same for each of the others", shell_word(file),
                       shell_word(path));
  return fmt::format(
      "bundle them with auditwheel repair, which makes the names unique, or by hand: patchelf --set-soname NEW {} "
      "and patchelf --replace-needed {} NEW in each file that needs it",
      shell_word(path), shell_word(name));
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<std::string_view> needed = needed_names(view);
  std::map<std::string, std::string> paths;  // by name: the first file with that name
  std::set<std::string> libraries;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<BundledLibrary>(elf.role) && !std::holds_alternative<PlainLibrary>(elf.role)) return;
    const std::string_view name = loaded_name(view, index, needed);
    if (name.empty() || plain_library_name(name) != name) return;
    const KnownLibrary* library = library_of(view.knowledge, name);
    if (library == nullptr || is_own(view, *library, name)) return;
    paths.emplace(name, path_of(view, index));
    libraries.emplace(library->name);
  });
  if (paths.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, path] : paths) names.push_back(name);
  emit({.place = WholeWheel{},
        .message = fmt::format("bundles {}, {} that other wheels use too", first_of(names),
                               names.size() == 1 ? "a soname" : "sonames"),
        .evidence = {{"names", list_of(names)}, {"libraries", list_of({libraries.begin(), libraries.end()})}},
        .fix = fix_for(names.front(), paths.begin()->second, needed.contains(names.front())),
        .severity = {},
        .confidence = {}});
}

bool is_of_system(const Installation& all, process::ObjectIndex object) {
  return all.origins[object.value].kind != Origin::Kind::Distribution;
}

// For several wheels: reports a library that is not loaded because another one with its soname is.
// "PySide2 works with the Qt 5.15.11 of PyQt5 instead of its own Qt 5.15.2: both libraries are called libQt5Core.so.5"
std::string effect_of(const Installation& all, const Relation& relation) {
  const bool known = relation.library && relation.provider_library;
  const auto version = [](const LibraryInside& library) {
    return library.version ? library.name + ' ' + *library.version : library.name;
  };
  const std::string own = is_of_system(all, relation.own) ? "that of the system"
                          : known                         ? "its own " + version(*relation.library)
                                                          : "its own";
  return fmt::format("{} works with the {} of {} instead of {}: both libraries are called {}",
                     name_of(all, relation.distribution),
                     known ? version(*relation.provider_library) : std::string(file_name(all, relation.provider)),
                     name_of(all, relation.provider_distribution), own, base_name(file_name(all, relation.own)));
}

// A system's library under another name would be a second copy in the process (WC232 for libstdc++).
std::string fix_for_pair(const Installation& all, const Relation& relation) {
  const std::string provider = name_of(all, relation.provider_distribution);
  if (is_of_system(all, relation.own))
    return fmt::format(
        "in {}: remove {} from the wheel and use that of the system; wheelcheck check shows the tag that "
        "the wheel then needs",
        provider, base_name(file_name(all, relation.own)));
  return fmt::format(
      "give the library of {} a unique name: auditwheel repair, or patchelf --set-soname and "
      "--replace-needed",
      provider);
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Displaced) continue;
    std::vector<Evidence> evidence;
    if (relation.severity > Severity::Note) evidence.push_back({"effect", effect_of(all, relation)});
    if (relation.library && relation.provider_library) {
      evidence.push_back({"built against", shown(*relation.library)});
      evidence.push_back({"loaded", shown(*relation.provider_library)});
    }
    evidence.push_back({"names", list_of(relation.shown)});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} is loaded instead of {}, because both have the same soname; it provides {}",
                                 file_name(all, relation.provider), name_of(all, relation.provider_distribution),
                                 file_name(all, relation.own), count_of(relation.tally.symbols, "name")),
          .evidence = std::move(evidence),
          .fix = fix_for_pair(all, relation),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC507",
    .name = "generic-soname",
    .severity = Severity::Warning,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::generic_soname

// WC545: a bundled library opens its own parts by name, and the repair tool did not bundle these parts.
namespace wheelcheck::rules::dispatcher_without_parts {
namespace {

// "libcudnn" for libcudnn-74a4c495.so.9.1.0
std::string_view stem_of(std::string_view name) {
  const std::size_t end = std::min(name.find(".so"), name.size());
  const std::size_t hash = name.rfind('-', end);
  return name.substr(0, hash == name.npos ? end : hash);
}

// True for the complete file name of a part: "libcudnn_ops.so.9", not "libcudnn_%s.so".
bool is_part(std::string_view text, std::string_view stem) {
  if (!text.starts_with(stem) || text.size() <= stem.size() || text[stem.size()] != '_') return false;
  if (text.find(".so.") == text.npos && !text.ends_with(".so")) return false;
  return std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '+'; });
}

bool calls_dlopen(const ElfFacts& facts) {
  return facts.dynamic && std::ranges::any_of(facts.dynamic->imports, [](const Import& import) {
           return import.name == "dlopen" || import.name == "dlmopen";
         });
}

// True if the wheel has a file with that name or soname next to the library, where $ORIGIN (which repair tools set)
// finds it.
bool is_in_wheel(const WheelView& view, std::string_view name) {
  return std::ranges::any_of(view.wheel.elfs, [&](const ElfMember& elf) {
    return view.wheel.members[elf.member.value].path.name() == name ||
           (elf.facts.dynamic && elf.facts.dynamic->soname == std::optional(name));
  });
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<BundledLibrary>(elf.role) || !calls_dlopen(elf.facts)) return;
    const std::string_view stem = stem_of(base_name(path_of(view, index)));
    std::vector<std::string_view> absent;
    for (const std::string_view text : elf.facts.texts.libraries)
      if (is_part(text, stem) && !is_in_wheel(view, text)) absent.push_back(text);
    if (absent.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("opens {}, which the wheel does not contain", list_of_first(absent, 3)),
          .evidence = {{"opens by name", list_of_first(absent)}},
          .fix = fmt::format("exclude the library and require the distribution with all of its parts: auditwheel "
                             "repair --exclude {}",
                             shell_word(fmt::format("{}.so*", stem)))});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC545",
    .name = "dispatcher-without-parts",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::dispatcher_without_parts

// WC513: the same library under several names. A ZIP archive cannot contain links, so each name costs the full size.
namespace wheelcheck::rules::duplicate_files {
namespace {

// Bytes that the copies take in the archive; for less, a change is not worthwhile.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;

void check(const WheelView& view, const Emit& emit) {
  // By content: size and CRC-32 in the archive, which every reader compares with the bytes.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<ElfIndex>> same;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const MemberFacts& member = view.wheel.members[file.member.value];
    if (member.packed_size != 0) same[{member.size, member.crc32}].push_back(index);
  });
  std::uint64_t wasted = 0;
  std::size_t copies = 0;
  std::vector<std::pair<std::uint64_t, std::string>> groups;
  for (const auto& [content, files] : same) {
    if (files.size() < 2) continue;
    const std::uint64_t packed = view.wheel.members[view.wheel.elfs[files.front().value].member.value].packed_size;
    wasted += packed * (files.size() - 1);
    copies += files.size() - 1;
    std::vector<std::string> names;
    for (const ElfIndex index : files) names.emplace_back(path_of(view, index));
    groups.emplace_back(packed, list_of(names));
  }
  if (wasted < least_bytes) return;
  std::ranges::sort(groups, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<Evidence> evidence;
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < groups.size() && i < shown; ++i) evidence.push_back({"same content", groups[i].second});
  emit(
      {.place = WholeWheel{},
       .message = fmt::format("{} take{} {} of {}", count_of(copies, "duplicate file"), copies == 1 ? "s" : "",
                              megabytes(wasted), megabytes(view.wheel.size)),
       .evidence = std::move(evidence),
       .fix =
           "pack one file, named as its soname, and leave out the names that are symbolic links on the build machine"});
}

}  // namespace

extern const Rule rule{
    .code = "WC513",
    .name = "duplicate-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::duplicate_files
