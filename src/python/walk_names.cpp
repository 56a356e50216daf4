// The part of the walk that says who binds which name: assignments, imports, `global`.
#include <algorithm>
#include <utility>

#include "python/walk.h"

namespace wheelcheck::python {

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

// A name, self.name, or several of them.
void Walker::assign(NodeId target, Binding binding, const Context& context) {
  if (target == no_node) return;
  binding.position = std::max(syntax_[target].end, binding.node == no_node ? 0 : syntax_[binding.node].end);
  const Kind kind = syntax_.kind(target);
  if (kind == Kind::Identifier) return bind(syntax_.text(target), context.scope, std::move(binding));
  if (kind == Kind::Sequence) {
    std::uint32_t item = 0;
    for (NodeId id = syntax_[target].first; id != no_node && item < 16; id = syntax_[id].next) {
      Binding part = binding;
      part.item = item++;
      if (syntax_.kind(id) != Kind::Identifier) continue;
      bind(syntax_.text(id), context.scope, std::move(part));
    }
  }
  if (kind != Kind::Attribute || syntax_.text(syntax_.child(target, Field::Object)) != "self") return;
  const ScopeId owner = model_.scopes[context.scope].owner;
  binding.conditional = true;
  if (owner != none) bind(syntax_.text(syntax_.child(target, Field::Attribute)), owner, std::move(binding));
}

void Walker::import(NodeId node, const Context& context) {
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    const bool renamed = syntax_.kind(id) == Kind::Alias;
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
  const std::string module(syntax_.text(syntax_.child(node, Field::ModuleName)));
  for (NodeId id = syntax_[node].first; id != no_node; id = syntax_[id].next) {
    if (syntax_.kind(id) == Kind::Wildcard && model_.stars.size() < most_items) model_.stars.push_back(module);
    if (syntax_[id].field != Field::Name) continue;
    const bool renamed = syntax_.kind(id) == Kind::Alias;
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
