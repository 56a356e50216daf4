// Bundled libraries: their sonames, second copies of them, and what they open by name.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "base/hash.h"
#include "base/pattern.h"
#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/graphics_stack.h"
#include "model/library_name.h"
#include "model/python_calls.h"
#include "model/requirement.h"
#include "rules/common.h"
#include "rules/gpu/gpu_common.h"
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

constexpr std::string_view reference_blas = "blas";  // Netlib's code starts no threads

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
      if (library.library == reference_blas) continue;
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
      "bundle them with auditwheel repair, which makes the names unique, or by hand: patchelf --set-soname NEW {}, "
      "call the file NEW, and patchelf --replace-needed {} NEW in each file that needs it",
      shell_word(path), shell_word(name));
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<std::string_view> needed = needed_names(view);
  std::vector<ElfIndex> files;
  std::map<std::string, std::string> paths;  // by name: the first file with that name
  std::set<std::string> libraries;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!is_library(elf.role)) return;
    const std::string_view name = loaded_name(view, index, needed);
    if (name.empty() || plain_library_name(name) != name) return;
    const KnownLibrary* library = library_of(view.knowledge, name);
    if (library == nullptr || is_own(view, *library, name)) return;
    if (library->family == "openmp") return;  // two copies end the process: "OMP: Error #15"
    files.push_back(index);
    paths.emplace(name, path_of(view, index));
    libraries.emplace(library->name);
  });
  if (paths.empty()) return;
  const std::set<ElfIndex> loaded = loaded_by_import(view);
  const bool by_import = std::ranges::any_of(files, [&](ElfIndex file) { return loaded.contains(file); });
  std::vector<std::string> names;
  for (const auto& [name, path] : paths) names.push_back(name);
  emit({.place = WholeWheel{},
        .message = fmt::format("bundles {}, {} that other wheels use too", first_of(names),
                               names.size() == 1 ? "a soname" : "sonames"),
        .evidence = {{"names", list_of(names)}, {"libraries", list_of({libraries.begin(), libraries.end()})}},
        .fix = fix_for(names.front(), paths.begin()->second, needed.contains(names.front())),
        // Who opens a library by its path needs the name, and so do modules of other wheels.
        .severity = by_import ? Severity::Warning : Severity::Note,
        .confidence = {}});
}

// For several wheels: reports a library that is not loaded because another one with its soname is.
// "PySide2 works with the Qt 5.15.11 of PyQt5 instead of its own Qt 5.15.2: both libraries are called libQt5Core.so.5"
std::string effect_of(const Installation& all, const Relation& relation) {
  const bool known = relation.library && relation.provider_library;
  const std::string own = !is_of_distribution(all, relation.own) ? "that of the system"
                          : known                                ? "its own " + name_and_version(*relation.library)
                                                                 : "its own";
  return fmt::format(
      "{} works with the {} of {} instead of {}: both libraries are called {}", name_of(all, relation.distribution),
      known ? name_and_version(*relation.provider_library) : std::string(file_name(all, relation.provider)),
      name_of(all, relation.provider_distribution), own, base_name(file_name(all, relation.own)));
}

// A system's library under another name would be a second copy in the process (WC232 for libstdc++).
std::string fix_for_pair(const Installation& all, const Relation& relation) {
  const std::string provider = name_of(all, relation.provider_distribution);
  if (!is_of_distribution(all, relation.own))
    return fmt::format(
        "in {}: remove {} from the wheel and use that of the system; wheelcheck check shows the tag that "
        "the wheel then needs",
        provider, base_name(file_name(all, relation.own)));
  return fmt::format(
      "give the library of {} a unique name: auditwheel repair, or patchelf --set-soname and "
      "--replace-needed",
      provider);
}

// What an error needs of the user: an order that works, or different processes.
std::string fix_for_group(const Conflicts& conflicts, const Relation& relation) {
  const std::string author = fix_for_pair(conflicts.installation, relation);
  if (relation.severity == Severity::Error)
    return fix_of_user(conflicts, relation.load_plans, concerned(relation)) + author;
  const auto order = relation.severity == Severity::Warning
                         ? safe_order(conflicts, relation.load_plans, concerned(relation))
                         : std::nullopt;
  return order ? fmt::format("import in the order {}; {}", *order, author) : author;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  const auto is_displaced = [](const Relation& relation) { return relation.kind == RelationKind::Displaced; };
  for (const auto& group : grouped_relations(conflicts, is_displaced)) {
    const Relation& relation = *group.front();
    std::vector<Evidence> evidence;
    if (relation.severity > Severity::Note) evidence.push_back({"effect", effect_of(all, relation)});
    if (relation.library && relation.provider_library) {
      evidence.push_back({"built against", shown(*relation.library)});
      evidence.push_back({"loaded", shown(*relation.provider_library)});
    }
    evidence.push_back({"names", list_of(relation.shown)});
    for (std::size_t i = 1; i < group.size() && i <= shown_items; ++i)
      evidence.push_back(
          {"also", fmt::format("{} instead of {}", file_name(all, group[i]->provider), file_name(all, group[i]->own))});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format(
              "{} of {} is loaded instead of {}, because both have the same soname; it provides {}{}",
              file_name(all, relation.provider), name_of(all, relation.provider_distribution),
              file_name(all, relation.own), count_of(relation.tally.symbols, "name"),
              group.size() == 1 ? "" : fmt::format("; {} likewise", count_of(group.size() - 1, "more file"))),
          .evidence = std::move(evidence),
          .fix = fix_for_group(conflicts, relation),
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

// WC545: a bundled library opens its own parts by name, and the repair tool did not bundle these parts. Or the import
// of the wheel opens a library by name that neither the wheel nor a system of its tags has.
namespace wheelcheck::rules::opened_library_missing {
namespace {

// "libcudnn" for libcudnn-74a4c495.so.9.1.0
std::string_view stem_of(std::string_view name) {
  const std::size_t end = std::min(name.find(".so"), name.size());
  const std::size_t hash = name.rfind('-', end);
  return name.substr(0, hash == name.npos ? end : hash);
}

// True for the complete file name of a part: "libcudnn_ops.so.9", "libnvrtc-builtins.so.12.4", not "libcudnn_%s.so".
bool is_part(std::string_view text, std::string_view stem) {
  if (!text.starts_with(stem) || text.substr(stem.size()).find_first_of("_-") != 0) return false;
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

// Libraries that the oldest levels of manylinux allow, beside those of glibc.
bool is_allowed(std::string_view name) {
  constexpr std::string_view names[] = {
      "libGL.so.1",          "libICE.so.6",         "libSM.so.6",     "libX11.so.6",   "libXext.so.6",
      "libXrender.so.1",     "libatomic.so.1",      "libexpat.so.1",  "libgcc_s.so.1", "libglib-2.0.so.0",
      "libgobject-2.0.so.0", "libgthread-2.0.so.0", "libstdc++.so.6", "libz.so.1"};
  return is_of_glibc(name) || name == "libc.so" || name.starts_with("libc.musl-") ||
         std::ranges::find(names, name) != std::end(names);
}

// "libfoobar" for libFoo_Bar
std::string letters(std::string_view text) {
  std::string out;
  for (const char c : lower(text))
    if (is_alnum(c)) out += c;
  return out;
}

// A requirement of the wheel may load the library before, so that the loader finds it by its soname.
bool may_be_required(const WheelView& view, std::string_view name) {
  const std::string stem = letters(name.substr(0, name.find(".so")));
  const auto matches = [&](std::string_view pattern) { return glob_match(pattern, name); };
  if (!view.wheel.metadata) return false;
  return std::ranges::any_of(view.wheel.metadata->requires_dist, [&](const std::string& line) {
    const std::string required = parse_dependency(line).name;
    const auto known = std::ranges::find(view.knowledge.distributions, required, &KnownDistribution::name);
    return (!required.empty() && stem.find(letters(required)) != std::string::npos) ||
           (known != view.knowledge.distributions.end() && std::ranges::any_of(known->sonames, matches));
  });
}

// As for a library in DT_NEEDED (WC103), unless a requirement of unknown content may have it, or the wheel is for every
// system.
Severity severity_of_open(const WheelView& view) {
  const bool for_platform =
      claims_family(view, PlatformTag::Family::Manylinux) || claims_family(view, PlatformTag::Family::Musllinux);
  return for_platform && view.wheel.metadata && asked_for(view).empty() ? Severity::Error : Severity::Warning;
}

// A file of the wheel, a requirement, the graphics driver or the system has the library, or a rule for GPUs judges it.
bool may_be_found(const WheelView& view, std::string_view name) {
  return is_allowed(name) || !graphics_library(name).empty() ||
         find_gpu_library(view.knowledge.gpu, stem_of(name)) != nullptr || is_in_wheel(view, name) ||
         may_be_required(view, name);
}

void check_imports(const WheelView& view, const Emit& emit) {
  std::set<std::string_view> seen;
  for (const import_plan::CertainOpen& open : import_plan::certain_opens(view.wheel)) {
    const std::string_view path = *open.call->library, name = base_name(path);
    // A path with an unknown beginning is most likely one of the wheel.
    const bool by_path = path.starts_with("*/");
    if (path.substr(by_path ? 2 : 0).find_first_of(by_path ? "*?[" : "/*?[") != path.npos || !name.contains(".so"))
      continue;
    // A file that is none of ELF is there (WC718).
    if (by_path && std::ranges::any_of(view.wheel.members, [&](const MemberFacts& m) { return m.path.name() == name; }))
      continue;
    if (may_be_found(view, name) || !seen.insert(name).second) continue;
    emit({.place = AtMember{open.file},
          .message =
              by_path
                  ? fmt::format("the import opens {} by a path, but no file of the wheel has that name", name)
                  : fmt::format("the import opens {} by name, which neither the wheel nor the systems of its tags have",
                                name),
          .evidence = {{"library", std::string(name)},
                       {"call", fmt::format("line {}: {}", open.call->line, open.call->text)}},
          .fix = by_path ? "pack the file: the build backend packs data of a package only where it is told to"
                         : fmt::format("pack the library, with `wheelcheck repair --bundle {}` or into the package, "
                                       "and open it by its path below pathlib.Path(__file__).parent",
                                       shell_word(std::string(name))),
          .severity = by_path ? Severity::Warning : severity_of_open(view),
          .confidence = by_path ? Confidence::Medium : Confidence::High});
  }
}

// Names that machine code passes to dlopen. What happens without the library is not known: most are optional. One with
// the name of the project is most likely a part of it that the repair tool did not see.
void check_calls(const WheelView& view, ElfIndex index, const ElfFacts& facts, const Emit& emit) {
  std::set<std::string_view> absent;
  for (const LoaderCall& call : facts.loader_calls)
    if (call.function == LoaderCall::Function::Dlopen && call.name.find(".so") != call.name.npos &&
        call.name.find('/') == call.name.npos && !may_be_found(view, call.name))
      absent.insert(call.name);
  if (absent.empty()) return;
  const std::string project = letters(view.wheel.name.distribution);
  const auto own = std::ranges::find_if(
      absent, [&](std::string_view name) { return project.size() > 3 && letters(stem_of(name)).contains(project); });
  const std::vector<std::string_view> names(absent.begin(), absent.end());
  emit({.place = AtElf{index},
        .message = fmt::format("opens {} by name, which neither the wheel nor the systems of its tags have",
                               list_of_first(names, 3)),
        .evidence = {{"opens by name", list_of_first(names)}},
        .fix = fmt::format("if the package needs it: wheelcheck repair --bundle {}",
                           shell_word(std::string(own == absent.end() ? names.front() : *own))),
        .severity = own == absent.end() ? Severity::Note : Severity::Warning});
}

// What a library opens at its first use, if it needs one of these parts and none is there.
struct AbsentParts {
  const KnownLibrary* library = nullptr;
  std::vector<std::string_view> parts;

  std::string message() const {
    return fmt::format("ends the process at its first use: it opens {}, which {} not beside it",
                       list_of_first(parts, 3), parts.size() == 1 ? "is" : "are");
  }
  std::string fix() const {
    const std::string from =
        library->owners.empty() ? "" : fmt::format(" and require {}, which has all parts", library->owners.front());
    return fmt::format("exclude {}{}: auditwheel repair --exclude {}; or link it statically", library->name, from,
                       shell_word(std::string(library->sonames.front())));
  }
};
AbsentParts absent_parts(const Knowledge& knowledge, std::string_view name, const ElfFacts& facts,
                         const std::function<bool(std::string_view)>& is_there) {
  for (const KnownLibrary& library : knowledge.libraries)
    for (const OpenedParts& opener : library.opens) {
      if (!glob_match(opener.file, name)) continue;
      std::vector<std::string_view> parts;
      for (const std::string_view text : facts.texts.libraries)
        if (std::ranges::any_of(opener.one_of, [&](std::string_view pattern) { return glob_match(pattern, text); }))
          parts.push_back(text);
      if (!parts.empty() && std::ranges::none_of(parts, is_there)) return {&library, parts};
    }
  return {};
}

bool is_needed(const WheelView& view, ElfIndex library) {
  return std::ranges::any_of(view.resolution.needed, [&](const std::vector<NeededFound>& of_file) {
    return std::ranges::any_of(of_file, [&](const NeededFound& found) {
      return found.found == Found::InWheel && found.provider && found.provider->elf == library;
    });
  });
}

void check(const WheelView& view, const Emit& emit) {
  check_imports(view, emit);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    check_calls(view, index, elf.facts, emit);
    if (!std::holds_alternative<BundledLibrary>(elf.role) || !calls_dlopen(elf.facts)) return;
    const std::string_view name = base_name(path_of(view, index)), stem = stem_of(name);
    const AbsentParts lack = absent_parts(view.knowledge, name, elf.facts, [&](std::string_view part) {
      return is_in_wheel(view, part) || may_be_required(view, part);
    });
    if (lack.library != nullptr) {
      emit({.place = AtElf{index},
            .message = lack.message(),
            .evidence = {{"opens by name", list_of_first(lack.parts)}},
            .fix = lack.fix(),
            .severity = is_needed(view, index) ? Severity::Error : Severity::Warning,
            .confidence = Confidence::High});
      return;
    }
    std::vector<std::string_view> absent;
    for (const std::string_view text : elf.facts.texts.libraries)
      if (is_part(text, stem) && !is_in_wheel(view, text)) absent.push_back(text);
    if (absent.empty()) return;
    const bool known = find_gpu_library(view.knowledge.gpu, stem_of(absent.front())) != nullptr;
    emit({.place = AtElf{index},
          .message = fmt::format("opens {}, which the wheel does not contain", list_of_first(absent, 3)),
          .evidence = {{"opens by name", list_of_first(absent)}},
          .fix = fmt::format("exclude the library and require the distribution with all of its parts: auditwheel "
                             "repair --exclude {}",
                             shell_word(fmt::format("{}.so*", stem))),
          // Other libraries have optional parts (the 10-bit encoder of x265 can be linked in).
          .severity = known ? std::nullopt : std::optional(Severity::Note)});
  });
}

// In a process a requirement, or nothing at all, may have the parts: only files beside the library count, and loaded
// ones.
void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<process::ObjectIndex, std::pair<AbsentParts, std::vector<std::uint32_t>>> found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
      const ElfMember* const file = all.member(each.file);
      if (file == nullptr || !each.by || is_opened_uncertainly(conflicts, plan, each)) continue;
      const std::string_view path = all.world.files[each.file.value].path;
      AbsentParts lack = absent_parts(view.knowledge, base_name(path), file->facts, [&](std::string_view part) {
        const std::string beside = fmt::format("{}/{}", directory_name(path), part);
        return std::ranges::any_of(all.world.files, [&](const auto& one) { return one.path == beside; }) ||
               std::ranges::any_of(conflicts.outcomes[plan].loaded, [&](const process::Loaded& one) {
                 const DynamicFacts* const dynamic = dynamic_of(all, one.file);
                 return dynamic != nullptr && dynamic->soname == std::optional(part);
               });
      });
      if (lack.library == nullptr) continue;
      found[each.file].first = std::move(lack);
      found[each.file].second.push_back(plan);
    }
  for (const auto& [library, what] : found) {
    const auto& [lack, load_plans] = what;
    std::vector<Evidence> evidence{{"opens by name", list_of_first(lack.parts)}};
    add_orders(conflicts, load_plans, evidence);
    emit({.place = AtObject{library},
          .message = fmt::format("{} {}", file_name(all, library), lack.message()),
          .evidence = std::move(evidence),
          .fix = fmt::format("tell the project of {}: {}", name_of(all, all.origins[library.value].distribution),
                             lack.fix()),
          .severity = Severity::Error,
          .confidence = Confidence::High,
          .load_plans = load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC545",
    .name = "opened-library-missing",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .stops_import = true,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::opened_library_missing

// WC513: the same library under several names. A ZIP archive cannot contain links, so each name costs the full size.
namespace wheelcheck::rules::duplicate_files {
namespace {

// Copies for which a change is worthwhile take that many bytes of the archive, or that part of it.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t least_part = 20;  // one of 20: 5 %

std::string digest_of_symbols(const DynamicFacts& dynamic) {
  Sha2 digest;
  const auto add = [&](std::string_view name, std::uint64_t size) {
    digest.update(std::as_bytes(std::span(name)));
    const std::string end = fmt::format(" {}\n", size);
    digest.update(std::as_bytes(std::span(end)));
  };
  for (const Export& symbol : dynamic.exports) add(symbol.name, symbol.size);
  for (const Import& symbol : dynamic.imports) add(symbol.name, 0);
  return digest.hex();
}

// Only files that agree in these numbers can have the same code. It saves the digests of most files.
std::string numbers_of(const ElfFacts& facts) {
  if (!facts.dynamic) return "";
  return fmt::format("{} {} {} {}", facts.machine, facts.dynamic->exports.size(), facts.dynamic->imports.size(),
                     facts.vector_code ? facts.vector_code->count : 0);
}

// Files with the same numbers and the same key have the same code. patchelf changes the soname, the needed names and
// the search path, but neither the build ID nor a symbol. Without a build ID, many symbols must have the same names and
// sizes; for another processor, the sizes or the number of vector instructions differ. Else the bytes must be equal: by
// size and CRC-32 in the archive, which every reader compares with them.
std::string code_key(const ElfFacts& facts, const MemberFacts& member) {
  constexpr std::ptrdiff_t min_symbols = 20;
  const auto has_size = [](const Export& symbol) { return symbol.size != 0; };
  if (facts.dynamic && facts.build_id) return fmt::format("build ID {}", *facts.build_id);
  if (facts.dynamic && std::ranges::count_if(facts.dynamic->exports, has_size) >= min_symbols)
    return fmt::format("{} {}", fmt::join(facts.texts.versions, " "), digest_of_symbols(*facts.dynamic));
  return fmt::format("bytes {} {}", member.size, member.crc32);
}

struct SameCode {
  std::vector<std::string> names;
  std::uint64_t wasted = 0;  // bytes in the archive of all but the largest
  bool equal = true;         // byte by byte
};

SameCode describe(const WheelView& view, const std::vector<ElfIndex>& files) {
  SameCode same;
  std::uint64_t largest = 0;
  const auto member_of = [&](ElfIndex index) -> const MemberFacts& {
    return view.wheel.members[view.wheel.elfs[index.value].member.value];
  };
  const MemberFacts& first = member_of(files.front());
  for (const ElfIndex index : files) {
    const MemberFacts& member = member_of(index);
    same.names.emplace_back(path_of(view, index));
    same.wasted += member.packed_size;
    largest = std::max(largest, member.packed_size);
    same.equal = same.equal && member.size == first.size && member.crc32 == first.crc32;
  }
  same.wasted -= largest;
  return same;
}

// True if something finds the file by its name: an import, a DT_NEEDED, Python code or a text of the machine code.
bool is_used_by_name(const WheelView& view, ElfIndex index, const std::set<std::string_view>& names,
                     OpenedNames& opened) {
  const std::string_view name = base_name(path_of(view, index));
  const bool imported =
      std::holds_alternative<ExtensionModule>(view.wheel.elfs[index.value].role) && name.ends_with(".so");
  return imported || names.contains(name) || opened.have(path_of(view, index));
}

std::string fix_of(const std::vector<std::string>& kept) {
  return fmt::format(
      "pack one file of each, under the name by which it is imported, needed or opened{}, and leave out "
      "the names that are symbolic links on the build machine",
      kept.empty() ? "" : fmt::format(" ({})", list_of(kept)));
}

// `kept`: what is used by its name.
std::string fix_of_edited(const WheelView& view, const std::vector<std::string>& copies,
                          const std::vector<std::string>& kept) {
  const auto by_repair = [](const std::string& path) { return plain_library_name(base_name(path)) != base_name(path); };
  const auto is_kept = [&](const std::string& path) { return std::ranges::find(kept, path) != kept.end(); };
  if (std::ranges::any_of(copies, by_repair)) {
    const bool needed =
        std::ranges::any_of(copies, [&](const auto& path) { return !by_repair(path) && is_kept(path); });
    return fmt::format(
        "{}let the repair tool find the library in the package: give the files that need it a search "
        "path to that directory before the repair",
        needed ? "" : "leave the library out of the package, or ");
  }
  const std::string package = normal_project_name(view.wheel.name.distribution);
  const auto in_package = std::ranges::find_if(copies, [&](const std::string& path) {
    return path.contains('/') && normal_project_name(path.substr(0, path.find('/'))) == package;
  });
  return fmt::format("install it once{}: the build installs it in several places",
                     in_package == copies.end() ? "" : ", as " + *in_package);
}

void check(const WheelView& view, const Emit& emit) {
  std::map<std::string, std::vector<ElfIndex>> similar;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    if (view.wheel.members[file.member.value].packed_size != 0) similar[numbers_of(file.facts)].push_back(index);
  });
  std::map<std::pair<std::string_view, std::string>, std::vector<ElfIndex>> files_of;
  for (const auto& [numbers, files] : similar) {
    if (files.size() < 2) continue;
    for (const ElfIndex index : files) {
      const ElfMember& file = view.wheel.elfs[index.value];
      files_of[{numbers, code_key(file.facts, view.wheel.members[file.member.value])}].push_back(index);
    }
  }
  std::uint64_t wasted = 0;
  std::size_t copies = 0;
  std::vector<SameCode> groups;
  std::vector<std::string> kept;
  // One program can have several names and behave by the name that it is started with.
  const auto is_program = [&](ElfIndex index) {
    return std::holds_alternative<Program>(view.wheel.elfs[index.value].role);
  };
  std::erase_if(files_of, [&](const auto& group) {
    return group.second.size() < 2 || std::ranges::all_of(group.second, is_program);
  });
  if (files_of.empty()) return;
  OpenedNames opened(view.wheel);
  std::set<std::string_view> used = needed_names(view);
  for (const ElfMember& elf : view.wheel.elfs)
    for (const std::string_view text : elf.facts.texts.libraries)
      if (!elf.facts.dynamic || elf.facts.dynamic->soname != std::optional(text)) used.insert(text);
  for (const auto& [key, files] : files_of) {
    groups.push_back(describe(view, files));
    wasted += groups.back().wasted;
    copies += files.size() - 1;
    std::vector<std::string> known;
    for (const ElfIndex index : files)
      if (is_used_by_name(view, index, used, opened)) known.emplace_back(path_of(view, index));
    if (known.size() < files.size()) kept.insert(kept.end(), known.begin(), known.end());
  }
  if (wasted == 0 || (wasted < least_bytes && wasted < view.wheel.size / least_part)) return;
  std::ranges::sort(groups, [](const SameCode& a, const SameCode& b) {
    return a.wasted != b.wasted ? a.wasted > b.wasted : a.names < b.names;
  });
  std::vector<Evidence> evidence;
  constexpr std::size_t shown = 5;
  constexpr std::uint64_t small_part = 200;  // 0.5 % of the wheel
  for (std::size_t i = 0; i < groups.size() && i < shown; ++i)
    evidence.push_back({groups[i].equal ? "same content" : "same code", list_of(groups[i].names)});
  emit({.place = WholeWheel{},
        .message = fmt::format("{} take{} {} of {}", count_of(copies, "duplicate file"), copies == 1 ? "s" : "",
                               size_text(wasted), size_text(view.wheel.size)),
        .evidence = std::move(evidence),
        .fix = groups.front().equal ? fix_of(kept) : fix_of_edited(view, groups.front().names, kept),
        .severity = wasted < view.wheel.size / small_part ? Severity::Note : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC513",
    .name = "duplicate-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::duplicate_files
