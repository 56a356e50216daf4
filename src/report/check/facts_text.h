// What the analysis found, in a few lines for people.
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

// The files that export most of what is not theirs, with the libraries it comes from; "" where no file does.
std::string leaks_text(const WheelReport& wheel, const Paint& paint);
// One file: what it exports, the libraries inside, C++ runtime and std::string, compilers, GPU code and names.
std::string analysis_text(const WheelReport& wheel, ElfIndex elf);
// The calls of Python code that load libraries or change how they are loaded.
std::string python_text(const WheelReport& wheel, const Paint& paint);

// Members that are listed and not checked, a line per kind; "" where there are none.
std::string foreign_text(const WheelReport& wheel, const Paint& paint);

// What one ELF file is, asks for and needs, as lines for people.

// Which levels promise a library that no wheel answers. Made once a wheel.
class LibraryLevels {
 public:
  explicit LibraryLevels(const WheelReport& wheel);
  // "promised by manylinux_2_41 to 2_12"; "" where the file is not judged or does not ask for that library.
  std::string_view of(ElfIndex elf, std::string_view library) const;

 private:
  std::vector<std::optional<std::size_t>> assessment_;  // by ElfIndex: the policy family that judges the file
  std::map<std::pair<std::size_t, std::string>, std::string, std::less<>> text_;
};

// extension module, x86_64, glibc, soname libx.so.1, x86-64-v3, executable stack. Escaped.
std::string identity_text(const ElfMember& elf);
// "gridfit.libs/libm.so.1 (RUNPATH $ORIGIN/../gridfit.libs)", "from the platform", "not in the wheel, ...": how a need
// of that file is met. Escaped.
std::string found_text(const Subject& subject, const LibraryLevels& levels, ElfIndex self, const NeededFound& needed);
// That of a need which the platform is not known to meet.
bool is_missing(std::string_view found_text);

std::string elf_text(const Subject& subject, const LibraryLevels& levels, ElfIndex elf, const Paint& paint);

}  // namespace wheelcheck::report
