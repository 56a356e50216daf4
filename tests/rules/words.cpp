#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test {

void check_words(const Finding& finding) {
  EXPECT_FALSE(finding.message.empty());
  if (finding.message.empty()) return;
  EXPECT_FALSE(is_upper(finding.message.front()) && is_lower(finding.message[1])) << finding.message;
  EXPECT_FALSE(finding.message.ends_with('.')) << finding.message;
  EXPECT_FALSE(finding.fix.empty()) << finding.message;
  EXPECT_FALSE(finding.fix.ends_with('.')) << finding.fix;
  for (const Evidence& evidence : finding.evidence) {
    EXPECT_FALSE(evidence.label.empty()) << finding.message;
    EXPECT_FALSE(evidence.value.empty()) << finding.message << " / " << evidence.label;
  }
}

}  // namespace wheelcheck::test
