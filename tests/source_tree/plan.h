// The plan of the modules: which module may use which, and where each third-distribution library may be used.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace wheelcheck::meta {

using Names = std::set<std::string>;

struct Module {
  std::string purpose;  // the last column of docs/architecture.md
  Names modules;        // may be included and linked
  Names third_parties;  // may be included
  Names headers = {};   // single headers that may be included of a module that is not in `modules`
  Names linked = {};    // modules reached only through functions that include/wheelcheck declares
};

// By name: the module's folder below src/, or "include/wheelcheck".
const std::map<std::string, Module>& plan();

// Name of a third-distribution library by the first folder of its headers, or by the header itself.
const std::map<std::string, std::string>& third_party_of_folder();

// The module with the longest name that contains `file`: "src/policy/authoring/derive.cpp" is of "policy/authoring".
// Empty for a file of no module.
std::string module_of(std::string_view file);

// All modules that `module` may link.
Names may_link(const std::string& module);

// The modules by layer: each module uses only modules of lower layers. Fails a test if the plan has a cycle.
std::map<std::size_t, Names> layers();

}  // namespace wheelcheck::meta
