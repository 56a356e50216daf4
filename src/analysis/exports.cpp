#include "analysis/parts.h"

namespace wheelcheck::analysis {

ExportSummary exports(const ElfMember&, const WheelFacts&, const Knowledge&, const std::vector<std::string>&) {
  return {};
}

}  // namespace wheelcheck::analysis
