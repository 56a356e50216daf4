#include "config/value.h"

#include <algorithm>

namespace wheelcheck::config {

std::string_view kind_of(const Value& value) {
  struct Kind {
    std::string_view operator()(const std::string&) const { return "a text"; }
    std::string_view operator()(std::int64_t) const { return "a whole number"; }
    std::string_view operator()(double) const { return "a fraction"; }
    std::string_view operator()(bool) const { return "true or false"; }
    std::string_view operator()(const Date&) const { return "a date"; }
    std::string_view operator()(const Time&) const { return "a time"; }
    std::string_view operator()(const Array&) const { return "a list"; }
    std::string_view operator()(const Table&) const { return "a table"; }
  };
  return std::visit(Kind{}, value.what);
}

const Entry* find(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &Entry::key);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace wheelcheck::config
