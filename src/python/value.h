// A value of an expression, as far as the text of one file shows it: a text with unknown parts, a number with unknown
// bits, a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck::python {

struct Value {
  enum class Form : std::uint8_t {
    Unknown,
    Environment,  // unknown, and determined by the environment of the user
    None,
    Text,  // text; `*` replaces an unknown part
    // Bits, valid where `known` has a 1; ref: the call of sys.getdlopenflags() that the other bits are from, if any.
    Number,
    // text: a name in another module, "ctypes.CDLL", or a built-in name; ref: the node with the arguments of
    // functools.partial, or 0.
    Dotted,
    List,      // items; ref 1: patterns of files, each of which may stand for any number of them
    Dict,      // items: key, value, key, value ...
    Function,  // ref: the unit in this file
    Class,     // ref: the scope in this file
    Instance,  // ref: the scope of its class
    Ffi,       // an instance of cffi.FFI
  };
  Form form = Form::Unknown;
  std::uint32_t ref = 0;
  std::uint32_t bits = 0, known = 0;
  std::string text;
  std::vector<Value> items;

  static Value of_text(std::string text);
  static Value of_number(std::uint32_t bits, std::uint32_t known = UINT32_MAX) {
    return {.form = Form::Number, .bits = bits & known, .known = known};
  }
  static Value of_dotted(std::string name) { return {.form = Form::Dotted, .text = std::move(name)}; }
  static Value of_list(std::vector<Value> items) { return {.form = Form::List, .items = std::move(items)}; }
  static Value of_files(std::vector<Value> patterns) {
    return {.form = Form::List, .ref = 1, .items = std::move(patterns)};
  }
  static Value of(Form form, std::uint32_t ref = 0) { return {.form = form, .ref = ref}; }

  bool is(Form other) const { return form == other; }
  bool is_exact() const;  // nothing about it is unknown
};
// All values that an expression may have. An Unknown member means that there may be others.
using Values = std::vector<Value>;
// Moves the value; an initializer list would copy it.
inline Values only(Value value) {
  Values values;
  values.push_back(std::move(value));
  return values;
}
inline Values unknown() { return Values(1); }

// Limits on the size of a value, because the source is untrusted.
inline constexpr std::size_t max_values = 32;
inline constexpr std::size_t max_items = 64;
inline constexpr std::size_t max_text = 512;

// A list with more items than this at all levels is Unknown, because nested lists can grow exponentially.
inline constexpr std::uint64_t max_weight = 1024;

// The remaining cost for the values of a file: items created, copied or compared. Every loop over values spends it and
// stops when it is used up. It is limited only during an evaluation by an Evaluator.
inline thread_local std::uint64_t cost_left = UINT64_MAX;
inline void spend(std::uint64_t cost) { cost_left -= cost < cost_left ? cost : cost_left; }
inline bool is_spent() { return cost_left == 0; }
// Number of items at all levels, plus the length of their texts. Counting stops above max_weight.
std::uint64_t weight_of(const Value& value);

// Environment: false, unless the user sets an environment variable. Otherwise: true, unless the user sets one.
enum class Truth { Unknown, Environment, Otherwise, True, False };
Truth truth_of(const Value& value);
Truth operator!(Truth truth);
// The common truth of all values; Unknown if they differ.
Truth truth_of(const Values& values);

// The text of a value as part of a longer text; "*" if it is unknown.
std::string text_of(const Value& value);

std::string directory_of(const std::string& path);
Value binary(std::string_view op, const Value& left, const Value& right);
Value join_paths(const Value& left, const Value& right);
// Evaluates `text % right`.
Value percent(std::string_view text, const Value& right);
// Evaluates `text.format(...)`. `named` contains name, value, name, value and so on.
Value format(std::string_view text, const std::vector<Value>& positional, const std::vector<Value>& named);
Truth compare(std::string_view op, const Value& left, const Value& right);
// Evaluates the body of a string literal, and a number literal.
std::string unescape(std::string_view body, bool raw);
Value parse_integer(std::string_view text);

// Adds a value that is not there yet. Values beyond max_values are dropped.
void add(Values& to, Value value);
void add(Values& to, const Values& values);
void add(Values& to, Values&& values);
bool operator==(const Value& a, const Value& b);

}  // namespace wheelcheck::python
