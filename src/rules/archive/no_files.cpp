// WC721: a wheel that installs nothing but its .dist-info directory, or only modules that are not for users.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

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
  const std::string directory = *view.wheel.dist_info + '/';
  const auto describes = [&](const MemberFacts& member) { return member.path.text().starts_with(directory); };
  if (!std::ranges::all_of(view.wheel.members, describes)) return;
  emit({.place = WholeWheel{},
        .message =
            fmt::format("contains no file beside {}: nothing can be imported or run after it is installed", directory),
        .evidence = {},
        .fix = "name the packages for the build back end, or ignore WC721 in a wheel that only requires others",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC721",
    .name = "no-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::no_files
