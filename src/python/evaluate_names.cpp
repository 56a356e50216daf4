// Evaluates names: imports, assignments, parameters, attributes, and the attributes of well-known modules on Linux.
#include <algorithm>
#include <array>
#include <utility>

#include "model/rtld.h"
#include "python/evaluate.h"

namespace wheelcheck::python {
namespace {

constexpr std::size_t max_bindings = 16, max_parents = 8;

// True if a star import of the module binds the name; only relevant names are known.
bool star_brings(std::string_view module, std::string_view name) {
  std::uint32_t bits = 0;
  if (module == "ctypes")
    return name == "CDLL" || name == "PyDLL" || name == "cdll" || name == "pydll" || rtld_flag(name, bits);
  if (module == "os" || module == "posix" || module == "DLFCN" || module == "dl")
    return rtld_flag(name, bits) || (module == "os" && (name == "path" || name == "environ" || name == "getenv"));
  if (module == "sys") return name == "setdlopenflags" || name == "getdlopenflags" || name == "platform";
  if (module == "cffi") return name == "FFI";
  if (module == "ctypes.util") return name == "find_library";
  if (module == "os.path") return name == "join" || name == "dirname" || name == "abspath" || name == "basename";
  return false;
}

// The values of attributes of well-known modules on Linux.
Value known_name(std::string_view name) {
  std::uint32_t bits = 0;
  if (rtld_flag(name.substr(name.rfind('.') + 1), bits)) return Value::of_number(bits);
  static constexpr auto texts = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"sys.platform", "linux"},
      {"os.name", "posix"},
      {"os.sep", "/"},
      {"os.path.sep", "/"},
      {"os.pathsep", ":"},
      {"sys.prefix", "*"},
      {"sys.base_prefix", "*"},
      {"sys.exec_prefix", "*"},
      {"sys.executable", "*"},
      {"__file__", "*/*"},
  });
  for (const auto& [known, text] : texts)
    if (name == known) return Value::of_text(std::string(text));
  if (name == "ctypes.DEFAULT_MODE" || name == "typing.TYPE_CHECKING") return Value::of_number(0);
  if (name == "os.environ") return Value::of(Value::Form::Environment);
  if (name == "sys.path" || name == "__path__") return Value::of_list({Value::of_text("*")});
  if (name == "sys.version_info.major") return Value::of_number(3);
  return Value::of_dotted(std::string(name));
}

// An object with the name ffi is assumed to be one of cffi, by convention.
bool is_ffi(const Value& object, std::string_view text) {
  if (object.is(Value::Form::Ffi)) return true;
  if (!object.is(Value::Form::Unknown) && !object.is(Value::Form::Dotted)) return false;
  const auto last = [](std::string_view name) { return name.substr(name.rfind('.') + 1); };
  for (const std::string_view name : {last(text), last(object.text)})
    if (name == "ffi" || name == "_ffi") return true;
  return false;
}

}  // namespace

bool rtld_flag(std::string_view name, std::uint32_t& bits) {
  static constexpr auto flags =
      std::to_array<std::pair<std::string_view, std::uint32_t>>({{"RTLD_LAZY", rtld_lazy},
                                                                 {"RTLD_NOW", rtld_now},
                                                                 {"RTLD_NOLOAD", rtld_noload},
                                                                 {"RTLD_DEEPBIND", rtld_deepbind},
                                                                 {"RTLD_GLOBAL", rtld_global},
                                                                 {"RTLD_LOCAL", 0},
                                                                 {"RTLD_NODELETE", rtld_nodelete}});
  for (const auto& [flag, value] : flags) {
    if (name != flag) continue;
    bits = value;
    return true;
  }
  return false;
}

Values elements_of(const Values& values) {
  Values result;
  for (const Value& value : values) {
    if (value.is(Value::Form::List)) {
      for (const Value& item : value.items) add(result, item);
    } else if (value.is(Value::Form::Dict)) {
      for (std::size_t i = 0; i < value.items.size(); i += 2) add(result, value.items[i]);
    } else {
      add(result, Value{});
    }
  }
  return result.empty() ? unknown() : result;
}

const std::vector<Binding>* Evaluator::bindings_of(std::string_view name, ScopeId scope, bool& same_scope) const {
  for (ScopeId at = scope; at != none; at = model_.scopes[at].parent) {
    const Scope& here = model_.scopes[at];
    if (here.is_class && at != scope) continue;
    if (at != 0 && here.globals.contains(name)) continue;
    const auto found = here.names.find(name);
    same_scope = at == scope;
    if (found != here.names.end()) return &found->second;
  }
  return nullptr;
}

Values Evaluator::name(std::string_view name, ScopeId scope, std::uint32_t position) {
  bool same_scope = false;
  if (const std::vector<Binding>* const bindings = bindings_of(name, scope, same_scope))
    return bound(*bindings, same_scope, position);
  spend(model_.stars.size());
  for (const std::string& module : model_.stars)
    if (star_brings(module, name)) return only(known_name(module + '.' + std::string(name)));
  return only(known_name(name));
}

std::uint32_t Evaluator::attempt_behind(NodeId condition, ScopeId scope) const {
  constexpr std::size_t max_nodes = 64, max_looked_at = 1000;
  const Syntax& syntax = model_.syntax;
  std::vector<NodeId> nodes = {condition};
  for (std::size_t i = 0; i < nodes.size() && i < max_nodes; ++i) {
    if (nodes[i] == no_node) continue;
    bool same_scope = false;
    const bool is_name = syntax.kind(nodes[i]) == NodeKind::Identifier;
    if (const auto* const all = is_name ? bindings_of(syntax.text(nodes[i]), scope, same_scope) : nullptr) {
      const auto first = std::span(*all).first(std::min(all->size(), max_looked_at));
      for (const Binding& binding : first)
        if (binding.condition != none) return model_.conditions[binding.condition].attempt;
      for (const Binding& binding : first)
        if (binding.attempt != none) return binding.attempt;
    }
    for (NodeId id = syntax[nodes[i]].first; id != no_node && nodes.size() < max_nodes; id = syntax[id].next)
      nodes.push_back(id);
  }
  return none;
}

Truth Evaluator::truth_if(NodeId node, ScopeId scope, std::uint32_t work, std::uint32_t attempt, bool succeeds) {
  assumed_ = attempt;
  succeeds_ = succeeds;
  const Truth result = truth(node, scope, work);
  assumed_ = none;
  return result;
}

// A binding in the body of a `try` is valid only if the body ran to its end, one in a handler only if it did not.
bool Evaluator::is_ruled_out(const Binding& binding) const {
  if (assumed_ == none) return false;
  if (binding.attempt == assumed_ && !succeeds_) return true;
  if (binding.condition == none) return false;
  const PythonCondition& condition = model_.conditions[binding.condition];
  return condition.attempt == assumed_ && condition.succeeds != succeeds_;
}

// The bindings that may be valid at `position`: the last unconditional one and those after it. All of them count if the
// name is used in another scope, or before the first binding.
Values Evaluator::bound(std::span<const Binding> bindings, bool same_scope, std::uint32_t position) {
  if (same_scope) {
    const auto end = std::ranges::upper_bound(bindings, position, {}, &Binding::position);
    if (end != bindings.begin()) bindings = bindings.first(static_cast<std::size_t>(end - bindings.begin()));
  }
  if (bindings.size() > max_bindings) bindings = bindings.last(max_bindings);
  std::size_t from = bindings.size() - 1;
  const auto replaces = [&](const Binding& binding) {
    return !binding.conditional && !is_ruled_out(binding) && binding.form != Binding::Form::Appended &&
           binding.form != Binding::Form::Extended && binding.form != Binding::Form::Augmented;
  };
  while (from > 0 && !replaces(bindings[from])) --from;
  Values values;
  for (; from < bindings.size(); ++from)
    if (!is_ruled_out(bindings[from])) apply(bindings[from], values);
  return values;
}

void Evaluator::apply(const Binding& binding, Values& values) {
  using Form = Binding::Form;
  if (binding.form == Form::Augmented) {
    Values changed;
    for (const Value& right : value(binding.node, binding.scope))
      for (const Value& left : values) add(changed, binary(binding.op, left, right));
    if (binding.conditional) return add(values, changed);
    values = std::move(changed);
  } else if (binding.form == Form::Appended || binding.form == Form::Extended) {
    const Values more = value(binding.node, binding.scope);
    for (Value& list : values) {
      if (!list.is(Value::Form::List)) continue;
      for (const Value& item : binding.form == Form::Appended ? more : elements_of(more))
        if (list.items.size() < max_items && !is_spent()) spend(weight_of(item)), list.items.push_back(item);
    }
  } else {
    add(values, of_binding(binding));
  }
}

Values Evaluator::of_binding(const Binding& binding) {
  Values values;
  switch (binding.form) {
    case Binding::Form::Dotted:
      return only(known_name(binding.dotted));
    case Binding::Form::Function:
      return only(Value::of(Value::Form::Function, binding.ref));
    case Binding::Form::Class:
      return only(Value::of(Value::Form::Class, binding.ref));
    case Binding::Form::Parameter:
      return parameter(binding);
    case Binding::Form::Value:
      values = value(binding.node, binding.scope);
      break;
    case Binding::Form::Element:
      values = elements_of(value(binding.node, binding.scope));
      if (binding.item != none && !values.empty()) take_turn(binding.node, values);
      break;
    default:
      return unknown();
  }
  if (binding.item == none) return values;
  Values items;
  for (const Value& tuple : values) {
    const bool has = tuple.is(Value::Form::List) && binding.item < tuple.items.size();
    add(items, has ? tuple.items[binding.item] : Value{});
  }
  return items;
}

std::vector<Values> Evaluator::evaluate_in_turn(NodeId node, ScopeId scope, UnitId unit, std::uint32_t work) {
  std::vector<Values> out;
  gave_up_ = false;
  for (std::uint32_t call = 0; call <= model_.units[unit].callers.size() && !is_cut() && !gave_up_; ++call) {
    turn_ = {.unit = unit, .call = call};
    Values all = evaluate(node, scope, work);
    if (turn_.loop == no_node) {
      out.push_back(std::move(all));
    } else {
      for (turn_.item = 0; turn_.item < turn_.items && !is_cut() && !gave_up_; ++turn_.item)
        out.push_back(evaluate(node, scope, work));
    }
  }
  turn_ = {};
  return out;
}

// Notes the first loop, or keeps only its item whose turn it is.
void Evaluator::take_turn(NodeId loop, Values& tuples) {
  if (turn_.unit == none) return;
  if (turn_.loop == no_node) turn_ = {turn_.unit, turn_.call, loop, static_cast<std::uint32_t>(tuples.size()), none};
  if (turn_.loop == loop && turn_.item < tuples.size()) tuples = only(std::move(tuples[turn_.item]));
}

Values Evaluator::parameter(const Binding& binding) {
  // A recursive function may pass a value that grows with each call, such as (x, x).
  constexpr std::ptrdiff_t max_rounds = 3;
  if (std::ranges::count(open_, &binding) >= max_rounds) return unknown();
  open_.push_back(&binding);
  Values values = passed(binding);
  open_.pop_back();
  return values;
}

// The values that calls in this file pass, the default, and Unknown for other callers.
Values Evaluator::passed(const Binding& binding) {
  Values values;
  std::span<const std::uint32_t> callers = model_.units[binding.ref].callers;
  const bool is_turn = binding.ref == turn_.unit;
  if (is_turn) callers = callers.subspan(turn_.call, turn_.call < callers.size() ? 1 : 0);
  bool all_pass_it = !callers.empty();
  for (const std::uint32_t index : callers) {
    const CallSite& site = model_.sites[index];
    const NodeId arguments = model_.syntax.child(site.node, Field::Arguments);
    const NodeId given = argument_of(model_.syntax, arguments, binding.item, binding.dotted);
    if (given != no_node) add(values, value(given, site.scope));
    all_pass_it = all_pass_it && given != no_node;
  }
  if (turn_.unit != none && all_pass_it) return values;
  if (binding.node != no_node) add(values, value(binding.node, binding.scope));
  if (turn_.unit == none || callers.empty()) add(values, Value{});
  return values;
}

Values Evaluator::attribute(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const NodeId object = syntax.child(node, Field::Object);
  const std::string_view name = syntax.text(syntax.child(node, Field::Attribute));
  const std::string_view text = syntax.text(object);
  if (text == "self" || text == "cls") {
    ScopeId at = scope;
    while (at != none && model_.scopes[at].owner == none) at = model_.scopes[at].parent;
    if (at != none) return member(Value::of(Value::Form::Instance, model_.scopes[at].owner), name);
  }
  Values values;
  for (const Value& value : value(object, scope)) {
    if (name == "dlopen" && is_ffi(value, text)) {
      add(values, Value::of_dotted("cffi.FFI.dlopen"));
    } else {
      add(values, member(value, name));
    }
  }
  return values;
}

Values Evaluator::member(const Value& object, std::string_view name) {
  switch (object.form) {
    case Value::Form::Dotted:
      return only(name == "__call__" ? object : known_name(object.text + '.' + std::string(name)));
    case Value::Form::Instance:
    case Value::Form::Class: {
      const auto& names = model_.scopes[object.ref].names;
      const auto found = names.find(name);
      // An object with the name self.ffi is assumed to be one of cffi.
      if (found == names.end()) return only(name == "ffi" || name == "_ffi" ? Value::of_dotted("self.ffi") : Value{});
      return bound(found->second, false, 0);
    }
    case Value::Form::Text: {
      if (name == "origin") return only(object);  // of a module's spec
      if (name == "parent") return only(Value::of_text(directory_of(object.text)));
      if (name == "name") return only(Value::of_text(object.text.substr(object.text.rfind('/') + 1)));
      if (name != "parents") return unknown();
      Value parents = Value::of_list({});
      for (std::string path = object.text; parents.items.size() < max_parents;) {
        path = directory_of(path);
        parents.items.push_back(Value::of_text(path));
      }
      return only(std::move(parents));
    }
    case Value::Form::Environment:
      return only(object);
    default:
      return unknown();
  }
}

// The values of these keys in sys.modules, in globals(), or in the __dict__ of a module; nothing for other objects.
Values Evaluator::entry(const Value& mapping, const Values& keys) {
  const std::string_view names = mapping.text;
  if (!mapping.is(Value::Form::Dotted)) return {};
  if (names == "sys.modules") return imported(keys);
  if (!names.ends_with(".__dict__")) return {};
  const std::string_view owner = names.substr(0, names.rfind('.'));
  Values values;
  for (const Value& key : keys) {
    if (!key.is(Value::Form::Text) || !key.is_exact()) continue;
    add(values,
        owner == "globals" ? name(key.text, 0, UINT32_MAX) : member(Value::of_dotted(std::string(owner)), key.text));
  }
  return values;
}

}  // namespace wheelcheck::python
