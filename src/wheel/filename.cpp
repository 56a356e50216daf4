// Splits a wheel's file name into its parts and reports an invalid part.
#include "wheel/filename.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/pep440.h"

namespace wheelcheck::wheel {
namespace {

std::unexpected<Error> no_wheel_name(std::string_view file, std::string_view what) {
  return std::unexpected(Error{ErrorCode::NotAWheel, fmt::format("{}: {}", escape(file), what)});
}

// A tag set: one or more tags separated by dots. Nothing if it is malformed.
std::optional<std::vector<std::string>> tag_set(std::string_view text) {
  std::vector<std::string> tags;
  for (const std::string_view tag : split(text, '.')) {
    const auto allowed = [](char c) { return is_alnum(c) || c == '_'; };
    if (tag.empty() || !std::ranges::all_of(tag, allowed)) return std::nullopt;
    tags.emplace_back(tag);
  }
  return tags;
}

// The escaped form of a project's name: '-' never occurs, and a run of separators has become one '_'. Older tools kept
// dots and upper case, so those are taken as well (packaging specification, "Escaping and Unicode"). uv refuses a name
// that does not begin and end with a letter or digit (PEP 508); one that begins with a dot is hidden from *.whl.
bool is_distribution(std::string_view text) {
  const auto allowed = [](char c) { return is_alnum(c) || c == '.' || c == '_'; };
  return !text.empty() && is_alnum(text.front()) && is_alnum(text.back()) && std::ranges::all_of(text, allowed) &&
         text.find("__") == std::string_view::npos;
}

// The label after the platform tags of a variant wheel (PEP 825, a draft): lower case, digits, '_' and '.'.
bool is_variant_label(std::string_view text) {
  const auto allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '.'; };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

// Removes and returns the label. The sixth part is a label only if the fifth is a set of platform tags; otherwise the
// name has a build tag.
std::string take_variant(std::vector<std::string_view>& parts) {
  const bool has_build = parts.size() > 2 && !parts[2].empty() && is_digit(parts[2].front());
  if (parts.size() != (has_build ? 7U : 6U) || !is_variant_label(parts.back())) return "";
  for (const std::string_view tag : split(parts[parts.size() - 2], '.'))
    if (parse_platform_tag(tag).family == PlatformTag::Family::Other) return "";
  const std::string label(parts.back());
  parts.pop_back();
  return label;
}

}  // namespace

Result<WheelName> parse_filename(std::string_view file) {
  static constexpr std::string_view suffix = ".whl";
  if (!file.ends_with(suffix)) return no_wheel_name(file, "a wheel's name ends in .whl");
  std::vector<std::string_view> parts = split(file.substr(0, file.size() - suffix.size()), '-');
  WheelName name;
  name.variant = take_variant(parts);
  if (parts.size() != 5 && parts.size() != 6) {
    return no_wheel_name(file, fmt::format("a wheel's name has five or six parts between dashes "
                                           "(name-version[-build]-python-abi-platform.whl), this one has {}",
                                           parts.size()));
  }
  if (!is_distribution(parts[0])) {
    return no_wheel_name(file, fmt::format("'{}' cannot be the project in a wheel's name: letters, digits, dots and "
                                           "single underscores only, a letter or digit first and last",
                                           escape(parts[0])));
  }
  if (!is_package_version(parts[1]))
    return no_wheel_name(file, fmt::format("'{}' is not a version as PEP 440 defines it", escape(parts[1])));
  if (parts.size() == 6 && (parts[2].empty() || !is_digit(parts[2].front())))
    return no_wheel_name(file, fmt::format("the build tag '{}' does not start with a digit", escape(parts[2])));

  const std::size_t tags = parts.size() - 3;
  const auto python = tag_set(parts[tags]), abi = tag_set(parts[tags + 1]), platforms = tag_set(parts[tags + 2]);
  if (!python) return no_wheel_name(file, fmt::format("'{}' is not a set of python tags", escape(parts[tags])));
  if (!abi) return no_wheel_name(file, fmt::format("'{}' is not a set of abi tags", escape(parts[tags + 1])));
  if (!platforms)
    return no_wheel_name(file, fmt::format("'{}' is not a set of platform tags", escape(parts[tags + 2])));

  name.distribution = parts[0];
  name.version = parts[1];
  if (parts.size() == 6) name.build = parts[2];
  name.python = *python;
  name.abi = *abi;
  for (const std::string& tag : *platforms) name.platforms.push_back(parse_platform_tag(tag));
  return name;
}

}  // namespace wheelcheck::wheel
