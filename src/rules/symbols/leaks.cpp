// Symbols of other projects' libraries that a file exports ("leaks"). A file that exports symbols of a library it
// contains can take the place of that library in other files of the process. The rules on C++ names and on C names
// share this code.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "mangling/mangled.h"
#include "model/each_symbol.h"
#include "model/module_names.h"
#include "rules/common.h"
#include "rules/symbols/global_scope.h"

namespace wheelcheck::rules {
namespace {

struct Leak {
  const LibraryCount* library = nullptr;
  std::uint32_t symbols = 0;  // functions and variables
  // Libraries of the same family with common names: SSL_new may belong to OpenSSL or BoringSSL. Their symbols are
  // included in the count.
  std::vector<const LibraryCount*> relatives;
};
enum class LeakedNames {
  Cxx,  // libraries with at least RuleOptions::leak_threshold exported symbols in their namespaces
  C,    // other libraries, with at least five exported C names
};

constexpr std::size_t named_libraries = 3;  // in the message
// Fewer names may be helper functions, or only look like the library's names.
constexpr std::uint32_t least_c_names = 5;

// The families of the file's own libraries. Libraries of one family have the same names: a file that is OpenBLAS
// exports the reference BLAS.
std::set<std::string_view> families_of_itself(const WheelView& view, const ExportSummary& exports) {
  std::set<std::string_view> families;
  for (const LibraryCount& count : exports.libraries) {
    if (!count.itself) continue;
    const KnownLibrary* const known = view.knowledge.library(count.library);
    if (known != nullptr && !known->family.empty()) families.insert(known->family);
  }
  return families;
}

// A bundled library that exports little else is that library under a name that is not in the tables.
bool is_mostly(const ElfMember& file, const ExportSummary& exports, const LibraryCount& count) {
  return std::holds_alternative<BundledLibrary>(file.role) && count.exports >= exports.all - exports.all / 2;
}

// The library in the file that owns the names. BoringSSL, for example, exports most names of OpenSSL.
const IdentifiedLibrary* holder_of_names(const WheelView& view, ElfIndex elf, const LibraryCount& count) {
  if (const IdentifiedLibrary* const found = view.analysis.elfs[elf.value].library(count.library)) return found;
  const KnownLibrary* const known = view.knowledge.library(count.library);
  if (known == nullptr || known->family.empty()) return nullptr;
  const auto& all = view.analysis.elfs[elf.value].libraries;
  const auto relative = std::ranges::find(all, known->family, &IdentifiedLibrary::family);
  return relative == all.end() ? nullptr : &*relative;
}

// "LLVM 23.0.0git", "OpenSSL/BoringSSL"
std::string name_and_version(const WheelView& view, ElfIndex elf, const Leak& leak) {
  const auto name_of_one = [&](const LibraryCount& count) {
    const IdentifiedLibrary* const known = holder_of_names(view, elf, count);
    if (known == nullptr) return count.name;
    return known->version ? known->name + ' ' + *known->version : known->name;
  };
  std::string names = name_of_one(*leak.library);
  for (const LibraryCount* const other : leak.relatives) {
    const std::string name = name_of_one(*other);
    if (name != names) names += '/' + name;
  }
  return names;
}

// Merges libraries of one family into one leak, with the name of the largest.
std::vector<Leak> by_family(const WheelView& view, const std::vector<Leak>& leaks) {
  std::map<std::string_view, std::size_t> seen;
  std::vector<Leak> merged;
  for (const Leak& leak : leaks) {
    const KnownLibrary* const known = view.knowledge.library(leak.library->library);
    const std::string_view family = known != nullptr ? std::string_view(known->family) : std::string_view();
    const auto [at, is_new] = family.empty() ? std::pair(seen.end(), true) : seen.try_emplace(family, merged.size());
    if (is_new) {
      merged.push_back(leak);
    } else {
      merged[at->second].symbols += leak.symbols;
      merged[at->second].relatives.push_back(leak.library);
    }
  }
  return merged;
}

// A plugin exports what its host calls, and may define stand-ins for functions of the host.
bool is_plugin_of(const ElfMember& file, std::string_view library) {
  if (library != "hdf5" || !file.facts.dynamic) return false;
  const auto is_entry = [](const Export& symbol) { return symbol.name == "H5PLget_plugin_info"; };
  return std::ranges::any_of(file.facts.dynamic->exports, is_entry);
}

// Whether a name belongs to the library, by its outermost scope or by its C name.
bool is_of(const KnownLibrary& library, std::string_view name) {
  if (!is_mangled(name))
    return std::ranges::any_of(library.symbols, [&](std::string_view like) { return glob_match(like, name); });
  const std::string_view outermost = read_mangled(name).outermost();
  return std::ranges::any_of(library.namespaces, [&](std::string_view scope) {
    return glob_match(scope.substr(0, scope.find("::")), outermost);
  });
}

// What the files of the wheel import from each other.
class Users {
 public:
  explicit Users(const WheelView& view) : view_(view) {}

  std::size_t count(ElfIndex elf) { return of(elf).size(); }
  // Whether the library's names are part of the file's interface: another file of the wheel imports one of them.
  bool import_names_of(const KnownLibrary& library, ElfIndex from) {
    return std::ranges::any_of(of(from), [&](ElfIndex user) {
      const auto [at, is_new] = imports_.try_emplace({user.value, &library}, false);
      if (is_new) at->second = imports(view_.wheel.elfs[user.value], library);
      return at->second;
    });
  }

 private:
  const std::vector<ElfIndex>& of(ElfIndex elf) {
    if (by_file_.empty()) by_file_ = users_by_file(view_);  // most wheels leak nothing
    return by_file_[elf.value];
  }
  static bool imports(const ElfMember& user, const KnownLibrary& library) {
    return user.facts.dynamic && std::ranges::any_of(user.facts.dynamic->imports,
                                                     [&](const Import& import) { return is_of(library, import.name); });
  }

  const WheelView& view_;
  std::vector<std::vector<ElfIndex>> by_file_;
  std::map<std::pair<std::uint32_t, const KnownLibrary*>, bool> imports_;
};

// Sorted by number of symbols, largest first. The wheel's own product, the file's own library, and what it replaces
// (OpenBLAS for a BLAS) are not leaks. Vtables, typeinfo and guard variables are not counted.
std::vector<Leak> leaks_of(const WheelView& view, ElfIndex elf, LeakedNames names, Users& users) {
  const ExportSummary& exports = view.analysis.elfs[elf.value].exports;
  const std::set<std::string_view> families = families_of_itself(view, exports);
  std::vector<Leak> leaks;
  for (const LibraryCount& count : exports.libraries) {
    if (count.own || count.itself || is_mostly(view.wheel.elfs[elf.value], exports, count)) continue;
    const KnownLibrary* const known = view.knowledge.library(count.library);
    if (known != nullptr && families.contains(known->family)) continue;
    // A library that leaks its namespaces gives one finding with all of its names.
    const bool is_namespace = count.cxx - count.rtti >= std::max(view.options.leak_threshold, 1U);
    const std::uint32_t c_names = count.exports - count.cxx;
    if (is_namespace != (names == LeakedNames::Cxx)) continue;
    // A file that requires the library has a few names like its own: jpeg_HDF_src of HDF4, nc_inq_varids_f of
    // netCDF-Fortran, operators of a program's types in the namespace of yaml-cpp.
    if (holder_of_names(view, elf, count) == nullptr) continue;
    if (!is_namespace && (c_names < least_c_names || is_plugin_of(view.wheel.elfs[elf.value], count.library))) continue;
    if (known != nullptr && users.import_names_of(*known, elf)) continue;
    leaks.push_back({&count, is_namespace ? count.exports - count.rtti : c_names, {}});
  }
  std::ranges::stable_sort(leaks, std::ranges::greater{}, &Leak::symbols);
  return by_family(view, leaks);
}

// True if all symbols of these C++ libraries are weak, as inline functions and templates of headers are: no library was
// linked into the file.
bool are_of_headers(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks) {
  std::set<std::string_view> scopes;
  for (const Leak& leak : leaks) {
    const KnownLibrary* const known = view.knowledge.library(leak.library->library);
    if (known == nullptr || leak.library->exports > leak.library->cxx) return false;
    for (const std::string_view scope : known->namespaces) scopes.insert(scope.substr(0, scope.find("::")));
  }
  const DynamicFacts* const dynamic =
      view.wheel.elfs[elf.value].facts.dynamic ? &*view.wheel.elfs[elf.value].facts.dynamic : nullptr;
  if (dynamic == nullptr ||
      std::ranges::any_of(scopes, [](std::string_view scope) { return scope.find_first_of("*{") != scope.npos; }))
    return false;
  return std::ranges::none_of(dynamic->exports, [&](const Export& symbol) {
    return symbol.binding == Binding::Global && is_mangled(symbol.name) &&
           scopes.contains(read_mangled(symbol.name).outermost());
  });
}

}  // namespace

std::vector<bool> leaking_files(const WheelView& view) {
  Users users(view);
  std::vector<bool> leaking;
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const auto cxx = leaks_of(view, ElfIndex{i}, LeakedNames::Cxx, users);
    leaking.push_back((!cxx.empty() && !are_of_headers(view, ElfIndex{i}, cxx)) ||
                      !leaks_of(view, ElfIndex{i}, LeakedNames::C, users).empty());
  }
  return leaking;
}

namespace {

// "exports 30211 symbols of LLVM 23.0.0git, 990 of Abseil and of 2 more libraries"
std::string leak_message(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks) {
  std::vector<std::string> parts;
  for (const Leak& leak : leaks) {
    if (parts.size() == named_libraries && leaks.size() > named_libraries + 1) break;
    parts.push_back(fmt::format("{}{} of {}", leak.symbols,
                                parts.empty() ? leak.symbols == 1 ? " symbol" : " symbols" : "",
                                name_and_version(view, elf, leak)));
  }
  if (leaks.size() > parts.size()) parts.push_back(fmt::format("of {} more libraries", leaks.size() - parts.size()));
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format("exports {}{}{}", fmt::join(parts, ", "), parts.empty() ? "" : " and ", last);
}

// One item for each library: its count, a few symbols, and the source of its version.
std::vector<Evidence> leak_evidence(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks,
                                    LeakedNames names) {
  std::vector<Evidence> evidence;
  for (const Leak& leak : leaks) {
    if (evidence.size() == shown_items) {
      evidence.push_back({"more libraries", fmt::format("{}", leaks.size() - shown_items)});
      break;
    }
    const LibraryCount& count = *leak.library;
    std::string value = fmt::format("{}", leak.symbols);
    if (names == LeakedNames::Cxx && count.rtti > 0)
      value += fmt::format(" and {} vtables, typeinfo and guards", count.rtti);
    std::vector<std::string> examples;
    for (const std::string_view name : count.examples)
      if (is_mangled(name) == (names == LeakedNames::Cxx)) examples.emplace_back(name);
    if (!examples.empty()) value += fmt::format(": {}", fmt::join(examples, ", "));
    const IdentifiedLibrary* const known = view.analysis.elfs[elf.value].library(count.library);
    if (known != nullptr && known->version && !known->evidence.empty())
      value += fmt::format("; version by {} \"{}\"", known->evidence.front().what, known->evidence.front().text);
    evidence.push_back({name_and_version(view, elf, leak), std::move(value)});
  }
  return evidence;
}

// How the exports of one file can reach or be reached by other files of the process. A module that Python imports is
// opened with RTLD_LOCAL, and what it exports is then seen only by the files that are loaded with it.
struct Harm {
  std::string message, evidence;
};

// The symbols of that library that the file exports and that its own relocations look up.
std::size_t looked_up(const ElfMember& file, const KnownLibrary& library) {
  return static_cast<std::size_t>(std::ranges::count_if(file.facts.dynamic->exports, [&](const Export& symbol) {
    return symbol.bound != Bound::Never && symbol.binding == Binding::Global && is_of(library, symbol.name);
  }));
}

// STB_GNU_UNIQUE symbols in the namespaces of that library. Names with a version are shared by equal versions only.
std::size_t unique_symbols(const ElfMember& file, const KnownLibrary& library) {
  std::set<std::string_view> scopes;
  for (const std::string_view scope : library.namespaces) {
    if (scope.find_first_of("*{") != scope.npos) return 0;
    scopes.insert(scope.substr(0, scope.find("::")));
  }
  return static_cast<std::size_t>(std::ranges::count_if(file.facts.dynamic->exports, [&](const Export& symbol) {
    return symbol.binding == Binding::Unique && is_mangled(symbol.name) &&
           scopes.contains(read_mangled(symbol.name).outermost());
  }));
}

std::optional<Harm> harm_of(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks,
                            const PythonCall* opened) {
  if (opened != nullptr)
    return Harm{"; Python code opens it with RTLD_GLOBAL, so every file that is loaded later can bind to them",
                opened->text};
  const ElfMember& file = view.wheel.elfs[elf.value];
  for (const Leak& leak : leaks) {
    std::vector<const LibraryCount*> all = leak.relatives;
    all.insert(all.begin(), leak.library);
    for (const LibraryCount* const count : all) {
      const KnownLibrary* const known = view.knowledge.library(count->library);
      if (known == nullptr) continue;
      if (known->in_interpreters && !file.facts.dynamic->flags.symbolic)
        if (const std::size_t names = looked_up(file, *known); names >= least_c_names)
          return Harm{
              fmt::format("; the interpreter may export {} too, and this file's own calls then bind to that copy",
                          known->name),
              fmt::format("{} that relocations of the file look up", count_of(names, "name"))};
      if (const std::size_t unique = unique_symbols(file, *known); unique > 0)
        return Harm{fmt::format("; a process has one copy of {} of them (STB_GNU_UNIQUE)", unique), ""};
    }
  }
  return std::nullopt;
}

// The command or option that limits the exports of this file to its interface.
std::string how_to_hide(const WheelView& view, ElfIndex elf, std::size_t users) {
  const ElfMember& file = view.wheel.elfs[elf.value];
  std::string kept = "NAMES", which = ", where NAMES are what its users call";
  if (const auto* module = std::get_if<ExtensionModule>(&file.role)) {
    const std::string name = module->module.substr(module->module.rfind('.') + 1);
    const auto is_slots_hook = [](const Export& symbol) { return returns_slots(symbol.name); };
    kept = (module->python_major == 2 ? "init" : "PyInit_") + name;
    if (file.facts.dynamic && std::ranges::any_of(file.facts.dynamic->exports, is_slots_hook))
      kept = "PyInit_*; PyModExport_*";
    which.clear();
  } else if (users > 0) {
    which = users == 1 ? ", where NAMES are what the file that requires it imports"
                       : fmt::format(", where NAMES are what the {} files that require it import", users);
  }
  return fmt::format(
      "link static libraries with -Wl,--exclude-libs,ALL, compile sources with -fvisibility=hidden, or link with "
      "-Wl,--version-script=FILE, where FILE contains {{ global: {}; local: *; }};{}",
      kept, which);
}

}  // namespace
}  // namespace wheelcheck::rules

namespace wheelcheck::rules {
namespace {

// A leak is a warning if it can harm something, else a note.
void check_leaks(const WheelView& view, const Emit& emit, LeakedNames names) {
  std::vector<const PythonCall*> global;
  Users users(view);
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    const auto leaks = leaks_of(view, index, names, users);
    if (leaks.empty()) return;
    if (global.empty()) global = global_scope(view);
    std::vector<Evidence> evidence = leak_evidence(view, index, leaks, names);
    const bool headers = names == LeakedNames::Cxx && are_of_headers(view, index, leaks);
    const auto harm = headers ? std::nullopt : harm_of(view, index, leaks, global[index.value]);
    if (harm && !harm->evidence.empty()) evidence.push_back({"harm", harm->evidence});
    emit({.place = AtElf{index},
          .message = leak_message(view, index, leaks) + (harm ? harm->message : ""),
          .evidence = std::move(evidence),
          .fix = how_to_hide(view, index, users.count(index)),
          .severity = harm ? Severity::Warning : Severity::Note});
  });
}

}  // namespace
}  // namespace wheelcheck::rules

// WC201: a file exports C++ code of other libraries to the whole process.
namespace wheelcheck::rules::leaked_namespace {
namespace {

void check(const WheelView& view, const Emit& emit) { check_leaks(view, emit, LeakedNames::Cxx); }

}  // namespace

extern const Rule rule{
    .code = "WC201",
    .name = "leaked-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::leaked_namespace

// WC202: a file exports the C interface of a library that it merely contains.
namespace wheelcheck::rules::leaked_c_library {
namespace {

void check(const WheelView& view, const Emit& emit) { check_leaks(view, emit, LeakedNames::C); }

}  // namespace

extern const Rule rule{
    .code = "WC202",
    .name = "leaked-c-library",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::leaked_c_library

// WC203: a file exports more symbols than a limit allows. The default limit is a hint; one that the project sets is a
// requirement.
namespace wheelcheck::rules::excessive_exports {
namespace {

std::string top_scopes(const ExportSummary& exports) {
  std::vector<std::string> parts;
  for (const ScopeCount& scope : exports.scopes) {
    if (parts.size() == shown_items) break;
    parts.push_back(fmt::format("{} {}", scope.scope.empty() ? "(global)" : scope.scope, scope.exports));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

struct Limit {
  std::uint32_t exports = 0;
  bool of_project = true;
};
Limit limit_of(const WheelView& view, ElfIndex elf) {
  for (const ExportBudget& budget : view.options.export_budgets)
    if (glob_match(budget.path, path_of(view, elf))) return {.exports = budget.exports};
  // Only the plugins of a program use what it exports.
  if (std::holds_alternative<Program>(view.wheel.elfs[elf.value].role)) return {.exports = UINT32_MAX};
  return {.exports = view.options.max_exports, .of_project = view.options.max_exports != RuleOptions().max_exports};
}

void check(const WheelView& view, const Emit& emit) {
  Users users(view);
  for_each_distinct(view, [&](ElfIndex index, const ElfMember&) {
    const ExportSummary& exports = view.analysis.elfs[index.value].exports;
    const Limit limit = limit_of(view, index);
    if (exports.all <= limit.exports) return;
    std::vector<Evidence> evidence;
    if (!exports.scopes.empty()) evidence.push_back({"C++ namespaces", top_scopes(exports)});
    evidence.push_back({"C names", fmt::format("{}", exports.c)});
    evidence.push_back({"vtables, typeinfo and guards", fmt::format("{}", exports.rtti)});
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} symbols, above the budget of {}", exports.all, limit.exports),
          .evidence = std::move(evidence),
          .fix = how_to_hide(view, index, users.count(index)),
          .severity = limit.of_project ? Severity::Warning : Severity::Note});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC203",
    .name = "excessive-exports",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::excessive_exports

// WC209: an extension module exports more than the names that Python looks up.
namespace wheelcheck::rules::extension_exports_more {
namespace {

// The names that Python looks up (PEP 3121, PEP 489, PEP 793; initNAME of Python 2), cffi's hook for PyPy, and symbols
// that linkers define.
bool is_expected(std::string_view name, std::string_view module) {
  for (const std::string_view start : {"PyInit_", "PyInitU_", "PyModExport_", "PyModExportU_", "_cffi_pypyinit_"})
    if (name.starts_with(start)) return true;
  for (const std::string_view linker :
       {"_init", "_fini", "_edata", "_end", "__bss_start", "_bss_end__", "__bss_end__", "__bss_start__", "__end__"})
    if (name == linker) return true;
  return name.starts_with("init") && name.substr(4) == module;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const auto* const module = std::get_if<ExtensionModule>(&elf.role);
    if (module == nullptr || !elf.facts.dynamic) return;
    const std::string name = module->module.substr(module->module.rfind('.') + 1);
    std::vector<std::string_view> more;
    for (const Export& symbol : elf.facts.dynamic->exports)
      if (!is_expected(symbol.name, name)) more.push_back(symbol.name);
    if (more.empty()) return;
    const std::string count = count_of(more.size(), "symbol");
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} beside its init function", count),
          .evidence = {{"symbols", list_of_first(std::move(more))}},
          .fix = how_to_hide(view, index, 0),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC209",
    .name = "extension-exports-more",
    .severity = Severity::Note,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::extension_exports_more
