// A load plan: what one process opens, in which order, with which flags, and who says so. Made from the wheels' own
// Python code and the user's words; process.h plays it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/process.h"
#include "wheelcheck/python.h"

namespace wheelcheck {

// Why a library is opened with flags that are not Python's default (RTLD_NOW | RTLD_LOCAL).
struct FlagSource {
  enum class By {
    Python,       // a call in the Python code of a party
    CommandLine,  // --global, --dlopen-flags, a plan file
    Known,        // a table of publishers whose code cannot be read
    Code,         // a call of dlopen in the machine code of a party: `file` is the ELF file, without a line
  };
  By by = By::Python;
  PartyIndex party = {};
  std::optional<MemberIndex> file = {};  // of Python; the file that makes the call take effect
  std::uint32_t line = 0;
  std::string text = {};  // the call as written, or what the user wrote
  Reach reach = Reach::Certain;
};

// What process::Open leaves out; one for each open of the plan.
struct PlannedOpen {
  std::optional<process::ObjectIndex> object;  // nullopt: a name that no file of the installation has
  std::optional<PartyIndex> party;             // nullopt: the standard library's
  std::string module;                          // dotted name of an extension module; "" for other libraries
  std::optional<FlagSource> flags;
  // Nothing says that it is opened when the distribution is imported: a library that is nobody's dependency, a module
  // of a subpackage that the walk does not reach, a module of the standard library.
  bool maybe = false;
  bool in_code = false;  // by machine code, whose caller may do without: a failure does not end the import
};

struct LoadPlan {
  std::vector<PartyIndex> order;                // parties as they are imported
  process::Plan plan;                           // a step for each party, then one for the standard library
  std::vector<std::vector<PlannedOpen>> opens;  // by step, then by open
  // A distribution comes before one that it requires: what its Python code does not import first is not there yet.
  bool dependant_first = false;
};

enum class ImportOrder {
  Given,  // the parties in the order given
  Both,   // and the other way round: two load plans
};
struct LoadPlanOptions {
  std::optional<ImportOrder> order;           // absent: Both for up to six parties, else Given
  std::vector<std::string> imports;           // --import a.b: only these modules, in this order, and what they import
  std::vector<std::string> global;            // --global WHEEL::MEMBER, globs: opened with RTLD_GLOBAL
  std::optional<std::uint32_t> dlopen_flags;  // --dlopen-flags: of every import, RTLD_* bits of glibc's dlfcn.h
  bool possible =
      false;           // also what the code does only under conditions (Reach::Possible); default: likely and certain
  bool stdlib = true;  // the last step opens the extension modules of the standard library
};
// Error: Usage, where the user names what is not there.
Result<std::vector<LoadPlan>> tell(const Installation& installation, const LoadPlanOptions& options);

}  // namespace wheelcheck
