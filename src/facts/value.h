// A JSON value that knows its place in the document, read strictly. The place is formatted only for an error, so that
// half a million rows cost no text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/string_pool.h"

namespace wheelcheck::facts {

// The first problem of a document.
struct Problem {
  std::string pointer, what;
  bool found = false;
};

class Value {
 public:
  Value(const nlohmann::json& json, Problem& problem) : json_(&json), problem_(&problem) {}

  void fail(std::string_view what) const;
  bool failed() const { return problem_->found; }

  // True for an object without other keys than these.
  bool object(std::initializer_list<std::string_view> known) const;
  std::optional<Value> find(std::string_view key) const;
  Value need(std::string_view key) const;  // a problem and a null value if it is absent
  // The number of items of an array if it is from `least` to `most`; otherwise a problem and 0.
  std::size_t items(std::size_t least = 0, std::size_t most = SIZE_MAX) const;
  Value operator[](std::size_t index) const;
  bool is_null() const { return json_->is_null(); }
  bool is_negative() const { return json_->is_number_integer() && !json_->is_number_unsigned(); }

  template <class Number>
  Number number(std::uint64_t most = std::numeric_limits<Number>::max()) const {
    return static_cast<Number>(unsigned_number(most));
  }
  std::uint64_t negated(std::uint64_t most) const;  // n for a number -n from -1 to -most
  bool flag() const;
  const std::string& raw() const;                 // the string in JSON
  std::string_view text(StringPool& pool) const;  // the bytes that the string represents

 private:
  Value(const nlohmann::json& json, const Value& above, std::string_view key, std::size_t index)
      : json_(&json), problem_(above.problem_), above_(&above), key_(key), index_(index) {}
  std::uint64_t unsigned_number(std::uint64_t most) const;
  std::string pointer() const;

  const nlohmann::json* json_;
  Problem* problem_;
  const Value* above_ = nullptr;  // the parent, which outlives this value; both are on the reader's stack
  std::string_view key_;          // key in the parent, if it is an object
  std::size_t index_ = 0;         // index in the parent, if it is an array
};

}  // namespace wheelcheck::facts
