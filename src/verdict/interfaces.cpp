// What the files of a wheel require of other packages and of the system.
#include "wheelcheck/interfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "base/text.h"
#include "model/c_names.h"
#include "model/each_symbol.h"
#include "model/highest_version.h"
#include "model/import_checks.h"
#include "model/imported_files.h"
#include "model/module_names.h"
#include "model/requires_dist.h"
#include "verdict/release_tables.h"
#include "wheelcheck/version.h"

namespace wheelcheck {
namespace {

using EntryGroup = InterfaceEntry::Group;

// Equal statements of several files are one entry; the first file stands for them.
class Entries {
 public:
  void add(InterfaceEntry entry) {
    const auto key = std::tuple(entry.group, entry.name, entry.minimum, entry.below, entry.detail);
    auto [at, is_new] = entries_.try_emplace(key, std::move(entry));
    ++at->second.files;
  }
  std::vector<InterfaceEntry> take() {
    std::vector<InterfaceEntry> list;
    list.reserve(entries_.size());
    for (auto& [key, entry] : entries_) list.push_back(std::move(entry));
    return list;
  }

 private:
  std::map<std::tuple<EntryGroup, std::string, std::string, std::string, std::string>, InterfaceEntry> entries_;
};

InterfaceEntry entry_of(EntryGroup group, std::string_view name, ElfIndex file, std::string_view evidence) {
  InterfaceEntry entry;
  entry.group = group;
  entry.name = name;
  entry.file = file;
  entry.evidence = evidence;
  return entry;
}

// --- CPython ------------------------------------------------------------------------------------------------------
// The newest name of the stable ABI that the file must find. A weak import may stay undefined.
struct NewestName {
  std::string_view name;
  unsigned minor = 0;
};
NewestName newest_name(const DynamicFacts& dynamic, const std::vector<StableSymbol>& known) {
  NewestName newest;
  each_symbol(dynamic.imports, [&](const Import& import) {
    if (import.weak || import.bound == Bound::Never) return;
    if (!import.name.starts_with("Py") && !import.name.starts_with("_Py")) return;
    const auto at = std::ranges::lower_bound(known, import.name, {}, &StableSymbol::name);
    if (at == known.end() || at->name != import.name) return;
    // CPython exported many names before they came into the stable ABI.
    const CPythonName exported = cpython_name(at->name);
    const unsigned minor = exported.known ? std::min<unsigned>(exported.first(), at->minor) : at->minor;
    if (minor > newest.minor) newest = {at->name, minor};
  });
  return newest;
}

void add_python(const WheelReport& wheel, ElfIndex index, const Knowledge& knowledge, Entries& out) {
  const ElfMember& elf = wheel.facts.elfs[index.value];
  const auto* const module = std::get_if<ExtensionModule>(&elf.role);
  if (module == nullptr || !elf.facts.dynamic) return;
  const std::string_view file_name = base_name(wheel.facts.members[elf.member.value].path.text());
  const ModuleSuffix suffix = suffix_of(file_name);
  if (const auto minor = suffix.cpython_minor()) {
    InterfaceEntry entry = entry_of(EntryGroup::Python, "CPython", index, suffix.text);
    entry.minimum = fmt::format("3.{}", *minor);
    entry.below = fmt::format("3.{}", *minor + 1);
    entry.detail = suffix.free_threaded ? "this version, free-threaded" : "this version";
    if (elf.facts.gil_slot) entry.detail += ", declares that it runs without the GIL";
    return out.add(std::move(entry));
  }
  if (!module->stable_abi) return;
  // Which names older interpreters export is not known: many came into the stable ABI later.
  constexpr unsigned oldest_known = 8;
  const NewestName newest = newest_name(*elf.facts.dynamic, knowledge.stable_abi);
  InterfaceEntry entry = entry_of(EntryGroup::Python, "CPython", index, suffix.text);
  if (newest.minor >= oldest_known) {
    entry.minimum = fmt::format("3.{}", newest.minor);
    entry.evidence = newest.name;
  }
  entry.detail = suffix.kind == ModuleSuffix::Kind::Abi3t ? "abi3t" : "abi3";
  out.add(std::move(entry));
}

// --- packages -----------------------------------------------------------------------------------------------------
// The functions of Cython's modules: one entry for those that the file exports, and one for those that it imports. The
// lists may be incomplete.
void add_functions(ElfIndex index, std::string_view what, std::span<const CythonFunction> functions, Entries& out) {
  if (functions.empty()) return;
  std::vector<std::string> texts;
  for (const CythonFunction& function : functions)
    texts.push_back(fmt::format("{}: {}", function.name, function.signature));
  std::ranges::sort(texts);
  InterfaceEntry entry = entry_of(EntryGroup::Cython, "__pyx_capi__", index, texts.front());
  entry.detail = fmt::format("{} {}", what, fmt::join(texts, "; "));
  out.add(std::move(entry));
}

void add_checks(ElfIndex index, const ElfFacts& elf, Entries& out) {
  const InterfaceFacts& facts = elf.interfaces;
  if (const auto numpy = numpy_check(elf)) {
    InterfaceEntry entry = entry_of(EntryGroup::Numpy, "NumPy", index, numpy->message);
    entry.minimum = numpy->minimum;
    if (numpy->refuses_2) entry.below = "2";
    entry.detail = numpy->refuses_2 ? "C API of NumPy 1" : "C API of NumPy 1 and 2";
    out.add(std::move(entry));
  }
  const auto add_ids = [&](EntryGroup group, std::string_view name, const std::vector<std::string_view>& ids) {
    for (const std::string_view id : ids) {
      InterfaceEntry entry = entry_of(group, name, index, id);
      entry.detail = id;
      out.add(std::move(entry));
    }
  };
  add_ids(EntryGroup::Pybind11, "pybind11 internals", facts.pybind11_ids);
  add_ids(EntryGroup::Nanobind, "nanobind internals", facts.nanobind_ids);
  add_functions(index, "exports at least", facts.cython_exports, out);
  add_functions(index, "imports at least", facts.cython_imports, out);
  if (!facts.cython_messages.empty() && facts.cython_exports.empty() && facts.cython_imports.empty()) {
    InterfaceEntry entry = entry_of(EntryGroup::Cython, "__pyx_capi__", index, facts.cython_messages.front());
    entry.detail = "imports C functions or variables; their names cannot be read from the file";
    out.add(std::move(entry));
  }
}

// What the mangled names of imports say, each with the first import that says it.
struct NameClues {
  std::string_view torch_cxx, torch_stable, abseil, protobuf, cffi;
};

// "lts_20230802" of _ZN4absl12lts_2023080213...
std::string_view abseil_version(std::string_view symbol) {
  const std::size_t at = symbol.find("4absl12lts_");
  return at == std::string_view::npos ? std::string_view()
                                      : symbol.substr(at + 7, std::string_view("lts_20230802").size());
}

bool is_of_torch(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return false;
  const auto at = symbol.find_first_of("0123456789");
  const std::string_view scope = at == std::string_view::npos ? std::string_view() : symbol.substr(at);
  return scope.starts_with("3c10") || scope.starts_with("2at") || scope.starts_with("5torch");
}

NameClues clues_of(const DynamicFacts& dynamic) {
  NameClues clues;
  const auto first = [](std::string_view& clue, std::string_view name) {
    if (clue.empty() || name < clue) clue = name;
  };
  each_symbol(dynamic.imports, [&](const Import& import) {
    if (import.bound == Bound::Never) return;
    const std::string_view name = import.name;
    if (name.starts_with("aoti_torch_") || name.starts_with("torch_")) first(clues.torch_stable, name);
    if (!name.starts_with("_Z")) return;
    if (is_of_torch(name)) first(clues.torch_cxx, name);
    if (!abseil_version(name).empty()) first(clues.abseil, name);
    if (name.find("6google8protobuf") != std::string_view::npos) first(clues.protobuf, name);
  });
  each_symbol(dynamic.exports, [&](const Export& symbol) {
    if (symbol.name.starts_with("_cffi_pypyinit_")) first(clues.cffi, symbol.name);
  });
  return clues;
}

void add_names(const WheelReport& wheel, ElfIndex index, Entries& out) {
  const DynamicFacts& dynamic = *wheel.facts.elfs[index.value].facts.dynamic;
  const NameClues clues = clues_of(dynamic);
  const auto add = [&](EntryGroup group, std::string_view name, std::string_view evidence, std::string detail) {
    if (evidence.empty()) return;
    InterfaceEntry entry = entry_of(group, name, index, evidence);
    entry.detail = std::move(detail);
    out.add(std::move(entry));
  };
  const auto outside = [&](std::string_view prefix) {
    return std::ranges::any_of(wheel.resolution.needed[index.value], [&](const NeededFound& needed) {
      return needed.found != Found::InWheel && needed.name.starts_with(prefix);
    });
  };
  if (outside("libtorch") || outside("libc10")) {
    const CxxAbi& cxx = wheel.analysis.elfs[index.value].cxx;
    add(EntryGroup::Torch, "PyTorch", clues.torch_cxx,
        cxx.imported == StringAbi::None ? "C++ API" : fmt::format("C++ API, {} std::string", name_of(cxx.imported)));
    if (clues.torch_cxx.empty()) add(EntryGroup::Torch, "PyTorch", clues.torch_stable, "stable ABI");
  }
  if (outside("libabsl_")) add(EntryGroup::Abseil, "Abseil", clues.abseil, std::string(abseil_version(clues.abseil)));
  if (outside("libproto")) add(EntryGroup::Protobuf, "protobuf C++", clues.protobuf, "");
  add(EntryGroup::Cffi, "_cffi_backend", clues.cffi, "module made by cffi");
}

// --- libraries of other wheels and of the system ------------------------------------------------------------------
bool is_of_system(std::string_view library) {
  static constexpr auto stems = std::to_array<std::string_view>(
      {"libc.", "libm.", "libdl.", "libpthread.", "librt.", "libutil.", "libgcc_s.", "libstdc++.", "ld-linux", "ld64.",
       "libresolv.", "libnsl.", "libcrypt.", "libanl.", "libatomic.", "libgomp.", "ld-musl-", "libc.musl-"});
  return std::ranges::any_of(stems, [&](std::string_view stem) { return library.starts_with(stem); });
}

// Distributions that the tables name for the library.
std::string provided_by(std::string_view library, const WheelReport& wheel, const Knowledge& knowledge) {
  for (const GpuReference& reference : wheel.analysis.gpu)
    if (reference.name == library && !reference.provided_by.empty()) return reference.provided_by.front();
  for (const KnownDistribution& distribution : knowledge.distributions)
    for (const std::string_view pattern : distribution.sonames)
      if (glob_match(pattern, library)) return std::string(distribution.name);
  return {};
}

void add_libraries(const WheelReport& wheel, ElfIndex index, const Knowledge& knowledge, Entries& out) {
  const DynamicFacts& dynamic = *wheel.facts.elfs[index.value].facts.dynamic;
  for (const NeededFound& needed : wheel.resolution.needed[index.value]) {
    if (needed.found == Found::InWheel || needed.found == Found::InProcess || is_of_system(needed.name)) continue;
    std::string_view newest;
    for (const VersionNeed& need : dynamic.needs)
      if (need.library == needed.name && natural_order(newest, need.version) < 0) newest = need.version;
    InterfaceEntry entry = entry_of(EntryGroup::Library, needed.name, index, newest.empty() ? "DT_NEEDED" : newest);
    const std::string by = provided_by(needed.name, wheel, knowledge);
    if (!by.empty()) entry.detail = "of " + by;
    if (!newest.empty()) entry.detail += fmt::format("{}version node {}", by.empty() ? "" : ", ", newest);
    out.add(std::move(entry));
  }
}

// What shows that the file is for musl (libc_of): a library, or else the suffix of a module that only a CPython for
// musl imports.
std::string_view musl_evidence(const WheelFacts& wheel, ElfIndex index) {
  const ElfMember& elf = wheel.elfs[index.value];
  const auto is_musl = [](std::string_view name) {
    return name.starts_with("libc.musl-") || name.starts_with("ld-musl-") || name == "libc.so";
  };
  const auto needed = std::ranges::find_if(elf.facts.dynamic->needed, is_musl);
  if (needed != elf.facts.dynamic->needed.end()) return *needed;
  const std::string_view file_name = base_name(wheel.members[elf.member.value].path.text());
  return file_name.substr(std::min(file_name.find('.'), file_name.size()));
}

// musl has no version nodes: the newest name that the file must find decides.
InterfaceEntry musl_entry(const WheelFacts& wheel, ElfIndex index, const verdict::MuslReleases& releases) {
  InterfaceEntry entry = entry_of(EntryGroup::System, "musl", index, musl_evidence(wheel, index));
  const auto required = releases.by(*wheel.elfs[index.value].facts.dynamic);
  if (!required.release.empty()) {
    entry.minimum = required.release;
    entry.evidence = required.symbol;
  }
  return entry;
}

void add_system(const WheelReport& wheel, ElfIndex index, const verdict::MuslReleases& releases, Entries& out) {
  static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"GLIBC", "glibc"}, {"GLIBCXX", "libstdc++ (GLIBCXX)"}, {"CXXABI", "libstdc++ (CXXABI)"}, {"GCC", "libgcc"}});
  const ElfMember& elf = wheel.facts.elfs[index.value];
  for (const auto& [family, floor] : floors_of(wheel, index)) {
    const auto known = std::ranges::find(names, family, &std::pair<std::string_view, std::string_view>::first);
    Version number;
    if (known == names.end() || !parse_version(version_suffix(floor.node), number)) continue;
    InterfaceEntry entry =
        entry_of(EntryGroup::System, known->second, index, floor.symbols.empty() ? floor.node : floor.symbols.front());
    entry.minimum = version_suffix(floor.node);
    out.add(std::move(entry));
  }
  if (elf.libc == Libc::Musl) out.add(musl_entry(wheel.facts, index, releases));
}

// The processor that the loader wants (GNU_PROPERTY_X86_ISA_1_NEEDED; glibc sysdeps/x86/dl-prop.h) and, for a file that
// is imported, the instructions that this executes.
void add_processor(ElfIndex index, const ElfFacts& facts, bool imported, Entries& out) {
  const std::uint32_t isa = facts.x86_isa_needed;
  unsigned level = isa >= 8 ? 4 : isa >= 4 ? 3 : isa >= 2 ? 2 : 0;
  std::string_view evidence = "GNU_PROPERTY_X86_ISA_1_NEEDED";
  for (const StartupInstruction& one : facts.startup) {
    if (!imported || !one.certain) continue;
    if (one.x86_level == 0)
      out.add(entry_of(EntryGroup::System, fmt::format("CPU with {}", one.feature), index, one.instruction));
    else if (one.x86_level > level)
      std::tie(level, evidence) = std::pair(one.x86_level, std::string_view(one.instruction));
  }
  if (level == 0) return;
  InterfaceEntry entry = entry_of(EntryGroup::System, "CPU", index, evidence);
  entry.minimum = fmt::format("x86-64-v{}", level);
  out.add(std::move(entry));
}

// Only the highest floor of each name is a requirement of the wheel.
void keep_highest(std::vector<InterfaceEntry>& entries) {
  std::map<std::string, std::string, std::less<>> highest;
  for (const InterfaceEntry& entry : entries)
    if (entry.group == EntryGroup::System)
      if (std::string& max = highest[entry.name]; natural_order(max, entry.minimum) < 0) max = entry.minimum;
  std::erase_if(entries, [&](const InterfaceEntry& entry) {
    return entry.group == EntryGroup::System && entry.minimum != highest[entry.name];
  });
}

// --- GPU ----------------------------------------------------------------------------------------------------------
// One entry for each kind of code, with all that it serves.
void add_device_code(const WheelFacts& wheel, Entries& out) {
  struct Code {
    std::set<std::string_view, NaturalLess> targets;
    std::set<std::uint32_t> files;
  };
  std::map<DeviceImage::Kind, Code> all;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    for (const DeviceImage& image : wheel.elfs[i].facts.device.images) {
      if (image.kind == DeviceImage::Kind::Other || image.target.empty()) continue;
      all[image.kind].targets.insert(image.target);
      all[image.kind].files.insert(i);
    }
  for (const auto& [kind, code] : all) {
    const std::string_view name = kind == DeviceImage::Kind::Cubin ? "device code for NVIDIA GPUs"
                                  : kind == DeviceImage::Kind::Ptx ? "PTX"
                                                                   : "device code for AMD GPUs";
    InterfaceEntry entry = entry_of(EntryGroup::Gpu, name, ElfIndex{*code.files.begin()}, "device code of the file");
    entry.detail = fmt::format("{}", fmt::join(code.targets, " "));
    entry.files = code.files.size() - 1;  // add() counts one
    out.add(std::move(entry));
  }
}

// The file finds the library by its DT_NEEDED outside of the wheel.
bool is_outside(const WheelReport& wheel, ElfIndex file, std::string_view library) {
  return std::ranges::any_of(wheel.resolution.needed[file.value], [&](const NeededFound& needed) {
    return needed.name == library && needed.found != Found::InWheel;
  });
}

// The toolkit of a library: of the functions that the file must find in it, the one that was added last decides. Before
// CUDA 11 the soname has the minor version, and a driver was good for the toolkits up to its own.
void add_toolkit(const WheelReport& wheel, ElfIndex file, const GpuReference& reference, Entries& out) {
  std::uint64_t major = 0;
  if (!parse_number(reference.major, major) || major >= 1000) return;
  InterfaceEntry toolkit = entry_of(EntryGroup::Gpu, "CUDA toolkit", file, reference.name);
  toolkit.minimum = reference.major;
  toolkit.below = fmt::format("{}", major + 1);
  const bool names_minor = major < 11 && !verdict::cuda_driver(reference.version).empty();
  if (names_minor) {
    toolkit.minimum = reference.version;
    toolkit.below.clear();
  }
  each_symbol(wheel.facts.elfs[file.value].facts.dynamic->imports, [&](const Import& import) {
    if (import.weak || import.bound == Bound::Never) return;
    const std::string_view since = verdict::cuda_toolkit_with(reference.name, import.name);
    if (since.empty() || natural_order(since, toolkit.minimum) <= 0) return;
    toolkit.minimum = since;
    toolkit.evidence = import.name;
  });
  const std::string_view driver =
      names_minor ? verdict::cuda_driver(reference.version) : minimum_cuda_driver(reference.major);
  const std::string_view own_driver = verdict::cuda_driver(toolkit.minimum);
  if (!driver.empty()) {
    InterfaceEntry needs = entry_of(EntryGroup::Gpu, "NVIDIA driver", file, reference.name);
    needs.minimum = driver;
    needs.detail = names_minor ? fmt::format("CUDA {}", toolkit.minimum)
                               : fmt::format("CUDA {} (minor version compatibility)", reference.major);
    if (!names_minor && !own_driver.empty())
      needs.detail += fmt::format("; the driver of CUDA {} is {}", toolkit.minimum, own_driver);
    out.add(std::move(needs));
  }
  if (is_outside(wheel, file, reference.name)) out.add(std::move(toolkit));
}

void add_gpu(const WheelReport& wheel, Entries& out) {
  std::map<MemberIndex, ElfIndex> elf_of;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) elf_of[wheel.facts.elfs[i].member] = ElfIndex{i};
  for (const GpuReference& reference : wheel.analysis.gpu) {
    const auto elf = reference.member ? elf_of.find(*reference.member) : elf_of.end();
    if (elf == elf_of.end()) continue;
    InterfaceEntry entry = entry_of(EntryGroup::Gpu, reference.name, elf->second, reference.name);
    entry.detail = fmt::format("{}, {}", reference.component, name_of(reference.use));
    out.add(std::move(entry));
    // Only a load that cannot be avoided requires the toolkit; its major version is in the soname.
    if (reference.vendor == "cuda" && reference.use == GpuUse::Needed && !reference.major.empty())
      add_toolkit(wheel, elf->second, reference, out);
  }
}

}  // namespace

std::string_view minimum_cuda_driver(std::string_view toolkit_major) {
  return verdict::cuda_driver(std::string(toolkit_major) + ".x");
}

namespace {

// NumPy has no symbols that a loader would look for; its modules compare version numbers.
void compare_numpy(const WheelFacts& wheel, std::vector<ProviderAnswer>& answers) {
  const auto demand = numpy_demand(wheel);
  if (!demand) return;
  for (ProviderAnswer& answer : answers) {
    if (answer.distribution != "numpy") continue;
    if (!demand->minimum.empty() && natural_order(answer.version, demand->minimum) < 0)
      answer.missing.push_back({demand->file, "numpy", fmt::format("NumPy >= {}", demand->minimum)});
    if (demand->refuses_2 && natural_order(answer.version, "2") >= 0)
      answer.missing.push_back({demand->file, "numpy", "NumPy < 2"});
  }
}

}  // namespace

WheelInterfaces interfaces_of(const WheelReport& wheel, const Knowledge& knowledge,
                              std::span<const WheelFacts> providers) {
  Entries entries;
  const verdict::MuslReleases musl(wheel.facts);
  const ImportedFiles imported(wheel.facts);
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfMember& elf = wheel.facts.elfs[i];
    if (!is_host_code(elf)) continue;
    if (!elf.facts.dynamic) continue;
    add_python(wheel, ElfIndex{i}, knowledge, entries);
    add_checks(ElfIndex{i}, elf.facts, entries);
    add_names(wheel, ElfIndex{i}, entries);
    add_libraries(wheel, ElfIndex{i}, knowledge, entries);
    add_system(wheel, ElfIndex{i}, musl, entries);
    add_processor(ElfIndex{i}, elf.facts, imported.contains(ElfIndex{i}), entries);
  }
  add_device_code(wheel.facts, entries);
  add_gpu(wheel, entries);
  WheelInterfaces result{.entries = entries.take(), .providers = provider_answers(wheel.facts, providers)};
  compare_numpy(wheel.facts, result.providers);
  keep_highest(result.entries);
  return result;
}

}  // namespace wheelcheck
