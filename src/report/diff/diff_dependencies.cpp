// Which distributions are required otherwise: a line each of those that every user meets, and a line an extra.
#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "model/dependency.h"
#include "report/diff/diff_outline.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t changed_libraries = 6;

// What follows the name: "(>=1.0) ; marker".
std::string_view behind_name(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && (is_alnum(line[at]) || line[at] == '-' || line[at] == '_' || line[at] == '.')) ++at;
  std::string_view rest = trim(line.substr(at));
  if (rest.starts_with('(') && rest.find(';') == rest.npos && rest.ends_with(')'))
    rest = rest.substr(1, rest.size() - 2);
  return rest;
}

std::string bounds(const std::string& line, const DiffStyle& style) {
  const std::string_view rest = behind_name(line);
  return rest.empty() ? "any" : style.name(rest);
}

DiffLine plain_line(const Both<std::string>& change, const DiffStyle& style) {
  const std::string& line = change.now.empty() ? change.old : change.now;
  const std::string name = style.name(parse_dependency(line).name);
  if (change.old.empty())
    return {"requires", DiffLine::Tone::Plain, fmt::format("{} {}, new", name, bounds(line, style))};
  if (change.now.empty()) return {"requires", DiffLine::Tone::Plain, fmt::format("{} no more", name)};
  return {"requires", DiffLine::Tone::Plain,
          fmt::format("{} {} {} {}", name, bounds(change.old, style), style.arrow, bounds(change.now, style))};
}

struct Extra {
  std::vector<std::string> changed, added, gone;
};

std::string extra_text(const Extra& extra, const DiffStyle& style) {
  std::string out;
  const auto add = [&](const char* word, const std::vector<std::string>& names) {
    if (!names.empty()) out += fmt::format("; {} {}", word, few_names(names, changed_libraries, style));
  };
  add("new", extra.added);
  add("no more", extra.gone);
  add("changed", extra.changed);
  return out.substr(std::min<std::size_t>(2, out.size()));
}

}  // namespace

std::vector<DiffLine> dependency_lines(const MetadataChange& metadata, const DiffStyle& style) {
  std::vector<DiffLine> out;
  std::map<std::string, Extra> extras;
  for (const Both<std::string>& change : metadata.dependencies) {
    const Dependency dependency = parse_dependency(change.now.empty() ? change.old : change.now);
    if (!dependency.under) {
      out.push_back(plain_line(change, style));
      continue;
    }
    Extra& extra = extras[*dependency.under];
    std::vector<std::string>& list = change.old.empty() ? extra.added : change.now.empty() ? extra.gone : extra.changed;
    if (list.empty() || list.back() != dependency.name) list.push_back(dependency.name);
  }
  for (const auto& [name, extra] : extras)
    out.push_back({"extra", DiffLine::Tone::Plain, fmt::format("{}: {}", style.name(name), extra_text(extra, style))});
  return out;
}

}  // namespace wheelcheck::report
