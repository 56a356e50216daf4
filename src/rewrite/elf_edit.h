// Changes of ELF files, made by the program patchelf: one run per file with all changes. strip runs before it and never
// after it, because strip moves what patchelf has appended (pypa/auditwheel issue 716). Both work on files in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck::rewrite {

struct ElfEdit {
  bool clear_executable_stack = false;
  std::optional<std::string> soname;
  std::vector<std::pair<std::string, std::string>> replace_needed;  // also in the version needs
  std::vector<std::string> remove_needed;
  std::optional<std::string> interpreter;  // PT_INTERP
  std::optional<std::string> search_path;  // the whole new path; "": remove it
  bool as_rpath = false;                   // DT_RPATH, which also applies to needed libraries; otherwise DT_RUNPATH
  bool strip = false;
  bool operator==(const ElfEdit&) const = default;
};
bool is_empty(const ElfEdit& edit);

class Patchelf {
 public:
  // `named`: a path, or "" for the first in `program_path` that is new enough. Error: there is none. Before 0.18 it
  // breaks alignment and version needs (its changelog, 0.18.0).
  static Result<Patchelf> find(const std::string& named, const std::string& program_path);
  const std::string& version() const { return version_; }
  // "/usr/bin/patchelf is version 0.17.2; /venv/bin/patchelf is used", or "".
  std::string note() const;

  Result<std::string> apply(const ElfEdit& edit, std::string_view file) const;

 private:
  Patchelf(std::string path, std::string version, std::string program_path, std::vector<std::string> skipped)
      : path_(std::move(path)),
        version_(std::move(version)),
        program_path_(std::move(program_path)),
        skipped_(std::move(skipped)) {}
  std::string path_, version_, program_path_;
  std::vector<std::string> skipped_;  // what came before it in `program_path` and is not used
};

struct ProgramResult {
  int status = 0;  // exit code; 127: there is no such program, 128 + n: ended by signal n
  std::string out, error;
};
// Runs a program without a shell. Its environment is PATH and LC_ALL=C; `descriptors` are its 3, 4 ...
Result<ProgramResult> run_program(const std::vector<std::string>& words, const std::string& program_path,
                                  const std::vector<int>& descriptors = {});
// The path of a program, searched as a shell searches PATH; "" if there is none.
std::string find_program(const std::string& name, const std::string& program_path);

}  // namespace wheelcheck::rewrite
