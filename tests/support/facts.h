// Facts about wheels, written in C++: what tests of the rooms above the readers start from. No bytes, no files.
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

// A wheel of that file name, with the dist-info files that a correct one has; its WHEEL file claims what the name
// claims.
class WheelBuilder {
 public:
  using Step = std::function<void(WheelFacts&)>;
  explicit WheelBuilder(std::string file) : file_(std::move(file)) {}

  WheelBuilder& elf(ElfBuilder elf);
  WheelBuilder& member(std::string path, std::uint64_t size = 10);
  WheelBuilder& edit(Step step);  // anything else, when all is in place

  WheelFacts build() const;

 private:
  std::string file_;
  std::vector<ElfBuilder> elfs_;
  std::vector<std::pair<std::string, std::uint64_t>> members_;
  std::vector<Step> steps_;
};

// The file of that path. Throws if there is none, so a test that misspells a path fails.
ElfIndex elf_at(const WheelFacts& wheel, std::string_view path);

// What a loader would find if every directory of the wheel were on the search path: a DT_NEEDED entry is InWheel where
// a file has that soname or name; libc, libm, libdl, libpthread, librt and the loader are InProcess; the rest is
// Outside.
Resolution resolve_by_name(const WheelFacts& wheel);

}  // namespace wheelcheck::test
