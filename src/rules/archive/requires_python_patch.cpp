// WC727: Requires-Python admits the first release of a minor version of Python, but none of its later ones.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "model/pep440.h"
#include "rules/common.h"

namespace wheelcheck::rules::requires_python_patch {
namespace {

constexpr unsigned oldest_python = 6, newest_python = 20;

// "311" of cp311 without a stable ABI; nothing for a wheel of several Pythons.
std::optional<unsigned> only_python(const WheelName& name) {
  if (name.python.size() != 1 || name.abi.size() != 1 || name.abi.front().starts_with("abi3")) return std::nullopt;
  const std::string& tag = name.python.front();
  std::uint64_t minor = 0;
  if (!tag.starts_with("cp3") || !parse_number(std::string_view(tag).substr(3), minor) || minor > newest_python)
    return std::nullopt;
  return static_cast<unsigned>(minor);
}

// PEP 440: 3.11 is 3.11.0.
bool ends_with_first(std::string_view wanted, unsigned minor) {
  const auto admits = [&](unsigned patch) { return allows(wanted, fmt::format("3.{}.{}", minor, patch)); };
  return admits(0) == true && admits(1) == false && admits(2) == false && admits(99) == false;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.metadata) return;
  const std::string& wanted = view.wheel.metadata->requires_python;
  const auto only = only_python(view.wheel.name);
  for (unsigned minor = only.value_or(oldest_python); minor <= only.value_or(newest_python); ++minor) {
    if (!ends_with_first(wanted, minor)) continue;
    const std::string bound = fmt::format("<=3.{}", minor);
    emit({.place = WholeWheel{},
          .message = fmt::format(
              "admits only 3.{}.0 of Python 3.{} (Requires-Python: {}): pip does not install it for 3.{}.1 and newer",
              minor, minor, escape(wanted, 100), minor),
          .evidence = {{"Requires-Python", wanted}},
          .fix = wanted.contains("==")    ? fmt::format("write ==3.{}.*", minor)
                 : wanted.contains(bound) ? fmt::format("write <3.{} instead of {}", minor + 1, bound)
                                          : fmt::format("write <3.{}", minor + 1),
          .severity = only ? Severity::Error : Severity::Warning});
    return;
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC727",
    .name = "requires-python-patch",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::requires_python_patch
