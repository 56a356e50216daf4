// What must be true of a repaired wheel before it gets its name.
#pragma once

#include <string>

#include "repair/bundle_plan.h"
#include "repair/system_root.h"
#include "rewrite/output_file.h"
#include "rewrite/wheel_writer.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::app {

struct RepairedWheel {
  const WheelFacts& before;
  const WheelReport& after;
  const rewrite::Edits& edits;
  const repair::BundlePlan& plan;
  std::string libs_directory;
  const Policy& level;
  const RepairOptions& options;
};
// Every claimed tag is met, and the loader finds every library from every file that needs it.
Result<void> demand_compatible(const RepairedWheel& repaired);

// With --verify run: the loader of this machine loads every file.
Result<void> demand_loaded(const RepairedWheel& repaired, const rewrite::OutputFile& output, Arch arch,
                           repair::SystemRoot& root);

// With --disable-isa-ext-check, a sentence about the processors that the result needs; "" if all have it.
std::string instruction_set_note(const WheelReport& after);

}  // namespace wheelcheck::app
