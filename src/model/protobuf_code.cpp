#include "model/protobuf_code.h"

#include <set>

#include "model/pep440.h"

namespace wheelcheck {

std::vector<GeneratedCode> generated_code(const WheelFacts& wheel) {
  std::vector<GeneratedCode> out;
  for (const PythonFile& file : wheel.python)
    for (const PythonDescriptor& descriptor : file.descriptors) out.push_back({file.member, &descriptor});
  return out;
}

bool accepts_release(const PythonDescriptor& descriptor, std::string_view release) {
  const auto version = parse_package_version(release);
  if (!version) return true;
  const auto since = parse_package_version(descriptor.since), before = parse_package_version(descriptor.before);
  return !(since && *version < *since) && !(before && *version >= *before);
}

std::vector<GeneratedCode> refusing_code(const std::vector<GeneratedCode>& code, std::string_view release) {
  std::set<std::string_view> accepted;
  std::vector<GeneratedCode> out;
  for (const GeneratedCode& each : code)
    if (accepts_release(*each.descriptor, release)) accepted.insert(each.descriptor->file);
  for (const GeneratedCode& each : code)
    if (!accepts_release(*each.descriptor, release) && !accepted.contains(each.descriptor->file)) out.push_back(each);
  return out;
}

}  // namespace wheelcheck
