// Descriptions of structs, and the forms that use them. A struct of facts is described once, field by field
// (describe_elf.h, describe_wheel.h):
//    form("bits", bits, "32 or 64");  // key, field, and the meaning for readers of reports
//    form("tls_size", tls_size);      // without a meaning: stored, but not in reports
// The cache, the JSON of reports, its schema and the types of the Python API follow from the description:
//  - JsonWriter writes the facts as JSON for the cache, and JsonReader reads them back. The reader accepts exactly what
//    the writer writes: the same keys in the same order, no blanks. So neither needs a document in memory, and a field
//    cannot be written without being read.
//  - ReportForm (report/check/report_form.h) writes what has a meaning into the JSON of a report.
//  - SchemaForm (tests/report/facts_schema_test.cpp) makes the definitions in docs/report.schema.json, and
//    tests/python_package/facts_types.py makes python/wheelcheck/_facts.py of them.
// A description has parts that only reports have: about() names the definition in the schema; derived() keeps the place
// of a key that the report computes from several facts, and whose schema is written by hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/enum_names.h"
#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/string_pool.h"

namespace wheelcheck::facts {

// The parameter type of a description: `template <class Form> void describe(Form& form, Of<Form, Struct>& fields)`.
template <class Form, class T>
using Of = std::conditional_t<Form::writes, const T, T>;

// The meaning of a field that is a described struct: its own description says it.
inline constexpr std::string_view shown;

// The words for the bits of a number.
template <std::size_t n>
using BitWords = std::array<std::pair<std::uint32_t, std::string_view>, n>;

// What a form of stored facts has in common: it ignores meanings and what only reports have.
struct StoredForm {
  static constexpr bool in_reports = false;
  void about(std::string_view, std::string_view) const {}
  void derived(std::string_view) const {}
};

class JsonWriter : public StoredForm {
 public:
  static constexpr bool writes = true;
  explicit JsonWriter(std::string& out) : out_(out) {}

  // Omits a value that is empty, 0 or false.
  template <class T>
  void operator()(std::string_view key, const T& value, std::string_view = {}) {
    if (!is_nothing(value)) add(key, value);
  }
  // Omits a value that equals `usual`.
  template <class T>
  void unless(std::string_view key, const T& value, std::type_identity_t<T> usual, std::string_view = {}) {
    if (value != usual) add(key, value);
  }
  template <class Enum, std::size_t n>
  void word(std::string_view key, Enum value, const EnumTable<Enum, n>& words, std::string_view = {}) {
    add(key, name_in(words, value));
  }
  template <class Enum, std::size_t n>
  void word_unless(std::string_view key, Enum value, const EnumTable<Enum, n>& words, Enum usual) {
    if (value != usual) word(key, value, words);
  }
  template <std::size_t n>
  void bits(std::string_view key, std::uint32_t value, const BitWords<n>&, std::string_view) {
    (*this)(key, value);
  }
  // In reports, a list with a limited length and the number of the other items (`more_key`).
  template <class T>
  void first(std::string_view key, std::string_view /*more_key*/, const T& value, std::string_view) {
    (*this)(key, value);
  }
  // In reports, the fields of `value` stand among those of the struct.
  template <class T>
  void inlined(std::string_view key, const T& value) {
    (*this)(key, value);
  }
  // Writes an object with one or two fields, which are never omitted.
  template <class T>
  void line(std::string_view key, const T& value) {
    out_ += '{';
    add(key, value);
    out_ += '}';
  }
  template <class T, class Counts>
  void line(std::string_view key, const T& value, const Counts& counts) {
    line(key, value);
    out_.pop_back();
    add("counts", counts);
    out_ += '}';
  }

 private:
  template <class T>
  void object(const T& fields) {
    out_ += '{';
    first_ = true;
    describe(*this, fields);
    first_ = false;
    out_ += '}';
  }
  template <class T>
  static bool is_nothing(const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      return value == T{};
    else if constexpr (requires { value.has_value(); })
      return !value.has_value();
    else if constexpr (requires { value.empty(); })
      return value.empty();
    else
      return false;
  }
  template <class T>
  void add(std::string_view key, const T& value) {
    if (!first_) out_ += ',';
    first_ = false;
    text(key);
    out_ += ':';
    put(value);
  }

  template <class T>
    requires std::is_class_v<T>
  void put(const T& fields) {
    object(fields);
  }
  template <class Number>
    requires std::is_integral_v<Number>
  void put(Number value) {
    number(static_cast<std::uint64_t>(value));
  }
  void put(bool value) { out_ += value ? "true" : "false"; }
  void put(const std::string& value) { text(value); }
  void put(std::string_view value) { text(value); }
  void put(const PlatformTag& tag) { text(tag.text); }
  template <class Tag>
  void put(Index<Tag> index) {
    number(index.value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(*value);
  }
  template <class T>
  void put(const std::vector<T>& items) {
    char before = '[';
    for (const T& item : items) {
      out_ += before;
      before = ',';
      put(item);
    }
    out_ += ']';
  }
  void text(std::string_view bytes);
  void number(std::uint64_t value);

  std::string& out_;
  bool first_ = true;  // nothing is written in the object yet
};

// Reads what JsonWriter writes. After an error every value is empty.
class JsonReader : public StoredForm {
 public:
  static constexpr bool writes = false;
  // Every view that is read points into `pool`.
  JsonReader(std::string_view text, StringPool& pool) : text_(text), pool_(pool) {}

  template <class T>
  void operator()(std::string_view key, T& value, std::string_view = {}) {
    value = T{};
    if (comes(key)) get(value);
  }
  template <class T>
  void unless(std::string_view key, T& value, std::type_identity_t<T> usual, std::string_view = {}) {
    value = std::move(usual);
    if (comes(key)) get(value);
  }
  template <class Enum, std::size_t n>
  void word(std::string_view key, Enum& value, const EnumTable<Enum, n>& words, std::string_view = {}) {
    comes(key) ? meaning(value, words) : fail();
  }
  template <class Enum, std::size_t n>
  void word_unless(std::string_view key, Enum& value, const EnumTable<Enum, n>& words, Enum usual) {
    value = usual;
    if (comes(key)) meaning(value, words);
  }
  template <std::size_t n>
  void bits(std::string_view key, std::uint32_t& value, const BitWords<n>&, std::string_view) {
    (*this)(key, value);
  }
  template <class T>
  void first(std::string_view key, std::string_view, T& value, std::string_view) {
    (*this)(key, value);
  }
  template <class T>
  void inlined(std::string_view key, T& value) {
    (*this)(key, value);
  }
  // Reads what JsonWriter::line writes; returns false for anything else.
  template <class T>
  bool line(std::string_view key, T& value) {
    expect("{");
    comes(key) ? get(value) : fail();
    return end();
  }
  template <class T, class Counts>
  bool line(std::string_view key, T& value, Counts& counts) {
    expect("{");
    comes(key) ? get(value) : fail();
    comes("counts") ? get(counts) : fail();
    return end();
  }
  void fail() {
    failed_ = true;
    text_ = {};
  }

 private:
  bool end() {
    expect("}");
    return !failed_ && text_.empty();
  }
  template <class T>
  void object(T& fields) {
    expect("{");
    first_ = true;
    describe(*this, fields);
    first_ = false;
    expect("}");
  }
  void expect(std::string_view written) {
    if (!text_.starts_with(written)) return fail();
    text_.remove_prefix(written.size());
  }
  bool comes(std::string_view key);  // if the key is next, moves behind it
  template <class Enum, std::size_t n>
  void meaning(Enum& value, const EnumTable<Enum, n>& words) {
    const auto known = value_in(words, bytes());
    known ? void(value = *known) : fail();
  }

  template <class T>
    requires std::is_class_v<T>
  void get(T& fields) {
    object(fields);
  }
  template <class Number>
    requires std::is_integral_v<Number>
  void get(Number& value) {
    value = static_cast<Number>(number(std::numeric_limits<Number>::max()));
  }
  void get(bool& value) {
    value = text_.starts_with('t');
    expect(value ? "true" : "false");
  }
  void get(std::string& value) { value = bytes(); }
  void get(std::string_view& value) { value = pool_.add(bytes()); }
  void get(PlatformTag& tag) { tag = parse_platform_tag(bytes()); }
  template <class Tag>
  void get(Index<Tag>& index) {
    get(index.value);
  }
  template <class T>
  void get(std::optional<T>& value) {
    get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& items) {
    expect("[");
    while (!failed_) {
      get(items.emplace_back());
      if (!text_.starts_with(',')) break;
      text_.remove_prefix(1);
    }
    expect("]");
  }
  std::string_view bytes();  // the bytes of a text; valid until the next call
  std::uint64_t number(std::uint64_t max);

  std::string_view text_;
  StringPool& pool_;
  std::string unescaped_;
  bool first_ = true, failed_ = false;
};

}  // namespace wheelcheck::facts
