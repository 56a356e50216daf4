// Exported variables whose name ends in "version": they contain the version of a library that is linked statically.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/strings.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// "xmlParserVersion=21404", "sqlite3_version=3.45.1": name and text of each such variable, which is a pointer to a
// string or an array of characters. `count`: symbols of the table.
template <class ELFT>
std::vector<std::string> read_version_objects(const Image& image, const DynamicTable& table, const Header& header,
                                              std::uint64_t count, const DynamicFacts& facts, const Strings& strings);

}  // namespace wheelcheck::elf
