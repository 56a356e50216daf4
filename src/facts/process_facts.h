// ELF files as JSON, with only what the loader model uses. Process outcomes can then be predicted without the files.
// data/schema/elf-facts.schema.json describes the format. Each symbol has a line of its own, so that two versions of a
// library can be compared with diff.
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
  std::string about;                 // description of the files: "Debian 12"
  std::vector<process::File> files;  // with facts; none is assumed
  std::vector<std::unique_ptr<const ElfFacts>> facts;
};

// Files without facts are omitted. What is read back is equal in all that process::predict uses.
std::string write(std::string_view about, std::span<const process::File> files);

// Strict: an unknown key or word, a wrong type or a value out of range is an error with its place. `file` is used in
// messages. Error: BadPolicy.
Result<Stored> read(std::string_view text, std::string_view file);

}  // namespace wheelcheck::facts
