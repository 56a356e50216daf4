#include "rules/symbols/symbol_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/budget.h"
#include "model/c_names.h"
#include "model/each_symbol.h"
#include "model/machines.h"
#include "model/unused_copies.h"
#include "rules/cxxabi/toolchain.h"
#include "rules/symbols/name_table.h"

namespace wheelcheck::rules {
namespace {

using Node = std::uint32_t;  // index of a file: the wheel's first, then those of the providers

// Names of an interpreter; macros of CPython are functions of GraalPy: GraalPyTuple_GET_ITEM.
bool is_python_name(std::string_view name) {
  return name.starts_with("Py") || name.starts_with("_Py") || name.starts_with("GraalPy") ||
         name.starts_with("_GraalPy");
}
bool is_strong(const Import& import) {
  return !import.weak && import.bound != Bound::Never && import.visibility == Visibility::Default;
}
// A library of the system defines these versions, and no other.
bool is_version_of_system(std::string_view version) {
  constexpr std::string_view families[] = {"GLIBC_", "GLIBCXX_", "CXXABI_", "GCC_"};
  return std::ranges::any_of(families, [&](std::string_view family) { return version.starts_with(family); });
}
// A lookup without a version finds a definition of the first version, or the only default one (glibc elf/dl-lookup.c,
// check_match).
bool is_of_first_version(const DynamicFacts& dynamic, const Export& symbol) {
  constexpr std::uint16_t first = 2;  // 1 is the base version
  return !symbol.version || dynamic.provides[*symbol.version].index <= first;
}
bool needs_versions_of(const ElfMember& elf, std::string_view library) {
  return std::ranges::any_of(elf.facts.dynamic->needs,
                             [&](const VersionNeed& need) { return need.library == library; });
}

// The C library of the process: that of the file, else that of the tags if they name only one.
Libc libc_of_process(const WheelView& view, const ElfMember& elf) {
  if (elf.libc != Libc::None) return elf.libc;
  const std::set<Libc> claimed = claimed_libcs(view);
  return claimed.size() == 1 ? *claimed.begin() : Libc::None;
}

// Imports that the C library of the process or CPython defines.
class Answered {
 public:
  Answered(const ElfMember& elf, Libc libc, bool needs_librt) : libc_(libc), needs_librt_(needs_librt) {
    const Arch arch = elf.facts.arch;
    saw_glibc_ = libc == Libc::Glibc && needs_versions_of(elf, "libc.so.6");
    judged_ = saw_glibc_ || ((libc == Libc::Glibc || libc == Libc::Musl) && has_names_of(arch));
    // On these architectures the first version node of glibc is newer than 2.15. It is the version of all old names, so
    // a lookup without a version finds them.
    uses_old_ = natural_order(machine_of(arch).first_glibc_node, "GLIBC_2.15") > 0;
  }

  bool judges() const { return judged_; }
  bool has(std::string_view name) const {
    if (is_python_name(name)) return true;
    const std::optional<CName> known = c_name(libc_, name);
    if (libc_ == Libc::Musl)
      return (known && known->since.empty() && known->dropped_in.empty()) || is_of_compiler(name);
    if (known && !known->dropped_in.empty()) return uses_old_;
    if (needs_librt_ && saw_glibc_ && is_of_librt(name)) return false;
    // A lookup without a version finds the oldest definition, or the only default one (glibc elf/dl-lookup.c,
    // check_match). Names of newer releases are requirements of the policy.
    return known || (!saw_glibc_ && is_of_compiler(name));
  }

 private:
  static bool has_names_of(Arch arch) { return arch == Arch::x86_64 || arch == Arch::aarch64; }
  static bool is_of_compiler(std::string_view name) { return name.starts_with("__stack_chk") || name == "_DYNAMIC"; }

  Libc libc_;
  bool needs_librt_;
  bool judged_ = false, saw_glibc_ = false, uses_old_ = false;
};

bool is_cxx_runtime(std::string_view library) {
  const Toolchain toolchain = toolchain_of(library);
  return toolchain == Toolchain::Libstdcxx || toolchain == Toolchain::Libgcc;
}
// Names that libstdc++ or libgcc may define. __cxa_thread_atexit_impl and __memcpy_chk are of glibc, and a file for
// musl that was linked on glibc asks for them. __atomic_load_16 is of libatomic.
bool may_be_of_cxx_runtime(std::string_view name, Libc libc, Arch arch) {
  if (name.starts_with("__atomic_")) return false;
  if (libc == Libc::Glibc && arch == Arch::x86_64) return is_of_cxx_runtime(name);
  if (libc == Libc::Musl && c_name(Libc::Glibc, name)) return false;
  return name.starts_with("_Z") || name.starts_with("__") || name.starts_with("_Unwind_");
}

// musl's loader handles these names itself (ldso/dynlink.c, reserved names in load_library); CPython provides
// libpython.
bool may_define_anything(std::string_view library) {
  return toolchain_of(library) == Toolchain::None && library != "libc.so" && !is_libpython(library);
}

// Libraries of the system that need only the C library, and the beginnings of all names that a release of them defines
// (zconf.h of zlib, libexpat.map, the manual of libgomp, GCC's libatomic.map, glibc's libmvec).
struct SmallLibrary {
  std::string_view soname;
  std::array<std::string_view, 12> starts;
};
constexpr SmallLibrary small_libraries[] = {
    {"libz.so.1",
     {"deflate", "inflate", "gz", "compress", "uncompress", "adler32", "crc32", "z", "get_crc_table", "_tr_",
      "_dist_code", "_length_code"}},
    {"libexpat.so.1", {"XML_", "Xml", "expat", "testing", "unsignedChar", "_INTERNAL_"}},
    {"libatomic.so.1", {"__atomic_", "atomic_", "__sync_", "libat_"}},
    {"libgomp.so.1", {"GOMP_", "omp_", "GOACC_", "acc_", "gomp_"}},
    {"libmvec.so.1", {"_ZGV"}},
    {"libcrypt.so.1", {"crypt", "encrypt", "setkey", "fcrypt", "xcrypt", "bigcrypt", "obsolete_"}},
    {"libuuid.so.1", {"uuid_", "__uuid_"}},
    {"libbz2.so.1", {"BZ2_", "bz_"}},
    {"liblzma.so.5", {"lzma_"}},
};
const SmallLibrary* small_library(std::string_view soname) {
  const auto* const at = std::ranges::find(small_libraries, soname, &SmallLibrary::soname);
  return at == std::end(small_libraries) ? nullptr : at;
}
bool may_define(const SmallLibrary& library, std::string_view symbol) {
  return std::ranges::any_of(library.starts,
                             [&](std::string_view start) { return !start.empty() && symbol.starts_with(start); });
}

// Whether a glibc that the tags allow has the functions of librt in librt.so.1 only.
bool may_need_librt(const WheelView& view) {
  constexpr Version merged{{2, 34}};
  return std::ranges::any_of(view.claims, [&](const Claim& claim) {
    return claim.tag.family == PlatformTag::Family::Manylinux && claim.tag.libc < merged;
  });
}

struct Scope {
  bool open = false;                       // a library of the scope is not available, so nothing is known to be missing
  bool librt = false;                      // one of the files needs librt.so.1
  bool host_cxx = false;                   // libstdc++ or libgcc is in the scope, and is not in the wheels
  std::vector<const SmallLibrary*> small;  // of the system, in the scope
  std::vector<bool> holds;
};

// Which file the loader takes instead of another one, on machines with certain instructions.
using Alternatives = std::map<ElfIndex, ElfIndex>;

class Search {
 public:
  Search(const WheelView& view, Budget& steps, Alternatives alternatives = {})
      : view_(view), alternatives_(std::move(alternatives)), steps_(steps) {
    for (const ElfMember& elf : view.wheel.elfs) nodes_.push_back(&elf);
    for (const WheelFacts& provider : view.providers) {
      first_of_.push_back(static_cast<Node>(nodes_.size()));
      for (const ElfMember& elf : provider.elfs) nodes_.push_back(&elf);
    }
    for (Node node = 0; node < nodes_.size(); ++node)
      if (const auto& dynamic = nodes_[node]->facts.dynamic; dynamic && dynamic->soname)
        by_soname_.try_emplace(*dynamic->soname, node);
  }

  std::vector<Unfound> run() {
    std::vector<std::vector<std::string_view>> missing = candidates();
    std::vector<Unfound> result;
    if (names_.size() == 0) return result;
    find_exporters();
    for (Node file = 0; file < missing.size() && !steps_.is_spent(); ++file) {
      Unfound unfound{.file = {file}, .libc = libc_of_process(view_, *nodes_[file])};
      const auto versioned = versioned_.find(file);
      if (missing[file].empty() && versioned == versioned_.end()) continue;
      const Scope own = scope_of(file);
      if (versioned != versioned_.end()) unfound.versioned = without_version(file, own, versioned->second);
      if (!missing[file].empty()) {
        if (!own.open) drop_found(missing[file], own, file);
        if (own.open || (!missing[file].empty() && importers_answer(file, missing[file]))) missing[file].clear();
        unfound.defined_in = owner_of(missing[file]);
        unfound.symbols = std::move(missing[file]);
      }
      if (!unfound.symbols.empty() || !unfound.versioned.empty()) result.push_back(std::move(unfound));
    }
    return result;
  }

 private:
  struct Versioned {
    std::string_view name, version;
  };
  // A file that defines a name: in its first version or without one, and in how many that a lookup without one takes.
  struct Exporter {
    Node node;
    bool first;
    std::uint32_t count;
    bool thread_local_variable;
  };

  std::vector<std::vector<std::string_view>> candidates() {
    std::vector<std::vector<std::string_view>> missing(view_.wheel.elfs.size());
    const bool needs_librt = may_need_librt(view_);
    for_each_judged(view_, [&](ElfIndex index, const ElfMember& elf) {
      if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
      const Answered answered(elf, libc_of_process(view_, elf), needs_librt);
      if (!answered.judges()) return;
      each_symbol(elf.facts.dynamic->imports, [&](const Import& import) {
        if (!is_strong(import)) return;
        if (import.need ? !asks_for_version(index, elf, import) : answered.has(import.name)) return;
        if (!import.need) missing[index.value].push_back(import.name);
        if (import.kind == SymbolKind::Tls) thread_locals_.emplace(index.value, import.name);
        names_.add(import.name);
      });
    });
    names_.finish();
    return missing;
  }

  // Notes a versioned import that no library of the system defines for certain: that of a library of the wheels, or a
  // name that glibc has with other versions only.
  bool asks_for_version(ElfIndex index, const ElfMember& elf, const Import& import) {
    const VersionNeed& need = elf.facts.dynamic->needs[import.need->value];
    if (is_version_of_system(need.version)) {
      if (elf.facts.arch != Arch::x86_64 || libc_of_process(view_, elf) != Libc::Glibc) return false;
      const auto has = need.version.starts_with("GLIBC_") ? &glibc_has : &cxx_runtime_has;
      if (has(import.name, need.version) != false) return false;
    } else {
      const std::optional<Node> known = library_of(index, need.library);
      // An alternative for other processors may be a file that the loader refuses.
      if (!known || !nodes_[*known]->facts.dynamic) return false;
      // A library with other versions is refused before any lookup (WC515), unless the need is weak.
      const auto& provides = nodes_[*known]->facts.dynamic->provides;
      const auto version = std::ranges::find(provides, need.version, &VersionDefinition::version);
      const bool judged = alternatives_.empty() && !need.weak;
      if (judged && !provides.empty() && version == provides.end()) return false;
    }
    versioned_[index.value].push_back({import.name, need.version});
    return true;
  }

  // The library that a version need names: that of the DT_NEEDED, whatever its soname is. Nothing if it is the
  // system's: no search path leads to the copy of the wheel (openfdcm 0.10.0: libz.so.1).
  std::optional<Node> library_of(ElfIndex file, std::string_view name) const {
    for (const NeededFound& found : view_.resolution.needed[file.value]) {
      if (found.name == name && found.provider) return node_of(*found.provider);
      if (found.name == name && small_library(name) != nullptr) return std::nullopt;
    }
    const auto known = by_soname_.find(name);
    return known == by_soname_.end() ? std::nullopt : std::optional(known->second);
  }
  Node node_of(const ElfRef& file) const {
    if (file.wheel.value != 0) return first_of_[file.wheel.value - 1] + file.elf.value;
    const auto other = alternatives_.find(file.elf);
    return other == alternatives_.end() ? file.elf.value : other->second.value;
  }

  void find_exporters() {
    exporters_.resize(names_.size());
    if (!versioned_.empty()) versions_.resize(names_.size());
    for (Node node = 0; node < nodes_.size(); ++node) {
      if (!nodes_[node]->facts.dynamic) continue;
      const DynamicFacts& dynamic = *nodes_[node]->facts.dynamic;
      const bool musl = libc_of_process(view_, *nodes_[node]) == Libc::Musl;
      each_symbol(dynamic.exports, [&](const Export& symbol) {
        const std::optional<std::size_t> name = names_.find(symbol.name);
        if (!name) return;
        std::vector<Exporter>& exporters = exporters_[*name];
        // musl finds no symbol that is hidden by its version or has the value 0 (ldso/dynlink.c, gnu_lookup, find_sym).
        if (musl && std::ranges::find(dynamic.exports_at_zero, symbol.name) != dynamic.exports_at_zero.end()) return;
        const bool first = musl ? symbol.default_version : is_of_first_version(dynamic, symbol);
        const bool thread_local_variable = symbol.kind == SymbolKind::Tls;
        if (first || symbol.default_version) {
          if (exporters.empty() || exporters.back().node != node)
            exporters.push_back({node, first, 1, thread_local_variable});
          else
            exporters.back() = {node, exporters.back().first || first, exporters.back().count + 1,
                                thread_local_variable};
        }
        if (versioned_.empty()) return;
        std::string_view version;
        if (symbol.version) version = dynamic.provides[*symbol.version].version;
        if (const std::optional<NeedIndex> copied = symbol.copied_version)
          version = dynamic.needs[copied->value].version;
        versions_[*name].emplace_back(node, version);
      });
    }
  }

  // The imports of the file with a version that no file of its scope defines, as NAME@VERSION. A definition without a
  // version answers as well (glibc elf/dl-lookup.c, check_match).
  std::vector<std::string> without_version(Node file, const Scope& own, const std::vector<Versioned>& imports) {
    std::vector<std::string> missing;
    const auto is_defined = [&](const Scope& scope, const Versioned& one) {
      const auto& all = versions_[*names_.find(one.name)];
      steps_.spend(all.size() + 1);
      return std::ranges::any_of(all, [&](const auto& definition) {
        return scope.holds[definition.first] && (definition.second.empty() || definition.second == one.version);
      });
    };
    for (const Versioned& one : imports) {
      // Only libraries of the system have its versions, whatever else is in the scope.
      const bool of_system = is_version_of_system(one.version);
      if ((own.open && !of_system) || is_defined(own, one) || steps_.is_spent()) continue;
      const bool elsewhere = std::ranges::any_of(root_scopes(), [&](const Scope& scope) {
        return scope.holds[file] && ((scope.open && !of_system) || is_defined(scope, one));
      });
      if (!elsewhere) missing.push_back(std::string(one.name).append("@").append(one.version));
    }
    return missing;
  }

  const std::vector<Scope>& root_scopes() {
    if (root_scopes_.empty())
      for (const ElfIndex root : view_.resolution.roots)
        if (!steps_.is_spent()) root_scopes_.push_back(scope_of(root.value));
    return root_scopes_;
  }

  // Adds the direct dependencies of a file.
  void add_needed(Node node, std::vector<Node>& into, Scope& scope) const {
    const auto absent = [&](std::string_view name) {
      if (const SmallLibrary* const small = small_library(name)) {
        if (std::ranges::find(scope.small, small) == scope.small.end()) scope.small.push_back(small);
        return;
      }
      scope.open = scope.open || may_define_anything(name);
      scope.host_cxx = scope.host_cxx || is_cxx_runtime(name);
    };
    const auto add = [&](Node other) { into.push_back(other); };
    if (node < view_.resolution.needed.size()) {
      for (const NeededFound& found : view_.resolution.needed[node]) {
        // Without a search path, the file gets the library of that soname that another distribution has loaded.
        const auto given = by_soname_.find(found.name);
        const bool loaded = given != by_soname_.end() && given->second >= view_.wheel.elfs.size();
        if (found.provider)
          add(node_of(*found.provider));
        else if (found.found == Found::Required && loaded)
          add(given->second);
        else if (found.found != Found::InProcess)
          absent(found.name);
      }
    } else if (nodes_[node]->facts.dynamic) {
      for (const std::string_view name : nodes_[node]->facts.dynamic->needed) {
        const auto known = by_soname_.find(name);
        if (known != by_soname_.end()) add(known->second);
        if (known == by_soname_.end()) absent(name);
      }
    }
  }

  Scope scope_of(Node root) {
    Scope scope{.holds = std::vector<bool>(nodes_.size())};
    std::vector<Node> queue{root}, next;
    steps_.spend(nodes_.size() / 64);
    scope.holds[root] = true;
    for (std::size_t at = 0; at < queue.size() && !steps_.is_spent(); ++at) {
      next.clear();
      add_needed(queue[at], next, scope);
      const auto& dynamic = nodes_[queue[at]]->facts.dynamic;
      scope.librt =
          scope.librt || (dynamic && std::ranges::find(dynamic->needed, "librt.so.1") != dynamic->needed.end());
      steps_.spend(next.size() + 1);
      for (const Node node : next) {
        if (scope.holds[node]) continue;
        scope.holds[node] = true;
        queue.push_back(node);
      }
    }
    return scope;
  }

  void drop_found(std::vector<std::string_view>& symbols, const Scope& scope, Node file) {
    // A file that was linked against libstdc++ with versions asks for its names with one.
    const bool host_cxx = scope.host_cxx && !needs_versions_of(*nodes_[file], "libstdc++.so.6");
    const Libc libc = libc_of_process(view_, *nodes_[file]);
    std::erase_if(symbols, [&](std::string_view symbol) {
      if (scope.librt && is_of_librt(symbol)) return true;
      if (host_cxx && may_be_of_cxx_runtime(symbol, libc, nodes_[file]->facts.arch)) return true;
      if (std::ranges::any_of(scope.small, [&](const SmallLibrary* small) { return may_define(*small, symbol); }))
        return true;
      const auto& exporters = exporters_[*names_.find(symbol)];
      steps_.spend(exporters.size() + 1);
      // The loader does not compare the kinds: it makes an offset of the address of other data.
      const bool thread_local_variable = !thread_locals_.empty() && thread_locals_.contains({file, symbol});
      return std::ranges::any_of(exporters, [&](const Exporter& one) {
        return scope.holds[one.node] && (one.first || one.count == 1) &&
               (one.thread_local_variable || !thread_local_variable);
      });
    });
  }

  // Removes symbols that the importers of a library provide: in a dlopen, the scope contains everything that is loaded
  // with the opened file. True if the scope of an importer is not known.
  bool importers_answer(Node file, std::vector<std::string_view>& symbols) {
    for (const Scope& scope : root_scopes()) {
      steps_.spend();
      if (!scope.holds[file]) continue;
      if (scope.open) return true;
      drop_found(symbols, scope, file);
    }
    return false;
  }

  std::optional<ElfIndex> owner_of(const std::vector<std::string_view>& symbols) const {
    std::optional<ElfIndex> owner;
    for (const std::string_view symbol : symbols)
      for (const Exporter& one : exporters_[*names_.find(symbol)])
        if (one.node < view_.wheel.elfs.size() && (!owner || one.node < owner->value)) owner = ElfIndex{one.node};
    return owner;
  }

  const WheelView& view_;
  Alternatives alternatives_;
  std::vector<const ElfMember*> nodes_;
  std::vector<Node> first_of_;  // by provider
  std::map<std::string_view, Node> by_soname_;
  NameTable names_;
  std::map<Node, std::vector<Versioned>> versioned_;           // imports, by file
  std::set<std::pair<Node, std::string_view>> thread_locals_;  // imports that are variables of each thread
  std::vector<std::vector<Exporter>> exporters_;               // by name, of definitions that need no version
  std::vector<std::vector<std::pair<Node, std::string_view>>> versions_;  // by name, of all definitions
  std::vector<Scope> root_scopes_;
  Budget& steps_;
};

// By the directory that has them, "glibc-hwcaps/x86-64-v3".
std::map<std::string_view, Alternatives> alternatives_of(const WheelView& view) {
  std::map<std::string_view, ElfIndex> files;
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) files.try_emplace(path_of(view, ElfIndex{i}), i);
  std::map<std::string_view, Alternatives> result;
  for (const auto& [path, index] : files) {
    const std::optional<std::string_view> directory = directory_searched_next(path);
    if (!directory) continue;
    const std::size_t inside = directory->empty() ? 0 : directory->size() + 1;
    const auto other = files.find(fmt::format("{}{}", path.substr(0, inside), base_name(path)));
    if (other == files.end() || libc_of_process(view, view.wheel.elfs[other->second.value]) == Libc::Musl) continue;
    const std::string_view below = directory_name(path).substr(inside);
    result[below].emplace(other->second, index);
  }
  return result;
}

// Libraries of one soname in several directories: a module that is imported later gets the one that is loaded already
// (glibc elf/dl-load.c, _dl_map_object). `rank`: that with the fewest exports is loaded first, or the second one.
Alternatives loaded_before(const WheelView& view, std::size_t rank) {
  std::map<std::pair<std::string_view, Arch>, std::set<ElfIndex>> by_soname;  // a process is of one machine
  for (const std::vector<NeededFound>& needed : view.resolution.needed)
    for (const NeededFound& found : needed) {
      if (!found.provider || found.provider->wheel.value != 0) continue;
      const ElfFacts& facts = view.wheel.elfs[found.provider->elf.value].facts;
      if (facts.dynamic && facts.dynamic->soname == found.name)
        by_soname[{found.name, facts.arch}].insert(found.provider->elf);
    }
  Alternatives result;
  for (const auto& [library, files] : by_soname) {
    std::vector<ElfIndex> order(files.begin(), files.end());
    if (order.size() <= rank || order.size() < 2) continue;
    std::ranges::stable_sort(order, {},
                             [&](ElfIndex file) { return view.wheel.elfs[file.value].facts.dynamic->exports.size(); });
    for (const ElfIndex file : files)
      if (file != order[rank]) result.emplace(file, order[rank]);
  }
  return result;
}

}  // namespace

Undefined find_undefined(const WheelView& view, std::uint64_t max_steps) {
  Budget steps(max_steps, "the search for the definitions of imports");
  std::vector<Unfound> result = Search(view, steps).run();
  const std::size_t always = result.size();
  const auto is_known = [&](const Unfound& one) {
    return std::any_of(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(always),
                       [&](const Unfound& known) { return known.file == one.file; });
  };
  const auto search = [&](const Alternatives& files, bool before) {
    if (steps.is_spent() || files.empty()) return;
    for (Unfound& one : Search(view, steps, files).run()) {
      if (is_known(one)) continue;
      one.with = files.begin()->second;
      one.loaded_before = before;
      result.push_back(std::move(one));
    }
  };
  for (const auto& [directory, files] : alternatives_of(view)) search(files, false);
  for (const std::size_t rank : {0U, 1U}) search(loaded_before(view, rank), true);
  if (steps.is_spent()) result.clear();  // a partial result would depend on the order of files
  std::ranges::stable_sort(result, {}, &Unfound::file);
  return {.files = std::move(result), .cut = steps.cut()};
}

}  // namespace wheelcheck::rules
