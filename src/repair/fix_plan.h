// What `wheelcheck fix` changes in a wheel: only what a finding asks for, and only if there is one right answer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rewrite/elf_edit.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::repair {

struct FixPlan {
  std::map<std::string, rewrite::ElfEdit, std::less<>> elfs;  // by path
  std::map<std::string, std::uint32_t, std::less<>> modes;    // by path
  bool wheel_tags = false;                                    // WHEEL gets the tags of the file name
  bool platlib = false;                                       // WHEEL gets Root-Is-Purelib: false
  bool record = false;               // the archive is written anew, with its RECORD, even without other changes
  std::vector<WheelChange> changes;  // by member
  std::set<std::size_t> fixed;       // into the wheel's findings
};
FixPlan plan_fixes(const WheelReport& wheel);

// Sets Finding::fixable.
void mark_fixable(WheelReport& wheel);

}  // namespace wheelcheck::repair
