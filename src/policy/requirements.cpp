// Collects the requirements of each file: machine, instruction set, libraries, version nodes, symbols, interpreter.
#include "policy/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "base/text.h"
#include "model/machines.h"
#include "model/python_calls.h"
#include "model/python_tag.h"
#include "model/required_needs.h"
#include "model/unused_copies.h"
#include "policy/dependency_closure.h"
#include "policy/glibc_symbols.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

// Collects the requirements of one file after the other.
class Collector {
 public:
  Collector(const Subject& subject, const TargetPlatform& targets, const WheelLevels& levels)
      : subject_(subject),
        wanted_(targets),
        wide_python2_(is_for_python2(subject.wheel) && !is_for_narrow_abi(subject.wheel)),
        narrow_abi_(is_for_narrow_abi(subject.wheel)),
        unused_(unused_copies(subject.wheel, subject.resolution)),
        newest_(levels.levels.size() > 1 ? levels.levels[1] : nullptr) {
    for (const Policy* level : levels.levels) {
      for (const auto& [library, symbols] : level->denied_symbols) {
        std::vector<const StringSet*>& lists = denied_[library];
        // Most levels deny the same symbols as the previous one.
        if (!lists.empty() && *lists.back() == symbols) continue;
        lists.push_back(&symbols);
        denied_names_.insert(symbols.begin(), symbols.end());
        for (const std::string_view symbol : symbols) denied_shapes_[shape_of(symbol)] = true;
      }
    }
    for (const MissingVersion& missing : subject.resolution.missing_versions)
      missing_[missing.user].push_back(missing.need);
  }

  Requirements collect() {
    for (std::uint32_t i = 0; i < subject_.wheel.elfs.size(); ++i) file(ElfIndex{i});
    return std::move(result_);
  }

 private:
  using Key = std::pair<std::string_view, std::string_view>;  // library and version, or library and symbol
  struct KeyLess {
    bool operator()(const Key& a, const Key& b) const {
      const auto order = natural_order(a.first, b.first);
      return order != 0 ? order < 0 : natural_order(a.second, b.second) < 0;
    }
  };

  static bool is_cpython2(std::string_view text) {
    const auto tag = parse_python_tag(text);
    return tag && tag->implementation == Implementation::CPython && tag->version.major == 2;
  }

  // Narrow builds of Python 2 matter only if Python 2 can load the file.
  static bool is_for_python2(const WheelFacts& wheel) {
    return is_for_python2_alone(wheel.name) || std::ranges::any_of(wheel.name.python, is_cpython2);
  }

  // The ABI tag cp27m is the narrow build (PEP 513: "cp27m" and "cp27mu"), so only such an interpreter installs the
  // wheel.
  static bool is_for_narrow_abi(const WheelFacts& wheel) {
    const auto is_narrow = [](const std::string& abi) { return is_cpython2(abi) && !abi.ends_with('u'); };
    return !wheel.name.abi.empty() && std::ranges::all_of(wheel.name.abi, is_narrow);
  }

  void add(ElfIndex elf, auto what) { result_.list.push_back({elf, std::move(what)}); }

  void file(ElfIndex index) {
    const ElfMember& member = subject_.wheel.elfs[index.value];
    if (!is_host_code(member)) return;
    const bool extension = std::holds_alternative<ExtensionModule>(member.role);
    if (!runs_on(member.facts.arch, wanted_.arch)) {
      if (extension && !claims_machine_for(member.facts.arch)) add(index, MachineRequirement{member.facts.arch});
      return;
    }
    ++result_.files;
    isa(index, member);
    if (!member.facts.dynamic || unused_[index.value]) return;
    const Scope scope(subject_, index);
    musl_itself_ = wanted_.family == Family::Musllinux && member.libc != Libc::Glibc;
    libraries(index, *member.facts.dynamic, scope);
    versions(index, *member.facts.dynamic, scope);
    symbols(index, *member.facts.dynamic, scope);
    interpreter(index, member);
    missing_versions(index, *member.facts.dynamic);
  }

  // A wheel may be for several machines, and contain modules for each of them.
  bool claims_machine_for(Arch code) const {
    return std::ranges::any_of(subject_.wheel.name.platforms,
                               [&](const PlatformTag& tag) { return runs_on(code, tag.arch); });
  }

  void isa(ElfIndex index, const ElfMember& member) {
    if (wanted_.arch != Arch::x86_64) return;
    const std::uint32_t needed = member.facts.x86_isa_needed;  // GNU_PROPERTY_X86_ISA_1_NEEDED
    const unsigned level = (needed & 8U) != 0 ? 4 : (needed & 4U) != 0 ? 3 : (needed & 2U) != 0 ? 2 : 1;
    // Android's ABI x86_64 includes SSE4.2 and POPCNT, and thus x86-64-v2 (NDK guides, "Android ABIs").
    if (level <= (wanted_.family == Family::Android ? 2U : 1U)) return;
    if (level <= subject_.wheel.variant_x86_level) return;
    // glibc uses such a directory only on a CPU of that level (elf/dl-hwcaps_subdirs.c).
    const std::string path = '/' + subject_.wheel.members[member.member.value].path.text();
    for (unsigned at = level; at <= 4; ++at)
      if (path.find(fmt::format("/glibc-hwcaps/x86-64-v{}/", at)) != path.npos) return;
    add(index, IsaRequirement{level});
  }

  void libraries(ElfIndex index, const DynamicFacts& dynamic, const Scope& scope) {
    std::set<std::string_view, NaturalLess> outside_names;
    const auto consider = [&](std::string_view name) {
      if (is_loader(name, wanted_.family, wanted_.arch) || is_glibcs_name_of_musl(name)) return;
      const Found found = scope.found(name);
      const bool outside = found == Found::Outside || found == Found::InProcess;
      if (outside || (is_libpython(name) && found != Found::Declared)) outside_names.insert(name);
    };
    for (const std::string_view name : dynamic.needed) consider(name);
    // glibc also loads the libraries in DT_FILTER, and fails if one is absent (elf/dl-deps.c). Libraries in
    // DT_AUXILIARY may be absent, and other loaders support neither tag.
    if (wanted_.family == Family::Manylinux)
      for (const std::string_view name : dynamic.filters) consider(name);
    for (const std::string_view name : outside_names) add(index, LibraryRequirement{std::string(name)});
  }

  // musl loads nothing for libm.so.6 or libpthread.so.0: it takes the names for its own (ldso/dynlink.c, load_library).
  // A file that also needs libc.so.6 was linked against glibc, and is not judged by this.
  bool is_glibcs_name_of_musl(std::string_view name) const {
    constexpr std::string_view names[] = {"libm.so.6", "libpthread.so.0", "librt.so.1", "libdl.so.2", "libutil.so.1"};
    return musl_itself_ && std::ranges::find(names, name) != std::end(names);
  }

  // Each node once, with every import that requires it. A file may have 100,000 imports, so their names are collected
  // first and sorted once.
  void versions(ElfIndex index, const DynamicFacts& dynamic, const Scope& scope) {
    const std::vector<bool> required = required_needs(dynamic);
    std::map<Key, std::vector<std::string_view>, KeyLess> added;
    std::vector<std::vector<std::string_view>*> names(dynamic.needs.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const VersionNeed& need = dynamic.needs[i];
      if (is_glibcs_name_of_musl(need.library)) continue;  // musl ignores the versions of symbols
      if (required[i] && scope.requires_system(need.library)) names[i] = &added[{need.library, need.version}];
    }
    for (const Import& import : dynamic.imports) {
      if (!import.need || import.need->value >= names.size()) continue;
      if (names[import.need->value] != nullptr) {
        names[import.need->value]->push_back(import.name);
        continue;
      }
      // A bundled library may define a version of glibc without the symbol. The loader compares only the names of
      // versions, and finds it in glibc (elf/dl-lookup.c).
      const VersionNeed& need = dynamic.needs[import.need->value];
      if (wanted_.family == Family::Manylinux && required[import.need->value] && need.version.starts_with("GLIBC_2.") &&
          !is_glibcs_name_of_musl(need.library) && scope.defines_version(need) && scope.requires_system("libc.so.6") &&
          !scope.defines(import.name))
        added[{"libc.so.6", need.version}].push_back(import.name);
    }
    unversioned(index, dynamic, scope, added);
    for (auto& [key, list] : added) {
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
      add(index, VersionRequirement{std::string(key.first), std::string(key.second), {list.begin(), list.end()}});
    }
  }

  // An import without a version requires a glibc with that symbol, unless another library may define it: a library of
  // the wheel, or one whose content is not known, because another distribution or nobody known has it (libimf.so of
  // Intel's compiler defines acospi, as glibc 2.41 does).
  void unversioned(ElfIndex index, const DynamicFacts& dynamic, const Scope& scope,
                   std::map<Key, std::vector<std::string_view>, KeyLess>& added) {
    const ElfFacts& facts = subject_.wheel.elfs[index.value].facts;
    if (wanted_.family != Family::Manylinux || facts.libc != Libc::Glibc) return;
    const std::string_view first_node = machine_of(facts.arch).first_glibc_node;
    const auto is_unknown = [&](std::string_view name) {
      const Found found = scope.found(name);
      return found == Found::Declared || found == Found::Required ||
             (found == Found::Outside && newest_ != nullptr && !newest_->libraries.contains(name) &&
              !is_loader(name, wanted_.family) && !is_libpython(name));
    };
    if (std::ranges::any_of(dynamic.needed, is_unknown)) return;
    for (const Import& import : dynamic.imports) {
      if (import.need || import.weak || import.bound == Bound::Never) continue;
      if (denied_names_.contains(import.name)) continue;  // reported by symbols()
      const GlibcSymbol* const symbol = first_with(import.name);
      // The first node has all older names, and a lookup without a version finds them, hidden ones too.
      if (symbol != nullptr && natural_order(symbol->version, first_node) <= 0) continue;
      if (symbol != nullptr && scope.requires_system(symbol->library) && !scope.defines(import.name) &&
          !may_be_loaded_first(import.name, subject_.wheel.elfs[index.value]))
        added[{symbol->library, symbol->version}].push_back(import.name);
    }
  }

  // Whether a library of the wheel defines a name of glibc for this file although no search path leads to it: the file,
  // or one that requires the file, requires the library (bgfx-python 2.0.1), or Python code opens libraries with
  // RTLD_GLOBAL (libCoreLegacy.so of cppyy-cling has strlcpy).
  bool may_be_loaded_first(std::string_view name, const ElfMember& user) {
    if (!definitions_) {
      definitions_.emplace();
      for (const ElfMember& elf : subject_.wheel.elfs) {
        if (!is_library(elf.role) || !elf.facts.dynamic) continue;
        const auto& soname = elf.facts.dynamic->soname;
        for (const Export& symbol : elf.facts.dynamic->exports) {
          if (first_with(symbol.name) == nullptr) continue;
          std::set<std::string_view>& sonames = (*definitions_)[symbol.name];
          if (soname) sonames.insert(*soname);
        }
      }
      opens_globally_ = opens_globally(subject_.wheel);
    }
    const auto at = definitions_->find(name);
    if (at == definitions_->end()) return false;
    const auto needs_it = [&](const DynamicFacts& file) {
      return std::ranges::any_of(file.needed, [&](std::string_view needed) { return at->second.contains(needed); });
    };
    const std::string_view soname = user.facts.dynamic->soname.value_or("");
    return opens_globally_ || needs_it(*user.facts.dynamic) ||
           std::ranges::any_of(subject_.wheel.elfs, [&](const ElfMember& elf) {
             return elf.facts.dynamic && steps_.spend(elf.facts.dynamic->needed.size() + 1) &&
                    std::ranges::find(elf.facts.dynamic->needed, soname) != elf.facts.dynamic->needed.end() &&
                    needs_it(*elf.facts.dynamic);
           });
  }

  void symbols(ElfIndex index, const DynamicFacts& dynamic, const Scope& scope) {
    std::set<Key, KeyLess> added;
    for (const Import& import : dynamic.imports) {
      if (import.weak || !denied_shapes_[shape_of(import.name)] || !denied_names_.contains(import.name)) continue;
      if (import.need && import.need->value < dynamic.needs.size()) {
        const std::string_view library = dynamic.needs[import.need->value].library;
        if (denies(library, import.name) && scope.requires_system(library)) added.insert({library, import.name});
        continue;
      }
      for (const std::string_view library : dynamic.needed) {
        if (denies(library, import.name) && scope.requires_system(library) && !scope.defines(import.name))
          added.insert({library, import.name});
      }
    }
    for (const auto& [library, symbol] : added)
      add(index, SymbolRequirement{std::string(library), std::string(symbol)});
  }

  // A cheap hash of a name from its length and last character. Most imports have a hash that no denied symbol has.
  static constexpr std::size_t longest = 63, shapes = (longest + 1) << 8U;
  static std::size_t shape_of(std::string_view name) {
    if (name.empty()) return 0;
    return std::min(name.size(), longest) << 8U | static_cast<unsigned char>(name.back());
  }

  bool denies(std::string_view library, std::string_view symbol) const {
    const auto at = denied_.find(library);
    return at != denied_.end() &&
           std::ranges::any_of(at->second, [&](const StringSet* list) { return list->contains(symbol); });
  }

  // PyFPE_*: CPython built with --with-fpectl, which was removed in 3.7. PyUnicodeUCS2_*: CPython 2 with narrow
  // Unicode, which Linux distributions did not ship (PEP 513).
  void interpreter(ElfIndex index, const ElfMember& member) {
    const auto* extension = std::get_if<ExtensionModule>(&member.role);
    const bool module2 = extension != nullptr && extension->python_major == 2;
    const bool wide = wide_python2_ || (module2 && !narrow_abi_);
    std::set<std::string_view, NaturalLess> added;
    for (const Import& import : member.facts.dynamic->imports) {
      const bool fpe = import.name == "PyFPE_jbuf" || import.name == "PyFPE_dummy" || import.name == "PyFPE_counter";
      const bool ucs2 = wide && import.name.find("PyUnicodeUCS2_") != std::string_view::npos;
      if ((fpe && !import.weak) || ucs2) added.insert(import.name);
    }
    for (const std::string_view symbol : added) add(index, InterpreterRequirement{std::string(symbol)});
  }

  void missing_versions(ElfIndex index, const DynamicFacts& dynamic) {
    const auto missing = missing_.find(index);
    if (missing == missing_.end()) return;
    std::set<Key, KeyLess> added;
    for (const NeedIndex need : missing->second) {
      if (need.value < dynamic.needs.size() && !dynamic.needs[need.value].weak)
        added.insert({dynamic.needs[need.value].library, dynamic.needs[need.value].version});
    }
    for (const auto& [library, version] : added)
      add(index, MissingVersionRequirement{std::string(library), std::string(version)});
  }

  const Subject& subject_;
  const TargetPlatform& wanted_;
  const bool wide_python2_, narrow_abi_;
  const std::vector<bool> unused_;
  const Policy* const newest_;  // null: no level is for this family and machine
  bool musl_itself_ = false;    // musl loads the file that is read
  // The denied symbols of all levels, as the distinct lists of successive levels.
  std::map<std::string_view, std::vector<const StringSet*>> denied_;
  std::unordered_set<std::string_view> denied_names_;  // the names in these lists; every import is looked up here
  std::vector<bool> denied_shapes_ = std::vector<bool>(shapes);  // hashes of these names
  std::map<ElfIndex, std::vector<NeedIndex>> missing_;
  // The names of glibc that libraries of the wheel define, each with the sonames of these libraries.
  std::optional<std::map<std::string_view, std::set<std::string_view>>> definitions_;
  bool opens_globally_ = false;
  Budget steps_{10'000'000, "the search for libraries that other files require too"};  // spent: no such library
  Requirements result_;
};

}  // namespace

Requirements requirements_of(const Subject& subject, const TargetPlatform& targets, const WheelLevels& levels) {
  return Collector(subject, targets, levels).collect();
}

bool is_loader(std::string_view soname, Family family, std::optional<Arch> arch) {
  // glibc's loaders of other ABIs. A name that only looks like one exists on no system.
  constexpr std::string_view others[] = {"ld-linux-aarch64_be.so.1", "ld-linux-riscv32-ilp32d.so.1",
                                         "ld-linux-x32.so.2", "ld.so.1"};
  if (family == Family::Musllinux) return soname.starts_with("ld-musl-");
  if (family != Family::Manylinux) return false;
  if (!arch && std::ranges::find(others, soname) != std::end(others)) return true;
  return std::ranges::any_of(machines(), [&](const HostMachine& machine) {
    return !soname.empty() && (base_name(machine.glibc_loader) == soname || machine.other_glibc_loader == soname) &&
           (!arch || runs_on(machine.arch, *arch) || runs_on(*arch, machine.arch));
  });
}

bool is_given_by_loader(std::string_view soname, PlatformTag::Family family) {
  constexpr std::string_view reserved[] = {"libc.", "libpthread.", "librt.", "libm.", "libdl.", "libutil.", "libxnet."};
  return family == PlatformTag::Family::Musllinux && soname.ends_with(".so") &&
         std::ranges::any_of(reserved, [&](std::string_view start) { return soname.starts_with(start); });
}

}  // namespace wheelcheck::policy
