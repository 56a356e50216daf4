// What pip is told: tags, Requires-Python, Requires-Dist.
#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "diff/internal.h"
#include "model/dependency.h"

namespace wheelcheck::diff {
namespace {

std::string python_tags(const WheelName& name) {
  return name.python.empty() ? "" : join(name.python, ".") + "-" + join(name.abi, ".");
}

const Metadata& metadata_of(const WheelReport& wheel) {
  static const Metadata none;
  return wheel.facts.metadata ? *wheel.facts.metadata : none;
}

// A line by what it says: absl-py (>=1.0) and absl_py>=1.0 say the same (PEP 508, and PEP 345 before it).
std::string meaning(const std::string& line) {
  const std::size_t semicolon = std::min(line.find(';'), line.size());
  const std::string_view front = std::string_view(line).substr(0, semicolon);
  const std::size_t end = front.find_first_of(" ([<>=!~@");
  std::string bounds;
  for (const char c : front.substr(std::min(end, front.size())))
    if (!is_blank(c) && c != '(' && c != ')') bounds += to_lower(c);
  std::vector<std::string> parts;
  for (const std::string_view part : split(bounds, ',')) parts.emplace_back(part);
  std::ranges::sort(parts);
  std::string out = parse_dependency(line).name + " " + join(parts, ",") + ";";
  for (const char c : line.substr(semicolon))
    if (!is_blank(c) && c != ';') out += c == '"' ? '\'' : c;
  return out;
}

// Lines that concern Linux, by what they say.
using Lines = std::map<std::string, std::string>;
Lines lines_of(const Metadata& metadata) {
  Lines out;
  for (const std::string& line : metadata.requires_dist)
    if (parse_dependency(line).for_linux) out.emplace(meaning(line), line);
  return out;
}

std::vector<std::string> less(const Lines& a, const Lines& b) {
  std::vector<std::string> out;
  for (const auto& [key, line] : a)
    if (!b.contains(key)) out.push_back(line);
  return out;
}

// A line that is gone and a new one about the same project under the same extra are one change.
std::vector<Both<std::string>> compare_dependencies(const Metadata& old, const Metadata& now) {
  const Lines before = lines_of(old), after = lines_of(now);
  const auto subject = [](const std::string& line) {
    const Dependency dependency = parse_dependency(line);
    return std::pair(dependency.name, dependency.under);
  };
  std::vector<Both<std::string>> out;
  std::multimap<std::pair<std::string, std::optional<std::string>>, std::size_t> gone;
  for (const std::string& line : less(before, after)) {
    gone.emplace(subject(line), out.size());
    out.push_back({line, ""});
  }
  for (const std::string& line : less(after, before)) {
    const auto same = gone.find(subject(line));
    if (same == gone.end()) {
      out.push_back({"", line});
      continue;
    }
    out[same->second].now = line;
    gone.erase(same);
  }
  // What every user meets before what an extra asks for; then by name.
  std::ranges::stable_sort(out, {}, [&](const Both<std::string>& change) {
    const auto [name, under] = subject(change.now.empty() ? change.old : change.now);
    return std::pair(under, name);
  });
  return out;
}

}  // namespace

MetadataChange compare_metadata(const Releases& both) {
  const Metadata &old = metadata_of(both.old), &now = metadata_of(both.now);
  const auto sorted = [](std::vector<std::string> texts) {
    std::ranges::sort(texts);
    return texts;
  };
  return {.python = {python_tags(both.old.facts.name), python_tags(both.now.facts.name)},
          .requires_python = {old.requires_python, now.requires_python},
          .dependencies = compare_dependencies(old, now),
          .extras = {sorted(old.provides_extra), sorted(now.provides_extra)}};
}

}  // namespace wheelcheck::diff
