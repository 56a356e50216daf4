// Classifies the members of a wheel. An ELF file is an extension module, a library, a program or something else, which
// decides how it is judged. Other members may still be or contain code that no loader maps.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/member.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// `installed` is the path below the prefix. `site_packages` is the directory below the prefix from which modules are
// imported.
ElfRole role_of(const ElfFacts& facts, std::string_view installed, std::string_view site_packages);

// Gives files that no other file of the wheel needs and no Python code opens the role ForeignCode: those of build trees
// (model/build_tree.h, WC731), and data of tests: an ELF file in a directory for tests without the name of a library
// and without an executable bit. Such data is damaged, or for other machines, on purpose (Go's debug/elf/testdata).
// Extension modules of tests keep their role. `named`: what DataNames found in the code of the wheel.
void mark_data(WheelFacts& wheel, const std::set<std::string_view>& named);
// The names of the members that mark_data() may take for data.
class DataNames {
 public:
  DataNames() = default;
  explicit DataNames(const WheelFacts& wheel);
  // Those of them that are words of the code of a file that loads libraries: it may open such a file, however it gets
  // the path. The code of tests may name them.
  std::vector<std::string_view> named_in(std::string_view path, std::string_view code) const;

 private:
  static std::uint64_t bit(std::string_view word) { return std::uint64_t{1} << word.size() % 64; }

  std::set<std::string_view> names_;
  std::array<std::uint64_t, 256> lengths_{};  // by the last character: most words are not looked up
};

// The C library that the file was built for: from the file itself, else from its name, else from the wheel's tags if
// they are unambiguous.
Libc libc_of(const ElfFacts& facts, std::string_view file_name, const WheelName& name);

// True if the extension suggests text, source, bytecode, data or an image. An audit by file name would not look for an
// ELF file there.
bool is_disguise(std::string_view file_name);

// Members that no loader maps but that are or contain code: nested archives, programs of other systems, device code.

// For a member that is not an ELF file. `name` has no directories; `size` is in bytes.
ForeignKind foreign_kind(std::string_view name, std::uint64_t size, const archive::FirstBytes& start, bool elf_inside);

}  // namespace wheelcheck::wheel
