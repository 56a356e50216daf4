// The plan of the modules: which modules each module may use, where each third-party library may be used, and how data
// flows through the modules.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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

// Name of a third-party library by the first folder of its headers, or by the header itself.
const std::map<std::string, std::string>& third_party_of_folder();

// The module with the longest name that contains `file`: "src/policy/authoring/derive.cpp" belongs to
// "policy/authoring". Empty for a file of no module.
std::string module_of(std::string_view file);

// All modules that `module` may link.
Names may_link(const std::string& module);

// The modules by layer: each module uses only modules of lower layers. Fails a test if the plan has a cycle.
std::map<std::size_t, Names> layers();

// One step of the data flow: what a module makes of what. A name that begins with a capital letter is a type of
// include/wheelcheck; another is a kind of file or a word for data that has no such type.
struct Step {
  std::vector<std::string> from;
  std::string module;
  std::string to;
};
// In an order in which each step takes only the results of earlier ones and what comes from outside.
const std::vector<Step>& data_flow();
const Names& from_outside();

}  // namespace wheelcheck::meta
