// What an expression may be, as far as the text of one file tells: a name with gaps, the bits of a number, a list.
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
    Environment,  // unknown, and chosen by who runs the program
    None,
    Text,      // text: `*` stands for a part that is not known
    Number,    // bits: those of them that are known; ref: the call that gave the others, if it is sys.getdlopenflags()
    Dotted,    // text: a name of another module, "ctypes.CDLL", or of Python itself
    List,      // items
    Dict,      // items: key, value, key, value ...
    Function,  // ref: a unit of this file
    Class,     // ref: a scope of this file
    Instance,  // ref: likewise
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
  static Value of(Form form, std::uint32_t ref = 0) { return {.form = form, .ref = ref}; }

  bool is(Form other) const { return form == other; }
  bool is_exact() const;  // nothing about it is left open
};
// All that an expression may be; what cannot be told is a member of form Unknown.
using Values = std::vector<Value>;
// Without a copy, as an initializer list makes one.
inline Values only(Value value) {
  Values values;
  values.push_back(std::move(value));
  return values;
}
inline Values unknown() { return Values(1); }

// Sources are a stranger's: no value grows beyond these.
inline constexpr std::size_t most_values = 32;
inline constexpr std::size_t most_items = 64;
inline constexpr std::size_t most_text = 512;

// A list that holds more than that in all is Unknown: lists of lists grow by products.
inline constexpr std::uint64_t most_weight = 1024;

// What the values of a file may still cost, in items made, copied or compared. Everything that loops over values spends
// it, and ends where nothing is left; only what an Evaluator looks at has a bound.
inline thread_local std::uint64_t cost_left = UINT64_MAX;
inline void spend(std::uint64_t cost) { cost_left -= cost < cost_left ? cost : cost_left; }
inline bool is_spent() { return cost_left == 0; }
// Items of all levels, and their text; not counted on above most_weight.
std::uint64_t weight_of(const Value& value);

// Environment: false unless who runs the program sets something; Otherwise: true unless so.
enum class Truth { Unknown, Environment, Otherwise, True, False };
Truth truth_of(const Value& value);
Truth operator!(Truth truth);
// What all of them agree on.
Truth truth_of(const Values& values);

// The text of a value inside a longer one: "*" where it is not known.
std::string text_of(const Value& value);
Value binary(std::string_view op, const Value& left, const Value& right);
Value join_paths(const Value& left, const Value& right);
// text % right
Value percent(std::string_view text, const Value& right);
// text.format(...): `named` holds name, value, name, value ...
Value format(std::string_view text, const std::vector<Value>& positional, const std::vector<Value>& named);
Truth compare(std::string_view op, const Value& left, const Value& right);
// A string literal between its quotes, and a number as written.
std::string unescape(std::string_view body, bool raw);
Value parse_integer(std::string_view text);

// Adds unless it is there; drops what would be too much.
void add(Values& to, Value value);
void add(Values& to, const Values& values);
void add(Values& to, Values&& values);
bool operator==(const Value& a, const Value& b);

}  // namespace wheelcheck::python
