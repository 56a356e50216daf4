// System compatibility: on which Linux distributions a wheel runs, and on which of them pip installs it. The
// requirements of the wheel are compared with the table of known systems (systems.h). docs/runs-on.md describes the
// command.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/report.h"
#include "wheelcheck/systems.h"

namespace wheelcheck {

// One requirement on the system, for all files that have it.
struct SystemRequirement {
  // Finding: an error of `check` that stops the import (Rule::stops_import), everywhere or on the systems of `on`.
  enum class Kind { CLibrary, Machine, Finding, MissingVersion, Version, Library, Isa, Symbol, Interpreter };
  Kind kind = Kind::Version;
  std::string name;       // "glibc"; "aarch64"; "WC506 ..."; "GLIBC_2.34"; "libfoo.so.1"; "x86-64-v3"; a symbol
  std::string library;    // the library of a version or symbol; otherwise empty
  std::string member;     // path of the first file that requires it
  std::string symbol;     // of a version: the first import of that file that requires it; may be empty
  std::size_t files = 1;  // number of files that require it
  std::optional<SystemCondition> on = {};  // of a finding
};

enum class Runs {
  Yes,
  No,
  Depends,  // the table does not contain the answer: a library that no level allows, the CPU
};
std::string_view name_of(Runs runs);  // "yes"

// The result for one system.
struct SystemCompatibility {
  std::uint32_t system = 0;  // index into the span of systems
  Runs runs = Runs::Yes;
  std::vector<std::string> tags;     // tags of the file name for which pip installs the wheel on this system
  std::vector<std::uint32_t> lacks;  // indices into MachineCompatibility::required: what the system does not meet
  std::vector<std::uint32_t> open;   // indices into MachineCompatibility::required: what the table does not contain
};
// The results for one machine.
struct MachineCompatibility {
  Arch arch = Arch::Other;                   // Other: the wheel has no machine code, so that all machines are equal
  std::vector<SystemRequirement> required;   // by kind, then by family, newest first
  std::vector<SystemCompatibility> systems;  // those that support the machine; by distribution, oldest first
  // Indices into `required`: libraries that the systems offer, but that a minimal installation does not have
  // (libGL.so.1, libatomic.so.1).
  std::vector<std::uint32_t> to_install;
};
struct WheelCompatibility {
  std::vector<MachineCompatibility> machines;  // that the wheel claims; if it claims none, those of its content
};
WheelCompatibility system_compatibility_of(const WheelReport& wheel, std::span<const KnownSystem> systems);

// True if pip (packaging.tags) accepts a wheel with that tag on that system. The newest pip is assumed, not the
// system's own.
bool pip_takes(const PlatformTag& tag, const KnownSystem& system, Arch arch);

}  // namespace wheelcheck
