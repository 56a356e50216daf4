// The inputs of a run. All of them are opened before the content of any is read. The caller can then drop the right to
// open files (a sandbox), so that a malicious wheel cannot make the process open others.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck {

namespace archive {
class File;
}

// What a path is: a directory; a facts file, by its name (facts_extension); ELF files outside of wheels, if they are
// accepted (Settings::elf_files); otherwise an archive.
enum class InputKind { Archive, Directory, Facts, ElfFiles };

struct OpenedInput {
  std::string path;
  InputKind kind = InputKind::Archive;
  std::shared_ptr<const archive::File> file = {};  // null: a directory, or an input that is opened when it is read
  std::optional<Error> error = {};                 // why it cannot be read
};

// What is opened after open_inputs has returned.
struct OpenedLater {
  std::vector<std::string> read;  // files, and directories with everything below them
  std::string cache;              // a directory that is read and written; empty: none
  std::size_t files = 0;          // how many entries of `read` are inputs that would exceed Settings::max_open
};
// Called once, before any thread is started. An Error ends the run.
using InputsOpen = std::function<Result<void>(const OpenedLater&)>;

}  // namespace wheelcheck
