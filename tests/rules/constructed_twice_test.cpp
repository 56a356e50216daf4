#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::constructed_twice_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A module with ten functions and a variable of this size, both looked up by its own relocations.
WheelBuilder copy_of(const std::string& name, std::uint64_t size, bool destroys) {
  ElfBuilder module(module_file(name + "/_m"));
  for (int i = 0; i < 10; ++i) module.exports("f" + std::to_string(i));
  module.exports("devices");
  if (destroys) module.needed("libc.so.6").import("__cxa_atexit");
  module.edit([size](ElfMember& member) {
    DynamicFacts& facts = *member.facts.dynamic;
    for (std::uint32_t i = 0; i < facts.exports.size(); ++i) {
      const bool variable = facts.exports[i].name == "devices";
      facts.exports[i].kind = variable ? SymbolKind::Object : SymbolKind::Function;
      facts.exports[i].size = variable ? size : 8;
      facts.exports[i].binding = Binding::Global;
      facts.exports[i].bound = Bound::AtLoad;
    }
  });
  return wheel_of(name).elf(std::move(module));
}

std::vector<Finding> found(std::uint64_t size, bool destroys) {
  const ElfMember libc = ElfBuilder("libc.so.6").soname("libc.so.6").exports("__cxa_atexit").build({0});
  return played(Together({copy_of("one", size, destroys), copy_of("two", size, destroys)})
                    .platform(libc)
                    .global("one/_m.cpython-311-x86_64-linux-gnu.so"),
                "constructed-twice");
}

TEST(ConstructedTwice, IsAWarningForAnObjectOfEqualCopies) {
  const auto findings = found(24, true);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].message, HasSubstr("construct the same 1 global object"));
}

TEST(ConstructedTwice, IsSilentOnNumbersAndInC) {
  EXPECT_THAT(found(8, true), IsEmpty());
  EXPECT_THAT(found(24, false), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::constructed_twice_test
