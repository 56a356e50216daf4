// The part of the walk that handles expressions: calls, and the few expressions that bind names or may not run. The
// second part handles bindings.

#include <algorithm>
#include <utility>

#include "python/walk.h"

namespace wheelcheck::python {

void Walker::children(NodeId node, const Context& context) {
  if (node == no_node) return;
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) expression(id, context);
}

void Walker::expression(NodeId node, Context context) {
  if (node == no_node || ++context.depth > deepest_node) return;
  switch (syntax_.kind(node)) {
    case NodeKind::Identifier:
    case NodeKind::Operator:
      return;
    // Statements inside other nodes: a decorated definition, the cases of a match, code with a syntax error.
    case NodeKind::If:
    case NodeKind::Try:
    case NodeKind::With:
    case NodeKind::For:
    case NodeKind::While:
    case NodeKind::Function:
    case NodeKind::Class:
    case NodeKind::Import:
    case NodeKind::ImportFrom:
    case NodeKind::Return:
      statement(node, context);
      return;
    case NodeKind::Block:
      block(node, context);
      return;
    case NodeKind::Case:
      context.lower(Reach::Likely);
      context.conditional = true;
      return children(node, context);
    case NodeKind::Call:
    case NodeKind::Subscript: {
      const std::uint32_t call = site(node, context);
      if (syntax_.kind(node) == NodeKind::Call) appended(node, context);
      children(node, context);
      return happen(PythonAction::Call, node, call, context);
    }
    case NodeKind::Yield:
      children(node, context);
      return happen(PythonAction::Pause, node, none, context);
    case NodeKind::Assignment:
      return assignment(node, context);
    case NodeKind::Augmented:
      return augmented(node, context);
    case NodeKind::Named: {
      const NodeId value = syntax_.child(node, Field::Value);
      expression(value, context);
      return assign(syntax_.child(node, Field::Name), binding(Binding::Form::Value, value, context), context);
    }
    case NodeKind::Boolean:
    case NodeKind::Conditional:
      return either(node, context);
    case NodeKind::Comprehension:
      return comprehension(node, context);
    case NodeKind::Lambda:
      return lambda(node, context);
    default:
      return children(node, context);
  }
}

void Walker::assignment(NodeId node, const Context& context) {
  const NodeId left = syntax_.child(node, Field::Left), right = syntax_.child(node, Field::Right);
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next)
    if (id != left) expression(id, context);  // the value, and an annotation
  if (right != no_node) assign(left, binding(Binding::Form::Value, right, context), context);
}

void Walker::augmented(NodeId node, const Context& context) {
  const NodeId right = syntax_.child(node, Field::Right);
  expression(right, context);
  Binding binding = this->binding(Binding::Form::Augmented, right, context);
  binding.op = syntax_.text(syntax_.child(node, Field::Operator));
  binding.op.remove_suffix(binding.op.empty() ? 0 : 1);  // removes the "=" of "|="
  assign(syntax_.child(node, Field::Left), std::move(binding), context);
}

std::uint32_t Walker::site(NodeId node, const Context& context, bool in_with) {
  model_.sites.push_back(
      {.node = node, .unit = context.unit, .scope = context.scope, .reach = context.reach, .in_with = in_with});
  return static_cast<std::uint32_t>(model_.sites.size() - 1);
}

void Walker::happen(PythonAction action, NodeId node, std::uint32_t site, const Context& context) {
  model_.happenings.push_back({.action = action,
                               .node = node,
                               .site = site,
                               .unit = context.unit,
                               .reach = context.given,
                               .attempt = context.attempt,
                               .condition = context.condition});
}

// names.append("x"): adds a possible item of the list.
void Walker::appended(NodeId node, const Context& context) {
  const NodeId function = syntax_.child(node, Field::Function);
  if (syntax_.kind(function) != NodeKind::Attribute) return;
  const std::string_view name = syntax_.text(syntax_.child(function, Field::Attribute));
  if (name != "append" && name != "extend") return;
  const NodeId argument = argument_of(syntax_, syntax_.child(node, Field::Arguments), 0, "");
  if (argument == no_node) return;
  const Binding::Form form = name == "append" ? Binding::Form::Appended : Binding::Form::Extended;
  assign(syntax_.child(function, Field::Object), binding(form, argument, context), context);
}

// `a and b`, `a or b`, `a if c else b`: some parts may not run.
void Walker::either(NodeId node, Context context) {
  const auto part = [&](NodeId id, Truth truth) {
    Context inside = context;
    if (truth == Truth::False) return;
    if (truth != Truth::True) {
      inside.lower(truth == Truth::Environment ? Reach::Possible : Reach::Likely);
      inside.conditional = true;
    }
    expression(id, inside);
  };
  if (syntax_.kind(node) == NodeKind::Conditional) {
    const NodeId condition = syntax_.child(node, std::size_t{1});
    const Truth truth = this->truth(condition, context);
    expression(condition, context);
    part(syntax_.child(node, std::size_t{0}), truth);
    return part(syntax_.child(node, std::size_t{2}), !truth);
  }
  const NodeId left = syntax_.child(node, Field::Left);
  const bool is_or = syntax_.text(syntax_.child(node, Field::Operator)) == "or";
  const Truth truth = this->truth(left, context);
  expression(left, context);
  part(syntax_.child(node, Field::Right), is_or ? !truth : truth);
}

void Walker::comprehension(NodeId node, Context context) {
  context.scope = new_scope(context.scope);
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    if (syntax_[id].field == Field::Body) continue;
    if (syntax_.kind(id) != NodeKind::ForIn) {
      context.lower(Reach::Likely);
      expression(id, context);
      continue;
    }
    const NodeId over = syntax_.child(id, Field::Right);
    expression(over, context);
    if (truth_of(evaluator_.evaluate(over, context.scope, 300)) != Truth::True) context.lower(Reach::Likely);
    Binding element = binding(Binding::Form::Element, over, context);
    assign(syntax_.child(id, Field::Left), std::move(element), context);
  }
  expression(syntax_.child(node, Field::Body), context);
}

// The body runs when the lambda is called; such calls are not searched for.
void Walker::lambda(NodeId node, Context context) {
  context.scope = new_scope(context.scope);
  context.lower(Reach::Possible);
  const NodeId given = syntax_.child(node, Field::Parameters);
  for (NodeId id = given == no_node ? no_node : syntax_[given].first; id != no_node; id = syntax_[id].next) {
    const NodeId name = syntax_.kind(id) == NodeKind::DefaultParameter ? syntax_.child(id, Field::Name) : id;
    if (syntax_.kind(name) == NodeKind::Identifier)
      bind(syntax_.text(name), context.scope, binding(Binding::Form::Unknown, no_node, context));
  }
  expression(syntax_.child(node, Field::Body), context);
}

// --- bindings: assignments, imports, `global` ---------------------------------------------------------------------

Binding Walker::binding(Binding::Form form, NodeId node, const Context& context) const {
  return {.form = form,
          .conditional = context.conditional,
          .node = node,
          .scope = context.scope,
          .dotted = {},
          .op = {},
          .attempt = context.attempt,
          .condition = context.condition};
}

void Walker::bind(std::string_view name, ScopeId scope, Binding binding) {
  if (name.empty()) return;
  if (scope != 0 && model_.scopes[scope].globals.contains(name)) {
    scope = 0;
    binding.conditional = true;
  }
  std::vector<Binding>& all = model_.scopes[scope].names[name];
  const auto at = std::ranges::upper_bound(all, binding.position, {}, &Binding::position);
  all.insert(at, std::move(binding));
}

// Binds a name, self.name, or several of them.
void Walker::assign(NodeId target, Binding binding, const Context& context) {
  if (target == no_node) return;
  binding.position = std::max(syntax_[target].end, binding.node == no_node ? 0 : syntax_[binding.node].end);
  const NodeKind kind = syntax_.kind(target);
  if (kind == NodeKind::Identifier) return bind(syntax_.text(target), context.scope, std::move(binding));
  if (kind == NodeKind::Sequence) {
    std::uint32_t item = 0;
    for (NodeId id = syntax_[target].first; id != no_node && item < 16; id = syntax_[id].next) {
      Binding part = binding;
      part.item = item++;
      if (syntax_.kind(id) != NodeKind::Identifier) continue;
      bind(syntax_.text(id), context.scope, std::move(part));
    }
  }
  if (kind != NodeKind::Attribute || syntax_.text(syntax_.child(target, Field::Object)) != "self") return;
  const ScopeId owner = model_.scopes[context.scope].owner;
  binding.conditional = true;
  if (owner != none) bind(syntax_.text(syntax_.child(target, Field::Attribute)), owner, std::move(binding));
}

void Walker::import(NodeId node, const Context& context) {
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    const bool renamed = syntax_.kind(id) == NodeKind::Alias;
    const std::string_view module = syntax_.text(renamed ? syntax_.child(id, Field::Name) : id);
    const std::string_view first = module.substr(0, module.find('.'));
    Binding binding = this->binding(Binding::Form::Dotted, no_node, context);
    binding.position = syntax_[id].end;
    binding.dotted = renamed ? module : first;
    bind(renamed ? syntax_.text(syntax_.child(id, Field::Alias)) : first, context.scope, std::move(binding));
  }
  happen(PythonAction::Import, node, none, context);
}

void Walker::import_from(NodeId node, const Context& context) {
  const std::string module = syntax_.dotted_name(syntax_.child(node, Field::ModuleName));
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    if (syntax_.kind(id) == NodeKind::Wildcard && model_.stars.size() < max_items) model_.stars.push_back(module);
    if (syntax_[id].field != Field::Name) continue;
    const bool renamed = syntax_.kind(id) == NodeKind::Alias;
    const std::string_view name = syntax_.text(renamed ? syntax_.child(id, Field::Name) : id);
    Binding binding = this->binding(Binding::Form::Dotted, no_node, context);
    binding.position = syntax_[id].end;
    binding.dotted = module + (module.ends_with('.') ? "" : ".") + std::string(name);  // from . import name
    bind(renamed ? syntax_.text(syntax_.child(id, Field::Alias)) : name, context.scope, std::move(binding));
  }
  happen(PythonAction::Import, node, none, context);
}

void Walker::globals(NodeId node, const Context& context) {
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next)
    model_.scopes[context.scope].globals.insert(syntax_.text(id));
}

}  // namespace wheelcheck::python
