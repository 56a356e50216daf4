// Reads a JSON document of the user and collects all problems with their places (JSON pointers, RFC 6901), so that an
// author sees all mistakes of a file at once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/policy.h"

namespace wheelcheck::policy {

// The kind of a text, which determines the allowed characters.
enum class Word {
  Name,    // name of a policy
  Family,  // family of version nodes: the part before the first '_'
  Soname,
  Plain,  // version suffix or symbol: printable ASCII without blanks
};
// "must be ..." if the text is not allowed for that kind; otherwise empty.
std::string_view objection(std::string_view text, Word word);

struct Problem {
  std::string pointer, text;
};

class Problems {
 public:
  void add(std::string_view pointer, std::string_view text);
  bool empty() const { return all_.empty(); }
  const std::vector<Problem>& all() const { return all_; }
  std::size_t left_out() const { return left_out_; }  // that are counted only: a file may have millions
  std::string summary() const;                        // one line, or one line per problem for the first twenty

 private:
  std::vector<Problem> all_;
  std::size_t left_out_ = 0, bytes_ = 0;
};

// A JSON value and its place. Each read function reports a problem and returns an empty result if the value has the
// wrong type.
class Cursor {
 public:
  Cursor(const nlohmann::json& value, Problems& problems) : value_(&value), problems_(&problems) {}

  const nlohmann::json& value() const { return *value_; }
  void problem(std::string_view text) const { problems_->add(pointer_, text); }

  bool is_object() const;  // reports a problem if not
  bool is_array() const;
  // Reports a problem for each key that is not in `known`.
  void only(std::initializer_list<std::string_view> known) const;
  std::optional<Cursor> find(std::string_view key) const;     // no problem if absent
  std::optional<Cursor> require(std::string_view key) const;  // reports a problem if absent
  std::vector<std::pair<std::string, Cursor>> members() const;
  std::vector<Cursor> items(std::size_t max = SIZE_MAX) const;

  std::optional<std::string> text() const;
  std::optional<std::string> word(Word word) const;
  std::vector<std::string> words(Word word) const;  // an array without duplicates, in file order
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

// Parses strictly (json/json.h). nullopt if the text is not valid; the problems are added.
std::optional<nlohmann::json> parse_document(std::string_view text, Problems& problems);

}  // namespace wheelcheck::policy
