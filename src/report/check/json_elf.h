// One ELF file as JSON.
#pragma once

#include "report/shared/json_text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {

Json elf_json(const Subject& subject, ElfIndex elf);

}  // namespace wheelcheck::report
