// The model of one Python file: names and their bindings, functions and their callers. walk.cpp builds it from the
// syntax tree, and evaluate.cpp uses it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "python/syntax.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

using ScopeId = std::uint32_t;
using UnitId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;
// One place that binds a name.

struct Binding {
  enum class Form : std::uint8_t {
    Value,      // = node
    Element,    // for name in node
    Appended,   // name.append(node)
    Extended,   // name.extend(node)
    Augmented,  // name op= node
    Dotted,     // import
    Function,   // ref: the unit
    Class,      // ref: the scope
    Parameter,  // ref: the unit; node: the default; item: the position
    Unknown,
  };
  Form form = Form::Unknown;
  bool conditional = false;    // the name may keep its earlier value
  std::uint32_t position = 0;  // byte offset in the source from which it is valid
  NodeId node = no_node;
  ScopeId scope = 0;          // the scope in which `node` is evaluated
  std::uint32_t ref = none;   // depends on the form
  std::uint32_t item = none;  // index in a tuple that is unpacked
  std::string dotted;
  std::string_view op;
  std::uint32_t attempt = none;  // see Happening
  std::uint32_t condition = none;
};

// A scope. The name `return` contains the values that a function may return.
struct Scope {
  ScopeId parent = none;
  bool is_class = false;
  ScopeId owner = none;        // of a method: the scope of its class
  std::string_view name = {};  // name of a class at module level
  std::map<std::string_view, std::vector<Binding>> names;
  std::set<std::string_view> globals;
};

// One call.
struct CallSite {
  NodeId node = no_node;  // a call, or the subscript of `loader["name"]`
  UnitId unit = 0;
  ScopeId scope = 0;
  Reach reach = Reach::Certain;  // given that its unit runs
  bool in_with = false;          // it is the context of a `with`
};

// The body of the module or of a function.
struct Unit {
  NodeId node = 0;
  ScopeId scope = 0;
  Reach reach = Reach::Possible;
  std::vector<std::uint32_t> callers;  // indices into Model::sites
  std::string name = {};               // name for other files
};

// An action of a unit, in the order of execution.
struct Happening {
  PythonAction action = PythonAction::Call;
  NodeId node = no_node;      // the import statement, or the call that imports
  std::uint32_t site = none;  // index into Model::sites; of Call, Enter, Leave
  UnitId unit = 0;
  Reach reach = Reach::Certain;    // given that its unit runs and its condition is true
  std::uint32_t attempt = none;    // number of the innermost `try` with handlers whose body contains it
  std::uint32_t condition = none;  // index into Model::conditions
};

struct Model {
  const Syntax& syntax;
  bool everything = true;  // the whole file, not only what is left of code that loads libraries
  std::vector<Scope> scopes;
  std::vector<Unit> units;  // the module is first
  std::vector<CallSite> sites;
  std::vector<std::string> stars;          // modules of `from x import *`
  std::vector<Happening> happenings = {};  // by unit, in order
  std::vector<PythonCondition> conditions = {};
  std::uint32_t attempts = 0;
  // The `try` around each one whose handlers all raise: what its body opens fails as without it.
  std::map<std::uint32_t, std::uint32_t> passed_on;
  bool complete = false;  // all bindings and callers are entered
};

}  // namespace wheelcheck::python
