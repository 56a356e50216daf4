// Files that Python code of the wheel puts into the loader's global scope, in which every file of the process looks its
// names up first (dlopen(3), RTLD_GLOBAL). The names of other files are seen by the files that require them only.
#pragma once

#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// A call that opens files of the wheel with RTLD_GLOBAL, or that sets this flag for later imports.
struct GlobalCall {
  MemberIndex file;
  const PythonCall* call = nullptr;
  Reach reach = Reach::Possible;          // of the call, when a file of the wheel is imported
  const GlobalImports* effect = nullptr;  // of sys.setdlopenflags; null if it is unknown
  std::vector<ElfIndex> opened;           // without the files that these require
};
// Without calls that never run. In the order of the files and lines.
std::vector<GlobalCall> global_calls(const WheelView& view);

// By ElfIndex: the call that certainly or probably runs during an import and puts the file into the global scope,
// because it opens it or a file that requires it; null if there is none.
std::vector<const PythonCall*> global_scope(const WheelView& view);

// By ElfIndex: whether the file exports names of a library that was linked into it (WC201, WC202).
std::vector<bool> leaking_files(const WheelView& view);

// By ElfIndex: the files of the wheel that require the file.
std::vector<std::vector<ElfIndex>> users_by_file(const WheelView& view);

}  // namespace wheelcheck::rules
