// A JSON value with its place (RFC 6901), read strictly. Unknown keys, duplicates and wrong types are errors with their
// place. Only the first error of a table is reported.
#pragma once

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

// The first problem of a file, and the lists that are built while reading it.
class FirstProblem {
 public:
  explicit FirstProblem(std::string_view file) : file_(file) {}
  void add(std::string_view pointer, std::string_view text);
  bool empty() const { return !error_; }
  const Error& error() const { return *error_; }  // only if not empty()

  // The list lives as long as the result of take_lists().
  template <class Item>
  std::span<const Item> keep(std::vector<Item> list) {
    const auto kept = std::make_shared<const std::vector<Item>>(std::move(list));
    lists_.push_back(kept);
    return *kept;
  }
  std::vector<std::shared_ptr<const void>> take_lists() { return std::move(lists_); }

 private:
  std::string file_;
  std::optional<Error> error_;
  std::vector<std::shared_ptr<const void>> lists_;
};

class Field {
 public:
  Field(const nlohmann::json& value, FirstProblem& problem) : value_(&value), problem_(&problem) {}

  void fail(std::string_view text) const { problem_->add(pointer_, text); }
  // True for an object with only those keys, which has all of `required`.
  bool object(std::initializer_list<std::string_view> required, std::initializer_list<std::string_view> optional) const;
  std::optional<Field> find(std::string_view key) const;
  std::vector<Field> items() const;  // of an array
  // The elements of an array of objects, whose texts under `key` must be distinct.
  std::vector<Field> items(std::string_view key) const;
  std::vector<std::pair<std::string_view, Field>> members() const;  // of an object, sorted by key

  using Test = bool (*)(std::string_view text);
  // A string that passes the test; valid as long as the JSON value. `want` describes what it must be. On failure a
  // problem and "".
  std::string_view text(Test test, std::string_view want) const;
  // An array of such strings, without duplicates.
  std::vector<std::string_view> texts(Test test, std::string_view want) const;
  // The same, kept by the FirstProblem.
  TextSpan list(Test test, std::string_view want) const { return keep(texts(test, want)); }
  template <class Item>
  std::span<const Item> keep(std::vector<Item> list) const {
    return problem_->keep(std::move(list));
  }
  bool flag() const;
  // A whole number from `least` to `most`. On failure a problem and `least`.
  unsigned number(unsigned least, unsigned max) const;

 private:
  Field(const nlohmann::json& value, FirstProblem& problem, std::string pointer)
      : value_(&value), problem_(&problem), pointer_(std::move(pointer)) {}
  Field step(const nlohmann::json& value, std::string_view part) const;

  const nlohmann::json* value_;
  FirstProblem* problem_;
  std::string pointer_;
};

// --- tests that several tables use, and their descriptions --------------------------------------------------------
bool is_plain(std::string_view text);
inline constexpr std::string_view plain_words = "printable ASCII of 1 to 256 bytes";
bool is_distribution(std::string_view text);
inline constexpr std::string_view distribution_words = "a normalised name of a distribution, as in opencv-python";

// Parses strictly (json/json.h). Null if the text is not valid; the problem is added.
std::shared_ptr<const nlohmann::json> parse_table(std::string_view text, FirstProblem& problem);

}  // namespace wheelcheck::knowledge
