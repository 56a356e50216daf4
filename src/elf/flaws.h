// Collects what is wrong with one file. A hostile table can be wrong a million times, so equal remarks are kept once
// and their number is bounded; whoever walks a table counts, and says it once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

class Flaws {
 public:
  // ld.so would refuse the file, or bind it wrongly.
  void fatal(ElfArea area, std::string reason) { add({area, true, std::move(reason)}); }
  // ld.so does not mind, but other readers see another file than it does.
  void odd(ElfArea area, std::string reason) { add({area, false, std::move(reason)}); }

  bool any_fatal() const {
    return std::ranges::any_of(all_, [](const Flaw& flaw) { return flaw.fatal; });
  }
  std::vector<Flaw> take() { return std::move(all_); }

 private:
  void add(Flaw flaw) {
    const auto same = [&](const Flaw& old) { return old.area == flaw.area && old.reason == flaw.reason; };
    if (all_.size() < most && std::ranges::none_of(all_, same)) all_.push_back(std::move(flaw));
  }
  static constexpr std::size_t most = 64;
  std::vector<Flaw> all_;
};

}  // namespace wheelcheck::elf
