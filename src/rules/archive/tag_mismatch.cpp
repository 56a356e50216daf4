// WC701: the file name and WHEEL must claim the same tags (PEP 427).
#include "rules/archive/tag_mismatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::tag_mismatch {
namespace {

using Tags = std::set<std::string, NaturalLess>;

// Compressed tag sets are multiplied, and WHEEL is untrusted: 1 MiB of it could contain 10^15 tags.
constexpr std::size_t max_tags = 10'000;

// Adds python x abi x platform; false if the set would exceed max_tags.
bool expand(const std::vector<std::string_view>& python, const std::vector<std::string_view>& abi,
            const std::vector<std::string_view>& platform, Tags& out) {
  for (const std::string_view p : python) {
    for (const std::string_view a : abi) {
      for (const std::string_view f : platform) {
        if (out.size() >= max_tags) return false;
        out.insert(fmt::format("{}-{}-{}", p, a, f));
      }
    }
  }
  return true;
}

std::vector<std::string_view> without_repeats(std::vector<std::string_view> parts) {
  std::ranges::sort(parts);
  const auto rest = std::ranges::unique(parts);
  parts.erase(rest.begin(), rest.end());
  return parts;
}

bool tags_of_name(const WheelName& name, Tags& out) {
  std::vector<std::string_view> platforms;
  for (const PlatformTag& tag : name.platforms) platforms.push_back(tag.text);
  return expand(without_repeats({name.python.begin(), name.python.end()}),
                without_repeats({name.abi.begin(), name.abi.end()}), without_repeats(platforms), out);
}

// A Tag line that is not of the form PYTHON-ABI-PLATFORM, quoted: "\"-manylinux2014_x86_64\"".
std::vector<std::string> malformed_tags(const WheelFile& wheel) {
  std::vector<std::string> found;
  for (const std::string& line : wheel.tags) {
    const std::vector<std::string_view> parts = split(line, '-');
    if (parts.size() != 3 || std::ranges::any_of(parts, &std::string_view::empty))
      found.push_back(fmt::format("\"{}\"", line));
  }
  return found;
}

bool tags_of_wheel_file(const WheelFile& wheel, Tags& out) {
  for (const std::string& line : wheel.tags) {
    const std::vector<std::string_view> parts = split(line, '-');
    if (parts.size() != 3) {
      if (out.size() >= max_tags) return false;
      out.insert(line);  // not a valid tag, so it differs from every tag of the name
    } else if (!expand(without_repeats(split(parts[0], '.')), without_repeats(split(parts[1], '.')),
                       without_repeats(split(parts[2], '.')), out)) {
      return false;
    }
  }
  return true;
}

// True if installers and `pip check` accept the wheel all the same: WHEEL says py3-none-any alone, or both
// name the same interpreters and ABIs, but for those of Python 2 that WHEEL lacks, and WHEEL names a platform of the
// file name, `any`, or linux with its machine.
bool is_accepted(const WheelName& name, const Tags& in_name, const Tags& in_file) {
  const auto interpreters = [](const Tags& tags) {
    std::set<std::string_view> out;
    for (const std::string_view tag : tags) out.insert(tag.substr(0, tag.rfind('-')));
    return out;
  };
  const auto is_plain = [&](std::string_view tag) {
    const std::string_view platform = tag.substr(tag.rfind('-') + 1);
    return platform == "any" || std::ranges::any_of(name.platforms, [&](const PlatformTag& one) {
             return (one.family == PlatformTag::Family::Manylinux || one.family == PlatformTag::Family::Musllinux) &&
                    platform == fmt::format("linux_{}", name_of(one.arch));
           });
  };
  const auto fits = [&](const std::string& tag) { return in_name.contains(tag) || is_plain(tag); };
  std::set<std::string_view> named = interpreters(in_name);
  const std::set<std::string_view> claimed = interpreters(in_file);
  std::erase_if(named, [&](std::string_view one) {
    return (one.starts_with("py2") || one.starts_with("cp2")) && !claimed.contains(one);
  });
  return in_file == Tags{"py3-none-any"} || (named == claimed && std::ranges::any_of(in_file, fits));
}

std::vector<std::string> difference(const Tags& a, const Tags& b) {
  std::vector<std::string> result;
  std::ranges::copy_if(a, std::back_inserter(result), [&](const std::string& tag) { return !b.contains(tag); });
  return result;
}

Place place_of_wheel_file(const WheelView& view) {
  const std::string path = view.wheel.dist_info ? *view.wheel.dist_info + "/WHEEL" : "WHEEL";
  const auto member = find_member(view.wheel.members, path);
  return member ? Place(AtMember{*member}) : Place(AtPath{path});
}

void emit_at_wheel_file(const WheelView& view, const Emit& emit, std::string message, std::vector<Evidence> evidence,
                        std::string fix, std::optional<Severity> severity = {}) {
  emit({.place = place_of_wheel_file(view),
        .message = std::move(message),
        .evidence = std::move(evidence),
        .fix = std::move(fix),
        .severity = severity});
}

constexpr const char* effect = "pip and uv install the wheel; `wheel tags` refuses it";

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.wheel) return;  // WC706
  const std::string fix = fmt::format(
      "write the tags of the file name into WHEEL: wheelcheck fix {}; to change the tags of a wheel use wheel tags, "
      "which changes both",
      shell_word(view.wheel.file));
  if (view.wheel.wheel->tags.empty())
    return emit_at_wheel_file(view, emit, "has no Tag line before its first empty line",
                              {{"file name", view.wheel.file}, {"effect", effect}}, fix, Severity::Warning);
  Tags name, file;
  if (!tags_of_name(view.wheel.name, name) || !tags_of_wheel_file(*view.wheel.wheel, file))
    return emit_at_wheel_file(view, emit, fmt::format("claims more than {} tags", max_tags), {}, fix);
  const std::vector<std::string> only_name = difference(name, file), only_file = difference(file, name);
  if (only_name.empty() && only_file.empty()) return;
  std::vector<Evidence> evidence;
  if (!only_name.empty()) evidence.push_back({"only in the file name", list_of(only_name)});
  if (!only_file.empty()) evidence.push_back({"only in WHEEL", list_of(only_file)});
  const std::vector<std::string> malformed = malformed_tags(*view.wheel.wheel);
  const std::string message =
      !malformed.empty() ? fmt::format("has Tag lines that name no tag: {}", first_of(malformed))
      : only_file.empty()
          ? fmt::format("lacks {} of the file name: {}", count_of(only_name.size(), "tag"), first_of(only_name))
      : only_name.empty() ? fmt::format("claims {} that the file name does not: {}", count_of(only_file.size(), "tag"),
                                        first_of(only_file))
                          : fmt::format("claims {}, the file name {}", first_of(only_file), first_of(only_name));
  if (!malformed.empty() || !is_accepted(view.wheel.name, name, file))
    return emit_at_wheel_file(view, emit, message, std::move(evidence), fix);
  evidence.push_back({"effect", effect});
  emit_at_wheel_file(view, emit, message, std::move(evidence), fix, Severity::Warning);
}

}  // namespace

extern const Rule rule{
    .code = "WC701",
    .name = "tag-mismatch",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::tag_mismatch

namespace wheelcheck::rules {

bool tags_differ(const WheelView& view) {
  tag_mismatch::Tags name, file;
  return view.wheel.wheel && (!tag_mismatch::tags_of_name(view.wheel.name, name) ||
                              !tag_mismatch::tags_of_wheel_file(*view.wheel.wheel, file) || name != file);
}

}  // namespace wheelcheck::rules
