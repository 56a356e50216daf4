// Calls in the Python code of a wheel.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/pattern.h"
#include "base/text.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Python code of the wheel opens libraries with RTLD_GLOBAL, so that libraries need not name each other.
inline bool opens_globally(const WheelFacts& wheel) {
  const auto is_global = [](const PythonCall& call) { return call.global; };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, is_global); });
}

// Python code of the wheel opens a library of this file name with ctypes or the like.
inline bool is_opened_by_name(const WheelFacts& wheel, std::string_view file_name) {
  const auto opens = [&](const PythonCall& call) {
    return call.library && glob_match(base_name(*call.library), file_name);
  };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); });
}

// Python code of the wheel opens a library of that name or soname by its path, so that the loader finds it later. A
// file with a name and with a call whose argument is not known may open what the name says (pipsipmpp 0.1.1).
inline bool is_opened_before(const WheelFacts& wheel, std::string_view library) {
  const auto may_open = [](const PythonFile& file, std::string_view name) {
    bool unknown = false;
    for (const PythonCall& call : file.calls) {
      const std::string_view opened = call.library ? base_name(*call.library) : "*";
      unknown = unknown || opened == "*";
      if (opened != "*" && glob_match(opened, name)) return true;
    }
    return unknown && std::ranges::any_of(file.names,
                                          [&](const PythonName& one) { return glob_match(base_name(one.text), name); });
  };
  return std::ranges::any_of(wheel.elfs, [&](const ElfMember& elf) {
    const std::string_view name = wheel.members[elf.member.value].path.name();
    const bool called = name == library || (elf.facts.dynamic && elf.facts.dynamic->soname == library);
    return called && std::ranges::any_of(wheel.python, [&](const PythonFile& file) { return may_open(file, name); });
  });
}

}  // namespace wheelcheck
