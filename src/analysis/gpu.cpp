#include "analysis/parts.h"

namespace wheelcheck::analysis {

std::vector<GpuReference> gpu(const WheelFacts&, const Knowledge&) { return {}; }

}  // namespace wheelcheck::analysis
