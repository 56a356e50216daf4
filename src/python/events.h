// Converts the model of a file to events (PythonEvent): what each function of the file does when it runs. Events do not
// refer to the syntax tree, and the import walk executes them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "python/model.h"
#include "python/value.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

// Results for the call sites of a model; sites are indices into Model::sites.
struct CallResults {
  std::vector<std::pair<PythonCall, std::uint32_t>> calls;  // each with its site
  std::vector<Values> callees;           // by site: functions and classes that may be called, of this file or of others
  std::map<std::uint32_t, Values> sets;  // by site: the argument of sys.setdlopenflags
  std::set<std::uint32_t> saves;         // sites that call sys.getdlopenflags
};

// Sets units, events and conditions of the file.
void add_events(const Model& model, const CallResults& found, PythonFile& file);

}  // namespace wheelcheck::python
