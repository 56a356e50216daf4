// What a wheel installs and for which Python: names at the top of site-packages, no files at all, bytecode,
// Requires-Python.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/build_tree.h"
#include "model/pep440.h"
#include "rules/common.h"

// WC719: files directly in site-packages under names that many distributions use.
namespace wheelcheck::rules::generic_top_level {
namespace {

constexpr std::string_view directories[] = {
    "benchmark", "benchmarks", "bin",     "common", "config", "core",         "doc",    "docs",    "example",
    "examples",  "helpers",    "include", "lib",    "lib64",  "requirements", "sample", "samples", "scripts",
    "share",     "src",        "test",    "tests",  "tools",  "util",         "utils"};
constexpr std::string_view files[] = {
    "__init__.py",      "__version__.py", "config.py", "conftest.py", "constants.py", "helpers.py", "pyproject.toml",
    "requirements.txt", "setup.cfg",      "setup.py",  "tox.ini",     "utils.py",     "version.py"};
constexpr std::string_view documents[] = {"AUTHORS", "CHANGELOG", "CHANGES", "CONTRIBUTING", "COPYING",    "HISTORY",
                                          "LICENCE", "LICENSE",   "NOTICE",  "README",       "THIRD_PARTY"};

bool is_generic(std::string_view top, bool directory) {
  if (directory) return std::ranges::find(directories, top) != std::end(directories);
  return std::ranges::find(files, top) != std::end(files) ||
         std::ranges::any_of(documents, [&](std::string_view start) { return top.starts_with(start); });
}

// A directory of tests that belongs to the project, beside a generic one.
bool is_of_tests(std::string_view top, bool directory) {
  return directory && (top.starts_with("test_") || top.starts_with("tests_"));
}

void add(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

// True if src/ contains all code of the wheel: it was meant to be left out of the paths.
bool is_whole_code(const WheelFacts& wheel, std::string_view top) {
  bool some = false;
  for (const MemberFacts& member : wheel.members) {
    const std::string_view path = below_site(member.path.text());
    if (!path.ends_with(".py")) continue;
    if (!path.starts_with(top)) return false;
    some = true;
  }
  return some;
}

std::string fix_of(const WheelFacts& wheel, const std::vector<std::string>& names) {
  if (std::ranges::find(names, "src/") != names.end() && is_whole_code(wheel, "src/"))
    return "tell the build back end that src/ contains the packages (setuptools: packages.find.where = [\"src\"]; "
           "hatchling: packages = [\"src/NAME\"]), and import them without `src.`";
  if (std::ranges::none_of(names, [](std::string_view name) { return name.ends_with('/'); }))
    return "leave these files out where the files of the wheel are listed (hatchling: packages or only-include; "
           "Poetry and maturin: include with format = \"sdist\"); licences belong to license-files";
  return "leave them out where packages are listed (setuptools: packages.find.exclude = [\"tests*\"]; CMake: "
         "install components; maturin: include with format = \"sdist\"), or move them into the package; headers, data "
         "and programs belong to "
         "NAME-VERSION.data";
}

// Licences are read by nobody's code, so that one in place of another harms nobody.
bool are_licences(const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [](std::string_view name) {
    return name.starts_with("LICENSE") || name.starts_with("LICENCE") || name.starts_with("COPYING");
  });
}

// True if the files of a package were packed without their directory: __init__.py is at the top, and no code is in a
// directory.
bool is_package_without_directory(const WheelFacts& wheel) {
  bool init = false;
  const std::string own = wheel.name.distribution + ".py";
  for (const MemberFacts& member : wheel.members) {
    const std::string_view path = below_site(member.path.text());
    if (path.find('/') != path.npos && (path.ends_with(".py") || path.ends_with(".so"))) return false;
    if (path == own || path.ends_with(".so")) return false;
    init = init || path == "__init__.py";
  }
  return init;
}

void check(const WheelView& view, const Emit& emit) {
  if (is_package_without_directory(view.wheel)) {
    emit({.place = AtPath{"__init__.py"},
          .message =
              fmt::format("the files of the package are directly in site-packages, not in a directory: `import {}` "
                          "raises ModuleNotFoundError",
                          view.wheel.name.distribution),
          .evidence = {},
          .fix = fmt::format("build the directory that contains __init__.py (setuptools: packages = [\"{0}\"], "
                             "package_dir only for the directory above it; hatchling: packages = [\"{0}\"])",
                             view.wheel.name.distribution),
          .severity = Severity::Error});
    return;
  }
  std::vector<std::string> names, tests;
  std::vector<Evidence> evidence;
  for (const MemberFacts& member : view.wheel.members) {
    const std::string_view path = below_site(member.path.text());
    const std::string_view top = path.substr(0, path.find('/'));
    const bool directory = top.size() != path.size();
    if (is_of_tests(top, directory)) add(tests, fmt::format("{}/", top));
    if (!is_generic(top, directory) || top == lower(view.wheel.name.distribution)) continue;
    const std::string name = fmt::format("{}{}", top, directory ? "/" : "");
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    if (directory && evidence.size() < shown_items) evidence.push_back({"file", std::string(path)});
  }
  if (names.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("installs {} directly into site-packages, where other wheels have the same name{}",
                               list_of(names), tests.empty() ? "" : fmt::format(" (and {})", list_of(tests))),
        .evidence = std::move(evidence),
        .fix = fix_of(view.wheel, names),
        .severity = are_licences(names) ? std::optional(Severity::Note) : std::nullopt});
}

}  // namespace

extern const Rule rule{
    .code = "WC719",
    .name = "generic-top-level",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::generic_top_level

// WC721: a wheel that installs nothing but its .dist-info directory, or only modules that are not for users.
namespace wheelcheck::rules::no_files {
namespace {

// The extension modules, if they are all of the code, and each has a private name in a directory: pkg/_impl.abi3.so.
// The package that imports them is absent.
std::vector<std::string> private_modules(const WheelView& view) {
  std::vector<std::string> out;
  const auto is_code = [](const MemberFacts& member) {
    const std::string& path = member.path.text();
    return path.ends_with(".py") || path.ends_with(".pyc") || path.ends_with(".pth");
  };
  if (std::ranges::any_of(view.wheel.members, is_code)) return out;
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    if (!std::holds_alternative<ExtensionModule>(view.wheel.elfs[i].role)) continue;
    const std::string_view path = below_site(path_of(view, ElfIndex{i}));
    const std::string_view name = base_name(path);
    if (name == path || !name.starts_with('_') || name.starts_with("__")) return {};
    out.emplace_back(path);
  }
  return out;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  if (const std::vector<std::string> modules = private_modules(view); !modules.empty()) {
    emit({.place = WholeWheel{},
          .message = fmt::format("contains no Python code, only modules with private names ({}): `import {}` gives an "
                                 "empty package",
                                 first_of(modules), modules.front().substr(0, modules.front().find('/'))),
          .evidence = {{"modules", list_of(modules)}},
          .fix = "name the packages for the build back end (scikit-build-core: wheel.packages = [\"src/NAME\"]), or "
                 "ignore WC721 if another distribution contains them",
          .severity = {}});
    return;
  }
  if (!is_empty(view)) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("contains no file beside {}/: nothing can be imported or run after it is installed",
                               *view.wheel.dist_info),
        .evidence = {},
        .fix = "name the packages for the build back end, or ignore WC721 in a wheel that only requires others",
        .severity = only_requires(view) ? std::optional(Severity::Note) : std::nullopt});
}

}  // namespace

extern const Rule rule{
    .code = "WC721",
    .name = "no-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::no_files

// WC727: Requires-Python admits the first release of a minor version of Python, but none of its later ones.
namespace wheelcheck::rules::requires_python_patch {
namespace {

constexpr unsigned oldest_python = 6, newest_python = 20;

// "311" of cp311 without a stable ABI; nothing for a wheel of several Pythons.
std::optional<unsigned> only_python(const WheelName& name) {
  if (name.python.size() != 1 || name.abi.size() != 1 || name.abi.front().starts_with("abi3")) return std::nullopt;
  const std::string& tag = name.python.front();
  std::uint64_t minor = 0;
  if (!tag.starts_with("cp3") || !parse_number(std::string_view(tag).substr(3), minor) || minor > newest_python)
    return std::nullopt;
  return static_cast<unsigned>(minor);
}

// PEP 440: 3.11 is 3.11.0.
bool ends_with_first(std::string_view wanted, unsigned minor) {
  const auto admits = [&](unsigned patch) { return allows(wanted, fmt::format("3.{}.{}", minor, patch)); };
  return admits(0) == true && admits(1) == false && admits(2) == false && admits(99) == false;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.metadata) return;
  const std::string& wanted = view.wheel.metadata->requires_python;
  const auto only = only_python(view.wheel.name);
  for (unsigned minor = only.value_or(oldest_python); minor <= only.value_or(newest_python); ++minor) {
    if (!ends_with_first(wanted, minor)) continue;
    const std::string bound = fmt::format("<=3.{}", minor);
    emit({.place = WholeWheel{},
          .message = fmt::format(
              "admits only 3.{}.0 of Python 3.{} (Requires-Python: {}): pip does not install it for 3.{}.1 and newer",
              minor, minor, escape(wanted, 100), minor),
          .evidence = {{"Requires-Python", wanted}},
          .fix = wanted.contains("==")    ? fmt::format("write ==3.{}.*", minor)
                 : wanted.contains(bound) ? fmt::format("write <3.{} instead of {}", minor + 1, bound)
                                          : fmt::format("write <3.{}", minor + 1),
          .severity = only ? Severity::Error : Severity::Warning});
    return;
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC727",
    .name = "requires-python-patch",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::requires_python_patch

// WC731: directories of build systems, whose files nothing uses after the build.
namespace wheelcheck::rules::build_tree_packed {
namespace {

// Less is not worth a change, unless machine code is among it.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;

void check(const WheelView& view, const Emit& emit) {
  std::set<std::string_view> distinct;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  for (const MemberFacts& member : view.wheel.members) {
    const std::string_view directory = build_tree_of(member.path.text());
    if (directory.empty()) continue;
    ++files;
    bytes += member.size;
    distinct.insert(directory);
  }
  if (files == 0) return;
  const std::vector<std::string> directories(distinct.begin(), distinct.end());
  const bool code = std::ranges::any_of(view.wheel.elfs, [&](const ElfMember& elf) {
    return !build_tree_of(view.wheel.members[elf.member.value].path.text()).empty();
  });
  emit({.place = WholeWheel{},
        .message = fmt::format("contains {} of a build: {} with {}, {} unpacked",
                               directories.size() == 1 ? "a directory" : "directories", first_of(directories),
                               count_of(files, "file"), size_text(bytes)),
        .evidence = {{"directories", list_of(directories)}},
        .fix =
            "leave them out: build outside of the package (cmake -B DIRECTORY), or exclude the directories where the "
            "files of the wheel are listed (setuptools: exclude-package-data; scikit-build-core: wheel.exclude)",
        .severity = code || bytes >= least_bytes ? Severity::Warning : Severity::Note});
}

}  // namespace

extern const Rule rule{
    .code = "WC731",
    .name = "build-tree-packed",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::build_tree_packed

// WC728: the wheel contains bytecode of modules whose source it contains too.
namespace wheelcheck::rules::bytecode_packed {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (is_unpacked(view.wheel)) return;  // Python writes the files beside installed modules
  std::vector<std::string> files;
  for (const MemberFacts& member : view.wheel.members)
    if (('/' + member.path.text()).contains("/__pycache__/")) files.push_back(member.path.text());
  if (files.empty()) return;
  emit({.place = AtPath{files.front()},
        .message = fmt::format("is below __pycache__{}: Poetry, PDM and others that use the package \"installer\" do "
                               "not install it, and tell users of a security risk",
                               files.size() == 1 ? "" : fmt::format(" ({} files)", files.size())),
        .evidence = {{"files", list_of(files)}},
        .fix = "leave the directories out: Python writes them again; clean the source tree before the build, or "
               "exclude **/__pycache__",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC728",
    .name = "bytecode-packed",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::bytecode_packed
