// WC726: the first line of a script names an interpreter that users do not have. Installers replace it only where the
// line begins with "#!python" (pip: operations/install/wheel.py, fix_script).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::script_interpreter {
namespace {

// Directories of the system.
constexpr std::string_view system_directories[] = {"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"};

struct Fault {
  std::string what;
  bool fails = false;  // the script cannot be started
};

// Nothing for a script that starts.
std::optional<Fault> fault_of(const ScriptLine& script) {
  std::string_view line = script.interpreter;
  if (line.starts_with("python")) return std::nullopt;
  line = trim(line);
  const std::string_view program = line.substr(0, line.find_first_of(" \t"));
  // The kernel takes the carriage return for the last character of the interpreter, or of its argument.
  if (script.carriage_return)
    return Fault{
        fmt::format("begins with \"#!{}\" and a carriage return, which the kernel takes for a part of the name",
                    escape(line, 100)),
        true};
  if (program.empty()) return std::nullopt;
  if (!program.starts_with('/'))
    return Fault{fmt::format("begins with \"#!{}\", which is no absolute path", escape(program, 100)), true};
  const std::string_view directory = program.substr(0, program.rfind('/'));
  if (std::ranges::find(system_directories, directory) == std::end(system_directories))
    return Fault{fmt::format("begins with \"#!{}\", a path of the machine that built the wheel", escape(program, 100)),
                 true};
  const std::string_view name = base_name(program);
  if (name.starts_with("python") || name.starts_with("pypy"))
    return Fault{fmt::format("begins with \"#!{}\", the Python of the system", escape(program, 100)), false};
  return std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  if (view.wheel.size == 0) return;  // installers have replaced the line of an installed script
  for (const ScriptLine& script : view.wheel.script_lines) {
    const std::string path = view.wheel.members[script.member.value].path.text();
    if (path.find('/', path.find("/scripts/") + 9) != path.npos) continue;  // not a command
    const auto fault = fault_of(script);
    if (!fault) continue;
    emit({.place = AtPath{path},
          .message = fmt::format("{}: {}", fault->what,
                                 fault->fails ? "the script cannot be started"
                                              : "in a virtual environment the script does not find its modules"),
          .evidence = {},
          .fix = "begin the script with \"#!python\", which installers replace, or make the command an entry point "
                 "([project.scripts])",
          .severity = fault->fails ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC726",
    .name = "script-interpreter",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::script_interpreter
