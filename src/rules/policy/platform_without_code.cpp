// WC118: the tags name a platform, but no file of the wheel is machine code.
#include <fmt/format.h>

#include <algorithm>

#include "import_plan/own_imports.h"
#include "model/requires_dist.h"
#include "rules/common.h"

namespace wheelcheck::rules::platform_without_code {
namespace {

// The requirement of a distribution in the release of this wheel: a part of one product, whose machine code is in
// another part. "" if there is none.
std::string other_part(const WheelFacts& wheel) {
  if (!wheel.metadata) return "";
  for (const std::string& line : wheel.metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (!dependency.under && dependency.for_linux && dependency.specifier == "==" + wheel.metadata->version)
      return dependency.name;
  }
  return "";
}

// Python code can add a ZIP file to sys.path: tvtk/tvtk_classes.zip of mayavi.
bool is_in_archive(const WheelFacts& wheel, std::string_view module) {
  std::string path(module);
  std::ranges::replace(path, '.', '/');
  return std::ranges::any_of(wheel.members, [&](const MemberFacts& member) {
    const std::string& name = member.path.text();
    return name.ends_with(".zip") && path.starts_with(std::string_view(name).substr(0, name.size() - 4));
  });
}

// A part of a namespace that a requirement installs: bigdl.orca of bigdl-orca-spark321 (bigdl-chronos 2.1.0).
bool is_of_requirement(const WheelFacts& wheel, std::string_view module) {
  const std::size_t first = module.find('.');
  if (!wheel.metadata || first == 0 || first == module.npos) return false;
  const std::string part = normal_project_name(module.substr(0, module.find('.', first + 1)));
  return std::ranges::any_of(wheel.metadata->requires_dist, [&](const std::string& line) {
    const std::string name = parse_dependency(line).name;
    return name == part || name.starts_with(part + '-');
  });
}

// A compressed file, in which machine code may be: data/worker_binary.xz of tensorflow-federated.
const MemberFacts* compressed(const WheelFacts& wheel) {
  constexpr std::string_view endings[] = {".xz", ".gz", ".bz2", ".zst", ".lzma", ".7z"};
  constexpr std::uint64_t least = 100'000;
  const auto at = std::ranges::find_if(wheel.members, [&](const MemberFacts& member) {
    const auto ends = [&](std::string_view ending) { return member.path.text().ends_with(ending); };
    return member.size >= least && std::ranges::any_of(endings, ends);
  });
  return at == wheel.members.end() ? nullptr : &*at;
}

// Headers for compilers, in a wheel for each system on purpose: nvidia-cuda-profiler-api.
bool has_only_headers(const WheelFacts& wheel) {
  const auto is_header = [](const MemberFacts& member) {
    return member.path.text().ends_with(".h") || member.path.text().ends_with(".hpp");
  };
  const auto is_other = [&](const MemberFacts& member) {
    const bool described = wheel.dist_info && member.path.text().starts_with(*wheel.dist_info + '/');
    return !described && !is_header(member) && !member.path.text().ends_with('/') &&
           member.path.name() != "__init__.py";
  };
  return std::ranges::any_of(wheel.members, is_header) && std::ranges::none_of(wheel.members, is_other);
}

// Without machine code nothing ties the wheel to a release of Python: pip takes no wheel for cp312-abi3-any.
std::string claim_any(const WheelView& view) {
  if (view.wheel.name.abi == std::vector<std::string>{"none"}) return wheel_tags_command(view, "any");
  // There may be other code for other interpreters (multiprocess 0.70.18).
  const auto is_pypy = [](const std::string& tag) { return tag.starts_with("pp"); };
  if (std::ranges::any_of(view.wheel.name.python, is_pypy))
    return wheel_tags_with(view, "--abi-tag none --platform-tag any");
  return wheel_tags_with(view, "--python-tag py3 --abi-tag none --platform-tag any");
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<PlatformTag>& tags = view.wheel.name.platforms;
  const auto is_for_linux = [](const PlatformTag& tag) {
    return tag.family != PlatformTag::Family::Any && other_system(tag).empty();
  };
  // Static libraries are machine code too (libusb-1.0.a of comma-deps-libusb).
  const auto is_static = [](const MemberFacts& member) { return member.path.text().ends_with(".a"); };
  if (tags.empty() || !std::ranges::all_of(tags, is_for_linux) || !view.wheel.elfs.empty() ||
      std::ranges::any_of(view.wheel.members, is_static))
    return;
  if (is_empty(view)) return;  // WC721
  const std::string message = fmt::format("claims {}, but contains no machine code", tags.front().text);
  std::vector<import_plan::MissingModule> all;
  if (view.wheel.all_python) all = import_plan::missing_modules(view.wheel);
  std::erase_if(all, [&](const import_plan::MissingModule& missing) {
    return is_in_archive(view.wheel, missing.module) || is_of_requirement(view.wheel, missing.module);
  });
  if (!all.empty()) {
    const import_plan::MissingModule& missing = all.front();
    emit({.place = WholeWheel{},
          .message = fmt::format("{}, and {} imports {}, which the wheel does not contain", message, missing.file,
                                 missing.module),
          .evidence = {{"module", missing.module}, {"file", fmt::format("{}:{}", missing.file, missing.line)}},
          .fix = "build the extension modules and add them to the wheel: the build skipped them",
          .severity = Severity::Error});
    return;
  }
  const std::string part = other_part(view.wheel);
  const MemberFacts* const unread = compressed(view.wheel);
  emit({.place = WholeWheel{},
        .message = !part.empty() ? fmt::format("{}; it requires {} of the same release", message, part)
                   : unread ? fmt::format("{}; {} is compressed and was not searched", message, unread->path.text())
                            : message,
        .fix = fmt::format("check whether the build skipped extension modules; if the wheel needs no machine code: {}",
                           claim_any(view)),
        .severity =
            part.empty() && !unread && !has_only_headers(view.wheel) ? std::nullopt : std::optional(Severity::Note)});
}

}  // namespace

extern const Rule rule{
    .code = "WC118",
    .name = "platform-without-code",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::platform_without_code
