// DT_NEEDED entries: those that no search path leads to, those that nothing uses, and libpython.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "import_plan/own_loads.h"
#include "model/each_symbol.h"
#include "model/installed_files.h"
#include "model/needed_closure.h"
#include "model/python_calls.h"
#include "model/unprovided.h"
#include "model/unused_copies.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"
#include "rules/symbols/name_table.h"
#include "wheelcheck/wheelcheck.h"

// WC512: a library is in DT_NEEDED, although the file does not use any of its symbols.
namespace wheelcheck::rules::needed_unused {
namespace {

const ElfMember* provider_of(const WheelView& view, const NeededFound& found) {
  if (!found.provider) return nullptr;
  const std::uint32_t wheel = found.provider->wheel.value;
  if (wheel > view.providers.size()) return nullptr;
  const WheelFacts& facts = wheel == 0 ? view.wheel : view.providers[wheel - 1];
  return &facts.elfs[found.provider->elf.value];
}

// Determines which of the queried libraries export a symbol that their users import. A library of 250,000 symbols may
// serve a hundred modules, so its exports are scanned once for all of them.
class Uses {
 public:
  void add(const ElfMember& user, const ElfMember& provider) { uses_of_[&provider].try_emplace(&user, Use::Unknown); }
  // Call it after the last ask() and before reading the results.
  void find() {
    for (auto& [provider, users] : uses_of_) {
      const Exports& exports = provider->facts.dynamic->exports;
      for (auto& [user, use] : users)
        if (user->facts.dynamic->imports.size() / shorter > exports.size()) use = by_exports(exports, *user);
      if (!by_few_imports(exports, users)) by_imports(exports, users);
    }
  }
  bool is_used(const ElfMember& user, const ElfMember& provider) const {
    return uses_of_.at(&provider).at(&user) == Use::Found;
  }

 private:
  using Exports = std::vector<Export>;
  enum class Use { Unknown, Found, None };
  using Users = std::map<const ElfMember*, Use>;
  // If the list of exports is this many times shorter than the list of imports, exports are looked up in a table of
  // imports, otherwise the reverse.
  static constexpr std::size_t shorter = 16;

  // The table of imports is reused, because a file may import from thousands of small libraries.
  Use by_exports(const Exports& exports, const ElfMember& user) {
    const auto [at, is_new] = imports_.try_emplace(&user);
    NameTable& names = at->second;
    if (is_new) {
      for (const Import& import : user.facts.dynamic->imports) names.add(import.name);
      names.finish();
    }
    return any_found(exports, names, [](std::size_t) { return true; }) ? Use::Found : Use::None;
  }

  // Tries a few names of each user, which is sufficient for most. Names without a version are chosen, because a name
  // with a version is rarely from this library. False if that does not decide for every user.
  static bool by_few_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<Use*> tried;  // by the order in which names were added
    std::size_t left = 0;
    for (auto& [user, use] : users) {
      if (use != Use::Unknown) continue;
      ++left;
      for (const Import* const import : few_of(user->facts.dynamic->imports)) {
        names.add(import->name);
        tried.push_back(&use);
      }
    }
    if (left == 0) return true;
    names.finish();
    std::vector<std::vector<Use*>> askers(names.size());
    for (std::size_t i = 0; i < tried.size(); ++i) askers[names.numbers()[i]].push_back(tried[i]);
    return any_found(exports, names, [&](std::size_t name) {
      for (Use* const use : askers[name]) left -= std::exchange(*use, Use::Found) == Use::Unknown ? 1 : 0;
      return left == 0;
    });
  }
  static std::vector<const Import*> few_of(const std::vector<Import>& imports) {
    constexpr std::size_t max = 16;
    std::vector<const Import*> few;
    const std::size_t apart = imports.size() / max + 1;
    for (std::size_t begin = 0; begin < imports.size(); begin += apart) {
      const auto some = std::span(imports).subspan(begin, std::min(apart, imports.size() - begin));
      const auto found = std::ranges::find_if(some, [](const Import& import) { return !import.need; });
      if (found != some.end()) few.push_back(&*found);
    }
    return few;
  }

  // Tries all names of the remaining users.
  static void by_imports(const Exports& exports, Users& users) {
    NameTable names;
    std::vector<std::pair<Use*, std::size_t>> tried;  // the number of names of each user
    for (auto& [user, use] : users) {
      if (use != Use::Unknown) continue;
      const std::vector<Import>& imports = user->facts.dynamic->imports;
      each_symbol(imports, [&](const Import& import) { names.add(import.name); });
      tried.emplace_back(&use, imports.size());
    }
    names.finish();
    std::vector<bool> is_exported(names.size());
    any_found(exports, names, [&](std::size_t name) {
      is_exported[name] = true;
      return false;
    });
    std::span<const std::uint32_t> numbers = names.numbers();
    for (const auto& [use, count] : tried) {
      const bool found = std::ranges::any_of(numbers.first(count), [&](auto name) { return is_exported[name]; });
      *use = found ? Use::Found : Use::None;
      numbers = numbers.subspan(count);
    }
  }

  // The maps are never iterated in an order that a report could show.
  std::map<const ElfMember*, Users> uses_of_;      // by provider
  std::map<const ElfMember*, NameTable> imports_;  // by user
};

void check(const WheelView& view, const Emit& emit) {
  Uses uses;
  // Calls visit(index, file, library, provider or null) for each DT_NEEDED without a version need.
  const auto each_entry = [&](auto visit) {
    for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
      if (!elf.facts.dynamic) return;
      for (const NeededFound& found : view.resolution.needed[index.value])
        if (!needs_version_of(elf, found.name)) visit(index, elf, found, provider_of(view, found));
    });
  };
  each_entry([&](ElfIndex, const ElfMember& elf, const NeededFound&, const ElfMember* provider) {
    if (provider && provider->facts.dynamic) uses.add(elf, *provider);
  });
  uses.find();
  std::map<ElfIndex, std::vector<std::string>> unused;
  each_entry([&](ElfIndex index, const ElfMember& elf, const NeededFound& found, const ElfMember* provider) {
    const bool is_unused =
        provider ? provider->facts.dynamic && !uses.is_used(elf, *provider) : uses_no_symbol_of(elf, found.name);
    if (is_unused) unused[index].emplace_back(found.name);
  });
  for (const auto& [index, libraries] : unused)
    emit({.place = AtElf{index},
          .message = fmt::format("requires {} but uses no symbol of {}", first_of(libraries),
                                 libraries.size() == 1 ? "it" : "them"),
          .evidence = {{"unused", list_of(libraries)}},
          .fix = fmt::format("link with -Wl,--as-needed before the libraries, or patchelf --remove-needed {} {}",
                             shell_word(libraries.front()), shell_word(path_of(view, index))),
          .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC512",
    .name = "needed-unused",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::needed_unused

// WC506: the wheel contains the library, but no search path leads to it.
namespace wheelcheck::rules::needed_unresolvable {
namespace {

using FileAndLibrary = std::pair<ElfIndex, std::string_view>;

struct Known {
  // the claims that are not compatible because of the library
  std::map<FileAndLibrary, std::vector<const Claim*>> broken;
  std::set<FileAndLibrary> from_the_system;  // the newest level of a policy family has the library
};

// If every newer system has a library of that name, the loader uses it when the wheel's copy cannot be found.
Known what_policies_say(const WheelView& view) {
  Known known;
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement : unmet_requirements_of<LibraryRequirement>(view))
    known.broken[{unmet_requirement.elf, unmet_requirement.what->library}] = unmet_requirement.claims;
  for (const Assessment& assessment : view.assessments) {
    if (assessment.levels.size() < 2) continue;
    std::set<RequirementIndex> unmet(assessment.levels[1].unmet_requirements.begin(),
                                     assessment.levels[1].unmet_requirements.end());
    for (std::uint32_t i = 0; i < assessment.requirements.size(); ++i) {
      const Requirement& requirement = assessment.requirements[i];
      const LibraryRequirement* what = std::get_if<LibraryRequirement>(&requirement.what);
      if (what && !unmet.contains(RequirementIndex{i})) known.from_the_system.insert({requirement.elf, what->library});
    }
  }
  return known;
}

// The libraries of one file that are not found in the same way; one finding names all of them.
using Lost = std::vector<const NeededFound*>;

// A library that is not found where Python code opens a file of the wheel by its path.
struct LostInCall {
  NeededFound found;
  import_plan::OwnLoad load;
};
using LostInCalls = std::map<FileAndLibrary, LostInCall>;

// What the loads so far have brought into the process.
class Loaded {
 public:
  explicit Loaded(const WheelView& view) : view_(view) {}
  void add(ElfIndex elf) {
    if (!files_.insert(elf).second) return;
    const ElfFacts& facts = view_.wheel.elfs[elf.value].facts;
    names_.insert(base_name(path_of(view_, elf)));
    if (facts.dynamic && facts.dynamic->soname) names_.insert(*facts.dynamic->soname);
  }
  bool has(ElfIndex elf) const { return files_.contains(elf); }
  bool has(std::string_view name) const { return names_.contains(name); }

 private:
  const WheelView& view_;
  std::set<ElfIndex> files_;
  std::set<std::string_view> names_;
};

// A call of ctypes or cffi is a load of its own. The search paths of the module that otherwise loads the file do not
// apply to it, because DT_RPATH is inherited from the file that requires a library, and dlopen has none (glibc
// elf/dl-load.c, _dl_map_object). Only what is in the process already is found by its soname. Libraries that another
// call opens count as found, because the order of calls in functions is not known.
LostInCalls lost_in_calls(const WheelView& view, std::span<const import_plan::OwnLoad> loads) {
  LostInCalls lost;
  std::vector<ElfIndex> roots;
  Loaded opened(view), loaded(view);
  for (const import_plan::OwnLoad& load : loads) {
    roots.push_back(load.elf);
    if (load.by_call) opened.add(load.elf);
  }
  std::ranges::sort(roots);
  const auto rest = std::ranges::unique(roots);
  roots.erase(rest.begin(), rest.end());
  std::map<ElfIndex, Load> traces;
  for (Load& trace : trace(view.wheel, view.providers, {}, roots)) traces.emplace(trace.root, std::move(trace));
  for (const import_plan::OwnLoad& load : loads) {
    const auto at = traces.find(load.elf);
    if (at == traces.end() || loaded.has(load.elf)) continue;
    loaded.add(load.elf);
    for (const Load::Need& need : at->second.needs) {
      const NeededFound& found = need.found;
      if (found.provider && found.provider->wheel.value == 0) loaded.add(found.provider->elf);
      if (!load.by_call || need.user.wheel.value != 0 || found.found != Found::Outside || !found.unreached) continue;
      if (found.unreached->wheel.value != 0 || opened.has(found.name) || loaded.has(found.name)) continue;
      lost.try_emplace({need.user.elf, found.name}, LostInCall{found, load});
    }
  }
  return lost;
}

// Whether a file that was opened by its path is taken for a library of this name (glibc elf/dl-load.c, _dl_map_object:
// by DT_SONAME). musl remembers only names for which it searched (ldso/dynlink.c, load_library).
bool answers_once_opened(const ElfMember& file, std::string_view name) {
  return file.libc != Libc::Musl && file.facts.dynamic && file.facts.dynamic->soname == name;
}

bool is_here(const NeededFound& found) { return found.unreached->wheel.value == 0; }

// The loader searches for a file with the needed name. If the soname matches but the file name does not, or if the
// needed name is a path, a search path alone is not sufficient.
std::string fix_of(const WheelView& view, ElfIndex index, const Lost& lost, const std::string& libraries,
                   bool imported_before, bool in_call) {
  if (is_here(*lost.front()) && !in_call) {
    const NeededFound& first = *lost.front();
    if (base_name(path_of(view, first.unreached->elf)) != first.name && is_ambiguous(view.wheel, first.name))
      return fmt::format("name one file {}, or open the right one from Python before the import", first.name);
    return path_repair(view, index);
  }
  if (in_call) {  // another load finds the libraries, so path_repair does not know their directories
    const ElfMember& file = view.wheel.elfs[index.value];
    std::vector<std::string> directories;
    for (const NeededFound* const found : lost)
      directories.push_back(origin_path(file.installed, view.wheel.elfs[found->unreached->elf.value].installed));
    return path_repair(view, index, directories);
  }
  if (imported_before)
    return fmt::format(
        "the import of the wheel imports the other one first, which loads {}: declare it with "
        "--external {}",
        libraries, shell_word(std::string(lost.front()->name)));
  return fmt::format("give {} a search path to the wheel that contains {}, or load it first from Python",
                     path_of(view, index), libraries);
}

std::string where(const WheelView& view, const NeededFound& found) {
  return is_here(found) ? std::string(path_of(view, found.unreached->elf)) : "another wheel of the run";
}

// Importing the wheel imports the package with the library before, which loads it: palletjack imports pyarrow.
// `imported`: import_plan::imported_files() of the wheel.
bool is_imported_before(const WheelView& view, const NeededFound& found, const std::set<MemberIndex>& imported) {
  if (is_here(found) || found.unreached->wheel.value > view.providers.size()) return false;
  const WheelFacts& provider = view.providers[found.unreached->wheel.value - 1];
  if (found.unreached->elf.value >= provider.elfs.size()) return false;
  const std::string_view library = below_site(path_of(provider, found.unreached->elf));
  const std::string_view package = library.substr(0, library.find('/'));
  return std::ranges::any_of(view.wheel.python, [&](const PythonFile& file) {
    return imported.contains(file.member) && std::ranges::any_of(file.events, [&](const PythonEvent& event) {
             return event.action == PythonAction::Import && import_plan::is_certain(event) &&
                    std::string_view(event.name).substr(0, event.name.find('.')) == package;
           });
  });
}

// A copy that no import reaches, no other file needs and no Python code of the wheel opens does no harm.
Severity severity_of(const WheelView& view, const ElfMember& root, const std::set<std::string_view>& needed,
                     bool is_unused_copy) {
  if (is_unused_copy) return Severity::Note;
  if (std::holds_alternative<ExtensionModule>(root.role)) return Severity::Error;
  if (!std::holds_alternative<BundledLibrary>(root.role) || is_loaded(view, needed, root)) return Severity::Warning;
  const std::string_view name = base_name(view.wheel.members[root.member.value].path.text());
  for (const PythonFile& file : view.wheel.python)
    for (const PythonCall& call : file.calls)
      if (!call.library || glob_match(base_name(*call.library), name)) return Severity::Warning;
  return Severity::Note;
}

void report(const WheelView& view, const Emit& emit, ElfIndex index, const Lost& lost, const Known& known,
            Severity severity, bool imported_before, const import_plan::OwnLoad* load) {
  const NeededFound& first = *lost.front();
  std::vector<std::string> libraries, places;
  std::set<const Claim*> broken;
  for (const NeededFound* const found : lost) {
    libraries.emplace_back(found->name);
    if (std::string place = where(view, *found); std::ranges::find(places, place) == places.end())
      places.push_back(std::move(place));
    if (const auto claims = known.broken.find({index, found->name}); claims != known.broken.end())
      broken.insert(claims->second.begin(), claims->second.end());
  }
  const EffectivePath path = effective_path(view.wheel.elfs[index.value].facts);
  std::vector<Evidence> evidence{{libraries.size() == 1 ? "library" : "libraries", list_of(libraries)},
                                 {"found in", list_of(places)}};
  evidence.push_back(
      {"search path", path.elements.empty() ? std::string("none") : fmt::format("{}", fmt::join(path.elements, ":"))});
  const std::string opened =
      load ? fmt::format("{}:{}", view.wheel.members[load->file.value].path.text(), load->line) : "";
  if (load != nullptr) evidence.push_back({"opened by", opened});
  if (first.root.wheel.value == 0 && first.root.elf != index)
    evidence.push_back({"loaded by", std::string(path_of(view, first.root.elf))});
  if (!broken.empty()) evidence.push_back({"blocks", tags_of({broken.begin(), broken.end()})});
  emit({.place = AtElf{index},
        .message = fmt::format(
            "requires {}, which {} contains, but no search path leads there{}", first_of(libraries),
            is_here(first) ? "the wheel" : "another wheel",
            load ? fmt::format(" when {} opens {}", opened, load->elf == index ? "it" : path_of(view, load->elf)) : ""),
        .evidence = std::move(evidence),
        .fix = fix_of(view, index, lost, join(libraries, ", "), imported_before, load != nullptr),
        .severity = severity});
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.resolution.cut.empty())
    emit({.place = WholeWheel{},
          .message = fmt::format("{}: which libraries a search path leads to is not known", view.resolution.cut),
          .evidence = {},
          .fix = "split the wheel, or shorten the search paths of its libraries: patchelf --shrink-rpath",
          .severity = {}});
  const Known known = what_policies_say(view);
  const std::set<std::string_view> needed = needed_names(view);
  const std::vector<bool> unused = unused_copies(view.wheel, view.resolution);
  OpenedNames opened(view.wheel);
  const bool asks_python = !view.providers.empty() && view.wheel.all_python;
  const std::set<MemberIndex> imported =
      asks_python ? import_plan::imported_files(view.wheel) : std::set<MemberIndex>{};
  const import_plan::OwnLoads own = import_plan::own_loads(view.wheel);
  if (!own.cut.empty())
    emit({.place = WholeWheel{},
          .message = fmt::format("{}: whether the libraries that it opens later are found is not known", own.cut),
          .evidence = {},
          .fix = "call fewer functions that load libraries while a module is imported",
          .severity = {}});
  const LostInCalls in_calls = lost_in_calls(view, own.loads);
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    if (index.value >= view.resolution.needed.size()) return;
    // by the file that is opened first, and the call that opens it
    using Call = std::pair<MemberIndex, std::uint32_t>;
    std::map<std::tuple<ElfRef, bool, bool, Severity, Call>, std::pair<Lost, const import_plan::OwnLoad*>> groups;
    const auto is_known_elsewhere = [&](std::string_view name) {
      return is_libpython(name) ||
             (!known.broken.contains({index, name}) && known.from_the_system.contains({index, name}));
    };
    for (const NeededFound& found : view.resolution.needed[index.value]) {
      const auto at = in_calls.find({index, found.name});
      const LostInCall* const call = at == in_calls.end() || unused[index.value] ? nullptr : &at->second;
      const bool everywhere = found.found == Found::Outside && found.unreached;
      if ((!everywhere && !call) || found.found == Found::Declared || found.found == Found::Required ||
          is_known_elsewhere(found.name))
        continue;
      const NeededFound& lost = everywhere ? found : call->found;
      const std::size_t root = lost.root.wheel.value == 0 ? lost.root.elf.value : index.value;
      Severity severity =
          everywhere ? severity_of(view, view.wheel.elfs[root], needed, unused[root]) : Severity::Warning;
      if (is_here(lost) && opened.have(path_of(view, lost.unreached->elf)) &&
          answers_once_opened(view.wheel.elfs[lost.unreached->elf.value], found.name))
        severity = std::min(severity, Severity::Warning);
      // Java's launcher opens it before all others.
      if (is_here(lost) && path_of(view, lost.unreached->elf).ends_with("/server/libjvm.so")) severity = Severity::Note;
      const bool before = is_imported_before(view, lost, imported);
      if (before) severity = std::min(severity, Severity::Warning);
      if (call && call->load.at_import) severity = Severity::Error;
      const Call place = call ? Call{call->load.file, call->load.line} : Call{};
      auto& [group, load] = groups[{lost.root, is_here(lost), before, severity, place}];
      group.push_back(&lost);
      load = call ? &call->load : nullptr;
    }
    for (const auto& [key, group] : groups)
      report(view, emit, index, group.first, known, std::get<Severity>(key), std::get<2>(key), group.second);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC506",
    .name = "needed-unresolvable",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::needed_unresolvable

// WC510: an extension module must use the interpreter that imports it. It must not contain CPython or link libpython.
namespace wheelcheck::rules::libpython_linked {
namespace {

// Core functions of CPython: a file that defines both kinds contains an interpreter.
bool defines_interpreter(const DynamicFacts& dynamic) {
  bool starts = false, evaluates = false;
  for (const Export& symbol : dynamic.exports) {  // sizes differ for nearly all names, so few are read
    starts = starts || symbol.name == "Py_Initialize" || symbol.name == "Py_InitializeEx";
    evaluates = evaluates || symbol.name == "_PyEval_EvalFrameDefault" || symbol.name == "PyEval_EvalFrameEx";
  }
  return starts && evaluates;
}

// The program runs an interpreter of its own: it, or a file that it requires (lldb of lldb-for-pwndbg 21.1.7), calls
// functions of CPython.
bool embeds_python(const WheelView& view, ElfIndex index) {
  const auto calls_python = [&](ElfIndex file) {
    const auto& dynamic = view.wheel.elfs[file.value].facts.dynamic;
    return dynamic && std::ranges::any_of(dynamic->imports, [](const Import& symbol) {
             return symbol.name.starts_with("Py") || symbol.name.starts_with("_Py");
           });
  };
  return std::holds_alternative<Program>(view.wheel.elfs[index.value].role) &&
         (calls_python(index) || std::ranges::any_of(needed_closure(view.resolution, {index}), [&](const ElfRef& file) {
            return file.wheel.value == 0 && calls_python(file.elf);
          }));
}

void report_needed(const WheelView& view, const Emit& emit, ElfIndex index, const ElfMember& elf,
                   std::string_view library) {
  const bool program = std::holds_alternative<Program>(elf.role), embeds = embeds_python(view, index);
  emit({.place = AtElf{index},
        .message =
            embeds ? fmt::format("is a program that requires {}, which many interpreters do not have, and which the "
                                 "loader finds only in the directories of the system",
                                 library)
                   : fmt::format("is linked against {}{}", library,
                                 program ? "" : ", which interpreters without a shared libpython do not have"),
        .evidence = {{"library", std::string(library)}},
        .fix = embeds
                   ? "start it from Python with LD_LIBRARY_PATH set to sysconfig.get_config_var('LIBDIR'), or make it "
                     "an extension module with an entry point, which runs in the user's interpreter"
                   : fmt::format("link without -lpython (CMake: Python::Module), or fix the file: patchelf "
                                 "--remove-needed {} {}",
                                 shell_word(library), shell_word(path_of(view, index))),
        .severity = program ? Severity::Warning : Severity::Error});
}

void check(const WheelView& view, const Emit& emit) {
  if (claims_family(view, PlatformTag::Family::Android)) return;  // PEP 738: modules link libpython there
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    for (const std::string_view library : elf.facts.dynamic->needed)
      if (is_libpython(library)) report_needed(view, emit, index, elf, library);
    if (!std::holds_alternative<ExtensionModule>(elf.role) || !defines_interpreter(*elf.facts.dynamic)) return;
    emit({.place = AtElf{index},
          .message = "is an extension module that contains its own interpreter",
          .evidence = {{"symbols", "Py_Initialize, _PyEval_EvalFrameDefault"}},
          .fix = "link without libpython.a (CMake: Python::Module)",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC510",
    .name = "libpython-linked",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::libpython_linked
