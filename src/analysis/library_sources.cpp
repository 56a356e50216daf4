// Which libraries come with the distributions that METADATA requires. auditwheel knows none of them, so that every
// wheel of a family (torch and nvidia-*, PyQt6 and PyQt6-Qt6) needs a list of --exclude. A distribution counts only if
// pip installs it with the wheel and something shows that it has the library:
//
// - the tables of data/ list the soname, and for CUDA the major version;
// - the tables list the path to which a search path of the file leads, in a directory that many distributions share
//   (cmeel.prefix/lib/libcoal.so);
// - a search path of the file leads into the directory of a distribution of that name (PyQt6/Qt6/lib, pkg/lib), and the
//   tables do not list what is in it;
// - the wheel adds the file to the package of that name, whose __init__.py the distribution has, and a search path of
//   it leads there (pyscf/lib/libpdft.so of pyscf_forge), or it is a module;
// - a search path of the file leads into NAME.libs, the directory that auditwheel makes for that distribution;
// - the library is called like the distribution (librmm.so, librmm-cu12), and Python code of the wheel imports it, or
//   such a path leads out of the wheel;
// - the library is called like what only the name of the distribution adds to a name that it and the wheel begin with,
//   and the two are released together (libPxrTf.so: pxr-tf ==26.8.* for pxr-pcp), or the whole name is that
//   (libutilities.so: nwchemex-utilities for nwchemex-chemist);
// - the file requires another library of a distribution, in whose directory the tables list this one: it is loaded by
//   then (openvino/libs/libtbb.so.12, after libopenvino.so);
// - METADATA requires one distribution of the same project and version, whose libraries the tables do not list, and a
//   search path of the file leads into a package of the wheel: the two are parts of one package (libonnxruntime.so of
//   sherpa-onnx-core for sherpa-onnx);
// - the library is called like a part of a module that Python code of the wheel imports of a distribution, or beside
//   one (hal._init_wpiHal opens libwpiHal.so; robotpy-build writes such code);
// - a search path of the file leads where a direct requirement that the tables do not know has another of its
//   libraries, and there the tables list the library: what that one requires has it (libcoal.so of
//   roboplan-simple-ik, which requires roboplan-core, which requires coal);
// - the file requires one of the wheel to which no search path leads, so that it loads only after that one, which gets
//   the library (mitsuba/plugins/aov.so after mitsuba/libmitsuba.so, which has the search path), or a module loads the
//   file, and gets the library before, or no module of the wheel loads the file, and a file that one does load gets the
//   library: the file is opened later, or is a program in site-packages, for which Python code sets the environment.
//
// A library of the wheel to which no search path leads is there, too, if Python code may open it before, if a module
// loads it and the file is one that no module loads (mitsuba 3.1.1: libmitsuba.so opens its plugins), or if the file is
// a program that cmeel starts. WC506 warns of it. A copy that a repair tool has added and that nothing uses needs none.
//
// A library that nothing of this provides may be what a back end is for: bitsandbytes 0.50.2 opens one of its libraries
// libbitsandbytes_cpu.so, libbitsandbytes_cuda128.so, libbitsandbytes_xpu2026.so, and only machines for the last one
// have libsycl.so.9. The code that opens such a library computes the name, so that the files tell it: no file requires
// it, and another one, whose name differs after the last '_' or '-' only, exports the same functions and lacks nothing.
// So may one that Python code looks for itself (diplib 3.6.1: libjvm.so), one of which several files each want another
// version (torchcodec 0.17.0: FFmpeg; mpi4py 4.1.2: MPI.mpich.so and MPI.openmpi.so), and one of a plugin that its host
// leaves out if it cannot be opened (libverbs-fi.so of libfabric).
//
// A wheel for one device, which its name tells, may require what only machines for it have (cupy-rocm-5-0, not those
// for CUDA, whose driver must be opened with dlopen).
//
// Runtime libraries of compilers come from no such distribution: every repair tool bundles them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/internal.h"
#include "base/text.h"
#include "model/graphics_stack.h"
#include "model/installed_files.h"
#include "model/installed_with.h"
#include "model/library_name.h"
#include "model/needed_closure.h"
#include "model/python_calls.h"
#include "model/requirement.h"
#include "model/search_path.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

class Marker {
 public:
  Marker(const WheelFacts& wheel, const Knowledge& knowledge, const std::function<StringSet()>& of_systems,
         Resolution& resolution)
      : wheel_(wheel),
        knowledge_(knowledge),
        of_systems_(of_systems),
        resolution_(resolution),
        installed_(wheel.members),
        requirements_(wheel, knowledge.distributions),
        opened_(wheel) {
    if (!wheel.metadata) return;
    const std::string own = normal_project_name(wheel.name.distribution);
    project_ = own.substr(0, own.find('-'));
  }

  void run() {
    std::vector<std::pair<NeededFound*, LibrarySource>> marked;
    std::map<std::pair<ElfIndex, std::string_view>, LibrarySource> by_file;
    Missing missing;
    for (std::uint32_t i = 0; i < resolution_.needed.size(); ++i) {
      if (!is_host_code(wheel_.elfs[i])) continue;
      for (NeededFound& needed : resolution_.needed[i]) {
        if (needed.found != Found::Outside || is_libpython(needed.name)) continue;
        const bool here = needed.unreached && needed.unreached->wheel.value == 0;
        needed.opened = here && (is_found_by_then(ElfIndex{i}, needed) || is_unused_copy(ElfIndex{i}) ||
                                 !part_of_machine(ElfIndex{i}, needed.name).empty());
        if (std::optional<LibrarySource> source =
                here ? loaded_before(needed.name) : source_of(ElfIndex{i}, needed.name)) {
          by_file.emplace(std::pair(ElfIndex{i}, needed.name), *source);
          marked.emplace_back(&needed, std::move(*source));
        } else if (!here) {
          missing.emplace_back(ElfIndex{i}, &needed);
        }
      }
    }
    std::map<ElfIndex, LibrarySource> unlisted;  // a requirement that the tables do not know has a library of the file
    for (const auto& [use, source] : by_file)
      if (source.kind == LibrarySource::Kind::Distribution && entry_of(source.name) == nullptr)
        unlisted.emplace(use.first, source);
    for (const auto& [file, needed] : missing)
      if (const auto at = unlisted.find(file); at != unlisted.end() && is_listed_where_searched(file, needed->name))
        if (by_file.emplace(std::pair(file, needed->name), at->second).second) marked.emplace_back(needed, at->second);
    std::map<std::string_view, const LibrarySource*> by_modules;  // what files that a module loads get
    std::set<ElfIndex> modules;
    std::map<ElfIndex, ElfIndex> module_of;  // of modules that get something, the first one that requires the file
    for (const auto& [use, source] : by_file) {
      if (loaded().contains(use.first)) by_modules.emplace(use.second, &source);
      if (!is_module(use.first) || !modules.insert(use.first).second) continue;
      for (const NeededFound& found : resolution_.needed[use.first.value])
        if (found.provider && found.provider->wheel.value == 0) module_of.emplace(found.provider->elf, use.first);
    }
    for (const auto& [file, needed] : missing) {
      if (by_file.contains({file, needed->name})) continue;
      const LibrarySource* source = nullptr;
      for (const NeededFound& other : resolution_.needed[file.value]) {
        if (source != nullptr || !other.unreached || other.unreached->wheel.value != 0) continue;
        if (const auto at = by_file.find({other.unreached->elf, needed->name}); at != by_file.end())
          source = &at->second;
      }
      const auto module = module_of.find(file);
      if (source == nullptr && module != module_of.end())
        if (const auto at = by_file.find({module->second, needed->name}); at != by_file.end()) source = &at->second;
      const auto at = by_modules.find(needed->name);
      if (source == nullptr && at != by_modules.end() && (is_opened_later(file) || is_started_by_code(file)))
        source = at->second;
      if (source != nullptr) marked.emplace_back(needed, *source);
    }
    mark_back_ends(missing, marked);
    for (const auto& [needed, source] : marked) {
      LibrarySource& one = sources_.try_emplace({source.kind, source.name}, source).first->second;
      one.libraries.emplace_back(needed->name);
    }
    for (auto& [key, source] : sources_) {
      std::ranges::sort(source.libraries);
      const auto rest = std::ranges::unique(source.libraries);
      source.libraries.erase(rest.begin(), rest.end());
      numbers_.emplace(key, SourceIndex{static_cast<std::uint32_t>(resolution_.sources.size())});
      resolution_.sources.push_back(std::move(source));
    }
    for (const auto& [needed, source] : marked) {
      needed->found = Found::Required;
      needed->source = numbers_.at({source.kind, source.name});
    }
  }

 private:
  using Key = std::pair<LibrarySource::Kind, std::string>;
  using Missing = std::vector<std::pair<ElfIndex, NeededFound*>>;

  // "pkg/libfoo_" of pkg/libfoo_cpu.so; "" if the file is not a library that code opens by a computed name.
  std::string family_of_file(ElfIndex index) {
    const ElfMember& elf = wheel_.elfs[index.value];
    const std::string_view name = wheel_.members[elf.member.value].path.name();
    if (!std::holds_alternative<PlainLibrary>(elf.role) || is_needed(elf)) return {};
    const std::string_view stem = name.substr(0, name.find(".so"));
    const std::size_t end = stem.find_last_of("_-");
    return end == stem.npos ? std::string() : std::string(stem.substr(0, end + 1));
  }

  void mark_back_ends(const Missing& missing, std::vector<std::pair<NeededFound*, LibrarySource>>& marked) {
    std::set<const NeededFound*> known;
    for (const auto& [library, source] : marked) known.insert(library);
    std::map<ElfIndex, std::vector<NeededFound*>> lacking;
    for (const auto& [file, library] : missing)
      if (!known.contains(library) && !is_of_systems(library->name)) lacking[file].push_back(library);
    if (lacking.empty()) return;
    std::map<std::string, std::set<std::string_view>> functions;  // of the files that lack nothing, by family
    for (std::uint32_t i = 0; i < wheel_.elfs.size(); ++i) {
      if (lacking.contains(ElfIndex{i}) || !is_host_code(wheel_.elfs[i])) continue;
      if (const std::string family = family_of_file(ElfIndex{i}); !family.empty())
        for (const std::string_view function : functions_of(ElfIndex{i})) functions[family].insert(function);
    }
    std::set<std::string_view> names;
    const auto take = [&](const std::vector<NeededFound*>& libraries) {
      for (NeededFound* library : libraries) {
        if (is_of_compiler(library->name)) continue;
        marked.emplace_back(library, LibrarySource{LibrarySource::Kind::BackEnd, "an optional back end", {}, {}});
        names.insert(library->name);
      }
    };
    const std::set<const NeededFound*> several = with_several_versions(lacking);
    for (auto& [file, libraries] : lacking) {
      const bool plugin = is_plugin_beside_modules(file);
      if (is_left_out_by_its_host(file)) {
        take(libraries);
        libraries.clear();
      }
      const auto rest = std::ranges::stable_partition(libraries, [&](NeededFound* library) {
        return !several.contains(library) && !(plugin && library->name == "libOpenCL.so.1") &&
               (!opened_.has_name(library->name) || lookup(std::string(library->name)).listed);
      });
      take({rest.begin(), rest.end()});
      libraries.erase(rest.begin(), rest.end());
    }
    std::erase_if(lacking, [](const auto& one) { return one.second.empty(); });
    for (auto& [file, libraries] : lacking) {
      const auto others = functions.find(family_of_file(file));
      if (others == functions.end()) continue;
      const std::vector<std::string_view> own = functions_of(file);
      const auto shared =
          std::ranges::count_if(own, [&](std::string_view one) { return others->second.contains(one); });
      if (shared == 0 || static_cast<std::size_t>(shared) * 2 < own.size()) continue;
      take(libraries);
      libraries.clear();
    }
    // Another part of the same back end.
    for (const auto& [file, libraries] : lacking)
      if (!libraries.empty() && !family_of_file(file).empty() &&
          std::ranges::all_of(libraries, [&](const NeededFound* one) { return names.contains(one->name); }))
        take(libraries);
  }

  // Libraries of which files, whose names begin alike but for numbers, each lack another version: libavcodec.so.58 of
  // libtorchcodec_core4.so and libavcodec.so.59 of libtorchcodec_core5.so, libmpi.so.12 of MPI.mpich.so and
  // libmpi.so.40 of MPI.openmpi.so.
  std::set<const NeededFound*> with_several_versions(
      const std::map<ElfIndex, std::vector<NeededFound*>>& lacking) const {
    using Library = std::pair<std::string, std::string_view>;  // begin of the file, name without version
    std::map<Library, std::map<std::string_view, std::vector<const NeededFound*>>> groups;
    std::map<Library, std::set<ElfIndex>> files;
    for (const auto& [file, libraries] : lacking) {
      const std::string_view path = wheel_.members[wheel_.elfs[file.value].member.value].path.text();
      std::string name(path.substr(0, path.find('.', path.rfind('/') + 1)));
      std::erase_if(name, is_digit);
      for (const NeededFound* library : libraries) {
        const Library key{name, std::string_view(library->name).substr(0, library->name.find(".so"))};
        groups[key][library->name].push_back(library);
        files[key].insert(file);
      }
    }
    std::set<const NeededFound*> out;
    for (const auto& [key, versions] : groups)
      if (versions.size() > 1 && files.at(key).size() > 1)
        for (const auto& [version, libraries] : versions) out.insert(libraries.begin(), libraries.end());
    return out;
  }

  // The functions by which hosts know plugins that they leave out if dlopen fails: libfabric (src/fabric.c),
  // Csound (Top/csmodule.c), GLib (gio/giomodule.c).
  bool is_left_out_by_its_host(ElfIndex file) {
    constexpr std::string_view entries[] = {"fi_prov_ini", "csoundModuleInit", "csound_opcode_init",
                                            "g_io_module_load"};
    const ElfMember& elf = wheel_.elfs[file.value];
    return is_library(elf.role) && !is_needed(elf) && std::ranges::any_of(functions_of(file), [&](auto function) {
             return std::ranges::find(entries, function) != std::end(entries);
           });
  }

  bool is_of_systems(std::string_view library) {
    if (!systems_) systems_ = of_systems_();
    return systems_->contains(library);
  }

  // The functions with a C name that others can call. All plugins of Qt have the same two, whatever they are for.
  std::vector<std::string_view> functions_of(ElfIndex index) const {
    std::vector<std::string_view> out;
    const auto& dynamic = wheel_.elfs[index.value].facts.dynamic;
    if (!dynamic) return out;
    for (const Export& symbol : dynamic->exports)
      if (symbol.kind == SymbolKind::Function && symbol.binding == Binding::Global && !symbol.name.starts_with("_") &&
          !symbol.name.starts_with("qt_plugin_"))
        out.push_back(symbol.name);
    return out;
  }

  // Whether the process has the library of the wheel before the file is loaded, or the environment of the process leads
  // to it. A program is a process of its own.
  bool is_found_by_then(ElfIndex file, const NeededFound& needed) {
    const ElfMember& user = wheel_.elfs[file.value];
    const ElfIndex library = needed.unreached->elf;
    if (user.facts.kind == ElfKind::Executable || std::holds_alternative<Program>(user.role))
      return is_started_by_cmeel(user.installed, wheel_.elfs[library.value].installed);
    if (opened_.have(wheel_.members[wheel_.elfs[library.value].member.value].path.text())) return true;
    return is_opened_later(file) && loaded().contains(library);
  }

  // No module loads the library: code opens it, when the modules are loaded.
  bool is_opened_later(ElfIndex file) { return is_library(wheel_.elfs[file.value].role) && !loaded().contains(file); }

  // Systems install WebKitGTK together with GTK and what that requires (pywry 0.6.0).
  bool is_with_webkit(ElfIndex file) {
    const auto [at, is_new] = with_webkit_.try_emplace(file);
    if (is_new) at->second = std::ranges::any_of(wheel_.elfs[file.value].facts.dynamic->needed, is_of_webkit);
    return at->second;
  }

  // What the library belongs to, if a virtual machine beside the file opens the file when a class is used, and runs
  // without it: Java's windows and sound, what .NET calls of libcurl, Kerberos and LTTng. Java's launcher opens
  // server/libjvm.so first, so that the others find it by its soname. "" for other files.
  std::string_view part_of_machine(ElfIndex file, std::string_view library) const {
    struct Part {
      std::string_view machine, file, library, name;
    };
    constexpr Part parts[] = {{"server/libjvm.so", "lib*.so", "libjvm.so", "Java's launcher"},
                              {"libjava.so", "libawt_xawt.so", "*", "the desktop"},
                              {"libjava.so", "libsplashscreen.so", "*", "the desktop"},
                              {"libjava.so", "libjsound.so", "*", "the desktop"},
                              {"libcoreclr.so", "*System.*.Native.so", "*", "the optional parts of .NET"},
                              {"libcoreclr.so", "libcoreclrtraceptprovider.so", "*", "the optional parts of .NET"}};
    const std::string_view path = wheel_.members[wheel_.elfs[file.value].member.value].path.text();
    const std::string_view name = base_name(path);
    const auto part = std::ranges::find_if(parts, [&](const Part& one) {
      return glob_match(one.file, name) && glob_match(one.library, library) && !is_of_compiler(library) &&
             find_member(wheel_.members, fmt::format("{}{}", path.substr(0, path.size() - name.size()), one.machine));
    });
    return part == std::end(parts) ? std::string_view() : part->name;
  }

  // A program that is not on PATH: Python code starts it.
  bool is_started_by_code(ElfIndex file) const {
    const ElfMember& elf = wheel_.elfs[file.value];
    return std::holds_alternative<Program>(elf.role) && below_site_packages(elf.installed) != elf.installed;
  }

  // A copy in NAME.libs that no file of the wheel requires and no Python code opens: a repair tool of old added what
  // only the system's libX11.so.6 requires (autopy 4.0.2).
  bool is_unused_copy(ElfIndex file) {
    const ElfMember& elf = wheel_.elfs[file.value];
    const std::string_view path = wheel_.members[elf.member.value].path.text();
    return std::holds_alternative<BundledLibrary>(elf.role) && !is_needed(elf) && !opened_.have(path);
  }

  // Whether a file of the wheel requires the library, by its file name or its soname.
  bool is_needed(const ElfMember& library) {
    if (!needed_names_) {
      needed_names_.emplace();
      for (const ElfMember& elf : wheel_.elfs)
        if (elf.facts.dynamic)
          needed_names_->insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
    }
    return needed_names_->contains(wheel_.members[library.member.value].path.name()) ||
           (library.facts.dynamic && library.facts.dynamic->soname &&
            needed_names_->contains(*library.facts.dynamic->soname));
  }

  // The package has modules, which work without the file, and no Python code opens it.
  bool is_plugin_beside_modules(ElfIndex file) {
    return !loaded().empty() && is_opened_later(file) &&
           !opened_.have(wheel_.members[wheel_.elfs[file.value].member.value].path.text());
  }

  // The scripts of that name call cmeel.run, which sets LD_LIBRARY_PATH (cmeel 0.62).
  bool is_started_by_cmeel(const std::string& program, const std::string& library) const {
    constexpr std::string_view bin = "cmeel.prefix/bin/", lib = "cmeel.prefix/lib/";
    return requirements_.direct().contains("cmeel") && below_site_packages(program).starts_with(bin) &&
           below_site_packages(library).starts_with(lib);
  }

  std::optional<LibrarySource> source_of(ElfIndex file, std::string_view library) {
    const Known& known = lookup(std::string(library));
    if (known.driver) {
      if (loaded().contains(file) && !known.by_name) return std::nullopt;
      return LibrarySource{LibrarySource::Kind::Driver, known.name, {}, {}};
    }
    if (!known.name.empty()) return installed(known.name, known.extras);
    if (!loaded().contains(file) && !is_of_compiler(library) && is_with_webkit(file) && !is_of_systems(library))
      return LibrarySource{LibrarySource::Kind::Driver, "WebKitGTK", {}, {}};
    if (!graphics_library(library).empty() && is_plugin_beside_modules(file))
      return LibrarySource{LibrarySource::Kind::Driver, "the graphics driver", {}, {}};
    if (const std::string_view part = part_of_machine(file, library); !part.empty())
      return LibrarySource{LibrarySource::Kind::Driver, std::string(part), {}, {}};
    // Every glibc has them, and opens them itself.
    if (library == "libnss_dns.so.2" || library == "libnss_files.so.2")
      return LibrarySource{LibrarySource::Kind::Driver, "glibc", {}, {}};
    const std::vector<std::string>& directories = searched_directories(file);
    for (const std::string& directory : directories) {
      const Known& there = lookup(below_site_packages(directory) + std::string(library));
      if (!there.name.empty()) return installed(there.name, there.extras);
    }
    if (requirements_.direct().empty()) return std::nullopt;
    if (auto source = loaded_with(file, library)) return source;
    if (auto source = released_together(library)) return source;
    const auto [package, owner] = package_of_requirement(file);
    if (!owner.empty() && is_module(file) && plain_library_name(library) != library) return unlisted(owner);
    if ((known.listed && !known.by_table) || is_of_systems(library)) return std::nullopt;
    if (const auto at = module_words().find(word_of(library)); at != module_words().end())
      return installed(at->second, requirements_.direct().find(at->second)->second);
    if (known.listed) return std::nullopt;
    const auto is_in_package = [&](std::string_view directory) {
      return below_site_packages(directory).starts_with(package);
    };
    if (!owner.empty() && std::ranges::any_of(directories, is_in_package)) return unlisted(owner);
    for (const std::string& directory : directories)
      if (auto source = unlisted(repaired_for(directory))) return source;
    const auto is_foreign = [&](const std::string& directory) { return !own_directories().contains(directory); };
    const auto foreign = std::ranges::find_if(directories, is_foreign);
    if (foreign != directories.end())
      if (auto source = unlisted(required_for(*foreign))) return source;
    const std::string_view name = requirements_.called_like(library);
    // site-packages itself: where others may put files too (libjacobi-motion.so of jacobi-motion).
    const bool in_site_packages = std::ranges::any_of(
        directories, [](std::string_view directory) { return below_site_packages(directory).empty(); });
    if (foreign != directories.end() || in_site_packages || is_imported(name))
      if (auto source = unlisted(name)) return source;
    const bool in_package = std::ranges::any_of(directories, [](std::string_view directory) {
      const std::string below = below_site_packages(directory);
      return !below.empty() && !std::string_view(below).substr(0, below.find('/')).ends_with(".libs");
    });
    return in_package ? unlisted(other_part()) : std::nullopt;
  }

  // Whether a distribution of the tables has the library where a search path of the file leads.
  bool is_listed_where_searched(ElfIndex file, std::string_view library) {
    return !lookup(std::string(library)).listed &&
           std::ranges::any_of(searched_directories(file), [&](const std::string& directory) {
             return lookup(below_site_packages(directory) + std::string(library)).listed;
           });
  }

  // What the tables list in the directory of a distribution that another library of the file comes from.
  std::optional<LibrarySource> loaded_with(ElfIndex file, std::string_view library) {
    for (const NeededFound& other : resolution_.needed[file.value]) {
      const Known& known = lookup(std::string(other.name));
      const KnownDistribution* const one = entry_of(known.name);
      if (one != nullptr && std::ranges::any_of(one->sonames, [&](std::string_view pattern) {
            return pattern.contains('/') && glob_match(base_name(pattern), library);
          }))
        return installed(known.name, known.extras);
    }
    return std::nullopt;
  }

  // The only requirement of the same project that is pinned to the version of this wheel; "" if there is none.
  std::string_view other_part() {
    std::string_view result;
    for (const auto& [word, relative] : family()) {
      if (!relative.same_version) continue;
      if (!result.empty()) return "";
      result = relative.name;
    }
    return result;
  }

  // For a copy in the wheel to which no search path leads: by its soname the loader finds the one that a requirement of
  // the tables has loaded (libcudart.so.12 of torchvision 0.25.0, after torch).
  std::optional<LibrarySource> loaded_before(std::string_view library) {
    const Known& known = lookup(std::string(library));
    if (known.driver || known.name.empty()) return std::nullopt;
    return installed(known.name, known.extras);
  }

  // A library without its "lib" and its version, in small letters and digits: "pxrtf" of libPxrTf.so.
  static std::string word_of(std::string_view name) {
    if (name.starts_with("lib")) name.remove_prefix(3);
    std::string word;
    for (const char c : normal_project_name(name.substr(0, name.find(".so"))))
      if (c != '-') word += c;
    return word;
  }

  // The requirement of the same project whose name tells that it has the library: with a version that this wheel gives,
  // or by the whole name.
  std::optional<LibrarySource> released_together(std::string_view library) {
    if (project_.empty() || is_of_compiler(library)) return std::nullopt;
    const std::string whole = word_of(library);
    std::string_view word = whole;
    if (word.starts_with(project_)) word.remove_prefix(project_.size());
    constexpr std::size_t longest = 64, shortest = 2;
    for (std::size_t size = std::min(word.size(), longest); size >= shortest; --size) {
      auto at = family().find(word.substr(0, size));
      if (at == family().end()) at = family().find(word.substr(word.size() - size));
      if (at == family().end() || !(searches_site_packages() || is_imported(at->second.name))) continue;
      if (!at->second.pinned && (at->first != whole || size == shortest)) continue;
      return installed(std::string(at->second.name), requirements_.direct().find(at->second.name)->second);
    }
    return std::nullopt;
  }

  struct Relative {
    std::string_view name;
    bool pinned = false;        // to a version
    bool same_version = false;  // to that of this wheel
  };
  // The requirements of the same project: "tf" of "pxr-tf==26.8" for a wheel of pxr-pcp.
  const std::map<std::string, Relative, std::less<>>& family() {
    if (family_) return *family_;
    family_.emplace();
    for (const std::string& line : wheel_.metadata->requires_dist) {
      const Dependency dependency = parse_dependency(line);
      const auto direct = requirements_.direct().find(dependency.name);
      if (direct == requirements_.direct().end() || !dependency.name.starts_with(project_ + "-")) continue;
      family_->emplace(word_of(plain_name(std::string_view(direct->first).substr(project_.size() + 1))),
                       Relative{direct->first, dependency.specifier.starts_with("=="),
                                dependency.specifier == "==" + wheel_.name.version});
    }
    return *family_;
  }

  // Whether a search path of some file leads to an installed directory. What it loads, its libraries find loaded.
  bool searches_site_packages() {
    if (!searches_)
      searches_ = std::ranges::any_of(std::views::iota(std::size_t{0}, wheel_.elfs.size()), [&](std::size_t i) {
        return !searched_directories(ElfIndex{static_cast<std::uint32_t>(i)}).empty();
      });
    return *searches_;
  }

  // The words of the modules that Python code imports of a direct requirement, or of others beside such an import, with
  // that requirement. Of a module of others the first part does not count: it has the name of many libraries.
  const std::map<std::string, std::string, std::less<>>& module_words() {
    if (words_) return *words_;
    words_.emplace();
    for (const PythonFile& file : wheel_.python) {
      std::string_view beside;
      for (const PythonEvent& event : file.events) {
        if (event.action != PythonAction::Import || event.name.starts_with('.')) continue;
        const std::string_view module = event.name;
        const std::string_view first = module.substr(0, module.find('.'));
        if (installed_.has_directory(first)) continue;
        const std::string_view required = requirements_.named(normal_project_name(first));
        if (!required.empty()) beside = required;
        if (beside.empty()) continue;
        const std::size_t start = required.empty() ? first.size() : 0;
        for (const std::string_view part : split(module.substr(std::min(start, module.size())), '.'))
          for (const std::string_view word : split(part, '_'))
            if (word.size() > 3) words_->try_emplace(word_of(word), beside);
      }
    }
    return *words_;
  }

  // A direct requirement whose libraries the tables do not list.
  std::optional<LibrarySource> unlisted(std::string_view name) const {
    if (name.empty() || lists_libraries(name)) return std::nullopt;
    return installed(std::string(name), requirements_.direct().find(name)->second);
  }

  static LibrarySource installed(const std::string& name, const std::set<std::string>& extras) {
    const bool always = extras.empty();
    return {always ? LibrarySource::Kind::Distribution : LibrarySource::Kind::Extra,
            name,
            {extras.begin(), extras.end()},
            {}};
  }

  // What the tables say of a soname or of the path of a library, once for each.
  struct Known {
    bool driver = false;
    bool by_name = false;   // the name of the wheel says that it is for that device
    bool listed = false;    // no other evidence is looked for
    bool by_table = false;  // but for the modules that Python code imports: several distributions may have it
    std::string name;       // the distribution, or the driver
    std::set<std::string> extras;
  };

  const Known& lookup(const std::string& library) {
    const auto [at, is_new] = known_.try_emplace(library);
    if (is_new) at->second = known_as(library);
    return at->second;
  }

  Known known_as(std::string_view library) const {
    Known known;
    std::vector<std::string> holders;
    if (const auto gpu = analysis::read_gpu_name(library, knowledge_.gpu)) {
      known.listed = true;
      if (gpu->library->driver) {
        known.driver = true;
        known.name = gpu->library->vendor == "cuda" ? "the NVIDIA driver" : "the GPU's driver";
        return known;
      }
      for (const GpuProvider& provider : gpu->library->providers)
        if (provider.major.empty() || gpu->major.empty() || provider.major == gpu->major)
          holders.emplace_back(provider.distribution);
      if (holders.empty()) known.name = device_named(gpu->library->vendor);
      known.driver = known.by_name = !known.name.empty();
      if (known.by_name) return known;
    }
    for (const KnownDistribution& one : knowledge_.distributions)
      if (std::ranges::any_of(one.sonames, [&](std::string_view p) { return glob_match(p, library); })) {
        known.by_table = known.by_table || !known.listed;
        known.listed = true;
        holders.emplace_back(one.name);
        for (const auto& [name, extras] : requirements_.direct())
          if (std::ranges::any_of(one.alternatives, [&](std::string_view p) { return glob_match(p, name); }))
            holders.push_back(name);
      }
    if (is_of_compiler(library)) known.listed = true, known.by_table = false;
    InstalledBy by = requirements_.first_of(holders);
    known.name = std::move(by.distribution);
    known.extras = std::move(by.extras);
    return known;
  }

  // "ROCm" for "jax-rocm60-plugin": such a wheel is for nothing else, and the device's runtime is in no wheel. That of
  // CUDA is, and its driver must be opened with dlopen.
  std::string_view device_named(std::string_view vendor) const {
    struct Word {
      std::string_view vendor, begin, name;
    };
    constexpr Word words[] = {{"rocm", "rocm", "ROCm"},
                              {"rocm", "migraphx", "ROCm"},
                              {"cann", "cann", "CANN"},
                              {"cann", "ascend", "CANN"},
                              {"cann", "npu", "CANN"}};
    const std::string own = normal_project_name(wheel_.name.distribution);
    for (const std::string_view part : split(own, '-'))
      for (const Word& word : words)
        if (word.vendor == vendor && part.starts_with(word.begin)) return word.name;
    return {};
  }

  const KnownDistribution* entry_of(std::string_view distribution) const {
    const auto at = std::ranges::lower_bound(knowledge_.distributions, distribution, {}, &KnownDistribution::name);
    return at != knowledge_.distributions.end() && at->name == distribution ? &*at : nullptr;
  }
  bool lists_libraries(std::string_view distribution) const {
    const KnownDistribution* const entry = entry_of(distribution);
    return entry != nullptr && !entry->sonames.empty();
  }

  // The installed directories that the search paths of the file lead to.
  const std::vector<std::string>& searched_directories(ElfIndex index) {
    const auto [at, is_new] = directories_.try_emplace(index);
    if (!is_new) return at->second;
    const ElfMember& elf = wheel_.elfs[index.value];
    for (const std::string_view element : effective_path(elf.facts).elements) {
      if (!starts_at_origin(element) || names_a_file(element) || target_of(elf, element) != PathTarget::Inside)
        continue;
      const auto parts = directory_of(elf.installed, element);
      if (parts && !parts->empty()) at->second.push_back(fmt::format("{}/", fmt::join(*parts, "/")));
    }
    return at->second;
  }

  const std::set<std::string, std::less<>>& own_directories() {
    if (own_directories_.empty())
      for (const ElfMember& elf : wheel_.elfs)
        own_directories_.emplace(elf.installed.substr(0, elf.installed.rfind('/') + 1));
    return own_directories_;
  }

  // The requirement whose name the directory has: "PyQt6-Qt6" for PyQt6/Qt6/lib/. The first part alone is not enough if
  // it is a package of the wheel itself; else it is enough for the begin of the name of one requirement.
  std::string_view required_for(std::string_view directory) const {
    std::string_view result;
    std::string name;
    const std::string below = below_site_packages(directory);
    if (below.empty()) return result;
    const std::vector<std::string_view> parts = split(std::string_view(below).substr(0, below.rfind('/')), '/');
    const bool own = installed_.has_directory(parts.front());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      name = normal_project_name(name.empty() ? std::string(parts[i]) : name + "-" + std::string(parts[i]));
      if (i == 0 && own) continue;
      if (const std::string_view required = requirements_.named(name); !required.empty()) result = required;
    }
    return result.empty() && !own ? only_beginning_with(normal_project_name(parts.front()) + '-') : result;
  }

  // The only requirement with such a name: "metatensor-core" installs metatensor/lib/. "" if there are several.
  std::string_view only_beginning_with(const std::string& begin) const {
    std::string_view result;
    for (const auto& [name, extras] : requirements_.direct()) {
      if (!name.starts_with(begin)) continue;
      if (!result.empty()) return {};
      result = name;
    }
    return result;
  }

  // For a file that the wheel adds to the package of a requirement, "KratosMultiphysics/" of
  // kratosigaapplication 10.4.4, "pyscf/" of pyscf_forge 1.0.3: the package and the requirement. Its __init__.py runs
  // first and loads the libraries of the requirement.
  std::pair<std::string, std::string_view> package_of_requirement(ElfIndex file) const {
    const std::string below = below_site_packages(wheel_.elfs[file.value].installed);
    const std::string package = below.substr(0, below.find('/') + 1);
    const std::string name = normal_project_name(below.substr(0, below.find('/')));
    if (name == normal_project_name(wheel_.name.distribution)) return {};
    if (installed_.has(package + "__init__.py")) return {};
    return {package, requirements_.named_with(name)};
  }

  // The requirement whose libraries auditwheel puts into that directory: "netgen-mesher" for netgen_mesher.libs/, into
  // which ngsolve 6.2.2608 installs libraries of its own.
  std::string_view repaired_for(std::string_view directory) const {
    constexpr std::string_view ending = ".libs";
    const std::string below = below_site_packages(directory);
    const std::string_view first = std::string_view(below).substr(0, below.find('/'));
    if (!first.ends_with(ending)) return {};
    return requirements_.named(normal_project_name(first.substr(0, first.size() - ending.size())));
  }

  // Whether Python code imports the module that is called like a distribution.
  bool is_imported(std::string_view distribution) {
    if (imports_.empty()) {
      imports_.insert("");
      for (const PythonFile& file : wheel_.python)
        for (const PythonEvent& event : file.events)
          if (event.action == PythonAction::Import)
            imports_.emplace(plain_name(normal_project_name(event.name.substr(0, event.name.find('.')))));
    }
    return !distribution.empty() && imports_.contains(plain_name(distribution));
  }

  bool is_module(ElfIndex file) const {
    const ElfMember& elf = wheel_.elfs[file.value];
    return is_host_code(elf) && std::holds_alternative<ExtensionModule>(elf.role);
  }

  const std::set<ElfIndex>& loaded() {
    if (!loaded_) {
      std::vector<ElfIndex> modules;
      for (std::uint32_t i = 0; i < wheel_.elfs.size(); ++i)
        if (is_module(ElfIndex{i})) modules.push_back({i});
      loaded_.emplace(modules.begin(), modules.end());
      for (const ElfRef& file : needed_closure(resolution_, modules))
        if (file.wheel.value == 0) loaded_->insert(file.elf);
    }
    return *loaded_;
  }

  const WheelFacts& wheel_;
  const Knowledge& knowledge_;
  const std::function<StringSet()>& of_systems_;
  std::optional<StringSet> systems_;
  Resolution& resolution_;
  const InstalledFiles installed_;
  const InstalledWith requirements_;
  OpenedNames opened_;
  std::map<std::string, Known> known_;
  std::map<ElfIndex, std::vector<std::string>> directories_;
  std::set<std::string, std::less<>> own_directories_;
  std::set<std::string, std::less<>> imports_;  // by plain_name
  std::optional<std::map<std::string, std::string, std::less<>>> words_;
  std::optional<bool> searches_;
  std::string project_;  // "pxr" of pxr-pcp; "" without METADATA
  std::optional<std::map<std::string, Relative, std::less<>>> family_;
  std::optional<std::set<ElfIndex>> loaded_;
  std::optional<std::set<std::string_view>> needed_names_;
  std::map<ElfIndex, bool> with_webkit_;
  std::map<Key, LibrarySource> sources_;
  std::map<Key, SourceIndex> numbers_;
};

}  // namespace

void mark_required(Resolution& resolution, const WheelFacts& wheel, const Knowledge& knowledge,
                   const std::function<StringSet()>& of_systems) {
  Marker(wheel, knowledge, of_systems, resolution).run();
}

}  // namespace wheelcheck
