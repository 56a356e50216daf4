// `resolve` with its bound on work in the open, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "resolver/walk.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::resolver {

// Names looked up and places tried over all walks. pyside6 needs 0.2 million; past the bound nothing more is found,
// which errs to the side of a report.
inline constexpr std::uint64_t default_work = 50'000'000;

Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external, std::uint64_t work);

// What a walk found, in the words of binding.h.

// The C library that the wheel is for. A file that needs none is loaded by that one's loader.
Libc libc_of(const WheelFacts& wheel);
inline LoaderKind loader_of_root(const ElfMember& root, Libc of_wheel) {
  return loader_of(root.libc == Libc::None ? of_wheel : root.libc);
}

// The text of Edge::entry, as the file itself spells it, so that the view lives as long as the file's facts.
std::string_view text_of_entry(const File& file, std::uint32_t entry);

class NeededResults {
 public:
  NeededResults(const Catalog& catalog, std::span<const std::string> external)
      : catalog_(catalog), external_(external) {}

  NeededFound operator()(FileIndex user, std::string_view text, const Outcome& outcome, FileIndex root);

 private:
  bool is_declared(std::string_view name);

  const Catalog& catalog_;
  std::span<const std::string> external_;
  std::map<std::string_view, bool> declared_;
};

}  // namespace wheelcheck::resolver
