// Expands the arguments of the command line to input files: directories and patterns, in a stable order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::cli {

// One input: a file to read, or the reason why the argument gives none.
struct Input {
  std::string path;     // a wheel, or the directory of an unpacked wheel
  std::string problem;  // empty if `path` is to be read
};
// A directory gives its *.whl files, sorted by name, without subdirectories. If it has none but exactly one
// *.dist-info, it is an unpacked wheel. An argument that is not a file and contains `*`, `?` or `[` is a pattern in the
// current directory, or in the directory before its last '/'. "-" stands for the lines of stdin. `elf_files`: ELF files
// and directories of them are inputs too.
std::vector<Input> expand(std::span<const std::string> words, bool elf_files = false);
// The stored facts, *.jsonl.gz, in directories and their subdirectories, sorted by path. Symbolic links to directories
// are not followed.
std::vector<Input> expand_facts(std::span<const std::string> directories);

}  // namespace wheelcheck::cli
