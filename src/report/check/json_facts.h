// What the analysis made of a file and of the wheel, and the facts that it rests on, as JSON. Long lists are cut after
// the entries that matter most; a number beside each says how many were left out.
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
