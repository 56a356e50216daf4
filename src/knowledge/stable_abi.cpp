// data/stable_abi.json: the names that CPython keeps for extension modules of every later version.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/text.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

Error bad(std::string_view file, std::string_view pointer, std::string_view what) {
  return {ErrorCode::BadPolicy, fmt::format("{}: {}: {}", escape(file), escape(pointer), what)};
}

// "3.7", "3.2 abi_only"
bool parse_entry(std::string_view text, StableSymbol& into) {
  static constexpr std::string_view mark = " abi_only", major = "3.";
  into.abi_only = text.ends_with(mark);
  if (into.abi_only) text.remove_suffix(mark.size());
  std::uint64_t minor = 0;
  if (!text.starts_with(major) || text.size() > 5 || !parse_number(text.substr(major.size()), minor)) return false;
  into.minor = static_cast<std::uint16_t>(minor);
  return true;
}

bool is_python_name(std::string_view name) {
  const auto fits = [](char c) { return is_alnum(c) || c == '_'; };
  return (name.starts_with("Py") || name.starts_with("_Py")) && std::ranges::all_of(name, fits);
}

}  // namespace

Result<void> read_stable_abi(std::string_view text, std::string_view file, Knowledge& into) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) return std::unexpected(bad(file, "/", "is not an object"));
  for (const auto& [key, value] : document.items())
    if (key != "stable_abi" && key != "$schema" && key != "$comment")
      return std::unexpected(bad(file, '/' + key, "is not a key"));
  const auto names = document.find("stable_abi");
  if (names == document.end() || !names->is_object())
    return std::unexpected(bad(file, "/stable_abi", "is not an object"));
  std::vector<StableSymbol> added;
  for (const auto& [name, value] : names->items()) {
    StableSymbol symbol{.name = name};
    if (!is_python_name(name) || !value.is_string() || !parse_entry(value.get<std::string>(), symbol))
      return std::unexpected(bad(file, "/stable_abi/" + name, "is not a name of Python with `3.N` or `3.N abi_only`"));
    added.push_back(std::move(symbol));
  }
  // What was read before gives way.
  added.insert(added.end(), into.stable_abi.begin(), into.stable_abi.end());
  std::ranges::stable_sort(added, {}, &StableSymbol::name);
  const auto rest = std::ranges::unique(added, {}, &StableSymbol::name);
  added.erase(rest.begin(), rest.end());
  into.stable_abi = std::move(added);
  return {};
}

}  // namespace wheelcheck::knowledge
