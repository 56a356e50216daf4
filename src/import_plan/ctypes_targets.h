// Which files of an installation a call of ctypes or cffi in its Python code would open.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/installation.h"

namespace wheelcheck::import_plan {

struct Named {
  process::ObjectIndex object;
  bool by_path = false;  // else dlopen has to search for the name as it is written
};
// library: PythonCall::library, `*` for what is not known, of a call in that file. By path; empty where no file of the
// installation is meant, or too many may be.
std::vector<Named> libraries_named(const Installation& installation, PartyIndex party, MemberIndex file,
                                   std::string_view library);

}  // namespace wheelcheck::import_plan
