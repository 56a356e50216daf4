// An answer in its formats, and as a Result of a builder.
#pragma once

#include <string>

#include "report/shared/document.h"
#include "wheelcheck/result.h"

namespace wheelcheck::test {

inline std::string as_text(const report::Answer& answer, const report::Paint& paint = {}) {
  return render_answer("text", answer, paint);
}
inline std::string as_json(const report::Answer& answer) { return render_answer("json", answer, {}); }
inline std::string as_markdown(const report::Answer& answer) { return render_answer("markdown", answer, {}); }

}  // namespace wheelcheck::test
