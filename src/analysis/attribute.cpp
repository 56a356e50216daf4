#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Attribution attribute(std::string_view, const Knowledge&) { return {}; }

}  // namespace wheelcheck
