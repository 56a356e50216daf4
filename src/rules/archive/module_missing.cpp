// WC720: a Python file of a wheel without machine code imports a module beside it that the wheel does not contain.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/requirement.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules::module_missing {
namespace {

bool is_identifier(std::string_view part) {
  return !part.empty() && !is_digit(part.front()) && std::ranges::all_of(part, [](char c) {
    return is_alnum(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

// An import in a package, relative or by the name of the distribution: only the wheel itself can contain it. Templates
// for other projects have names that no import can have, or lie in directories without __init__.py.
bool counts(const WheelFacts& wheel, const std::set<std::string_view>& packages, const OwnImport& import) {
  std::string own = lower(wheel.name.distribution);
  std::ranges::replace(own, '-', '_');
  std::ranges::replace(own, '.', '_');
  if (!import.module.starts_with('.') && !import.module.starts_with(own + '.')) return false;
  const std::vector<std::string_view> parts = split(import.file, '/');
  if (parts.size() < 2 || !std::ranges::all_of(parts.begin(), parts.end() - 1, is_identifier)) return false;
  const auto is_template = [](std::string_view part) { return part.contains("template") || part.contains("skeleton"); };
  if (std::ranges::any_of(parts, is_template)) return false;
  const std::string_view path = wheel.members[import.member.value].path.text();
  return packages.contains(path.substr(0, path.rfind('/')));
}

// The directories with __init__.py.
std::set<std::string_view> packages_of(const WheelFacts& wheel) {
  constexpr std::string_view init = "/__init__.py";
  std::set<std::string_view> out;
  for (const MemberFacts& member : wheel.members)
    if (const std::string_view path = member.path.text(); path.ends_with(init))
      out.insert(path.substr(0, path.size() - init.size()));
  return out;
}

// True if another distribution may install modules into the same package: pkg requires pkg-core, also as an extra. An
// import in a function may be for a user who has it.
bool has_companion(const WheelFacts& wheel) {
  if (!wheel.metadata) return true;
  const std::string start = normal_project_name(wheel.metadata->name) + '-';
  return std::ranges::any_of(wheel.metadata->requires_dist,
                             [&](const std::string& line) { return parse_dependency(line).name.starts_with(start); });
}

void check(const WheelView& view, const Emit& emit) {
  // A wheel with machine code may get modules from a build for another tag, or from another wheel (PyMuPDFb).
  if (!view.wheel.all_python || !view.wheel.elfs.empty()) return;
  const bool shared = has_companion(view.wheel);
  const std::set<std::string_view> packages = packages_of(view.wheel);
  const auto missing = missing_module(view.wheel, [&](const OwnImport& each) {
    return !(each.in_function && shared) && counts(view.wheel, packages, each);
  });
  if (!missing) return;
  const std::vector<std::string_view> parts = split(missing->file, '/');
  const bool at_import = !missing->in_function && parts.size() == 2 && parts.back() == "__init__.py";
  emit({.place = AtPath{std::string(view.wheel.members[missing->member.value].path.text())},
        .message = fmt::format(
            "line {} imports {}, which the wheel does not contain: {}", missing->line, missing->module,
            at_import              ? fmt::format("`import {}` raises ImportError", parts.front())
            : missing->in_function ? std::string("the function raises ModuleNotFoundError when it is called")
                                   : std::string("importing this file raises ImportError")),
        .evidence = {{"module", missing->module}, {"line", std::to_string(missing->line)}},
        .fix = "add the package to the build: setuptools takes only directories with __init__.py that packages = "
               "find_packages() or packages.find lists; then install the wheel into an empty environment and import it",
        .severity = at_import ? Severity::Error : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC720",
    .name = "module-missing",
    .severity = Severity::Error,
    .confidence = Confidence::High,
    .check = check,
};

}  // namespace wheelcheck::rules::module_missing
