// One file as names and who binds them, functions and who calls them. Made by walk.cpp, asked by evaluate.cpp.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "python/syntax.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

using ScopeId = std::uint32_t;
using UnitId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

struct Binding {
  enum class Form : std::uint8_t {
    Value,      // = node
    Element,    // for name in node
    Appended,   // name.append(node)
    Extended,   // name.extend(node)
    Augmented,  // name op= node
    Dotted,     // import
    Function,   // ref: unit
    Class,      // ref: scope
    Parameter,  // ref: unit; node: the default; item: its position
    Unknown,
  };
  Form form = Form::Unknown;
  bool conditional = false;    // the name may keep what it was before
  std::uint32_t position = 0;  // byte of the source from which on it holds
  NodeId node = no_node;
  ScopeId scope = 0;          // in which `node` is to be read
  std::uint32_t ref = none;   // see the forms
  std::uint32_t item = none;  // of a tuple that is taken apart
  std::string dotted;
  std::string_view op;
  std::uint32_t attempt = none;  // see Happening
  std::uint32_t condition = none;
};

// `return` is kept as a name too: what a function may give.
struct Scope {
  ScopeId parent = none;
  bool is_class = false;
  ScopeId owner = none;        // of a method: its class
  std::string_view name = {};  // of a class at module level
  std::unordered_map<std::string_view, std::vector<Binding>> names;
  std::set<std::string_view> globals;
};

struct CallSite {
  NodeId node = no_node;  // a call, or `loader["name"]`
  UnitId unit = 0;
  ScopeId scope = 0;
  Reach reach = Reach::Certain;  // once its unit runs
  bool in_with = false;          // with node: ...
};

struct Unit {  // the module, or a function
  NodeId node = 0;
  ScopeId scope = 0;
  Reach reach = Reach::Possible;
  std::vector<std::uint32_t> callers;  // into Model::sites
  std::string name = {};               // as other files say it
};

// Something that executing a unit does, in order.
struct Happening {
  PythonAction action = PythonAction::Call;
  NodeId node = no_node;      // the import statement; of Import from a call: the call
  std::uint32_t site = none;  // into Model::sites; of Call, Enter, Leave
  UnitId unit = 0;
  Reach reach = Reach::Certain;    // once its unit runs and its condition holds
  std::uint32_t attempt = none;    // number of the innermost `try` with handlers whose body holds it
  std::uint32_t condition = none;  // into Model::conditions
};

struct Model {
  const Syntax& syntax;
  bool everything = true;  // the whole file, not only what is left of code that loads libraries
  std::vector<Scope> scopes;
  std::vector<Unit> units;  // the module first
  std::vector<CallSite> sites;
  std::vector<std::string> stars;          // modules of `from x import *`
  std::vector<Happening> happenings = {};  // by unit, in order
  std::vector<PythonCondition> conditions = {};
  std::uint32_t attempts = 0;
  bool complete = false;  // all bindings and callers are known
};

}  // namespace wheelcheck::python
