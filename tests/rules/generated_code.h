// Wheels with generated code of Protocol Buffers.
#pragma once

#include <string>
#include <utility>

#include "tests/support/facts.h"

namespace wheelcheck::test {

struct Generated {
  std::string file = "common.proto", digest = "1", since = {}, before = {}, message = {};
  bool imported = true;
};

// NAME/__init__.py imports NAME/x_pb2.py, or does nothing.
inline WheelBuilder& add_generated(WheelBuilder& wheel, const std::string& name, const Generated& how) {
  const std::string init = name + "/__init__.py", code = name + "/x_pb2.py";
  return wheel.member(init).member(code).edit([=](WheelFacts& facts) {
    for (std::uint32_t i = 0; i < facts.members.size(); ++i) {
      const std::string& path = facts.members[i].path.text();
      if (path != init && path != code) continue;
      PythonFile file{.member = {i}, .calls = {}, .names = {}};
      if (path == init && how.imported) {
        file.units.push_back({.name = "", .first = 0, .count = 1});
        file.events.push_back({.action = PythonAction::Import, .line = 1, .name = ".", .names = {"x_pb2"}});
      }
      if (path == code)
        file.descriptors.push_back({.file = how.file,
                                    .names = {how.message.empty() ? name + ".M" : how.message},
                                    .digest = how.digest,
                                    .line = 20,
                                    .since = how.since,
                                    .before = how.before});
      facts.python.push_back(std::move(file));
    }
    facts.all_python = true;
  });
}

}  // namespace wheelcheck::test
