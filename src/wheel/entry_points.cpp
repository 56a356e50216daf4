#include "wheel/entry_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"
#include "model/installed_files.h"
#include "wheel/complaints.h"

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
  // pip allows no blanks around the colon (distlib's ENTRY_RE).
  return colon != std::string_view::npos && is_dotted_name(value.substr(0, colon)) &&
         is_dotted_name(value.substr(colon + 1));
}

// The module of MODULE:OBJECT.
std::string_view module_of(std::string_view value) { return trim(value.substr(0, value.find_first_of(":["))); }

// True if the module is in a directory of its package, which the package may add to its __path__ (mitsuba.cli of
// mitsuba 3.9.1 is mitsuba/python/cli.py).
bool is_deeper(const InstalledFiles& files, std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string leaf = fmt::format("{}.py", path.substr(slash));
  return std::ranges::any_of(files.beginning_with(path.substr(0, slash + 1)),
                             [&](std::string_view file) { return file.ends_with(leaf); });
}

// True if only the wheel itself can contain the module, and it does not: the package around it is there, with an
// __init__.py. A package of one name may be shared by several distributions, unless it has the name of this one.
bool lack(const InstalledFiles& files, std::string_view module, std::string_view distribution) {
  constexpr std::size_t max_parts = 64;
  std::string path;
  std::size_t packages = 0, parts = 0;
  for (const std::string_view part : split(module, '.')) {
    if (parts > 0) path += '/';
    path += part;
    if (packages == parts && files.has(path + "/__init__.py")) ++packages;
    ++parts;
  }
  const bool own = packages > 1 || (packages == 1 && lower(module.substr(0, module.find('.'))) == lower(distribution));
  return own && parts > 1 && parts <= max_parts && files.beginning_with(path + '.').empty() &&
         !files.has_directory(path) && !is_deeper(files, path);
}

// The same for a directory of the project from which the wheel was built, and which it does not contain: no other
// distribution installs a module of such a name.
bool lack_directory(const InstalledFiles& files, std::string_view module) {
  static constexpr std::string_view directories[] = {"app", "bin", "cli", "main", "scripts", "src", "tests", "tools"};
  const std::string top(module.substr(0, module.find('.')));
  return std::ranges::find(directories, top) != std::end(directories) && !files.has_directory(top) &&
         files.beginning_with(top + '.').empty();
}

class EntryPointReader {
 public:
  EntryPointReader(MemberIndex member, std::string_view path, const std::vector<MemberFacts>& members)
      : complain(WheelArea::DistInfo, member, path, found.flaws), path_(path), members_(members), installed_(members) {}

  void line(std::string_view text) {
    const std::string_view line = trim(text);
    if (line.empty() || line.front() == '#' || line.front() == ';') return;
    if (line.front() == '[' && line.back() == ']') {
      group_ = line.substr(1, line.size() - 2);
      if (!groups_.insert(group_).second) complain(fmt::format("has [{}] twice: uv refuses the wheel", escape(group_)));
      if (group_ == "DEFAULT") complain("has [DEFAULT]: uv makes scripts of its entries, pip does not");
    } else if (groups_.empty() || line.front() == '[') {
      complain(fmt::format("'{}' is not in a section: uv refuses the wheel", escape(line, 80)));
    } else if (group_ == "console_scripts" || group_ == "gui_scripts") {
      script(line);
    }
  }

  EntryPoints found;
  const Complaints complain;

 private:
  static constexpr std::size_t max_scripts = 4096;

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
    if (name.find_first_of(" \t") != std::string_view::npos)
      complain(
          fmt::format("the name of the script '{}' contains a blank: pip and uv write different files", escape(name)));
    if (is_interpreter(name))
      complain(fmt::format("the script '{}' has the name of the interpreter: uv refuses the wheel, pip replaces it",
                           escape(name)));
    if (const std::string_view stem = path_.substr(0, path_.rfind(".dist-info/"));
        find_member(members_, fmt::format("{}.data/scripts/{}", stem, name)))
      complain(fmt::format("the script '{}' is also a member: which of them remains depends on the installer",
                           escape(name)));
    const std::string_view value = trim(line.substr(equals + 1)), module = module_of(value);
    if (!is_callable_reference(value))
      complain(fmt::format("the script '{}' is '{}', not MODULE:OBJECT: pip or uv refuses the wheel", escape(name),
                           escape(value)));
    else if (lack(installed_, module, path_.substr(0, path_.find('-'))) || lack_directory(installed_, module))
      complain(
          fmt::format("the script '{}' imports {}, which the wheel does not contain: it ends with "
                      "ModuleNotFoundError",
                      escape(name), escape(module)));
    if (!names_.insert({group_, std::string(name)}).second)
      complain(fmt::format("the script '{}' occurs twice", escape(name)));
    if (found.scripts.size() == max_scripts)
      complain(fmt::format("has more than the {} scripts that are read", max_scripts));
    else if (is_callable_reference(value))
      found.scripts.push_back({std::string(name), std::string(trim(value.substr(0, value.find('['))))});
  }

  std::string_view path_;
  const std::vector<MemberFacts>& members_;
  const InstalledFiles installed_;
  std::string group_;
  std::set<std::string> groups_;
  std::set<std::pair<std::string, std::string>> names_;  // group and script
};

}  // namespace

bool is_interpreter(std::string_view name) {
  constexpr std::string_view python = "python";
  if (!name.starts_with(python)) return false;
  name.remove_prefix(python.size());
  if (name.starts_with('w')) name.remove_prefix(1);
  return std::ranges::all_of(name, [](char c) { return is_digit(c) || c == '.'; });
}

EntryPoints read_entry_points(std::string_view text, MemberIndex member, std::string_view path,
                              const std::vector<MemberFacts>& members) {
  EntryPointReader points(member, path, members);
  if (!is_utf8(text)) points.complain("is not UTF-8: pip and uv refuse the wheel");
  if (text.starts_with("\xEF\xBB\xBF")) {
    points.complain("begins with a byte order mark: uv refuses the wheel");
    text.remove_prefix(3);
  }
  if (has_odd_line_end(text)) points.complain("has a character that only some readers take for the end of a line");
  for (const std::string_view line : split(text, '\n'))
    if (!points.complain.full()) points.line(line);
  return std::move(points.found);
}

}  // namespace wheelcheck::wheel
