#include "wheel/core_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "wheel/filename.h"
#include "wheel/requirement.h"
#include "wheel/spdx.h"

namespace wheelcheck::wheel {
namespace {

constexpr std::size_t longest_quote = 80;  // bytes of a value in a message

// "" for a valid value, else what is wrong with it.
using Check = std::string (*)(std::string_view value);

std::string no_check(std::string_view) { return ""; }

std::string one_line(std::string_view value) { return value.find('\n') == value.npos ? "" : "has several lines"; }

std::string project_name(std::string_view value) {
  return is_project_name(value) ? "" : "is not a valid name";  // PEP 685
}

// text/markdown; charset=UTF-8; variant=GFM
std::string content_type(std::string_view value) {
  const auto parts = split(value, ';');
  const std::string type = lower(trim(parts.front()));
  if (type != "text/plain" && type != "text/x-rst" && type != "text/markdown")
    return "is not text/plain, text/x-rst or text/markdown";
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const std::size_t equals = part.find('=');
    const std::string key = lower(trim(part.substr(0, equals)));
    std::string_view argument = equals == part.npos ? std::string_view() : trim(part.substr(equals + 1));
    if (argument.size() > 1 && argument.starts_with('"') && argument.ends_with('"'))
      argument = argument.substr(1, argument.size() - 2);
    if (key == "charset" && lower(argument) != "utf-8") return "has a charset other than UTF-8";
    if (key == "variant" && type == "text/markdown" && argument != "GFM" && argument != "CommonMark")
      return "has a variant other than GFM and CommonMark";
  }
  return "";
}

std::string dynamic(std::string_view value) {
  const std::string field = lower(value);
  const bool fixed = field == "name" || field == "version" || field == "metadata-version";
  return fixed ? "names a field that cannot be dynamic" : "";
}

// A path below .dist-info/licenses (PEP 639).
std::string license_file(std::string_view value) {
  if (value.starts_with('/')) return "is an absolute path";
  if (value.find('\\') != value.npos) return "has a backslash";
  const auto parts = split(value, '/');
  return std::ranges::find(parts, "..") == parts.end() ? "" : "leads out of the directory of licence files";
}

// a.b or a.b ; private (PEP 794)
std::string import_name(std::string_view value) {
  const std::size_t semicolon = value.find(';');
  if (semicolon != value.npos && trim(value.substr(semicolon + 1)) != "private")
    return "has something else than 'private' after ';'";
  const std::string_view name = trim(value.substr(0, semicolon));
  if (name.empty()) return "";  // the wheel has no import name
  const auto is_identifier = [](std::string_view part) {
    const auto in_word = [](char c) { return is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
    return !part.empty() && !is_digit(part.front()) && std::ranges::all_of(part, in_word);
  };
  return std::ranges::all_of(split(name, '.'), is_identifier) ? "" : "is not a dotted name of identifiers";
}

struct Field {
  std::string_view key, name;
  std::pair<int, int> since;  // Metadata-Version
  Check check = no_check;
  bool repeated = false;
};
// Core metadata specification. License-File came with 2.4, but setuptools wrote it for years before (56 to 76), and
// indexes take it: no version is required of it here.
constexpr auto fields = std::to_array<Field>({
    {"summary", "Summary", {1, 0}, one_line},
    {"supported-platform", "Supported-Platform", {1, 1}, no_check, true},
    {"download-url", "Download-URL", {1, 1}},
    {"classifier", "Classifier", {1, 1}, no_check, true},
    {"maintainer", "Maintainer", {1, 2}},
    {"maintainer-email", "Maintainer-email", {1, 2}},
    {"requires-dist", "Requires-Dist", {1, 2}, requirement_problem, true},
    {"requires-python", "Requires-Python", {1, 2}, specifiers_problem, true},  // parse_metadata reports a second one
    {"requires-external", "Requires-External", {1, 2}, no_check, true},
    {"project-url", "Project-URL", {1, 2}, no_check, true},
    {"description-content-type", "Description-Content-Type", {2, 1}, content_type},
    {"provides-extra", "Provides-Extra", {2, 1}, project_name, true},
    {"dynamic", "Dynamic", {2, 2}, dynamic, true},
    {"license-expression", "License-Expression", {2, 4}, license_expression_problem},
    {"license-file", "License-File", {1, 0}, license_file, true},
    {"import-name", "Import-Name", {2, 5}, import_name, true},
    {"import-namespace", "Import-Namespace", {2, 5}, import_name, true},
});

constexpr auto versions =
    std::to_array<std::string_view>({"1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5"});

std::string in_quotes(std::string_view value) {
  if (value.size() <= longest_quote) return fmt::format("'{}'", value);
  return fmt::format("'{}...'", value.substr(0, longest_quote));
}

std::string_view value_of(const Headers& headers, std::string_view key) {
  const auto found = std::ranges::find(headers.fields, key, &Header::key);
  return found == headers.fields.end() ? std::string_view() : std::string_view(found->value);
}

}  // namespace

std::vector<std::string> core_metadata_problems(const Headers& headers) {
  std::vector<std::string> problems;
  const std::string_view version = value_of(headers, "metadata-version");
  const bool known = std::ranges::find(versions, version) != versions.end();
  std::set<std::string_view> seen, too_new, invalid;
  for (const Header& header : headers.fields) {
    const auto* const field = std::ranges::find(fields, header.key, &Field::key);
    if (field == fields.end()) continue;
    const auto [major, minor] = field->since;
    const std::string since = fmt::format("{}.{}", major, minor);
    // Versions have one digit before and one behind the dot, so text compares as numbers.
    if (known && since > version && too_new.insert(field->key).second)
      problems.push_back(fmt::format("{} needs Metadata-Version {}, the file says {}", field->name, since, version));
    if (!seen.insert(field->key).second && !field->repeated && invalid.insert(field->key).second) {
      problems.push_back(fmt::format("has more than one {}", field->name));
      continue;
    }
    if (invalid.contains(field->key)) continue;
    if (const std::string problem = field->check(header.value); !problem.empty()) {
      invalid.insert(field->key);
      problems.push_back(fmt::format("{} {} {}", field->name, in_quotes(header.value), problem));
    }
  }
  return problems;
}

}  // namespace wheelcheck::wheel
