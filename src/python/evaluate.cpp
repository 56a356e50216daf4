// Evaluates literals, operators and conditions.
#include "python/evaluate.h"

#include <utility>

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t deepest_expression = 40;

Values of_truth(Truth truth) {
  switch (truth) {
    case Truth::True:
      return only(Value::of_number(1));
    case Truth::False:
      return only(Value::of_number(0));
    case Truth::Environment:
      return only(Value::of(Value::Form::Environment));
    case Truth::Otherwise:
      return {Value::of(Value::Form::Environment), Value::of_number(1)};
    case Truth::Unknown:
      break;
  }
  return unknown();
}

}  // namespace

namespace {
// Makes a quarter of what is left of the cost of a file available as `cost_left`. gamfit searches the libraries of CUDA
// in a product of directories and names: what costs more counts as unknown, and the other calls are still evaluated.
class Spending {
 public:
  explicit Spending(std::uint64_t& left) : left_(left), given_(left / 4) { cost_left = given_; }
  ~Spending() { left_ -= given_ - std::exchange(cost_left, UINT64_MAX); }
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

 private:
  std::uint64_t& left_;
  std::uint64_t given_;
};
}  // namespace

Values Evaluator::evaluate(NodeId node, ScopeId scope, std::uint32_t work) {
  const Spending spending(left_);
  work_ = work;
  Values values = value(node, scope);
  gave_up_ = is_spent();
  return gave_up_ ? unknown() : values;
}
Truth Evaluator::truth(NodeId node, ScopeId scope, std::uint32_t work) {
  const Spending spending(left_);
  work_ = work;
  const Truth result = truth(node, scope);
  return is_spent() ? Truth::Unknown : result;
}

Values Evaluator::value(NodeId node, ScopeId scope) {
  if (node == no_node || depth_ >= deepest_expression || work_ == 0 || is_spent()) return unknown();
  --work_;
  spend(1);
  ++depth_;
  Values result = compute(node, scope);
  --depth_;
  for (Value& one : result) {
    const std::uint64_t weight = weight_of(one);
    spend(weight);
    if (weight > max_weight) one = {};
  }
  return result.empty() ? unknown() : result;
}

Values Evaluator::compute(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  switch (syntax.kind(node)) {
    case NodeKind::Identifier:
      return name(syntax.text(node), scope, syntax[node].begin);
    case NodeKind::Attribute:
      return attribute(node, scope);
    case NodeKind::String:
    case NodeKind::Concatenated:
      return string(node, scope);
    case NodeKind::Integer:
      return only(parse_integer(syntax.text(node)));
    case NodeKind::True:
      return only(Value::of_number(1));
    case NodeKind::False:
      return only(Value::of_number(0));
    case NodeKind::None:
      return only(Value::of(Value::Form::None));
    case NodeKind::Parenthesized:
      return value(syntax.child(node, std::size_t{0}), scope);
    case NodeKind::Named:
      return value(syntax.child(node, Field::Value), scope);
    case NodeKind::Assignment:
      return value(syntax.child(node, Field::Right), scope);
    case NodeKind::Sequence:
    case NodeKind::Dictionary:
      return display(node, scope);
    case NodeKind::Binary:
    case NodeKind::Unary:
      return operation(node, scope);
    case NodeKind::Boolean:
    case NodeKind::Conditional:
      return either(node, scope);
    case NodeKind::Subscript:
      return subscript(node, scope);
    case NodeKind::Call:
      return call(node, scope);
    case NodeKind::Comprehension:
      return comprehension(node, scope);
    case NodeKind::Not:
    case NodeKind::Comparison: {
      const Truth truth = this->truth(node, scope);
      return of_truth(truth);
    }
    default:
      return unknown();
  }
}

// --- literals and operators ---------------------------------------------------------------------------------------
Values Evaluator::subscript(NodeId node, ScopeId scope) {
  const NodeId index_node = model_.syntax.child(node, Field::Subscript);
  const Values objects = value(model_.syntax.child(node, Field::Value), scope);
  const Values indices = value(index_node, scope);
  Values values;
  for (const Value& object : objects) {
    if (object.is(Value::Form::Environment)) add(values, object);
    if (object.is(Value::Form::Dotted) && object.text == "sys.version_info" && indices.front() == Value::of_number(0))
      add(values, Value::of_number(3));
    if (object.is(Value::Form::Dotted)) add(values, entry(object, indices));
    for (const Value& index : indices) {
      if (object.is(Value::Form::Dict)) {
        for (std::size_t i = 0; i + 1 < object.items.size(); i += 2)
          if (!index.is_exact() || object.items[i] == index) add(values, object.items[i + 1]);
      } else if (object.is(Value::Form::List)) {
        const std::size_t size = object.items.size();
        const std::size_t at = index.bits < size ? index.bits : size + static_cast<std::int32_t>(index.bits);
        const bool exact = index.is(Value::Form::Number) && index.is_exact() && at < size && object.ref == 0;
        add(values, exact ? only(object.items[at]) : elements_of({object}));
      }
    }
  }
  return values;
}

Values Evaluator::string(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  Values values = {Value::of_text("")};
  bool raw = false;
  for (NodeId part = syntax[node].first; part != no_node; part = syntax[part].next) {
    Values right;
    if (syntax.kind(part) == NodeKind::StringStart) {
      raw = syntax.text(part).find_first_of("rR") != std::string_view::npos;
      continue;
    }
    if (syntax.kind(part) == NodeKind::Content) right = {Value::of_text(unescape(syntax.text(part), raw))};
    if (syntax.kind(part) == NodeKind::String) right = value(part, scope);
    if (syntax.kind(part) == NodeKind::Interpolation) {
      const NodeId expression = syntax.child(part, Field::Expression);
      const bool plain = syntax.child(part, std::size_t{1}) == no_node;  // no conversion and no format
      right = plain ? value(expression, scope) : unknown();
    }
    if (right.empty()) continue;
    if (is_spent()) return unknown();
    Values sum;
    for (const Value& left : values)
      for (const Value& value : right) add(sum, Value::of_text(text_of(left) + text_of(value)));
    values = std::move(sum);
  }
  return values;
}

// Lists, tuples, sets and dictionaries. If an item of a list has several possible values, all of them become items. For
// a tuple, where positions matter, there is one tuple for each value.
Values Evaluator::display(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const bool is_dict = syntax.kind(node) == NodeKind::Dictionary;
  const bool is_tuple = !syntax.text(node).starts_with('[') && !syntax.text(node).starts_with('{');
  Values results = {Value::of(is_dict ? Value::Form::Dict : Value::Form::List)};
  std::size_t count = 0;
  for (NodeId item = syntax[node].first; item != no_node && count < max_items; item = syntax[item].next, ++count) {
    std::vector<Value>& items = results.front().items;
    if (is_dict) {
      if (syntax.kind(item) != NodeKind::Pair) continue;
      items.push_back(value(syntax.child(item, Field::Key), scope).front());
      items.push_back(value(syntax.child(item, Field::Value), scope).front());
    } else if (!is_tuple) {
      for (Value& one : value(item, scope)) items.push_back(std::move(one));
    } else {
      Values longer;
      for (const Value& one : value(item, scope)) {
        for (Value tuple : results) {
          tuple.items.push_back(one);
          const std::uint64_t weight = weight_of(tuple);
          spend(weight);
          if (weight > max_weight || is_spent()) return unknown();
          add(longer, std::move(tuple));
        }
      }
      results = std::move(longer);
    }
  }
  return results;
}

Values Evaluator::comprehension(NodeId node, ScopeId scope) {
  const NodeId body = model_.syntax.child(node, Field::Body);
  if (model_.syntax.kind(body) == NodeKind::Pair) return unknown();
  Value list = Value::of(Value::Form::List);
  for (Value& item : value(body, scope)) list.items.push_back(std::move(item));
  return only(std::move(list));
}

Values Evaluator::operation(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const std::string_view op = syntax.text(syntax.child(node, Field::Operator));
  Values values;
  if (syntax.kind(node) == NodeKind::Unary) {
    for (const Value& value : value(syntax.child(node, Field::Argument), scope)) {
      const bool number = value.is(Value::Form::Number);
      add(values, !number     ? Value{}
                  : op == "~" ? Value::of_number(~value.bits, value.known)
                  : op == "-" ? Value::of_number(0U - value.bits, value.is_exact() ? value.known : 0)
                              : value);
    }
    return values;
  }
  const Values left = value(syntax.child(node, Field::Left), scope);
  const Values right = value(syntax.child(node, Field::Right), scope);
  for (const Value& a : left)
    for (const Value& b : right) add(values, binary(op, a, b));
  return values;
}

// `a if c else b`, `a or b`, `a and b`.
Values Evaluator::either(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  Values values;
  if (syntax.kind(node) == NodeKind::Conditional) {
    const Truth condition = truth(syntax.child(node, std::size_t{1}), scope);
    if (condition != Truth::False) add(values, value(syntax.child(node, std::size_t{0}), scope));
    if (condition != Truth::True) add(values, value(syntax.child(node, std::size_t{2}), scope));
    return values;
  }
  const Truth stops = syntax.text(syntax.child(node, Field::Operator)) == "or" ? Truth::True : Truth::False;
  bool goes_on = false;
  for (const Value& left : value(syntax.child(node, Field::Left), scope)) {
    const Truth truth = truth_of(left);
    if (truth != !stops) add(values, left);
    if (truth != stops) goes_on = true;
  }
  if (goes_on) add(values, value(syntax.child(node, Field::Right), scope));
  return values;
}

// --- truth --------------------------------------------------------------------------------------------------------
Truth Evaluator::truth(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  if (node == no_node || depth_ >= deepest_expression || work_ == 0 || is_spent()) return Truth::Unknown;
  spend(1);
  ++depth_;
  Truth result = Truth::Unknown;
  switch (syntax.kind(node)) {
    case NodeKind::Parenthesized:
      result = truth(syntax.child(node, std::size_t{0}), scope);
      break;
    case NodeKind::Not:
      result = !truth(syntax.child(node, Field::Argument), scope);
      break;
    case NodeKind::Boolean:
      result = boolean(node, scope);
      break;
    case NodeKind::Comparison:
      result = comparison(node, scope);
      break;
    default:
      result = truth_of(value(node, scope));
      break;
  }
  --depth_;
  return result;
}

Truth Evaluator::boolean(NodeId node, ScopeId scope) {
  using enum Truth;
  const Syntax& syntax = model_.syntax;
  const bool is_or = syntax.text(syntax.child(node, Field::Operator)) == "or";
  // `a and b` is computed as not (not a or not b).
  const auto side = [&](Field field) {
    const Truth truth = this->truth(syntax.child(node, field), scope);
    return is_or ? truth : !truth;
  };
  const Truth left = side(Field::Left);
  const Truth right = left == True ? left : side(Field::Right);
  Truth either = Unknown;
  if (left == True || right == True) {
    either = True;
  } else if (left == Otherwise || right == Otherwise) {
    either = Otherwise;
  } else if (left == Environment || right == Environment) {
    either = Environment;
  } else if (left == False && right == False) {
    either = False;
  }
  return is_or ? either : !either;
}

Truth Evaluator::comparison(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const NodeId left = syntax[node].first, op = syntax.child(node, std::size_t{1}),
               right = syntax.child(node, std::size_t{2});
  if (right == no_node || syntax[right].next != no_node) return Truth::Unknown;
  std::string_view text = syntax.text(op);
  const Values a = value(left, scope), b = value(right, scope);
  Values results;
  for (const Value& x : a) {
    for (const Value& y : b) {
      const Truth truth = compare(text, x, y);
      add(results, of_truth(truth));
    }
  }
  return truth_of(results);
}

}  // namespace wheelcheck::python
