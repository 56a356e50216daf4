// WC719: files directly in site-packages under names that many distributions use.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::generic_top_level {
namespace {

constexpr std::string_view directories[] = {"benchmark", "benchmarks", "bin",   "doc",   "docs",    "example",
                                            "examples",  "include",    "lib",   "lib64", "scripts", "share",
                                            "src",       "test",       "tests", "tools"};
constexpr std::string_view files[] = {"__init__.py", "conftest.py", "setup.py"};
constexpr std::string_view documents[] = {"CHANGELOG", "LICENSE", "README"};

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

void check(const WheelView& view, const Emit& emit) {
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
        .fix = "leave them out where packages are listed (setuptools: packages.find.exclude = [\"tests*\"]; CMake: "
               "install components), or move them into the package; headers, data and programs belong to "
               "NAME-VERSION.data",
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
