// The user's options about dlopen flags: --global WHEEL::MEMBER and --dlopen-flags. They are parsed once and then
// matched with each file that is opened.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/load_plan.h"

namespace wheelcheck::import_plan {

process::OpenFlags flags_of_bits(std::uint32_t bits);  // bits: RTLD_* of glibc's dlfcn.h

class DlopenFlagOverrides {
 public:
  // Error: Usage for an option that matches no distribution or no file, or for flags that dlopen rejects.
  static Result<DlopenFlagOverrides> read(const Installation& installation, const LoadPlanOptions& options);

  // The option that requests RTLD_GLOBAL for the file; null: none.
  const FlagSource* global(DistributionIndex distribution, ElfIndex elf) const;
  const std::map<ElfIndex, FlagSource>& globals(DistributionIndex distribution) const {
    return global_[distribution.value];
  }
  const std::optional<FlagSource>& every_import() const { return every_import_; }  // --dlopen-flags
  std::uint32_t import_bits() const { return bits_; }  // flags of imports without another override

 private:
  Result<void> add(const Installation& installation, const std::string& option);

  std::vector<std::map<ElfIndex, FlagSource>> global_;  // by distribution
  std::optional<FlagSource> every_import_;
  std::uint32_t bits_ = 2;  // RTLD_NOW (CPython, Python/pystate.c, init_interpreter)
};

// Suggestions for a misspelt name: up to three of `names` that are similar to `wanted`, as "; did you mean a, b?"; ""
// if there are none.
std::string near_names(std::string_view orders, const std::vector<std::string>& names);

}  // namespace wheelcheck::import_plan
