// Which releases of protobuf accept the code that protoc generated.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

struct GeneratedCode {
  MemberIndex member;
  const PythonDescriptor* descriptor = nullptr;
  std::string beside;  // the directory of the file and the name of the .proto: "pkg/pprof.proto"
};
// All of a wheel, by member.
std::vector<GeneratedCode> generated_code(const WheelFacts& wheel);
// Whether a release of protobuf accepts the code when it is imported.
bool accepts_release(const PythonDescriptor& descriptor, std::string_view release);
// The same without files of which the wheel has another one that accepts the release, for the same .proto file or for
// one of the same name in the same directory: its Python code selects one of them.
std::vector<GeneratedCode> refusing_code(const std::vector<GeneratedCode>& code, std::string_view release);

}  // namespace wheelcheck
