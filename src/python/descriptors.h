// Descriptors of Protocol Buffers in generated Python code (*_pb2.py). protoc writes the serialized FileDescriptorProto
// into the file as one literal, which the import adds to the descriptor pool of the process.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/python.h"

namespace wheelcheck::python {

// One, or none if protoc did not generate the code or the literal cannot be read. In linear time.
std::vector<PythonDescriptor> descriptors_in(std::string_view source);

}  // namespace wheelcheck::python
