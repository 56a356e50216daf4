// WC118: the tags name a platform, but no file of the wheel is machine code.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::platform_without_code {
namespace {

bool is_test(std::string_view path) {
  return std::ranges::any_of(split(path, '/'), [](std::string_view part) {
    return part.starts_with("test") || part == "conftest.py" || part == "examples" || part == "docs";
  });
}

// The sorted paths of the wheel, for finding modules.
class Modules {
 public:
  explicit Modules(const WheelFacts& wheel) {
    for (const MemberFacts& member : wheel.members) paths_.emplace_back(below_site(member.path.text()));
    std::ranges::sort(paths_);
  }
  bool has(const std::string& path) const { return std::ranges::binary_search(paths_, path); }
  // True if the path is a module in any form that importlib finds, or a package with or without __init__.py.
  bool has_module(const std::string& path) const {
    for (const std::string_view ending : {".", "/"}) {
      const std::string start = path + std::string(ending);
      const auto at = std::ranges::lower_bound(paths_, start);
      for (auto found = at; found != paths_.end() && found->starts_with(start); ++found)
        if (ending == "/" || found->ends_with(".py") || found->ends_with(".so") || found->ends_with(".pyc"))
          return true;
    }
    return false;
  }

 private:
  std::vector<std::string> paths_;
};

// The path of an imported module, without extension; nothing for modules of other distributions.
std::optional<std::string> imported_path(const PythonEvent& event, std::string_view importer, const Modules& modules) {
  std::string_view name = event.name;
  std::string path;
  if (name.starts_with('.')) {
    path = importer;
    while (name.starts_with('.')) {  // one dot is the package of the file
      const std::size_t slash = path.rfind('/');
      if (slash == path.npos && name.size() > 1 && name[1] == '.') return std::nullopt;
      path.resize(slash == path.npos ? 0 : slash);
      name.remove_prefix(1);
    }
    if (name.empty()) return std::nullopt;  // from . import x: x may be any name in the package
  } else if (const std::string_view top = name.substr(0, name.find('.'));
             top == name || !modules.has(std::string(top) + "/__init__.py")) {
    return std::nullopt;
  }
  for (const std::string_view part : split(name, '.')) {
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

struct Missing {
  std::string module, file;
  std::uint32_t line = 0;
};

// The first import at module level and outside of `try` whose module should be in the wheel but is not.
std::optional<Missing> missing_module(const WheelFacts& wheel) {
  const Modules modules(wheel);
  for (const PythonFile& file : wheel.python) {
    const std::string_view path = below_site(wheel.members[file.member.value].path.text());
    if (is_test(path) || file.units.empty()) continue;
    const PythonUnit& body = file.units.front();
    for (const PythonEvent& event : std::span(file.events).subspan(body.first, body.count)) {
      const bool certain = event.reach == Reach::Certain && event.condition == no_python_index &&
                           event.attempt == no_python_index && event.action == PythonAction::Import;
      if (!certain) continue;
      const auto wanted = imported_path(event, path, modules);
      if (wanted && !modules.has_module(*wanted)) return Missing{event.name, std::string(path), event.line};
    }
  }
  return std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<PlatformTag>& tags = view.wheel.name.platforms;
  const auto is_for_linux = [](const PlatformTag& tag) {
    return tag.family != PlatformTag::Family::Any && other_system(tag).empty();
  };
  if (tags.empty() || !std::ranges::all_of(tags, is_for_linux) || !view.wheel.elfs.empty()) return;
  const std::string message = fmt::format("claims {}, but contains no machine code", tags.front().text);
  const auto missing = view.wheel.all_python ? missing_module(view.wheel) : std::nullopt;
  if (missing) {
    emit({.place = WholeWheel{},
          .message = fmt::format("{}, and {} imports {}, which the wheel does not contain", message, missing->file,
                                 missing->module),
          .evidence = {{"module", missing->module}, {"file", fmt::format("{}:{}", missing->file, missing->line)}},
          .fix = "build the extension modules and add them to the wheel: the build skipped them",
          .severity = Severity::Error});
    return;
  }
  emit({.place = WholeWheel{},
        .message = message,
        .fix = fmt::format("check whether the build skipped extension modules; if the wheel needs no machine code: {}",
                           wheel_tags_command(view, "any"))});
}

}  // namespace

extern const Rule rule{
    .code = "WC118",
    .name = "platform-without-code",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::platform_without_code
