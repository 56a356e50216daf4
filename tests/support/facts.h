// Facts about wheels, written in C++, for tests of the modules that use facts. No files are read.
//
//   WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
//                          .elf(ElfBuilder("foo/x.cpython-311-x86_64-linux-gnu.so")
//                                   .needed("libc.so.6")
//                                   .import("memcpy", "libc.so.6", "GLIBC_2.14"))
//                          .build();
//   Resolution resolution = resolve_by_name(wheel);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/elf_facts.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

// Builds a wheel of that file name with correct dist-info files. Its WHEEL file has the tags of the name.
class WheelBuilder {
 public:
  using Step = std::function<void(WheelFacts&)>;
  explicit WheelBuilder(std::string file);
  // Defined in the .cpp file, so that not every test compiles the destructors of all facts.
  WheelBuilder(const WheelBuilder&);
  WheelBuilder(WheelBuilder&&) noexcept;
  WheelBuilder& operator=(const WheelBuilder&);
  WheelBuilder& operator=(WheelBuilder&&) noexcept;
  ~WheelBuilder();

  WheelBuilder& elf(ElfBuilder elf);
  WheelBuilder& member(std::string path, std::uint64_t size = 10);
  WheelBuilder& edit(Step step);  // any other change, applied at the end

  WheelFacts build() const;

 private:
  std::string file_;
  std::vector<ElfBuilder> elfs_;
  std::vector<std::pair<std::string, std::uint64_t>> members_;
  std::vector<Step> steps_;
};

// The ELF file with that path. Throws if there is none, so that a misspelt path fails the test.
ElfIndex elf_at(const WheelFacts& wheel, std::string_view path);

// The result of a loader that has every directory of the wheel on its search path. A DT_NEEDED entry is InWheel if a
// file has that soname or name; libc, libm, libdl, libpthread, librt and the loader are InProcess; the others are
// Outside.
Resolution resolve_by_name(const WheelFacts& wheel);

}  // namespace wheelcheck::test
