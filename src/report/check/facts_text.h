// The results of the analysis as text, and the facts of one ELF file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The files that export most symbols of other libraries, with these libraries; "" if there are none.
std::string leaks_text(const WheelReport& wheel, const Paint& paint);
// One file: its exports, the libraries inside, C++ runtime and std::string, compilers, GPU code and names.
std::string analysis_text(const WheelReport& wheel, ElfIndex elf, const Paint& paint);
// The calls in Python code that load libraries or change how they are loaded.
std::string python_text(const WheelReport& wheel, const Paint& paint);

// Members that are listed but not checked, one line for each kind; "" if there are none.
std::string foreign_text(const WheelReport& wheel, const Paint& paint);

// What one ELF file is, requires and needs, as lines of text.

// Which levels allow a library that no wheel provides. Construct it once for each wheel.
class LibraryLevels {
 public:
  explicit LibraryLevels(const WheelReport& wheel);
  // The levels as text; "" if the file is not judged or does not need that library.
  std::string_view of(ElfIndex elf, std::string_view library) const;

 private:
  std::vector<std::optional<std::size_t>> assessment_;  // by ElfIndex: the assessment that judges the file
  std::map<std::pair<std::size_t, std::string>, std::string, std::less<>> text_;
};

// extension module, x86_64, glibc, soname libx.so.1, x86-64-v3, executable stack. Escaped.
std::string identity_text(const ElfMember& elf);
// How a need of the file is met: "gridfit.libs/libm.so.1 (RUNPATH $ORIGIN/../gridfit.libs)", "from the platform", "not
// in the wheel, ...". Escaped.
std::string found_text(const Subject& subject, const LibraryLevels& levels, ElfIndex self, const NeededFound& needed);
// True if found_text is that of a need that the platform is not known to meet.
bool is_missing(std::string_view found_text);

std::string elf_text(const Subject& subject, const LibraryLevels& levels, ElfIndex elf, const Paint& paint);

}  // namespace wheelcheck::report
