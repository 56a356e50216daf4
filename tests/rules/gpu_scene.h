// Additions to a scene for the GPU rules: Requires-Dist of METADATA, and names in Python code.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/rules/scene.h"

namespace wheelcheck::test {

inline WheelBuilder::Step requires_dist(std::vector<std::string> lines) {
  return [lines = std::move(lines)](WheelFacts& wheel) { wheel.metadata->requires_dist = lines; };
}

// A Python file; it must be a member of the wheel.
inline WheelBuilder::Step python_file(std::string path, std::vector<PythonCall> calls, std::vector<PythonName> names) {
  return [=](WheelFacts& wheel) {
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == path)
        wheel.python.push_back({.member = MemberIndex{i}, .calls = calls, .names = names});
  };
}

inline PythonCall opens(std::string library, std::uint32_t line) {
  PythonCall call;
  call.library = std::move(library);
  call.line = line;
  return call;
}

inline WheelBuilder wheel_of(const std::vector<ElfBuilder>& files, std::string name = wheel_2_17) {
  WheelBuilder builder(std::move(name));
  for (const ElfBuilder& file : files) builder.elf(file);
  return builder;
}

// A file that imports dlopen.
inline ElfBuilder opener(const std::string& path) {
  return ElfBuilder(path).import("dlopen", "libdl.so.2", "GLIBC_2.2.5");
}

}  // namespace wheelcheck::test
