// WC850: a platform tag that PyPI does not take.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::index_platform_tag {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) { return contains(words, word); }

// Removes `prefix` from the start of `text`; false if it does not start so.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes a number and the '_' behind it; "" if there is none.
std::string_view take_number(std::string_view& text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == 0 || end == text.npos || text[end] != '_') return {};
  const std::string_view number = text.substr(0, end);
  text.remove_prefix(end + 1);
  return number;
}

bool is_plain_platform(std::string_view tag) {
  return is_one_of(tag, {"any", "win32", "win_arm64", "win_amd64", "win_ia64", "manylinux1_x86_64", "manylinux1_i686",
                         "manylinux2010_x86_64", "manylinux2010_i686", "manylinux2014_x86_64", "manylinux2014_i686",
                         "manylinux2014_aarch64", "manylinux2014_armv7l", "manylinux2014_ppc64",
                         "manylinux2014_ppc64le", "manylinux2014_s390x", "linux_armv6l", "linux_armv7l"});
}

bool is_macos(std::string_view tag) {
  if (!take(tag, "macosx_")) return false;
  const std::string_view major = take_number(tag), minor = take_number(tag);
  const bool version =
      (major == "10" && !minor.empty()) || (is_one_of(major, {"11", "12", "13", "14", "15", "26"}) && minor == "0");
  return version && is_one_of(tag, {"ppc", "ppc64", "i386", "x86_64", "arm64", "intel", "fat", "fat3", "fat64",
                                    "universal", "universal2"});
}

bool is_linux(std::string_view tag) {
  const bool many = tag.starts_with("manylinux_");
  if (!take(tag, "manylinux_") && !take(tag, "musllinux_")) return false;
  if (take_number(tag).empty() || take_number(tag).empty()) return false;
  return is_one_of(tag, {"x86_64", "i686", "aarch64", "armv7l", "ppc64le", "s390x", "riscv64"}) ||
         (many && tag == "ppc64");
}

bool is_mobile(std::string_view tag) {
  if (take(tag, "android_"))
    return !take_number(tag).empty() && is_one_of(tag, {"armeabi_v7a", "arm64_v8a", "x86", "x86_64"});
  if (!take(tag, "ios_") || take_number(tag).empty() || take_number(tag).empty()) return false;
  return is_one_of(tag, {"arm64_iphoneos", "x86_64_iphoneos", "arm64_iphonesimulator", "x86_64_iphonesimulator"});
}

bool is_web(std::string_view tag) {
  return take(tag, "pyemscripten_") && !take_number(tag).empty() && !take_number(tag).empty() && tag == "wasm32";
}

// Warehouse, warehouse/forklift/legacy.py, _valid_platform_tag.
bool is_taken(std::string_view tag) {
  return is_plain_platform(tag) || is_macos(tag) || is_linux(tag) || is_mobile(tag) || is_web(tag);
}

std::string fix_of(const WheelView& view, const PlatformTag& tag) {
  if (tag.family == PlatformTag::Family::Linux)
    for (const Assessment& assessment : view.assessments)
      if (const std::string& best = assessment.level_names[assessment.best.value];
          assessment.files > 0 && best != tag.text && is_taken(best))
        return wheel_tags_command(view, best);
  if (tag.family == PlatformTag::Family::Linux)
    return "build it in a manylinux or musllinux image and repair it: auditwheel repair";
  return "use a platform tag that PyPI accepts: docs/index.md lists them";
}

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  for (const PlatformTag& tag : view.wheel.name.platforms) {
    if (is_taken(lower(tag.text))) continue;
    emit({.place = WholeWheel{},
          .message = fmt::format("claims {}, which PyPI does not accept", tag.text),
          .evidence = {{"tag", tag.text}},
          .fix = fix_of(view, tag),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC850",
    .name = "index-platform-tag",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_platform_tag
