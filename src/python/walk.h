// Builds the model of a file from its syntax tree: the bindings of names, the code that can run on Linux, and the
// calls.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include "python/evaluate.h"
#include "python/model.h"

namespace wheelcheck::python {

// Nesting limit; deeper statements and expressions are not read. Python's own compiler allows 100 levels of indentation
// and 200 of brackets.
inline constexpr std::uint32_t deepest_node = 300;

class Walker {
 public:
  explicit Walker(Model& model) : model_(model), syntax_(model.syntax), evaluator_(model) {}
  void walk();  // the module, then every function in it
  bool is_cut() const { return evaluator_.is_cut(); }

 private:
  struct Context {
    UnitId unit = 0;
    ScopeId scope = 0;
    Reach reach = Reach::Certain;
    bool conditional = false;  // a binding here is conditional
    std::uint32_t depth = 0;
    Reach given = Reach::Certain;  // as `reach`, given that `condition` is true
    std::uint32_t attempt = none;  // see Happening
    std::uint32_t condition = none;

    void lower(Reach to) {
      reach = std::min(reach, to);
      given = std::min(given, to);
    }
  };
  // The body of a `try` ran to its end, or did not.
  struct Decision {
    std::uint32_t attempt;
    bool succeeds;
  };
  // The state after a statement. Leaves: return, break, continue; Fails: raise.
  enum class Flow { GoesOn, Leaves, Fails };

  Flow block(NodeId node, Context context);
  Flow statement(NodeId node, Context& context);
  Flow if_statement(NodeId node, Context& context);
  Flow try_statement(NodeId node, Context& context);
  void loop(NodeId node, Context context);
  Flow with(NodeId node, const Context& context);
  void function(NodeId node, const Context& context);
  void class_body(NodeId node, const Context& context);
  void import(NodeId node, const Context& context);
  void import_from(NodeId node, const Context& context);
  void globals(NodeId node, const Context& context);
  void parameters(UnitId unit, NodeId node, ScopeId defaults);

  void expression(NodeId node, Context context);
  void children(NodeId node, const Context& context);
  void assignment(NodeId node, const Context& context);
  void augmented(NodeId node, const Context& context);
  void either(NodeId node, Context context);
  void comprehension(NodeId node, Context context);
  void lambda(NodeId node, Context context);
  std::uint32_t site(NodeId node, const Context& context, bool in_with = false);
  void happen(PythonAction action, NodeId node, std::uint32_t site, const Context& context);
  void appended(NodeId node, const Context& context);

  Truth truth(NodeId node, const Context& context);
  static void go_behind(Truth truth, Context& context);
  std::optional<Decision> decided_by(NodeId condition, const Context& context);
  std::uint32_t condition(Decision decision, std::uint32_t outer);
  void assign(NodeId target, Binding binding, const Context& context);
  void bind(std::string_view name, ScopeId scope, Binding binding);
  Binding binding(Binding::Form form, NodeId node, const Context& context) const;
  ScopeId new_scope(ScopeId parent, bool is_class = false, ScopeId owner = none);

  Model& model_;
  const Syntax& syntax_;
  Evaluator evaluator_;
  std::deque<UnitId> functions_;  // not walked yet
};

}  // namespace wheelcheck::python
