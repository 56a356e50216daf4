// entry_points.txt of *.dist-info (PyPA specification "Entry points"). Installers write a script for each entry of
// [console_scripts] and [gui_scripts], so a name with a '/' leads out of the directory of the scripts, and a value that
// is not MODULE:OBJECT makes pip or uv stop.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct EntryPoints {
  // What is wrong with the scripts that the file names, and with lines that readers split in different ways.
  std::vector<WheelFlaw> flaws;
  std::vector<ScriptEntry> scripts;  // that installers write
};
// `members`: of the wheel; a script may be there already.
EntryPoints read_entry_points(std::string_view text, MemberIndex member, std::string_view path,
                              const std::vector<MemberFacts>& members = {});

// python, pythonw, python3, python3.11: uv reserves these names, pip replaces the interpreter of the environment.
bool is_interpreter(std::string_view name);

}  // namespace wheelcheck::wheel
