// Internal interface of the resolver: `resolve` with a limit on its work, for tests, and the conversion of walk results
// to the public types of binding.h.
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

// The limit: names looked up and directories searched in all walks. pyside6 needs 0.2 million. Beyond the limit nothing
// is found, and Resolution::cut says so.
inline constexpr std::uint64_t default_work = 50'000'000;

Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external, std::uint64_t work);

// --- conversion of results ----------------------------------------------------------------------------------------

// The C library that the wheel is for. A file without a C library of its own is loaded by that loader.
Libc libc_of(const WheelFacts& wheel);
inline LoaderKind loader_of_root(const ElfMember& root, Libc of_wheel) {
  return loader_of(root.libc == Libc::None ? of_wheel : root.libc);
}

// The text of Edge::entry as in the file; the view is valid as long as the facts of the file.
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
