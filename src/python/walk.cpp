// Walks the statements of a file.
#include "python/walk.h"

#include <algorithm>
#include <utility>

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t work_of_condition = 300;
constexpr std::size_t max_conditions = 10'000;

// The reach of code under a condition with that truth.
Reach behind(Truth truth, Reach reach) {
  if (truth == Truth::Environment) return Reach::Possible;
  return truth == Truth::True ? reach : std::min(reach, Reach::Likely);
}
bool is_open(Truth truth) { return truth != Truth::True && truth != Truth::False; }

}  // namespace

void Walker::walk() {
  new_scope(none);
  model_.units.push_back({.node = 0, .scope = 0, .reach = Reach::Certain, .callers = {}});
  block(0, {});
  while (!functions_.empty()) {
    const UnitId unit = functions_.front();
    functions_.pop_front();
    block(syntax_.child(model_.units[unit].node, Field::Body), {.unit = unit, .scope = model_.units[unit].scope});
  }
  model_.complete = true;
}

ScopeId Walker::new_scope(ScopeId parent, bool is_class, ScopeId owner) {
  Scope scope;
  scope.parent = parent;
  scope.is_class = is_class;
  scope.owner = owner;
  model_.scopes.push_back(std::move(scope));
  return static_cast<ScopeId>(model_.scopes.size() - 1);
}

void Walker::go_behind(Truth truth, Context& context) {
  context.reach = behind(truth, context.reach);
  context.given = behind(truth, context.given);
}

// Detects `if flag:` where the value of flag shows whether the body of a `try` ran to its end.
std::optional<Walker::Decision> Walker::decided_by(NodeId condition, const Context& context) {
  if (model_.attempts == 0) return std::nullopt;
  const std::uint32_t attempt = evaluator_.attempt_behind(condition, context.scope);
  if (attempt == none) return std::nullopt;
  const Truth success = evaluator_.truth_if(condition, context.scope, work_of_condition, attempt, true);
  const Truth failure = evaluator_.truth_if(condition, context.scope, work_of_condition, attempt, false);
  if (success == Truth::True && failure == Truth::False) return Decision{attempt, true};
  if (success == Truth::False && failure == Truth::True) return Decision{attempt, false};
  return std::nullopt;
}

std::uint32_t Walker::condition(Decision decision, std::uint32_t outer) {
  if (model_.conditions.size() >= max_conditions) return outer;
  model_.conditions.push_back({.attempt = decision.attempt, .succeeds = decision.succeeds, .outer = outer});
  return static_cast<std::uint32_t>(model_.conditions.size() - 1);
}

Truth Walker::truth(NodeId node, const Context& context) {
  return evaluator_.truth(node, context.scope, work_of_condition);
}

// --- statements ---------------------------------------------------------------------------------------------------
Walker::Flow Walker::block(NodeId node, Context context) {
  if (node == no_node || ++context.depth > deepest_node) return Flow::GoesOn;
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    const Flow flow = statement(id, context);
    if (flow != Flow::GoesOn) return flow;
  }
  return Flow::GoesOn;
}

Walker::Flow Walker::statement(NodeId node, Context& context) {
  switch (syntax_.kind(node)) {
    case NodeKind::If:
      return if_statement(node, context);
    case NodeKind::Try:
      return try_statement(node, context);
    case NodeKind::With:
      return with(node, context);
    case NodeKind::For:
    case NodeKind::While:
      loop(node, context);
      return Flow::GoesOn;
    case NodeKind::Function:
      function(node, context);
      return Flow::GoesOn;
    case NodeKind::Class:
      class_body(node, context);
      return Flow::GoesOn;
    case NodeKind::Import:
      import(node, context);
      return Flow::GoesOn;
    case NodeKind::ImportFrom:
      import_from(node, context);
      return Flow::GoesOn;
    case NodeKind::Global:
      globals(node, context);
      return Flow::GoesOn;
    case NodeKind::Return: {
      const NodeId given = syntax_.child(node, std::size_t{0});
      expression(given, context);
      Binding binding = this->binding(Binding::Form::Value, given, context);
      binding.conditional = true;
      if (given != no_node) bind("return", context.scope, std::move(binding));
      return Flow::Leaves;
    }
    case NodeKind::Leave:
      children(node, context);
      return syntax_.text(node).starts_with("raise") ? Flow::Fails : Flow::Leaves;
    default:
      expression(node, context);
      return Flow::GoesOn;
  }
}

// Skips branches that cannot run on Linux, and the code after a branch that certainly runs and leaves.
Walker::Flow Walker::if_statement(NodeId node, Context& context) {
  Context rest = context;  // for the branches that follow
  Truth left_by = Truth::False;
  Flow all = Flow::Leaves;
  bool covered = false;
  for (NodeId clause = node; clause != no_node;) {
    const bool is_else = syntax_.kind(clause) == NodeKind::Else;
    const NodeId condition = syntax_.child(clause, Field::Condition);
    const Truth truth = is_else ? Truth::True : this->truth(condition, rest);
    if (!is_else) expression(condition, rest);
    Context inside = rest;
    go_behind(truth, inside);
    inside.conditional = rest.conditional || is_open(truth);
    std::optional<Decision> decision;
    if (truth == Truth::Unknown || (truth == Truth::True && !is_else)) decision = decided_by(condition, rest);
    if (decision) {
      inside.given = rest.given;
      inside.condition = this->condition(*decision, rest.condition);
    }
    Flow flow = Flow::GoesOn;
    if (truth != Truth::False) {
      flow = block(syntax_.child(clause, is_else ? Field::Body : Field::Consequence), inside);
      if (flow == Flow::GoesOn) all = Flow::GoesOn;
    }
    if (truth == Truth::True) {
      covered = true;
      break;
    }
    if (flow == Flow::Leaves && truth != Truth::False) left_by = left_by == Truth::False ? truth : Truth::Unknown;
    const Reach given = rest.given;
    if (is_open(truth)) go_behind(!truth, rest);
    if (decision) {
      rest.given = given;
      rest.condition = this->condition({decision->attempt, !decision->succeeds}, rest.condition);
    }
    rest.conditional = rest.conditional || is_open(truth);
    clause = clause == node ? syntax_.child(node, Field::Alternative) : syntax_[clause].next;
    while (clause != no_node && syntax_[clause].field != Field::Alternative) clause = syntax_[clause].next;
  }
  if (covered && all != Flow::GoesOn) return all;
  if (is_open(left_by)) {
    go_behind(!left_by, context);
    context.conditional = true;
  }
  return Flow::GoesOn;
}

Walker::Flow Walker::try_statement(NodeId node, Context& context) {
  bool handled = false;
  for (NodeId clause = syntax_[node].first; clause != no_node; clause = syntax_[clause].next)
    handled = handled || syntax_.kind(clause) == NodeKind::Except;
  Context tried = context, handler = context;
  handler.reach = behind(Truth::Unknown, context.reach);
  handler.conditional = true;
  if (handled) {
    tried.attempt = model_.attempts++;
    handler.condition = condition({tried.attempt, false}, context.condition);
  }
  const Flow body = block(syntax_.child(node, Field::Body), tried);
  Flow last = Flow::GoesOn;
  bool all_leave = handled;  // quietly: what follows runs only without an exception
  bool all_fail = handled;
  for (NodeId clause = syntax_[node].first; clause != no_node; clause = syntax_[clause].next) {
    const NodeKind kind = syntax_.kind(clause);
    if (kind == NodeKind::Else && body == Flow::GoesOn) {
      Context otherwise = context;
      if (handled) otherwise.condition = condition({tried.attempt, true}, context.condition);
      last = block(syntax_.child(clause, Field::Body), otherwise);
    }
    if (kind != NodeKind::Except && kind != NodeKind::Finally) continue;
    for (NodeId part = syntax_[clause].first; part != no_node; part = syntax_[part].next) {
      if (syntax_.kind(part) == NodeKind::Block) {
        const Flow flow = block(part, kind == NodeKind::Except ? handler : context);
        all_leave = all_leave && (kind != NodeKind::Except || flow == Flow::Leaves);
        all_fail = all_fail && (kind != NodeKind::Except || flow == Flow::Fails);
      } else {
        expression(part, handler);
      }
    }
  }
  if (all_fail) model_.passed_on.emplace(tried.attempt, context.attempt);
  const Flow flow = body == Flow::GoesOn ? last : body;
  if (flow == Flow::GoesOn && all_leave) context.condition = condition({tried.attempt, true}, context.condition);
  if (flow == Flow::GoesOn || !handled) return flow;
  context.reach = handler.reach;  // the following code runs only after an exception
  context.condition = handler.condition;
  context.conditional = true;
  return Flow::GoesOn;
}

void Walker::loop(NodeId node, Context context) {
  Truth runs = Truth::Unknown;
  if (syntax_.kind(node) == NodeKind::While) {
    const NodeId condition = syntax_.child(node, Field::Condition);
    expression(condition, context);
    runs = truth(condition, context);
  } else {
    const NodeId over = syntax_.child(node, Field::Right);
    expression(over, context);
    assign(syntax_.child(node, Field::Left), binding(Binding::Form::Element, over, context), context);
    const Values values = evaluator_.evaluate(over, context.scope, work_of_condition);
    // A list with items is not empty, so the loop runs.
    if (truth_of(values) == Truth::True) runs = Truth::True;
  }
  Context inside = context;
  go_behind(runs, inside);
  inside.conditional = true;
  const NodeId body = syntax_.child(node, Field::Body);
  if (runs != Truth::False) block(body, inside);
  inside = context;
  go_behind(Truth::Unknown, inside);
  inside.conditional = true;
  // `else` runs if nothing was found: a library that is searched for by a system name after the directory of the wheel.
  if (runs != Truth::False && body != no_node && syntax_.text(body).contains("break"))
    inside.reach = inside.given = Reach::Possible;
  block(syntax_.child(syntax_.child(node, Field::Alternative), Field::Body), inside);
}

Walker::Flow Walker::with(NodeId node, const Context& context) {
  const NodeId clause = syntax_.child(node, std::size_t{0});
  std::vector<std::uint32_t> entered;
  Context inside = context;
  for (NodeId item = clause == no_node ? no_node : syntax_[clause].first; item != no_node; item = syntax_[item].next) {
    if (syntax_.kind(item) != NodeKind::WithItem) continue;
    NodeId value = syntax_.child(item, Field::Value);
    NodeId target = no_node;
    if (syntax_.kind(value) == NodeKind::AsPattern) {
      target = syntax_.child(syntax_.child(value, Field::Alias), std::size_t{0});
      value = syntax_.child(value, std::size_t{0});
    }
    if (syntax_.kind(value) == NodeKind::Call) {
      const std::uint32_t call = site(value, context, true);
      children(value, context);
      happen(PythonAction::Enter, value, call, context);
      entered.push_back(call);
      // contextlib.suppress is a `try` with a handler that does nothing.
      if (syntax_.text(syntax_.child(value, Field::Function)).ends_with("suppress")) inside.attempt = model_.attempts++;
    } else {
      expression(value, context);
    }
    if (target != no_node) assign(target, binding(Binding::Form::Unknown, no_node, context), context);
  }
  const Flow flow = block(syntax_.child(node, Field::Body), inside);
  for (auto call = entered.rbegin(); call != entered.rend(); ++call)
    happen(PythonAction::Leave, model_.sites[*call].node, *call, context);
  return flow;
}

void Walker::function(NodeId node, const Context& context) {
  const bool method = model_.scopes[context.scope].is_class;
  const ScopeId scope = new_scope(context.scope, false, method ? context.scope : none);
  const auto unit = static_cast<UnitId>(model_.units.size());
  model_.units.push_back({.node = node, .scope = scope, .reach = Reach::Possible, .callers = {}});
  const std::string_view name = syntax_.text(syntax_.child(node, Field::Name));
  if (context.scope == 0) model_.units.back().name = name;
  if (method && !model_.scopes[context.scope].name.empty())
    model_.units.back().name = std::string(model_.scopes[context.scope].name) + '.' + std::string(name);
  Binding named = binding(Binding::Form::Function, no_node, context);
  named.ref = unit;
  bind(name, context.scope, std::move(named));
  const NodeId given = syntax_.child(node, Field::Parameters);
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next)
    if (id == given)
      children(id, context);
    else if (syntax_[id].field == Field::None)
      expression(id, context);  // the annotation of the result
  parameters(unit, given, context.scope);
  functions_.push_back(unit);
}

void Walker::parameters(UnitId unit, NodeId node, ScopeId defaults) {
  const ScopeId scope = model_.units[unit].scope;
  // A call does not contain the object that a method is called on.
  std::uint32_t at = model_.scopes[scope].owner == none ? 0 : UINT32_MAX;
  for (NodeId id = node == no_node ? no_node : syntax_[node].first; id != no_node; id = syntax_[id].next) {
    NodeId name = id;
    if (syntax_.kind(id) == NodeKind::DefaultParameter) name = syntax_.child(id, Field::Name);
    if (syntax_.kind(id) == NodeKind::TypedParameter) name = syntax_.child(id, std::size_t{0});
    if (syntax_.kind(name) != NodeKind::Identifier) continue;
    Binding binding{.form = Binding::Form::Parameter, .position = syntax_[id].begin, .scope = defaults, .ref = unit};
    binding.node = syntax_.child(id, Field::Value);
    binding.item = at++;
    binding.dotted = syntax_.text(name);
    bind(syntax_.text(name), scope, std::move(binding));
  }
}

void Walker::class_body(NodeId node, const Context& context) {
  expression(syntax_.child(node, Field::Superclasses), context);
  Context inside = context;
  inside.scope = new_scope(context.scope, true);
  Binding named = binding(Binding::Form::Class, no_node, context);
  named.ref = inside.scope;
  if (context.scope == 0) model_.scopes[inside.scope].name = syntax_.text(syntax_.child(node, Field::Name));
  bind(syntax_.text(syntax_.child(node, Field::Name)), context.scope, std::move(named));
  block(syntax_.child(node, Field::Body), inside);
}

}  // namespace wheelcheck::python
