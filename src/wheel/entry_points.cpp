#include "wheel/entry_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"

namespace wheelcheck::wheel {
namespace {

// Python's \w, as far as ASCII goes; other letters are allowed in names of modules as well.
bool is_word(char c) { return is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

bool is_dotted_name(std::string_view text) {
  return std::ranges::all_of(split(text, '.'),
                             [](std::string_view part) { return !part.empty() && std::ranges::all_of(part, is_word); });
}

// MODULE:OBJECT, then extras in brackets (deprecated).
bool is_callable_reference(std::string_view value) {
  if (const std::size_t bracket = value.find('['); bracket != std::string_view::npos) {
    if (!value.ends_with(']')) return false;
    value = trim(value.substr(0, bracket));
  }
  const std::size_t colon = value.find(':');
  return colon != std::string_view::npos && is_dotted_name(trim(value.substr(0, colon))) &&
         is_dotted_name(trim(value.substr(colon + 1)));
}

class EntryPoints {
 public:
  EntryPoints(MemberIndex member, std::string_view path) : member_(member), path_(path) {}

  void line(std::string_view text) {
    const std::string_view line = trim(text);
    if (line.empty() || line.front() == '#' || line.front() == ';') return;
    if (line.front() == '[' && line.back() == ']') {
      group_ = line.substr(1, line.size() - 2);
    } else if (group_ == "console_scripts" || group_ == "gui_scripts") {
      script(line);
    }
  }

  void complain(std::string reason) {
    flaws.push_back(
        {.area = WheelArea::DistInfo, .member = member_, .subject = std::string(path_), .reason = std::move(reason)});
  }

  std::vector<WheelFlaw> flaws;

 private:
  void script(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      return complain(fmt::format("'{}' in [{}] is not NAME = MODULE:OBJECT", escape(line), group_));
    if (name.find_first_of("/\\") != std::string_view::npos || name == "." || name == "..")
      return complain(
          fmt::format("the name of the script '{}' is a path: installers write outside of the directory for "
                      "scripts, or stop",
                      escape(name)));
    if (const std::string_view value = trim(line.substr(equals + 1)); !is_callable_reference(value))
      complain(fmt::format("the script '{}' is '{}', not MODULE:OBJECT: pip or uv refuses the wheel", escape(name),
                           escape(value)));
    if (!names_.insert({group_, std::string(name)}).second)
      complain(fmt::format("the script '{}' occurs twice", escape(name)));
  }

  MemberIndex member_;
  std::string_view path_;
  std::string group_;
  std::set<std::pair<std::string, std::string>> names_;  // group and script
};

}  // namespace

std::vector<WheelFlaw> entry_point_flaws(std::string_view text, MemberIndex member, std::string_view path) {
  EntryPoints points(member, path);
  if (has_odd_line_end(text)) points.complain("has a character that only some readers take for the end of a line");
  for (const std::string_view line : split(text, '\n')) points.line(line);
  return std::move(points.flaws);
}

}  // namespace wheelcheck::wheel
