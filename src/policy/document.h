// A JSON document with a pointer to where one is (RFC 6901) and a list of what is wrong with it, so that an author sees
// all mistakes of a file at once.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/policy.h"

namespace wheelcheck::policy {

// What a text stands for, which says what it may hold.
enum class Word {
  Name,    // of a policy
  Family,  // of version nodes: what stands before the first '_'
  Soname,
  Plain,  // version suffix or symbol: printable ASCII without blanks
};
// "must be ..." where the text may not stand for that; empty where it may.
std::string_view objection(std::string_view text, Word word);

struct Problem {
  std::string pointer, text;
};

class Problems {
 public:
  void add(std::string_view pointer, std::string_view text);
  bool empty() const { return all_.empty(); }
  const std::vector<Problem>& all() const { return all_; }
  std::string summary() const;  // one line, or one for each problem, the first twenty

 private:
  std::vector<Problem> all_;
};

// A value and its place. Each reader says what is wrong to Problems and gives an empty answer.
class Cursor {
 public:
  Cursor(const nlohmann::json& value, Problems& problems) : value_(&value), problems_(&problems) {}

  const nlohmann::json& value() const { return *value_; }
  void problem(std::string_view text) const { problems_->add(pointer_, text); }

  bool is_object() const;  // a problem if not
  bool is_array() const;
  // Problems for each key that is not one of `known`.
  void only(std::initializer_list<std::string_view> known) const;
  std::optional<Cursor> find(std::string_view key) const;     // no problem if it is absent
  std::optional<Cursor> require(std::string_view key) const;  // a problem if it is absent
  std::vector<std::pair<std::string, Cursor>> members() const;
  std::vector<Cursor> items() const;

  std::optional<std::string> text() const;
  std::optional<std::string> word(Word word) const;
  std::vector<std::string> words(Word word) const;  // an array without repetition, in its order
  StringSet word_set(Word word) const;
  std::map<std::string, StringSet, std::less<>> word_sets(Word key, Word word) const;  // {"key": ["word"]}

 private:
  Cursor(const nlohmann::json& value, Problems& problems, std::string pointer)
      : value_(&value), problems_(&problems), pointer_(std::move(pointer)) {}
  Cursor step(const nlohmann::json& value, std::string_view part) const;

  const nlohmann::json* value_;
  Problems* problems_;
  std::string pointer_;
};

// Parses strictly (json/json.h). nullopt, with the problems added, if the text is not valid.
std::optional<nlohmann::json> parse_document(std::string_view text, Problems& problems);

}  // namespace wheelcheck::policy
