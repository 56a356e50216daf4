// The files of a run. Arguments become input files: directories and patterns, in a stable order. Advice for an argument
// that gives none or that is misspelt. Outputs that are inputs too are refused.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace CLI {
class App;
}

namespace wheelcheck::cli {

struct Options;

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
// The same for commands that stop at the first argument that gives no file.
Result<std::vector<std::string>> expand_all(std::span<const std::string> words, bool elf_files = false);
// The same for an argument that names one wheel; an argument that gives several is an error.
Result<std::string> expand_one(const std::string& word, bool elf_files = false);
// The stored facts, *.jsonl.gz, in directories and their subdirectories, sorted by path. Symbolic links to directories
// are not followed.
std::vector<Input> expand_facts(std::span<const std::string> directories);

// A message for the first option in `words` that `app` does not know: "unexpected argument --versoin; a similar option
// exists: --version". "" if all are known.
std::string unknown_option(const CLI::App& app, std::span<const std::string> words);
// A message for a first word that is neither a command nor a file, where it is similar to a command or is one of other
// tools. "" otherwise.
std::string unknown_command(const std::string& word);
// A message for the first input that is the name of a command and not a file. "" if there is none.
std::string late_command(std::span<const std::string> inputs);
// The directory or wheel with a similar name in the same directory, or below a directory with a similar name. "" if
// there is none.
std::string similar_path(const std::string& word);
// Advice for an argument that is not a file: why, and what to type. "" if there is none. `alone`: it is the only one.
std::string advice_for_missing_input(const std::string& word, bool alone);
// The same for a file or directory that exists and is not a wheel: a conda package, an sdist, a virtual environment.
std::string advice_for_other_input(std::string_view path);

// Output files that are inputs of the same run, or that are named twice, are refused before anything is written.

// Compares the files that the parsed options of a command write with those that they read. Nothing has been opened or
// created before.
Result<void> refuse_outputs(const CLI::App& command);
// The same for inputs that the command line does not name: lines of stdin, and a configuration file that was found.
Result<void> refuse_outputs(const Options& options, std::span<const Input> inputs);

}  // namespace wheelcheck::cli
