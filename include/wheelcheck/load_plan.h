// A load plan: which files one process opens, in which order, and with which flags. plan_imports derives it from the
// Python code of the distributions and from the user's options; the loader model (process.h) runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/process.h"
#include "wheelcheck/python.h"

namespace wheelcheck {

// The reason why a library is opened with other flags than Python's default (RTLD_NOW | RTLD_LOCAL).
struct FlagSource {
  enum class By {
    Python,       // a call in the Python code of a distribution
    CommandLine,  // --global, --dlopen-flags, a plan file
    Known,        // a table of publishers whose code cannot be analysed
    Code,         // a call of dlopen in the machine code of a distribution: `file` is the ELF file, without a line
  };
  By by = By::Python;
  DistributionIndex distribution = {};
  std::optional<MemberIndex> file = {};  // of Python: the file whose import runs the call
  std::uint32_t line = 0;
  std::string text = {};  // the call as written, or the user's option
  Reach reach = Reach::Certain;
};

// More about one process::Open of the plan.
struct PlannedOpen {
  // nullopt: a name that is not a file of the installation.
  std::optional<process::ObjectIndex> object;
  std::optional<DistributionIndex> distribution;  // nullopt: of the standard library
  std::string module;                             // dotted name of an extension module; "" for other libraries
  std::optional<FlagSource> flags;
  // It is not known that the import of the distribution opens it. Examples are a library that no other file needs, a
  // module of a subpackage that is not imported, and a module of the standard library.
  bool maybe = false;
  bool in_code = false;  // by machine code, whose caller may do without: a failure does not end the import
  bool tried = false;    // by Python code that catches a failure
};

struct LoadPlan {
  std::vector<DistributionIndex> order;         // the distributions in the order of import
  std::string module;                           // not empty: of the first, only this module is imported
  process::Plan plan;                           // one step per distribution, then one for the standard library
  std::vector<std::vector<PlannedOpen>> opens;  // by step, then by open
  // A distribution is imported before one that it requires. Files of the required distribution that its Python code
  // does not import first are then not yet loaded.
  bool dependant_first = false;
  std::string cut;  // not empty: the walk through the imports ended at this limit
};

enum class ImportOrder {
  Given,  // the distributions in the order given
  Both,   // also in the reverse order: two load plans
};
// The user's options.
struct LoadPlanOptions {
  std::optional<ImportOrder> order;           // nullopt: Both for up to six distributions, otherwise Given
  std::vector<DistributionIndex> first;       // in this order; others are only what these require; empty: all
  std::vector<std::string> imports;           // --import a.b: only these modules, in this order, and what they import
  std::vector<std::string> global;            // --global WHEEL::MEMBER: globs of files that are opened with RTLD_GLOBAL
  std::optional<std::uint32_t> dlopen_flags;  // --dlopen-flags: flags of every import, RTLD_* bits of glibc's dlfcn.h
  // Include what the code does only under a condition (Reach::Possible). Default: only likely and certain.
  bool possible = false;
  bool stdlib = true;  // the last step opens the extension modules of the standard library
};
// The load plans of an installation: one or two, by ImportOrder; without one also a few in which a certain distribution
// or module is first. Error: Usage, if an option names something that does not exist.
Result<std::vector<LoadPlan>> plan_imports(const Installation& installation, const LoadPlanOptions& options);

}  // namespace wheelcheck
