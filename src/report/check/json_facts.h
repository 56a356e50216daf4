// The analysis of a file and of the wheel, and the underlying facts, as JSON. Long lists contain only the most
// important entries; a number next to each gives how many were left out.
#pragma once

#include "report/shared/json_text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {

// Adds the keys of one ELF file: exports, libraries, cxx_abi, device_code, sections, texts, gil_slot.
void add_analysis(Json& file, const WheelReport& wheel, ElfIndex elf);
// Adds the keys of the whole wheel: own_scopes, gpu, python.
void add_analysis(Json& out, const WheelReport& wheel);

// One ELF file as JSON.

Json elf_json(const Subject& subject, ElfIndex elf);

}  // namespace wheelcheck::report
