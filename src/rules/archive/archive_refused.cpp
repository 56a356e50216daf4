// WC703: an archive that has more than one reading, or that is unsafe to read. The reader refuses it, so that no rule
// sees it; reports give the finding for such an input (Unreadable::refused).
#include "wheelcheck/rule.h"

namespace wheelcheck::rules::archive_refused {
namespace {

void check(const WheelView&, const Emit&) {}

}  // namespace

extern const Rule rule{
    .code = "WC703",
    .name = "archive-refused",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::archive_refused
