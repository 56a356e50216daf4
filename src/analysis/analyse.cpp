#include <utility>

#include "analysis/parts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Analysis analyse(const WheelFacts& wheel, const Resolution&, const Knowledge& knowledge, const RuleOptions& options) {
  Analysis result;
  result.own_scopes = analysis::own_scopes(wheel, knowledge, options);
  result.elfs.reserve(wheel.elfs.size());
  for (const ElfMember& file : wheel.elfs) {
    ElfAnalysis one;
    one.exports = analysis::exports(file, wheel, knowledge, result.own_scopes);
    one.libraries = analysis::libraries(file, wheel, one.exports, knowledge);
    one.cxx = analysis::cxx_abi(file);
    result.elfs.push_back(std::move(one));
  }
  result.gpu = analysis::gpu(wheel, knowledge);
  return result;
}

}  // namespace wheelcheck
