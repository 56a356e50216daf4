// WC802: an extension module that the tagged interpreters do not find: its file name is not one that they search for
// (PEP 3149), or it is installed outside of site-packages.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <utility>

#include "base/text.h"
#include "model/machines.h"
#include "model/module_names.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::suffix_mismatch {
namespace {

// Whether a Python on that platform searches for the triplet. Before 3.11, its last part was -gnu on musl too.
bool fits(std::string_view triplet, const PlatformTag& tag, unsigned minor) {
  const std::string_view known = machine_of(tag.arch).triplet, machine = known.substr(0, known.find('-'));
  if (machine.empty() || !triplet.starts_with(machine) || triplet.substr(machine.size(), 1) != "-") {
    // Old builds for i686 and 32-bit ARM have i686 and armv7l.
    if (machine.empty() || machine == "i386" || machine == "arm") return true;
    const bool linux = tag.family == PlatformTag::Family::Manylinux || tag.family == PlatformTag::Family::Musllinux;
    return !linux && triplet.find("linux") == triplet.npos;  // other systems are not checked
  }
  const bool musl = triplet.find("musl") != triplet.npos;
  if (tag.family == PlatformTag::Family::Musllinux) return musl || minor < 11;
  if (tag.family == PlatformTag::Family::Manylinux) return !musl;
  return true;
}

bool fits_platform(const ModuleSuffix& suffix, const WheelName& name, unsigned minor) {
  constexpr unsigned with_triplets = 5;  // CPython since 3.5
  if (suffix.triplet.empty()) return suffix.kind != ModuleSuffix::Kind::CPython || minor < with_triplets;
  return std::ranges::any_of(name.platforms, [&](const PlatformTag& tag) { return fits(suffix.triplet, tag, minor); });
}

// Whether an interpreter of one of the tags searches for files of that version.
bool fits_version(const ModuleSuffix& suffix, const WheelName& name) {
  using enum ModuleSuffix::Kind;
  const auto any_abi = [&](auto fits) { return std::ranges::any_of(name.abi, fits); };
  const auto any_python = [&](auto fits) { return std::ranges::any_of(name.python, fits); };
  switch (suffix.kind) {
    case None:
      return true;
    case Abi3:  // free-threaded builds do not accept it (PEP 803)
      return !std::ranges::all_of(name.abi, [](const std::string& abi) { return is_free_threaded(abi); });
    case Abi3t:
      return true;
    case PyPy:
      return any_python(
          [&](const std::string& tag) { return tag == fmt::format("pp{}", suffix.version) || tag.starts_with("py"); });
    case CPython:
      break;
  }
  const std::optional<unsigned> built_for = suffix.cpython_minor();
  if (!built_for) return true;  // CPython 2 does not use such names
  const auto takes_abi = [&](const std::string& abi) {
    if (abi == "none" || abi == "abi3t") return true;
    if (abi == "abi3") return !suffix.free_threaded;  // free-threaded builds do not accept abi3 wheels (PEP 803)
    return cpython_minor(abi) == built_for && is_free_threaded(abi) == suffix.free_threaded;
  };
  const auto takes = [&](const std::string& tag) {
    if (tag.starts_with("py")) return true;
    const std::optional<unsigned> minor = cpython_minor(tag);
    const bool onwards = has_abi(name, "abi3") || has_abi(name, "abi3t");
    return minor && (minor == built_for || (onwards && *built_for > *minor));
  };
  return any_python(takes) && any_abi(takes_abi);
}

// The first 3.N that searches for a module of the stable ABI of that name; 0: all do, or it is another module.
unsigned first_minor(const ModuleSuffix& suffix) {
  using enum ModuleSuffix::Kind;
  if (suffix.kind != Abi3 && suffix.kind != Abi3t) return 0;
  return found_since({.free_threaded = suffix.kind == Abi3t, .triplet = suffix.triplet});
}
// The oldest and the newest tagged 3.N; the newest of a stable ABI is not known.
std::pair<unsigned, unsigned> tagged_minors(const WheelName& name) {
  std::pair<unsigned, unsigned> range{UINT_MAX, 0};
  for (const std::string& tag : name.python)
    if (const std::optional<unsigned> minor = cpython_minor(tag))
      range = {std::min(range.first, *minor), std::max(range.second, *minor)};
  if (has_abi(name, "abi3") || has_abi(name, "abi3t") || has_abi(name, "none")) range.second = UINT_MAX;
  return range;
}

bool is_in_site(const ElfMember& file) {
  return file.installed.contains("/site-packages/") || file.installed.contains("/dist-packages/");
}

// "core" of core.so.1: the rest is not a suffix of extension modules. Suffixes of GraalPy are not checked.
bool has_suffix(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot != name.npos && (name.substr(dot) == ".so" || name.substr(dot).starts_with(".graalpy"));
}

bool is_importable(const WheelView& view, const ElfMember& file) {
  if (!is_in_site(file)) return false;
  const ModuleSuffix suffix = suffix_of(view.wheel.members[file.member.value].path.name());
  if (suffix.kind == ModuleSuffix::Kind::None) return has_suffix(view.wheel.members[file.member.value].path.name());
  const unsigned first = first_minor(suffix);
  if (tagged_minors(view.wheel.name).second < first) return false;
  const unsigned minor = first > 0 ? first : suffix.cpython_minor().value_or(2);
  return fits_version(suffix, view.wheel.name) && fits_platform(suffix, view.wheel.name, minor);
}

// Reports a module of the stable ABI that older tagged versions do not find.
void report_late(const ModuleSuffix& suffix, const ExtensionModule& module, ElfIndex index, const WheelView& view,
                 const Emit& emit) {
  if (tagged_minors(view.wheel.name).first >= first_minor(suffix)) return;
  emit({.place = AtElf{index},
        .message = fmt::format("only CPython 3.{} and newer import a file that ends in {}, but the wheel is tagged {}",
                               first_minor(suffix), suffix.text, join(view.wheel.name.python, ".")),
        .evidence = {{"module", module.module}},
        .fix = fmt::format("name the file {}.abi3.so if it is compiled for the limited API of that version",
                           module.module.substr(module.module.rfind('.') + 1))});
}

// Reports a module of an abi3 wheel that only one of the tagged versions finds.
void report_single_version(const ModuleSuffix& suffix, const ExtensionModule& module, ElfIndex index,
                           const WheelView& view, const Emit& emit) {
  const std::optional<unsigned> minor = suffix.cpython_minor();
  if (!minor || !has_abi(view.wheel.name, "abi3")) return;
  emit({.place = AtElf{index},
        .message =
            fmt::format("only CPython 3.{} imports a file that ends in {}, but installers give the wheel of {}-abi3 "
                        "to all later versions",
                        *minor, suffix.text, join(view.wheel.name.python, ".")),
        .evidence = {{"module", module.module}},
        .fix = fmt::format("name the file {}.abi3.so if it is compiled with Py_LIMITED_API (setuptools: "
                           "py_limited_api=True), else tag the wheel cp3{}-cp3{}",
                           module.module.substr(module.module.rfind('.') + 1), *minor, *minor)});
}

// "pkg/MPI" of pkg/MPI.mpich.cpython-311-x86_64-linux-gnu.so, one of several builds of a module of which a finder of
// the package chooses (mpi4py 4.1.2, _mpiabi.py); "" for other names.
std::string_view stem_of_build(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t dot = name.find('.'), next = dot == name.npos ? dot : name.find('.', dot + 1);
  if (next == name.npos) return {};
  const std::string plain = fmt::format("{}{}", name.substr(0, dot), name.substr(next));
  return suffix_of(plain).kind == ModuleSuffix::Kind::None ? "" : path.substr(0, path.size() - name.size() + dot);
}

// Reports a module that no interpreter finds, whatever its version and platform.
void report_lost(const ExtensionModule& module, ElfIndex index, const WheelView& view, const Emit& emit,
                 Severity severity) {
  const ElfMember& file = view.wheel.elfs[index.value];
  const std::string_view name = base_name(path_of(view, index));
  const std::string_view ending = name.substr(std::min(name.find('.'), name.size()));
  const std::string stem(name.substr(0, name.find('.')));
  const bool outside = !is_in_site(file);
  emit({.place = AtElf{index},
        .message = outside ? fmt::format("is an extension module that is installed as {}, outside of site-packages, "
                                         "where no import finds it",
                                         file.installed)
                           : fmt::format("is an extension module, but no interpreter imports a file {}",
                                         ending.empty() ? std::string("without a suffix")
                                                        : fmt::format("that ends in {}", ending)),
        .evidence = {{"module", module.module}},
        .fix = outside ? "pack it into the package: files below .data/data and .data/headers are not installed into "
                         "site-packages (CMake: install(TARGETS ... DESTINATION PACKAGE))"
                       : fmt::format("name the file {}.so, or with the EXT_SUFFIX of the interpreter", stem),
        .severity = severity});
}

void check(const WheelView& view, const Emit& emit) {
  std::map<std::string_view, int> importable;  // number of files of a module
  std::map<std::string_view, int> builds;      // number of builds, by stem_of_build
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const auto* const module = std::get_if<ExtensionModule>(&view.wheel.elfs[i].role);
    if (module != nullptr && is_importable(view, view.wheel.elfs[i])) ++importable[module->module];
    if (module != nullptr) ++builds[stem_of_build(path_of(view, ElfIndex{i}))];
  }
  // Code that changes sys.path or that opens the file by its path may find it, but not if it is the only module.
  const auto severity_of = [&](ElfIndex index) {
    const std::string_view stem = stem_of_build(path_of(view, index));
    if (!stem.empty() && builds[stem] > 1) return Severity::Note;
    return importable.empty() ? Severity::Error : Severity::Warning;
  };
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (!module) return;
    const ModuleSuffix suffix = suffix_of(view.wheel.members[file.member.value].path.name());
    if (is_importable(view, file)) {
      if (importable[module->module] > 1) return;
      report_single_version(suffix, *module, index, view, emit);
      report_late(suffix, *module, index, view, emit);
      return;
    }
    const bool spare = importable.contains(module->module);
    if (!is_in_site(file) || suffix.kind == ModuleSuffix::Kind::None) {
      if (module->python_major == 3 && !spare) report_lost(*module, index, view, emit, severity_of(index));
      return;  // a spare copy only takes space (WC513)
    }
    const std::string tags = fmt::format("{}-{}", join(view.wheel.name.python, "."), join(view.wheel.name.abi, "."));
    emit({.place = AtElf{index},
          .message = fmt::format("no interpreter of {} on the tagged platforms imports a file that ends in {}", tags,
                                 suffix.text),
          .evidence = {{"module", module->module}},
          .fix = spare ? "leave the file out: the wheel contains the module under a name that is found as well"
                       : "build for the tagged interpreter and machine; when cross-compiling, set the suffix to the "
                         "target's EXT_SUFFIX (python3 -c \"import sysconfig; "
                         "print(sysconfig.get_config_var('EXT_SUFFIX'))\" there)",
          .severity = spare ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC802",
    .name = "suffix-mismatch",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::suffix_mismatch
