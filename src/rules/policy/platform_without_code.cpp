// WC118: the tags name a platform, but no file of the wheel is machine code.
#include <fmt/format.h>

#include <algorithm>

#include "import_plan/own_imports.h"
#include "rules/common.h"

namespace wheelcheck::rules::platform_without_code {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const std::vector<PlatformTag>& tags = view.wheel.name.platforms;
  const auto is_for_linux = [](const PlatformTag& tag) {
    return tag.family != PlatformTag::Family::Any && other_system(tag).empty();
  };
  if (tags.empty() || !std::ranges::all_of(tags, is_for_linux) || !view.wheel.elfs.empty()) return;
  const std::string message = fmt::format("claims {}, but contains no machine code", tags.front().text);
  std::vector<import_plan::MissingModule> all;
  if (view.wheel.all_python) all = import_plan::missing_modules(view.wheel);
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
