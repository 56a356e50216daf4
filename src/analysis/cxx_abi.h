// Which C++ runtime a file uses, and how: by the libraries that it needs, by the parts of a runtime that it defines,
// and by what only a linked-in runtime asks of the C library.
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
  // Both return whether the name is one of C++.
  bool import(std::string_view name);
  bool exported(const Export& symbol);
  std::uint32_t runtime_code() const { return gnu_code_.count + llvm_code_.count; }
  // Old strings are made and none is ever destroyed: only the exception classes of libstdc++, linked in, do so.
  bool keeps_old_strings() const { return makes_old_.count > 0 && !destroys_old_; }
  // With what DT_NEEDED says; evidence: at most 3 libraries or symbols.
  CxxRuntime decide(const DynamicFacts& dynamic, std::vector<std::string>& evidence) const;

 private:
  struct Marks {
    std::uint32_t count = 0;
    std::vector<std::string_view> examples;
    void add(std::string_view name);
  };
  Marks gnu_locale_, llvm_locale_, rethrow_;  // imports of the C library and the unwinder
  Marks gnu_code_, llvm_code_, core_;         // defined parts of a runtime; core: __cxa_throw and its like
  Marks thread_state_;                        // types derived from std::thread::_State
  Marks makes_old_;                           // constructors of the old string
  bool destroys_old_ = false;
  bool thread_base_ = false;  // where that comes from can be seen
  bool any_cxx_ = false, llvm_names_ = false;
};

// Who compiled and linked a file, by what each tool writes into .comment.

// By name, then version; a tool of one version once.
std::vector<Compiler> compilers(std::span<const std::string_view> comments);
// All GCCs among them are older than 5, and there is one: since 5 there are two std::string.
bool only_gcc_before_5(std::span<const Compiler> compilers);

}  // namespace wheelcheck::analysis
