// Describes a table of a configuration file as a list of keys, each with the function that reads its value.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "config/scalars.h"
#include "wheelcheck/config.h"

namespace wheelcheck::config {

template <class Target>
struct Field {
  std::string_view key;
  void (*read)(const Reader& reader, const Value& value, Target& out);
  bool required = false;
};

template <class Target>
std::vector<std::string_view> keys_of(std::span<const Field<Target>> fields, bool required_only = false) {
  std::vector<std::string_view> keys;
  for (const Field<Target>& field : fields)
    if (field.required || !required_only) keys.push_back(field.key);
  return keys;
}

// The field with that key. If the table does not have such a key, adds a problem and returns null.
template <class Target>
const Field<Target>* field_of(const Reader& reader, const KeyValue& entry, std::span<const Field<Target>> fields) {
  const auto found = std::ranges::find(fields, entry.key, &Field<Target>::key);
  if (found != fields.end()) return &*found;
  reader.problems.add(entry.at,
                      fmt::format("unknown key `{}`{}", escape(entry.key, 80), hint(entry.key, keys_of(fields))));
  return nullptr;
}

// False if a required key is missing; problems are added.
template <class Target>
bool read_fields(const Reader& reader, const Value& value, std::span<const Field<Target>> fields, Target& out) {
  const Table* const table = reader.table(value);
  if (table == nullptr) return false;
  for (const KeyValue& entry : *table)
    if (const auto* const field = field_of(reader, entry, fields)) field->read(reader, entry.value, out);
  bool whole = true;
  for (const Field<Target>& field : fields) {
    if (!field.required || find(*table, field.key) != nullptr) continue;
    reader.problems.add(value.at, fmt::format("needs a key `{}`", field.key));
    whole = false;
  }
  return whole;
}

// Reads [[name]], an array of such tables. `start` creates an empty target for a position.
template <class Target, class Start>
std::vector<Target> read_entries(const Reader& reader, const Value& value, std::span<const Field<Target>> fields,
                                 const Start& start) {
  std::vector<Target> out;
  const auto* const array = std::get_if<Array>(&value.what);
  if (array == nullptr) reader.wrong(value, "a list of tables");
  if (array == nullptr) return out;
  for (const Value& element : *array) {
    Target target = start(element.at);
    if (read_fields(reader, element, fields, target)) out.push_back(std::move(target));
  }
  return out;
}

// --- The keys that a configuration file and its overrides may contain.

std::span<const Field<ConfigKeys>> wheel_keys();
std::span<const Field<ExternalLibrary>> external_keys();
std::span<const Field<IgnoreRule>> ignore_keys();
std::span<const Field<NameRule>> export_rule_keys();  // of forbid-exports and allow-exports
std::span<const Field<NameRule>> needed_rule_keys();  // of forbid-needed

}  // namespace wheelcheck::config
