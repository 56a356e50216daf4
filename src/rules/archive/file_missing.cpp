// WC722: a Python file of a wheel opens a file beside it that the wheel does not contain.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/text.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules::file_missing {
namespace {

bool has(const InstalledFiles& files, std::string_view path) { return files.has(path) || files.has_directory(path); }

// The installed path of a file that code opens (PythonEvent::name); nullopt if it is outside of the directory that the
// wheel is installed to, or may be in another distribution: of a package that code names, the wheel has the directory.
std::optional<std::string> opened_path(std::string_view name, std::string_view opener, const InstalledFiles& files) {
  if (name.starts_with('/')) {
    name.remove_prefix(1);
    const bool own = has(files, name.substr(0, name.rfind('/')));
    return own ? std::optional<std::string>(name) : std::nullopt;
  }
  std::string_view directory = opener.substr(0, opener.rfind('/'));
  while (name.starts_with("../")) {
    if (directory.empty()) return std::nullopt;
    const std::size_t slash = directory.rfind('/');
    directory = directory.substr(0, slash == directory.npos ? 0 : slash);
    name.remove_prefix(3);
  }
  return directory.empty() ? std::string(name) : fmt::format("{}/{}", directory, name);
}

std::span<const PythonEvent> events_of(const PythonFile& file, std::uint32_t unit) {
  return std::span(file.events).subspan(file.units[unit].first, file.units[unit].count);
}

// The units of a file that its import certainly runs: its body, and functions that such a unit calls.
std::set<std::uint32_t> units_of_import(const PythonFile& file) {
  std::set<std::uint32_t> units;
  std::vector<std::uint32_t> open = {0};
  while (!open.empty()) {
    const std::uint32_t unit = open.back();
    open.pop_back();
    if (unit >= file.units.size() || !units.insert(unit).second) continue;
    for (const PythonEvent& event : events_of(file, unit))
      if ((event.action == PythonAction::Call || event.action == PythonAction::Enter) && is_certain(event))
        open.push_back(event.target);
  }
  return units;
}

struct Missing {
  std::string path;
  std::string_view opener;  // below site-packages
  const PythonEvent* event;
  MemberIndex member;
};

class MissingFiles {
 public:
  explicit MissingFiles(const WheelFacts& wheel) : wheel_(wheel), files_(wheel.members), code_(wheel) {
    for (const PythonFile& file : wheel.python)
      for (const PythonEvent& event : file.events)
        if (event.action == PythonAction::Open && event.name.starts_with("*/"))
          created_.insert(event.name);
        else if (event.action == PythonAction::Open && !event.names.empty())
          if (auto path = opened_path(event.name, path_of(file), files_)) created_.insert(std::move(*path));
  }

  // The first file that is missing at the import of the code that opens it, or else in a function.
  std::optional<Missing> first(bool in_function) const {
    for (const PythonFile& file : wheel_.python) {
      if (!code_.contains(file.member)) continue;
      const std::set<std::uint32_t> imported = units_of_import(file);
      for (std::uint32_t unit = 0; unit < file.units.size(); ++unit)
        if (imported.contains(unit) != in_function)
          for (const PythonEvent& event : events_of(file, unit))
            if (auto path = missing(event, path_of(file))) return Missing{*path, path_of(file), &event, file.member};
    }
    return std::nullopt;
  }

 private:
  std::string_view path_of(const PythonFile& file) const {
    return below_site(wheel_.members[file.member.value].path.text());
  }
  std::optional<std::string> missing(const PythonEvent& event, std::string_view opener) const {
    if (event.action != PythonAction::Open || !event.names.empty() || !is_certain(event)) return std::nullopt;
    auto path = opened_path(event.name, opener, files_);
    if (!path || has(files_, *path) || created_.contains(*path)) return std::nullopt;
    return created_.contains(fmt::format("*/{}", base_name(*path))) ? std::nullopt : path;
  }

  const WheelFacts& wheel_;
  const InstalledFiles files_;
  const PackageCode code_;
  std::set<std::string> created_;  // what code of the wheel creates; "*/name" in an unknown directory
};

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel)) return;
  const MissingFiles files(view.wheel);
  auto missing = files.first(false);
  const bool at_import = missing && imported_files(view.wheel).contains(missing->member);
  const bool in_function = !missing;
  if (!missing) missing = files.first(true);
  if (!missing) return;
  emit({.place = AtPath{std::string(view.wheel.members[missing->member.value].path.text())},
        .message = fmt::format(
            "line {} opens {}, which the wheel does not contain: {}", missing->event->line, missing->path,
            at_import
                ? fmt::format("`import {}` raises FileNotFoundError", module_to_import(view.wheel, missing->opener))
            : in_function ? std::string("the function fails when it is called")
                          : std::string("importing this file raises FileNotFoundError")),
        .evidence = {{"file", missing->path}, {"line", std::to_string(missing->event->line)}},
        .fix = missing->path.contains('/')
                   ? "add the file to the build (setuptools: [tool.setuptools.package-data], or include it in "
                     "MANIFEST.in); then install the wheel into an empty environment and import it"
                   : "the file is beside the package in the source tree: move it into the package and add it to the "
                     "build, or read its content when the wheel is built",
        .severity = at_import ? Severity::Error : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC722",
    .name = "file-missing",
    .severity = Severity::Error,
    .confidence = Confidence::High,
    .check = check,
};

}  // namespace wheelcheck::rules::file_missing
