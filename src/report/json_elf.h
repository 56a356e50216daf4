// One ELF file as JSON.
#pragma once

#include "report/json_text.h"
#include "report/names.h"

namespace wheelcheck::report {

Json elf_json(const Subject& subject, ElfIndex elf);

}  // namespace wheelcheck::report
