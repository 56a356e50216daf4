// The types that an extension module defines, with the size of their objects.
#pragma once

#include <string>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

// "type numpy.dtype 88+0", the bytes of an object and of each further item: PyTypeObject and PyType_Spec in the data of
// the module; sorted, each once. x86-64, files up to most_code_bytes.
std::vector<std::string> read_python_types(const File& file, const Image& image, const DynamicTable& table,
                                           const Header& header);

}  // namespace wheelcheck::elf
