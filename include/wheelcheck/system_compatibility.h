// On which systems a wheel runs, and on which of them pip installs it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/report.h"
#include "wheelcheck/systems.h"

namespace wheelcheck {

// One thing that files of the wheel ask of the system, whichever of them ask it.
struct SystemRequirement {
  enum class Kind { CLibrary, Machine, MissingVersion, Version, Library, Isa, Symbol, Interpreter };
  Kind kind = Kind::Version;
  std::string name;       // glibc; aarch64; GLIBC_2.34; libfoo.so.1; x86-64-v3; the symbol
  std::string library;    // of which library, for a version or a symbol; else empty
  ElfIndex file;          // the first that asks
  std::string symbol;     // of a version: the first import of that file that asks for it; may be empty
  std::size_t files = 1;  // that ask
};

enum class Runs {
  Yes,
  No,
  Depends,  // on what the table does not hold: a library that no level promises, the CPU
};
std::string_view name_of(Runs runs);  // "yes"

struct SystemCompatibility {
  std::uint32_t system = 0;  // into the systems that were asked for
  Runs runs = Runs::Yes;
  std::vector<std::string> tags;     // of the file name, those by which pip installs it there
  std::vector<std::uint32_t> lacks;  // of MachineCompatibility::asks, what it does not give
  std::vector<std::uint32_t> open;   // what the table does not tell
};
// On one machine.
struct MachineCompatibility {
  Arch arch = Arch::Other;                   // Other: the wheel holds no code, so that all are the same
  std::vector<SystemRequirement> asks;       // by kind, then by family, newest first
  std::vector<SystemCompatibility> systems;  // of those that are made for the machine; by distribution, oldest first
  // Of `asks`: libraries that the systems offer, but that a minimal installation does not have (libGL.so.1,
  // libatomic.so.1).
  std::vector<std::uint32_t> to_install;
};
struct WheelCompatibility {
  std::vector<MachineCompatibility> machines;  // that the wheel claims, else that its content is for
};
WheelCompatibility system_compatibility_of(const WheelReport& wheel, std::span<const KnownSystem> systems);

// Whether pip (packaging.tags) takes a wheel of that tag on that system. A newer pip than the system's own is assumed.
bool pip_takes(const PlatformTag& tag, const KnownSystem& system, Arch arch);

}  // namespace wheelcheck
