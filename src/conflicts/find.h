// The functions of the conflict analysis, in the order of their use: builds an Installation, which places the files of
// distributions as an installer would and adds the interpreter and the platform; changes it; finds its conflicts.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/load_plan.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::conflicts {

// Files for another machine than that of the first extension module, and files that no loader maps, are not added to
// the world. If two distributions have the same path, the first one's file is used. Errors: as add_runtime.
Result<Installation> install(std::vector<Distribution> distributions, const RuntimeInput& around);

// --- whether distributions can be in one process ------------------------------------------------------------------

// The C library of the process; glibc if the wheels do not determine it. Error: Usage for wheels of another operating
// system, of Python 2 alone, of different machines or C libraries, or for a C library whose loader is not modelled. A
// result for them would have no basis.
Result<Libc> can_share_a_process(std::span<const WheelFacts> wheels);

// --- the CPython releases, as far as the tags determine them ------------------------------------------------------

// From the tags of PEP 425: cp312-cp312 is only for 3.12, cp312-abi3 is for 3.12 and later, py3-none for all. Tags of
// other interpreters and of Python 2 are ignored.
PythonReleases pythons_of(const WheelName& name);

// The releases that all distributions are for. If there is none, the newest one that a distribution requires.
PythonReleases pythons_of(std::span<const Distribution> distributions);

// --- Hypothetical fixes (--what-if): changes to the files of an installation before the load plans run. They show
// whether a fix works before anyone builds it.

// Each change is a text: "hide WHEEL::MEMBER NAMES" hides names, as a version script with `local:` does; "no-needed
// WHEEL::MEMBER SONAME" removes a DT_NEEDED entry, as patchelf --remove-needed does. All parts are patterns, and MEMBER
// may match the end of a path. Error: Usage for a text that cannot be parsed or matches no file.
Result<void> apply_what_if(Installation& installation, std::span<const std::string> changes);

// "dlopen-flags WHEEL FLAGS": what the Python code of the wheel opens is opened with these flags. FLAGS are the names
// of RTLD_* flags, separated by commas. Error: Usage, as above.
Result<void> apply_what_if(std::vector<LoadPlan>& load_plans, const Installation& installation,
                           std::span<const std::string> changes);

// "replace FILE": the wheel of that file is installed instead of the distribution of the same name. The files of all
// such changes, in their order.
std::vector<std::string> replacing_wheels(std::span<const std::string> changes);
// Puts the last `count` wheels in the places of those with their names. Error: Usage, if there is none.
Result<void> replace_wheels(std::vector<WheelFacts>& wheels, std::size_t count);

// --- The entry point of the conflict analysis.

// Converts a mangled name to the name in the source language.
using Demangle = std::string (*)(std::string_view);
// Plans in which each of these distributions is the first import of the process (import_plan/first_import.h).
using FirstImports = std::function<std::vector<LoadPlan>(const Installation&, std::span<const DistributionIndex>)>;
Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle, const FirstImports& first_imports = {});

}  // namespace wheelcheck::conflicts
