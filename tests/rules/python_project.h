// A pure wheel whose code imports modules of other distributions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/rules/scene.h"

namespace wheelcheck::test {

struct Import {
  std::string name;
  Reach reach = Reach::Certain;
  std::uint32_t attempt = no_python_index, condition = no_python_index;
  std::vector<std::string> names = {};
};
struct Project {
  std::vector<Import> imports;
  std::string requires_python = "";
  std::vector<std::string> requires_dist = {};
  std::string file = "foo/__init__.py";  // the one with the imports, from line 1 on
  std::string other = "foo/present.py";
  std::string wheel = "foo-1.0-py3-none-any.whl";
  std::vector<ScriptEntry> scripts = {};
};

inline std::vector<Finding> findings_of(const std::string& rule, const Project& project) {
  WheelBuilder builder(project.wheel);
  builder.member(project.file);
  if (project.file != "foo/__init__.py") builder.member("foo/__init__.py");
  builder.member(project.other);
  WheelFacts wheel = builder.build();
  PythonFile python;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == project.file) python.member = MemberIndex{i};
  python.units.push_back({.name = "", .first = 0, .count = static_cast<std::uint32_t>(project.imports.size())});
  for (const Import& import : project.imports)
    python.events.push_back({.action = PythonAction::Import,
                             .reach = import.reach,
                             .line = static_cast<std::uint32_t>(python.events.size() + 1),
                             .condition = import.condition,
                             .attempt = import.attempt,
                             .name = import.name,
                             .names = import.names});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  wheel.scripts = project.scripts;
  wheel.metadata = Metadata{.name = "foo",
                            .version = "1.0",
                            .requires_python = project.requires_python,
                            .requires_dist = project.requires_dist};
  return Scene(std::move(wheel)).run(rule);
}

}  // namespace wheelcheck::test
