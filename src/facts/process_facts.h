// ELF files as JSON: what the loader reads of them and nothing else, so that a process can be predicted without the
// files. data/schema/elf-facts.schema.json describes the form; a symbol stands on a line of its own, so that two
// versions of a library can be compared by diff.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/process.h"
#include "wheelcheck/result.h"

namespace wheelcheck::facts {

struct Stored {
  std::string about;                 // what these files are: "Debian 12"
  std::vector<process::File> files;  // with facts, none assumed
  std::vector<std::unique_ptr<const ElfFacts>> facts;
};

// Files without facts are left out. What is read again is equal in all that process::predict looks at.
std::string write(std::string_view about, std::span<const process::File> files);

// Strict: what is not known, of another type or out of range is an error that says where. `file` is for messages.
Result<Stored> read(std::string_view text, std::string_view file);

}  // namespace wheelcheck::facts
