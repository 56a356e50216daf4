// WC719: files directly in site-packages under names that many distributions use.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

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
           "Poetry: "
           "include with format = \"sdist\"); licences belong to license-files";
  return "leave them out where packages are listed (setuptools: packages.find.exclude = [\"tests*\"]; CMake: "
         "install components), or move them into the package; headers, data and programs belong to "
         "NAME-VERSION.data";
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
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC719",
    .name = "generic-top-level",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::generic_top_level
