#include "model/protobuf_code.h"

#include <set>
#include <utility>

#include "model/pep440.h"

namespace wheelcheck {

std::vector<GeneratedCode> generated_code(const WheelFacts& wheel) {
  std::vector<GeneratedCode> out;
  for (const PythonFile& file : wheel.python)
    for (const PythonDescriptor& descriptor : file.descriptors) {
      const std::string_view path = wheel.members[file.member.value].path.text(), proto = descriptor.file;
      std::string beside(path.substr(0, path.rfind('/') + 1));
      beside += proto.substr(proto.rfind('/') + 1);
      out.push_back({file.member, &descriptor, std::move(beside)});
    }
  return out;
}

bool accepts_release(const PythonDescriptor& descriptor, std::string_view release) {
  const auto version = parse_package_version(release);
  if (!version) return true;
  const auto since = parse_package_version(descriptor.since), before = parse_package_version(descriptor.before);
  return !(since && *version < *since) && !(before && *version >= *before);
}

std::vector<GeneratedCode> refusing_code(const std::vector<GeneratedCode>& code, std::string_view release) {
  std::set<std::string_view> accepted, beside;
  std::vector<GeneratedCode> out;
  for (const GeneratedCode& each : code)
    if (accepts_release(*each.descriptor, release)) {
      accepted.insert(each.descriptor->file);
      beside.insert(each.beside);
    }
  for (const GeneratedCode& each : code)
    if (!accepts_release(*each.descriptor, release) && !accepted.contains(each.descriptor->file) &&
        !beside.contains(each.beside))
      out.push_back(each);
  return out;
}

}  // namespace wheelcheck
