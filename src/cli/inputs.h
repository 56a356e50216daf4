// From the words of the command line to files: directories and patterns are opened up, in a stable order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::cli {

// One input: a file to read, or the reason why the word gives none.
struct Input {
  std::string path;     // a wheel, or the directory of one that was unpacked
  std::string problem;  // empty: read `path`
};
// A directory gives its *.whl files, not those below it, by name; without any, one *.dist-info makes it an unpacked
// wheel. A word that is no file but has `*`, `?` or `[` is a
// pattern of the current directory or of the directory before its last '/'.
// The word "-" stands for the lines of stdin. elf_files: ELF files and directories of them are inputs as well.
std::vector<Input> expand(std::span<const std::string> words, bool elf_files = false);
// The kept facts, *.jsonl.gz, in directories and all below them, by path; symbolic links to directories are not
// followed.
std::vector<Input> expand_facts(std::span<const std::string> directories);

}  // namespace wheelcheck::cli
