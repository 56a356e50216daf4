// What the user says about flags: --global WHEEL::MEMBER and --dlopen-flags, read once and held against each file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/load_plan.h"

namespace wheelcheck::import_plan {

process::OpenFlags flags_of_bits(std::uint32_t bits);  // RTLD_* of glibc's dlfcn.h

class DlopenFlagOverrides {
 public:
  // Usage: a wish that names no distribution or no file, or flags that dlopen refuses.
  static Result<DlopenFlagOverrides> read(const Installation& installation, const LoadPlanOptions& options);

  // Who wants that file opened with RTLD_GLOBAL; null: nobody.
  const FlagSource* global(DistributionIndex distribution, ElfIndex elf) const;
  const std::map<ElfIndex, FlagSource>& globals(DistributionIndex distribution) const {
    return global_[distribution.value];
  }
  const std::optional<FlagSource>& every_import() const { return every_import_; }  // --dlopen-flags
  std::uint32_t import_bits() const { return bits_; }                              // of an import that nobody changes

 private:
  Result<void> add(const Installation& installation, const std::string& option);

  std::vector<std::map<ElfIndex, FlagSource>> global_;  // by distribution
  std::optional<FlagSource> every_import_;
  std::uint32_t bits_ = 2;  // RTLD_NOW (CPython, Python/pystate.c, init_interpreter)
};

// Up to three of `names` that `wanted` may have been meant to be: "; did you mean a, b?" or "".
std::string near_names(std::string_view orders, const std::vector<std::string>& names);

}  // namespace wheelcheck::import_plan
