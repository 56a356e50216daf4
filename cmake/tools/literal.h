// Writes tables as C++ source, for the build tools that generate them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

// A string literal. The readers of the tables accept only printable ASCII and tabs.
inline std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    if (c == '\t')
      result += "\\t";
    else
      result += c;
  }
  return result + '"';
}

// The lists of a table: arrays with names. Equal lists are one array.
class Lists {
 public:
  // The name of an array of `type` with these initialisers, or "{}" for an empty list.
  std::string add(std::string_view type, const std::vector<std::string>& items) {
    if (items.empty()) return "{}";
    const std::string body = fmt::format("[] = {{{}}};\n", fmt::join(items, ",\n    "));
    const auto [known, is_new] = names_.try_emplace(fmt::format("{}{}", type, body), names_.size());
    const std::string name = fmt::format("list_{}", known->second);
    if (is_new) definitions_ += fmt::format("constexpr {} {}{}", type, name, body);
    return name;
  }
  std::string add(const auto& texts) {
    std::vector<std::string> items;
    for (const std::string_view text : texts) items.push_back(literal(text));
    return add("std::string_view", items);
  }
  const std::string& definitions() const { return definitions_; }

 private:
  std::string definitions_;
  std::map<std::string, std::size_t> names_;
};

}  // namespace wheelcheck
