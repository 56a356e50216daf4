// Reads WHEEL and METADATA, and compares what METADATA says with the file name.
#include "wheel/metadata.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.h"
#include "wheel/core_metadata.h"
#include "wheel/filename.h"
#include "wheel/pep440.h"
#include "wheel/requires_python.h"

namespace wheelcheck::wheel {
namespace {

// One line without its end, which is taken off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Where one file's flaws go.
class Complaints {
 public:
  Complaints(WheelArea area, MemberIndex member, std::string_view path, std::vector<WheelFlaw>& out)
      : area_(area), member_(member), path_(path), out_(out) {}
  void operator()(std::string reason) const {
    out_.push_back({.area = area_, .member = member_, .subject = path_, .reason = std::move(reason)});
  }

 private:
  WheelArea area_;
  MemberIndex member_;
  std::string path_;
  std::vector<WheelFlaw>& out_;
};

Headers read_headers(std::string_view text, const Complaints& complain) {
  if (!is_utf8(text)) complain("is not UTF-8");
  Headers headers = parse_headers(text);
  if (headers.bad_line != 0)
    complain(fmt::format("line {} is not a 'Key: value' line, and what follows it is not read", headers.bad_line));
  return headers;
}

// "1.9" -> 1; nothing for what is not digits, a dot and digits.
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

// Keeps the first of a field that must occur once.
void set_once(std::string& field, bool& seen, const Header& header, std::string_view key, const Complaints& complain) {
  if (seen) return complain(fmt::format("has more than one {}", key));
  seen = true;
  field = header.value;
}

// What says under which licence the project is. Old setuptools wrote UNKNOWN where nothing was said.
bool names_licence(const Header& header) {
  if (header.key == "license" || header.key == "license-expression")
    return !header.value.empty() && header.value != "UNKNOWN";
  return header.key == "classifier" && header.value.starts_with("License ::");
}

}  // namespace

Headers parse_headers(std::string_view text) {
  Headers headers;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
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
    const std::string_view key = trim(line.substr(0, colon));
    if (colon == std::string_view::npos || key.empty()) {
      headers.bad_line = number;
      break;
    }
    headers.fields.push_back({lower(key), std::string(trim(line.substr(colon + 1)))});
  }
  for (Header& header : headers.fields) header.value = std::string(trim(header.value));
  return headers;
}

WheelFile parse_wheel_file(std::string_view text, MemberIndex member, std::string_view path,
                           std::vector<WheelFlaw>& flaws) {
  const Complaints complain(WheelArea::Wheel, member, path, flaws);
  WheelFile wheel;
  bool version_seen = false, purelib_seen = false;
  std::string purelib;
  for (const Header& header : read_headers(text, complain).fields) {
    if (header.key == "wheel-version") set_once(wheel.wheel_version, version_seen, header, "Wheel-Version", complain);
    if (header.key == "root-is-purelib") set_once(purelib, purelib_seen, header, "Root-Is-Purelib", complain);
    if (header.key == "tag") wheel.tags.push_back(header.value);
  }
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
  const Headers headers = read_headers(text, complain);
  for (const Header& header : headers.fields) {
    if (header.key == "metadata-version") set_once(format, format_seen, header, "Metadata-Version", complain);
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
  } else if (!comparable_version(metadata.version)) {
    complain(fmt::format("Version '{}' is not a version as PEP 440 defines it", metadata.version));
  }
  for (std::string& problem : core_metadata_problems(headers)) complain(std::move(problem));
  return metadata;
}

void compare_metadata(const Metadata& metadata, const WheelName& name, MemberIndex member, std::string_view path,
                      std::vector<WheelFlaw>& flaws) {
  const Complaints complain(WheelArea::Metadata, member, path, flaws);
  // What is missing or malformed was said by parse_metadata.
  if (is_project_name(metadata.name) && normal_name(metadata.name) != normal_name(name.distribution))
    complain(fmt::format("Name is {}, the file name says {}", metadata.name, name.distribution));
  if (comparable_version(metadata.version) && !same_version(metadata.version, name.version))
    complain(fmt::format("Version is {}, the file name says {}", metadata.version, name.version));
  if (!admits_tags(metadata.requires_python, name)) {
    complain(fmt::format("Requires-Python '{}' excludes every Python of the file name's tag {}",
                         metadata.requires_python, join(name.python, ".")));
  }
}

}  // namespace wheelcheck::wheel
