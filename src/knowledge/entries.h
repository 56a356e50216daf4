// The strict reading of a table: every entry an object, no key that is not known, every text plain. The first thing
// that is wrong is kept, with the file and the JSON pointer.
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

// Where the first complaint goes; later ones are dropped.
class Complaint {
 public:
  explicit Complaint(std::string_view file) : file_(file) {}
  void operator()(std::string_view pointer, std::string_view what);
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string_view file_;
  std::optional<Error> error_;
};

// One JSON object of a table. What is asked for is known; finish() complains of every other key.
class Entry {
 public:
  Entry(const nlohmann::json& value, std::string pointer, Complaint& complain);

  std::string text(std::string_view key);                // must be there and not be empty
  std::string optional_text(std::string_view key);       // "" where it is not
  bool flag(std::string_view key, bool otherwise);       // `otherwise` where it is not there
  std::vector<std::string> texts(std::string_view key);  // must be there; each a non-empty text, none twice
  // Each object of an array that may be missing.
  void each(std::string_view key, const std::function<void(Entry&)>& visit);
  // The members of an object of texts that may be missing, by key.
  std::vector<std::pair<std::string, std::string>> pairs(std::string_view key);
  bool has(std::string_view key) { return find(key) != nullptr; }
  void ignore(std::string_view key) { asked_.emplace_back(key); }
  void complain(std::string_view key, std::string_view what);
  void finish();

 private:
  const nlohmann::json* find(std::string_view key);
  std::string at(std::string_view key) const;
  std::string text_of(const nlohmann::json& value, std::string_view key);

  const nlohmann::json& value_;
  std::string pointer_;
  Complaint& complain_;
  std::vector<std::string> asked_;
};

// Reads the array `key` of the document in `text`, which may hold "$schema", "$comment" and the other tables beside it.
// A duplicate of `name` within the file is an error; `take` moves the entry into its table.
Result<void> read_table(std::string_view text, std::string_view file, std::string_view key, std::string_view name,
                        const std::function<void(Entry&)>& take);

}  // namespace wheelcheck::knowledge
