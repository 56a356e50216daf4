// WC121: a tag of PEP 600 without its older name, for an interpreter whose own pip knows only the older name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/machines.h"
#include "model/pep440.h"
#include "model/python_tag.h"
#include "rules/policy/tags.h"

namespace wheelcheck::rules::alias_missing {
namespace {

// pip knows PEP 600 since 20.3. The last CPython that was released with an older one is 3.9 (ensurepip of 3.9.0 to
// 3.9.2: pip 20.2.3).
constexpr unsigned last_minor = 9;

// Whether the wheel can be installed for such a CPython. A wheel for py3, or for the stable ABI, is for every later one
// that Requires-Python admits as well.
bool is_for_old_pip(const WheelFacts& wheel, std::string_view python) {
  const auto minor = cpython3_tag(python);
  if (python == "cp27" || (!minor && python != "py3")) return python == "cp27";
  const unsigned first = minor.value_or(0);
  const bool later = !minor || std::ranges::find(wheel.name.abi, "abi3") != wheel.name.abi.end();
  for (unsigned one = first; one <= (later ? last_minor : std::min(first, last_minor)); ++one) {
    const std::string newest = fmt::format("3.{}.{}", one, one == last_minor ? 2 : 99);
    if (!wheel.metadata || allows(wheel.metadata->requires_python, newest).value_or(true)) return first <= last_minor;
  }
  return false;
}

// manylinux2014_x86_64 for manylinux_2_17_x86_64; "" if there is no older name (PEP 513, 571 and 599 list the
// machines).
std::string older_name(const PlatformTag& tag) {
  // glibc has the machine only since a later release.
  Version first;
  if (!parse_version(version_suffix(machine_of(tag.arch).first_glibc_node), first) || first > tag.libc) return "";
  for (const std::string_view name : {"manylinux1", "manylinux2010", "manylinux2014"}) {
    // manylinux_2_5_x86_64: the machine follows the third underscore
    std::size_t at = 0;
    for (int i = 0; i < 3 && at != std::string::npos; ++i) at = tag.canonical.find('_', at + 1);
    if (at == std::string::npos) return "";
    const std::string alias = std::string(name) + tag.canonical.substr(at);
    if (parse_platform_tag(alias).canonical == tag.canonical && installer_refusal(parse_platform_tag(alias)).empty())
      return alias;
  }
  return "";
}

void check(const WheelView& view, const Emit& emit) {
  const auto old = std::ranges::find_if(view.wheel.name.python,
                                        [&](std::string_view python) { return is_for_old_pip(view.wheel, python); });
  if (old == view.wheel.name.python.end()) return;
  const std::vector<PlatformTag>& tags = view.wheel.name.platforms;
  std::vector<std::string> names, missing;
  for (const PlatformTag& tag : tags) names.push_back(tag.text);
  for (const PlatformTag& tag : tags) {
    if (tag.family != PlatformTag::Family::Manylinux) continue;
    const std::string alias = older_name(tag);
    if (alias.empty() || std::ranges::find(names, alias) != names.end()) continue;
    missing.push_back(alias);
    names.push_back(alias);
  }
  if (missing.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("lacks the older name {}: pip before 20.3, which came with CPython up to 3.{}, knows no "
                               "other name of this level",
                               list_of(missing), last_minor),
        .evidence = {{"for", *old}},
        .fix = wheel_tags_command(view, fmt::format("{}", fmt::join(names, "."))),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC121",
    .name = "alias-missing",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::alias_missing
