// Names of shared libraries in the string literals of Python code. Code often has a table of such names and opens them
// in a loop, so that the call itself does not show them. Also what else the text shows without a parser.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/python.h"

namespace wheelcheck::python {

// Literals without blanks that contain ".so" as a file name does; a formatted part of an f-string is `*`. At most 4096.
// Only tokens are read, so the function works for any text, in linear time.
std::vector<PythonName> library_names(std::string_view source);

// Environment variables that the Python code sets.
std::vector<PythonVariable> variables_set(std::string_view source);

// Statements `raise ImportError(...)` and the like under a comparison, in code that contains the word "version", and
// calls of functions whose name contains "require_version". At most 64. In linear time; only lines and their
// indentation are read.
std::vector<PythonRefusal> refusals_in(std::string_view source);

// Descriptors of Protocol Buffers in generated Python code (*_pb2.py). protoc writes the serialized FileDescriptorProto
// into the file as one literal, which the import adds to the descriptor pool of the process.
// One, or none if protoc did not generate the code or the literal cannot be read. In linear time.
std::vector<PythonDescriptor> descriptors_in(std::string_view source);

}  // namespace wheelcheck::python
