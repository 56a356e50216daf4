// Two releases of a small wheel, with verdicts set by hand, and their comparison.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "diff/compare.h"
#include "tests/report/sample.h"

namespace wheelcheck::test {

inline const std::string module_so = "pkg/_x.cpython-311-x86_64-linux-gnu.so";

// Without hashes, because the builder uses the same one for all files.
inline WheelBuilder release(std::string_view version, std::string_view tag = "manylinux_2_17_x86_64") {
  return WheelBuilder("pkg-" + std::string(version) + "-cp311-cp311-" + std::string(tag) + ".whl")
      .edit([](WheelFacts& wheel) {
        for (MemberFacts& member : wheel.members) member.sha256.clear();
      });
}

// C names belong to no library; the outermost scope of a C++ name is given by the name: _Z<scope>.
inline Attribution attribute(std::string_view name) {
  if (name == "inflate") return {.form = Attribution::Form::C, .scope = {}, .library = "zlib"};
  if (!name.starts_with("_ZN")) return {};
  const std::size_t digits = name.find_first_not_of("0123456789", 3);
  std::uint64_t length = 0;
  parse_number(name.substr(3, digits - 3), length);
  return {.form = Attribution::Form::Cxx, .scope = name.substr(digits, length), .library = {}};
}

// Rule, path and the first evidence, which identify a finding in these tests.
inline std::string identity(const WheelReport& wheel, const Finding& finding) {
  struct Path {
    const WheelFacts& facts;
    std::string operator()(const AtMember& at) const { return facts.members[at.member.value].path.text(); }
    std::string operator()(const AtElf& at) const {
      return facts.members[facts.elfs[at.elf.value].member.value].path.text();
    }
    std::string operator()(const AtPath& at) const { return at.path; }
    std::string operator()(const WholeWheel&) const { return ""; }
    std::string operator()(const AtObject&) const { return ""; }
  };
  return std::string(finding.rule->code) + " " + std::visit(Path{wheel.facts}, finding.place) +
         (finding.evidence.empty() ? "" : " " + finding.evidence.front().value);
}

inline Knowledge knowledge() {
  Knowledge out;
  out.libraries.push_back({.id = "zlib", .name = "zlib"});
  return out;
}

inline Diff difference(const WheelReport& old, const WheelReport& now) {
  return diff::compare(old, now, knowledge(), attribute, identity);
}
inline Diff difference(const WheelBuilder& old, const WheelBuilder& now) {
  return difference(with_facts(old.build()), with_facts(now.build()));
}

}  // namespace wheelcheck::test
