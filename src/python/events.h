// What each piece of a file does when it runs, told without the file's syntax: what imports are followed by.
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

// What was found out about the calls of a model; sites are indices into Model::sites.
struct Found {
  std::vector<std::pair<PythonCall, std::uint32_t>> calls;  // with the site of each
  std::vector<Values> callees;                              // by site: functions and classes, of this file or of others
  std::map<std::uint32_t, Values> sets;                     // what sys.setdlopenflags is given
  std::set<std::uint32_t> saves;                            // calls of sys.getdlopenflags
};

// Fills units, events and conditions.
void add_events(const Model& model, const Found& found, PythonFile& file);

}  // namespace wheelcheck::python
