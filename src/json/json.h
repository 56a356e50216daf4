// A strict reader for JSON files that a user or the build supplies: policies, tables, facts, load plans and baselines.
// It rejects repeated keys and deep nesting, which nlohmann's parser accepts.
#pragma once

#include <cstddef>
#include <expected>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::json {

// Parses one document: RFC 8259, UTF-8 (a byte order mark is skipped), at most `max_depth` nested arrays and objects,
// and no key twice in one object. The error is a list of messages that start with a verb ("is not valid JSON at 2:11:
// ..."): one for each repeated key, at most 100, or the first other problem. It is never empty.
std::expected<nlohmann::json, std::vector<std::string>> parse(std::string_view text, std::size_t max_depth = 16);

// "an object", "a string", "null" and so on, for messages.
std::string_view type_name(const nlohmann::json& value);

// Appends a key or an index to a JSON pointer (RFC 6901, 3): '~' is written "~0" and '/' is written "~1".
std::string pointer_step(std::string_view pointer, std::string_view key);

}  // namespace wheelcheck::json
