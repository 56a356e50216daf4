// Short forms for the resolver tests: a wheel of a few files, and the result for one DT_NEEDED entry by name.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {

inline WheelFacts wheel_of(std::initializer_list<ElfBuilder> elfs,
                           const std::string& file = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl") {
  WheelBuilder builder(file);
  for (const ElfBuilder& elf : elfs) builder.elf(elf);
  return builder.build();
}

class Asked {
 public:
  explicit Asked(const WheelFacts& wheel, std::span<const WheelFacts> providers = {},
                 const std::vector<std::string>& external = {})
      : wheel_(wheel), providers_(providers), answer(resolve(wheel, providers, external)) {}
  Asked(WheelFacts&&) = delete;

  const NeededFound& of(std::string_view path, std::string_view name) const {
    for (const NeededFound& entry : answer.needed[elf_at(wheel_, path).value])
      if (entry.name == name) return entry;
    throw std::invalid_argument("no entry " + std::string(name) + " in " + std::string(path));
  }
  // The path where it was found, or "outside" and other words if it was not.
  std::string where(std::string_view path, std::string_view name) const {
    const NeededFound& entry = of(path, name);
    switch (entry.found) {
      case Found::InWheel:
      case Found::InProvider:
        return path_of(*entry.provider);
      case Found::InProcess:
        return "process";
      case Found::Declared:
        return "declared";
      case Found::Required:
        return "required";
      case Found::Outside:
        return "outside";
    }
    return "";
  }
  std::string path_of(const ElfRef& ref) const {
    const WheelFacts& wheel = ref.wheel.value == 0 ? wheel_ : providers_[ref.wheel.value - 1];
    return wheel.members[wheel.elfs[ref.elf.value].member.value].path.text();
  }
  std::vector<std::string> roots() const {
    std::vector<std::string> out;
    for (const ElfIndex root : answer.roots) out.push_back(path_of({WheelIndex{0}, root}));
    return out;
  }

 private:
  const WheelFacts& wheel_;
  std::span<const WheelFacts> providers_;

 public:
  const Resolution answer;
};

}  // namespace wheelcheck::test
