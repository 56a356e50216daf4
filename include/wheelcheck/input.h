// Inputs that are opened before a byte of any is looked at, so that whoever reads them may then give up the right to
// open files.
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

// What lies at a path: a directory, a file of kept facts by its ending, ELF files outside of wheels where they are
// accepted (Settings::elf_files), else an archive.
enum class InputKind { Archive, Directory, Facts, ElfFiles };

struct OpenedInput {
  std::string path;
  InputKind kind = InputKind::Archive;
  std::shared_ptr<const archive::File> file = {};  // null: a directory, or opened when it is read
  std::optional<Error> error = {};                 // why there is nothing to read
};

// What is opened after the inputs were.
struct OpenedLater {
  std::vector<std::string> read;  // files, and directories with all that is below them
  std::string cache;              // a directory that is read and written; empty: none
  std::size_t files = 0;          // of `read`: inputs that would be one open file too many
};
// Called once, when no thread was started yet. An Error ends the run.
using InputsOpen = std::function<Result<void>(const OpenedLater&)>;

}  // namespace wheelcheck
