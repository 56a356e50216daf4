#include "rules/archive/wheel_flaws.h"

#include <algorithm>

namespace wheelcheck::rules {
namespace {

Place place_of(const WheelView& view, const WheelFlaw& flaw) {
  if (flaw.member) return AtMember{*flaw.member};
  if (flaw.subject.empty() || flaw.subject == view.wheel.file) return WholeWheel{};
  return AtPath{flaw.subject};
}

}  // namespace

void emit_wheel_flaws(const WheelView& view, const Emit& emit, std::initializer_list<WheelArea> areas,
                      const std::function<std::string(const WheelFlaw&)>& fix, std::optional<Severity> severity) {
  for (const WheelFlaw& flaw : view.wheel.flaws) {
    if (std::ranges::find(areas, flaw.area) == areas.end()) continue;
    emit({.place = place_of(view, flaw),
          .message = flaw.reason,
          .evidence = {},
          .fix = fix(flaw),
          .severity = severity || !flaw.minor ? severity : std::optional(Severity::Warning)});
  }
}

}  // namespace wheelcheck::rules
