// Processors by name, and whether the import of a wheel ends on one of them with SIGILL. The table is
// data/processors.txt (docs/runs-on.md, "Processors"). Only code for x86-64 and AArch64 is judged.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"
#include "wheelcheck/system_compatibility.h"

namespace wheelcheck {

struct KnownProcessor {
  std::vector<std::string> names;     // "core2", "core2duo"
  Arch arch = Arch::x86_64;           // or aarch64
  std::vector<std::string> features;  // StartupInstruction::feature
  std::vector<std::string> options;   // features that only some of these processors have
};
// The processors with these names, in any case. Error: Usage for a name that is not known, with a similar one.
Result<std::vector<KnownProcessor>> find_processors(std::span<const std::string> names);

// What a file asks of a processor that lacks it.
struct LackingFeature {
  enum class When {
    Import,   // its import executes the instruction
    Refused,  // glibc 2.33 and newer does not load the file (GNU property)
    Maybe,    // its import can reach the instruction
    Call,     // the code has instructions of the feature, and nothing in the file tests the processor
  };
  When when = When::Import;
  ElfIndex file;
  std::string feature;      // "AVX"; of Refused, a level: "x86-64-v3"
  std::string instruction;  // of Import and Maybe; may be ""
  std::string function;     // the exported function in which it is; "" if there is none
  std::string entry;        // of Import and Maybe: where the import enters the file
  std::uint64_t address = 0;
};
struct ProcessorCompatibility {
  Runs runs = Runs::Yes;                // No: the import ends. Depends: it may, a call may, or code was not read
  std::size_t files = 0;                // with code for the machine
  std::vector<LackingFeature> lacking;  // what ends the import first
  std::vector<ElfIndex> unread;         // files whose code could not be followed to its end
  std::vector<Arch> not_judged;         // machines of other code in the wheel; sorted
};
ProcessorCompatibility processor_compatibility_of(const WheelReport& wheel, const KnownProcessor& processor);

}  // namespace wheelcheck
