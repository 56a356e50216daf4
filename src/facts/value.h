// A JSON value that knows its place in the document, read strictly. The place is written out only for an error, so half
// a million rows cost no text.
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

// The first thing that is wrong stands for all.
struct Problem {
  std::string pointer, what;
  bool found = false;
};

class Value {
 public:
  Value(const nlohmann::json& json, Problem& problem) : json_(&json), problem_(&problem) {}

  void fail(std::string_view what) const;
  bool failed() const { return problem_->found; }

  // An object with no other keys than these.
  bool object(std::initializer_list<std::string_view> known) const;
  std::optional<Value> find(std::string_view key) const;
  Value need(std::string_view key) const;  // a problem and a null if it is not there
  // The items of an array of `least` to `most`, else 0.
  std::size_t items(std::size_t least = 0, std::size_t most = SIZE_MAX) const;
  Value operator[](std::size_t index) const;
  bool is_null() const { return json_->is_null(); }
  bool is_negative() const { return json_->is_number_integer() && !json_->is_number_unsigned(); }

  template <class Number>
  Number number(std::uint64_t most = std::numeric_limits<Number>::max()) const {
    return static_cast<Number>(unsigned_number(most));
  }
  std::uint64_t negated(std::uint64_t most) const;  // of a number from -1 to -most: n of -n
  bool flag() const;
  const std::string& raw() const;                 // as it is written in JSON
  std::string_view text(StringPool& pool) const;  // its bytes

 private:
  Value(const nlohmann::json& json, const Value& above, std::string_view key, std::size_t index)
      : json_(&json), problem_(above.problem_), above_(&above), key_(key), index_(index) {}
  std::uint64_t unsigned_number(std::uint64_t most) const;
  std::string pointer() const;

  const nlohmann::json* json_;
  Problem* problem_;
  const Value* above_ = nullptr;  // outlives this one: both live on the reader's stack
  std::string_view key_;          // in the object above, else
  std::size_t index_ = 0;         // in the array above
};

}  // namespace wheelcheck::facts
