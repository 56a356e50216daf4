// Determines which C++ runtime a file uses, and whether it is linked dynamically or statically. The evidence is the
// libraries in DT_NEEDED, the parts of a runtime that the file defines, and the C library functions that only a
// statically linked runtime imports.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::analysis {

class RuntimeSeen {
 public:
  // Both return whether the name is a C++ name.
  bool import(std::string_view name);
  bool exported(const Export& symbol);
  std::uint32_t runtime_code() const { return gnu_code_.count + llvm_code_.count; }
  // True if old strings are constructed but never destroyed: only the exception classes of a statically linked
  // libstdc++ do that.
  bool uses_old_strings() const { return makes_old_.count > 0 && !destroys_old_; }
  // With what DT_NEEDED says; evidence: at most 3 libraries or symbols.
  CxxRuntime decide(const DynamicFacts& dynamic, std::vector<std::string>& evidence) const;

 private:
  struct Marks {
    std::uint32_t count = 0;
    std::vector<std::string_view> examples;
    void add(std::string_view name);
  };
  Marks gnu_locale_, llvm_locale_, rethrow_;  // imports from the C library and the unwinder
  // parts of a runtime that the file defines; core_: __cxa_throw and similar functions
  Marks gnu_code_, llvm_code_, core_;
  Marks thread_state_;  // types derived from std::thread::_State
  Marks makes_old_;     // constructors of the old std::string
  bool destroys_old_ = false;
  bool thread_base_ = false;  // std::thread::_State is defined or imported, so its origin is known
  bool any_cxx_ = false, llvm_names_ = false;
};

// The compilers and linkers of a file, as each tool writes them to the section .comment.

// Sorted by name, then version, without repetitions.
std::vector<Compiler> compilers(std::span<const std::string_view> comments);
// True if there is at least one GCC and all of them are older than 5. GCC 5 introduced the second std::string.
bool only_gcc_before_5(std::span<const Compiler> compilers);

}  // namespace wheelcheck::analysis
