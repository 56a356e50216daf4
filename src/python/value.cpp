// Operations on values: truth, text, arithmetic, formatting, comparison.
#include "python/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t all_bits = UINT32_MAX;

bool has_gap(std::string_view text) { return text.find('*') != text.npos; }

}  // namespace

std::uint64_t weight_of(const Value& value) {
  std::uint64_t weight = 1 + value.text.size() / 64;
  for (const Value& item : value.items) {
    if (weight > max_weight) break;
    weight += weight_of(item);
  }
  return weight;
}

Value Value::of_text(std::string text) {
  spend(1 + text.size() / 64);
  std::string folded;
  folded.reserve(text.size());
  for (const char c : text)
    if (c != '*' || folded.empty() || folded.back() != '*') folded += c;
  if (folded.size() > max_text) folded = "*";
  return {.form = Form::Text, .text = std::move(folded)};
}

bool Value::is_exact() const {
  switch (form) {
    case Form::Text:
      return !has_gap(text);
    case Form::Number:
      return known == all_bits;
    case Form::List:
    case Form::Dict:
      return std::ranges::all_of(items, &Value::is_exact);
    case Form::None:
      return true;
    default:
      return false;
  }
}

bool operator==(const Value& a, const Value& b) {
  spend(1);
  return a.form == b.form && a.ref == b.ref && a.bits == b.bits && a.known == b.known && a.text == b.text &&
         a.items == b.items;
}

void add(Values& to, Value value) {
  if (to.size() >= max_values || (is_spent() && !to.empty())) return;
  if (std::ranges::find(to, value) == to.end()) to.push_back(std::move(value));
}
void add(Values& to, const Values& values) {
  for (const Value& value : values) {
    if (to.size() >= max_values) return;
    spend(weight_of(value));
    add(to, value);
  }
}
void add(Values& to, Values&& values) {
  if (to.empty() && values.size() == 1) return to.swap(values);
  for (Value& value : values) add(to, std::move(value));
}

Truth operator!(Truth truth) {
  switch (truth) {
    case Truth::True:
      return Truth::False;
    case Truth::False:
      return Truth::True;
    case Truth::Environment:
      return Truth::Otherwise;
    case Truth::Otherwise:
      return Truth::Environment;
    case Truth::Unknown:
      break;
  }
  return Truth::Unknown;
}

Truth truth_of(const Value& value) {
  switch (value.form) {
    case Value::Form::Environment:
      return Truth::Environment;
    case Value::Form::None:
      return Truth::False;
    case Value::Form::Text:
      if (value.text == "*") return Truth::Unknown;
      return value.text.empty() ? Truth::False : Truth::True;
    case Value::Form::Number:
      if (value.bits != 0) return Truth::True;
      return value.known == all_bits ? Truth::False : Truth::Unknown;
    case Value::Form::List:
    case Value::Form::Dict:
      return value.items.empty() ? Truth::Unknown : Truth::True;
    case Value::Form::Function:
    case Value::Form::Class:
      return Truth::True;
    default:
      return Truth::Unknown;
  }
}

Truth truth_of(const Values& values) {
  bool environment = false, any = false, same = true;
  Truth first = Truth::Unknown;
  for (const Value& value : values) {
    if (value.is(Value::Form::Environment)) {
      environment = true;
      continue;
    }
    if (!any) first = truth_of(value);
    same = same && truth_of(value) == first;
    any = true;
  }
  if (!environment) return same ? first : Truth::Unknown;
  // For example os.getenv("X", "1").
  return any && same && first == Truth::True ? Truth::Otherwise : Truth::Environment;
}

std::string text_of(const Value& value) {
  if (value.is(Value::Form::Text)) return value.text;
  if (value.is(Value::Form::Number) && value.known == all_bits) return std::to_string(value.bits);
  return "*";
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash != path.npos) return path.substr(0, slash);
  return has_gap(path) ? "*" : "";
}

Value join_paths(const Value& left, const Value& right) {
  const std::string a = text_of(left), b = text_of(right);
  if (b.starts_with('/')) return Value::of_text(b);
  if (a.empty() || a == ".") return Value::of_text(b);
  if (b.empty() || b == ".") return Value::of_text(a);
  return Value::of_text(a + (a.ends_with('/') ? "" : "/") + b);
}

namespace {
// The unknown bits of the result are those of the saved flags on one side.
Value of_saved(const Value& left, const Value& right, Value result) {
  const auto slot = [](const Value& side) { return side.is(Value::Form::Number) ? side.ref : 0; };
  result.ref = slot(left) != 0 ? slot(left) : slot(right);
  return result;
}
}  // namespace

Value binary(std::string_view op, const Value& left, const Value& right) {
  using enum Value::Form;
  if (left.is(Text) || right.is(Text)) {
    if (op == "+") return Value::of_text(text_of(left) + text_of(right));
    if (op == "/") return join_paths(left, right);
    if (op == "%" && left.is(Text)) return percent(left.text, right);
    return {};
  }
  if (op == "+" && (left.is(List) || right.is(List))) {
    Value sum = Value::of_list({});
    for (const Value* side : {&left, &right})
      if (side->is(List)) sum.ref |= side->ref;
    spend(weight_of(left) + weight_of(right));
    for (const Value* side : {&left, &right}) {
      if (!side->is(List)) sum.items.push_back({});
      sum.items.insert(sum.items.end(), side->items.begin(), side->items.end());
    }
    if (sum.items.size() > max_items) sum.items.resize(max_items);
    return sum;
  }
  const std::uint32_t a = left.bits, b = right.bits;
  // A value that is not a number has no known bits, which is correct for flags from elsewhere.
  if (op == "|") return of_saved(left, right, Value::of_number(a | b, (left.known & right.known) | a | b));
  if (op == "&") {
    const std::uint32_t zeros = (left.known & ~a) | (right.known & ~b);
    return of_saved(left, right, Value::of_number(a & b, (left.known & right.known) | zeros));
  }
  if (op == "^") return Value::of_number(a ^ b, left.known & right.known);
  if (left.known != all_bits || right.known != all_bits) return {};
  if (op == "+") return Value::of_number(a + b);
  if (op == "-") return Value::of_number(a - b);
  if (op == "<<" && b < 32) return Value::of_number(a << b);
  return {};
}

Value percent(std::string_view text, const Value& right) {
  std::string out;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < text.size() && out.size() <= max_text; ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    if (text[++i] == '%') {
      out += '%';
      continue;
    }
    const std::size_t spec = i;
    if (text[i] == '(') i = std::min(text.find(')', i), text.size() - 1) + 1;
    while (i < text.size() && !is_alpha(text[i])) ++i;
    const bool plain = i == spec;  // without width or name
    if (right.is(Value::Form::List)) {
      out += plain && taken < right.items.size() ? text_of(right.items[taken]) : "*";
    } else {
      out += plain && taken == 0 && !right.is(Value::Form::Dict) ? text_of(right) : "*";
    }
    ++taken;
  }
  return Value::of_text(out);
}

Value format(std::string_view text, const std::vector<Value>& positional, const std::vector<Value>& named) {
  std::string out;
  std::size_t automatic = 0;
  for (std::size_t i = 0; i < text.size() && out.size() <= max_text; ++i) {
    const bool twice = i + 1 < text.size() && text[i + 1] == text[i];
    if ((text[i] == '{' || text[i] == '}') && twice) {
      out += text[i++];
      continue;
    }
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == text.npos) return Value::of_text(out + '*');
    const std::string_view name = text.substr(i + 1, end - i - 1);
    std::uint64_t number = 0;
    std::string part = "*";
    if (name.empty()) number = automatic++;
    if (name.empty() || parse_number(name, number)) {
      if (number < positional.size()) part = text_of(positional[static_cast<std::size_t>(number)]);
    }
    for (std::size_t n = 0; n + 1 < named.size(); n += 2)
      if (named[n].text == name) part = text_of(named[n + 1]);
    out += part;
    i = end;
  }
  return Value::of_text(out);
}

namespace {

// Compares two texts that may have unknown parts.
Truth same_text(const Value& left, const Value& right) {
  if (left.is_exact() && right.is_exact()) return left.text == right.text ? Truth::True : Truth::False;
  return Truth::Unknown;
}

bool is_name_of_main(const Value& left, const Value& right) {
  return left.is(Value::Form::Dotted) && left.text == "__name__" && right.is(Value::Form::Text) &&
         right.text == "__main__";
}

Truth equal(const Value& left, const Value& right) {
  using enum Value::Form;
  // A module is never imported with the name __main__.
  if (is_name_of_main(left, right) || is_name_of_main(right, left)) return Truth::False;
  if (left.is(Environment) || right.is(Environment)) return Truth::Environment;
  if (left.is(Text) && right.is(Text)) return same_text(left, right);
  if (left.is_exact() && right.is_exact()) return left == right ? Truth::True : Truth::False;
  return Truth::Unknown;
}

}  // namespace

Truth compare(std::string_view op, const Value& left, const Value& right) {
  using enum Value::Form;
  if (op == "==" || op == "is") return equal(left, right);
  if (op == "!=" || op == "is not") return !equal(left, right);
  if (op == "in" || op == "not in") {
    Truth found = Truth::False;
    if (right.is(Text) && left.is_exact() && right.is_exact()) {
      found = right.text.find(left.text) != std::string::npos ? Truth::True : Truth::False;
    } else if (right.is(List)) {
      for (const Value& item : right.items) {
        const Truth same = equal(left, item);
        if (same == Truth::True || (same != Truth::False && found == Truth::False)) found = same;
      }
    } else {
      found = left.is(Environment) || right.is(Environment) || right.is(Dotted) ? Truth::Environment : Truth::Unknown;
      if (right.is(Dotted) && right.text != "os.environ") found = Truth::Unknown;
    }
    return op == "in" ? found : !found;
  }
  if (left.is(Environment) || right.is(Environment)) return Truth::Environment;
  if (!left.is(Number) || !right.is(Number) || left.known != all_bits || right.known != all_bits) return Truth::Unknown;
  const bool holds = op == "<"    ? left.bits < right.bits
                     : op == "<=" ? left.bits <= right.bits
                     : op == ">"  ? left.bits > right.bits
                                  : left.bits >= right.bits;
  return holds ? Truth::True : Truth::False;
}

namespace {

// The ASCII character of \ooo, \xhh, \uhhhh or \Uhhhhhhhh (Python reference, "String and Bytes literals"). `i` is at
// the character after the backslash, and moves to the last one of the escape.
std::optional<std::uint32_t> escaped_code(std::string_view body, std::size_t& i) {
  const char kind = body[i];
  const bool octal = kind >= '0' && kind <= '7';
  const std::size_t begin = octal ? i : i + 1, max = octal ? 3 : kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
  if (!octal && kind != 'x' && kind != 'u' && kind != 'U') return std::nullopt;
  std::uint32_t code = 0;
  std::size_t digits = 0;
  for (; digits < max && begin + digits < body.size(); ++digits) {
    const std::uint32_t base = octal ? 8 : 16, digit = hex_value(body[begin + digits]);
    if (digit >= base) break;
    code = code * base + digit;
  }
  if (digits < (octal ? 1 : max) || code == 0 || code >= 0x80) return std::nullopt;
  i = begin + digits - 1;
  return code;
}

}  // namespace

std::string unescape(std::string_view body, bool raw) {
  std::string out;
  for (std::size_t i = 0; i < body.size() && out.size() <= max_text; ++i) {
    if (raw || body[i] != '\\' || i + 1 == body.size()) {
      out += body[i];
      continue;
    }
    const char next = body[++i];
    if (next == '\n') continue;
    if (const auto code = escaped_code(body, i)) {
      out += static_cast<char>(*code);
      continue;
    }
    if (next == '\\' || next == '\'' || next == '"') {
      out += next;
    } else {
      out += next == 'n' ? "\n" : next == 't' ? "\t" : fmt::format("\\{}", next);
    }
  }
  return out;
}

Value parse_integer(std::string_view text) {
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char mark = to_lower(text[1]);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (base != 10) text.remove_prefix(2);
  }
  std::uint64_t number = 0;
  for (const char c : text) {
    if (c == '_' || c == 'l' || c == 'L') continue;
    const unsigned digit = hex_value(c);
    if (digit >= base) return {};
    number = number * base + digit;
    if (number > all_bits) return {};
  }
  return Value::of_number(static_cast<std::uint32_t>(number));
}

}  // namespace wheelcheck::python
