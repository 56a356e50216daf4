// Parses WHEEL and METADATA, and compares METADATA with the file name.

#include "wheel/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requirement.h"
#include "wheel/complaints.h"
#include "wheel/filename.h"
#include "wheel/requires_python.h"
#include "wheel/spdx.h"

namespace wheelcheck::wheel {

namespace {

// Removes the first line from `text` and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Whether the line has the form `Key: value`.
bool is_field(std::string_view line) {
  const std::string_view key = line.substr(0, line.find(':'));
  return key.size() < line.size() && !key.empty() &&
         std::ranges::all_of(key, [](char c) { return is_alnum(c) || c == '-'; });
}

// Whether a field stands before the first empty line.
bool has_field(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty()) return false;
    if (is_field(line)) return true;
  }
  return false;
}

Headers read_headers(std::string_view text, const Complaints& complain) {
  if (!is_utf8(text)) complain("is not UTF-8");
  Headers headers = parse_headers(text);
  if (has_lone_return(text.substr(0, headers.end)))
    complain("has a carriage return that does not end a line: pip reads another line there, uv does not");
  // Python's email package reads the rest as the description, which loses nothing if no field follows.
  if (headers.bad_line != 0 && has_field(text.substr(headers.end)))
    complain(fmt::format("line {} is not a 'Key: value' line, and what follows it is not read", headers.bad_line));
  return headers;
}

// "1.9" -> 1; nothing if the text is not digits, a dot and digits.
std::optional<std::uint64_t> major_of(std::string_view version) {
  const std::size_t dot = version.find('.');
  std::uint64_t major = 0, minor = 0;
  if (dot == std::string_view::npos || !parse_number(version.substr(0, dot), major) ||
      !parse_number(version.substr(dot + 1), minor))
    return std::nullopt;
  return major;
}

// An installer must refuse a major version that it does not know (binary distribution format, "Installing a wheel";
// core metadata, "Metadata-Version").
void check_format_version(std::string_view key, std::string_view value, std::uint64_t newest,
                          const Complaints& complain) {
  if (value.empty()) return complain(fmt::format("has no {}", key));
  const std::optional<std::uint64_t> major = major_of(value);
  if (!major) return complain(fmt::format("{} '{}' is not MAJOR.MINOR", key, value));
  if (*major > newest)
    complain(fmt::format("{} {} is above {}, the newest major version that installers take", key, value, newest));
}

// Keeps the first occurrence of a field that must occur once, as installers do.
void set_once(std::string& field, bool& seen, const Header& header, std::string_view key, const Complaints& complain,
              bool minor = false) {
  if (seen) return complain(fmt::format("has more than one {}", key), minor);
  seen = true;
  field = header.value;
}

// Whether the field gives the project's licence. Old versions of setuptools wrote UNKNOWN if there was none.
bool names_licence(const Header& header) {
  if (header.key == "license" || header.key == "license-expression")
    return !header.value.empty() && header.value != "UNKNOWN";
  return header.key == "classifier" && header.value.starts_with("License ::");
}

constexpr std::size_t longest_lost = 80;  // bytes of such a line in a message

// Fields that a description cannot mean. Installers need the first four.
constexpr std::array<std::string_view, 8> clear_fields{
    "Requires-Dist: ", "Requires-Python: ", "Provides-Extra: ", "Classifier: ",
    "Author-email: ",  "License-File: ",    "Project-URL: ",    "Description-Content-Type: "};
constexpr std::size_t needed_fields = 4;

// Whether the line is one of the first `number` of them.
bool is_clear_field(std::string_view line, std::size_t number) {
  return std::ranges::any_of(std::span(clear_fields).first(number),
                             [&](auto field) { return line.starts_with(field); });
}

// A field in the first or the last line of the description: the line before it should not be empty. Or one of several
// fields with which it begins (luoshu-python-sdk 0.1.0).
std::string_view lost_field(std::string_view description) {
  description = trim(description);
  const std::string_view last = description.substr(description.rfind('\n') + 1);
  for (const std::string_view line : {description.substr(0, description.find('\n')), last})
    if (is_clear_field(line, needed_fields)) return trim(line);
  std::string_view found;
  for (std::string_view line = take_line(description); is_field(line); line = take_line(description)) {
    if (is_clear_field(line, needed_fields)) return line;
    if (found.empty() && is_clear_field(line, clear_fields.size())) found = line;
  }
  return found;
}

// The problem of a field of Metadata-Version 2.1 or newer in a file of an older version, which bdist_wheel wrote until
// 2018. pip and uv read such fields all the same. And of License-File before Metadata-Version 2.4: setuptools 56 to 76
// wrote it without a specification (../LICENSE.txt of pyarrow 17.0.0), and nothing reads it.
bool is_of_old_wheels(std::string_view problem, std::string_view version) {
  return problem.contains(" requires Metadata-Version 2.1, the file says ") ||
         (problem.starts_with("License-File ") && is_metadata_version(version) && version < "2.4");
}

}  // namespace

Headers parse_headers(std::string_view text) {
  Headers headers;
  const std::size_t size = text.size();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    headers.end = size - text.size();
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (headers.fields.empty()) {
        headers.bad_line = number;
        break;
      }
      headers.fields.back().value += '\n';
      headers.fields.back().value += trim(line);
      continue;
    }
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    // Python's email.feedparser takes a key with a blank for the start of the body.
    if (colon == std::string_view::npos || key.empty() || trim(key) != key) {
      headers.bad_line = number;
      break;
    }
    headers.fields.push_back({.key = lower(key),
                              .written = key,
                              .value = std::string(trim(line.substr(colon + 1))),
                              .ends_in_blank = line.ends_with(' ') || line.ends_with('\t')});
  }
  for (Header& header : headers.fields) header.value = std::string(trim(header.value));
  return headers;
}

bool limit_values(Headers& headers) {
  static constexpr std::array<std::string_view, 6> parsed{"name",          "version",        "requires-python",
                                                          "requires-dist", "provides-extra", "license-file"};
  constexpr std::size_t for_each = 32;  // a text that is kept
  std::size_t left = 1 << 20;
  const auto is_beyond = [&](const Header& header) {
    if (std::ranges::find(parsed, header.key) == parsed.end()) return false;
    const bool fits = header.value.size() + for_each <= left;
    left = fits ? left - header.value.size() - for_each : 0;
    return !fits;
  };
  return std::erase_if(headers.fields, is_beyond) > 0;
}

WheelFile parse_wheel_file(std::string_view text, MemberIndex member, std::string_view path,
                           std::vector<WheelFlaw>& flaws) {
  const Complaints complain(WheelArea::Wheel, member, path, flaws);
  WheelFile wheel;
  // Every tag is compared with every other one. Real wheels have fewer than a hundred.
  constexpr std::size_t max_tag_parts = 4096;
  std::size_t tag_parts = 0;
  bool version_seen = false, purelib_seen = false;
  std::string purelib;
  for (const Header& header : read_headers(text, complain).fields) {
    if (header.key == "wheel-version") set_once(wheel.wheel_version, version_seen, header, "Wheel-Version", complain);
    if (header.key == "root-is-purelib") set_once(purelib, purelib_seen, header, "Root-Is-Purelib", complain, true);
    if (header.key == "tag") {
      const auto parts = 1 + static_cast<std::size_t>(std::ranges::count(header.value, '.'));
      if (tag_parts <= max_tag_parts && tag_parts + parts > max_tag_parts)
        complain(fmt::format("names more than {} tags, the rest is not read", max_tag_parts));
      tag_parts += parts;
      if (tag_parts <= max_tag_parts) wheel.tags.push_back(header.value);
    }
    if (header.key == "wheel-version" && header.written != "Wheel-Version")
      complain(fmt::format("has the key {}: uv accepts only Wheel-Version", escape(header.written)));
  }
  if (wheel.wheel_version.size() > 1 && wheel.wheel_version[0] == '0' && is_digit(wheel.wheel_version[1]))
    complain(fmt::format("Wheel-Version {} begins with a zero: uv refuses the wheel", wheel.wheel_version));
  check_format_version("Wheel-Version", wheel.wheel_version, 1, complain);
  const std::string answer = lower(purelib);
  if (answer == "true" || answer == "false") {
    wheel.root_is_purelib = answer == "true";
  } else if (purelib_seen) {
    complain(fmt::format("Root-Is-Purelib '{}' is neither true nor false", purelib));
  }
  return wheel;
}

Metadata parse_metadata(std::string_view text, MemberIndex member, std::string_view path,
                        std::vector<WheelFlaw>& flaws) {
  const Complaints complain(WheelArea::Metadata, member, path, flaws);
  Metadata metadata;
  std::string format;
  bool format_seen = false, name_seen = false, version_seen = false, python_seen = false;
  Headers headers = read_headers(text, complain);
  if (limit_values(headers)) complain("has more names, versions and requirements than the 1 MiB of them that is read");
  for (const Header& header : headers.fields) {
    if (header.key == "metadata-version") set_once(format, format_seen, header, "Metadata-Version", complain);
    if (header.key == "name" && header.ends_in_blank) complain("Name is followed by a blank: uv refuses the wheel");
    if (header.key == "name") set_once(metadata.name, name_seen, header, "Name", complain);
    if (header.key == "version") set_once(metadata.version, version_seen, header, "Version", complain);
    if (header.key == "requires-python")
      set_once(metadata.requires_python, python_seen, header, "Requires-Python", complain);
    if (header.key == "requires-dist") metadata.requires_dist.push_back(header.value);
    if (header.key == "provides-extra") metadata.provides_extra.push_back(header.value);
    if (header.key == "license-file") metadata.license_files.push_back(header.value);
    if (names_licence(header)) metadata.licenses.push_back(header.value);
  }
  check_format_version("Metadata-Version", format, 2, complain);
  if (metadata.name.empty()) {
    complain("has no Name");
  } else if (!is_project_name(metadata.name)) {
    complain(fmt::format("Name '{}' is not a project name", metadata.name));
  }
  if (metadata.version.empty()) {
    complain("has no Version");
  } else if (!is_package_version(metadata.version)) {
    complain(fmt::format("Version '{}' is not a version as PEP 440 defines it", metadata.version));
  }
  if (const std::string_view lost = lost_field(text.substr(headers.end)); !lost.empty() && headers.bad_line == 0)
    complain(fmt::format("has '{}' in the description: fields are read only up to the first empty line",
                         escape(lost, longest_lost)),
             !is_clear_field(lost, needed_fields));
  for (std::string& problem : core_metadata_problems(headers)) {
    const bool minor = is_of_old_wheels(problem, format);
    complain(std::move(problem), minor);
  }
  return metadata;
}

void compare_metadata(const Metadata& metadata, const WheelName& name, MemberIndex member, std::string_view path,
                      std::vector<WheelFlaw>& flaws) {
  const Complaints complain(WheelArea::Metadata, member, path, flaws);
  // parse_metadata has already reported missing and malformed fields.
  if (is_project_name(metadata.name) && normal_project_name(metadata.name) != normal_project_name(name.distribution))
    complain(fmt::format("Name is {}, the file name says {}", metadata.name, name.distribution));
  if (is_package_version(metadata.version) && !same_version(metadata.version, name.version))
    complain(fmt::format("Version is {}, the file name says {}", metadata.version, name.version));
  if (!admits_tags(metadata.requires_python, name)) {
    complain(fmt::format("Requires-Python '{}' excludes every Python of the file name's tag {}",
                         metadata.requires_python, join(name.python, ".")));
  }
}

namespace {

constexpr std::size_t longest_quote = 80;  // bytes of a value in a message

// Checks a value: "" if valid, else the problem.
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
// From the core metadata specification. License-File was introduced in 2.4, but setuptools 56 to 76 wrote it in older
// versions and indexes accept it, so no version is required here.
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

// 2.6 has no new fields (PEP 808).
constexpr auto versions =
    std::to_array<std::string_view>({"1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"});

std::string in_quotes(std::string_view value) {
  if (value.size() <= longest_quote) return fmt::format("'{}'", value);
  return fmt::format("'{}...'", value.substr(0, longest_quote));
}

std::string_view value_of(const Headers& headers, std::string_view key) {
  const auto found = std::ranges::find(headers.fields, key, &Header::key);
  return found == headers.fields.end() ? std::string_view() : std::string_view(found->value);
}

}  // namespace

bool is_metadata_version(std::string_view version) { return std::ranges::find(versions, version) != versions.end(); }

std::vector<std::string> core_metadata_problems(const Headers& headers) {
  std::vector<std::string> problems;
  const std::string_view version = value_of(headers, "metadata-version");
  const bool known = is_metadata_version(version);
  std::set<std::string_view> seen, too_new, invalid;
  for (const Header& header : headers.fields) {
    const auto* const field = std::ranges::find(fields, header.key, &Field::key);
    if (field == fields.end()) continue;
    const auto [major, minor] = field->since;
    const std::string since = fmt::format("{}.{}", major, minor);
    // Each version has one digit before and one after the dot, so comparing texts compares numbers.
    if (known && since > version && too_new.insert(field->key).second)
      problems.push_back(fmt::format("{} requires Metadata-Version {}, the file says {}", field->name, since, version));
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
