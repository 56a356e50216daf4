// Tests the process that is simulated around the wheels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conflicts/find.h"
#include "tests/support/facts.h"

namespace wheelcheck::conflicts {
namespace {

std::string description_with(const std::vector<std::pair<std::string, std::string>>& needs) {
  test::ElfBuilder module("foo/x.cpython-311-x86_64-linux-gnu.so");
  for (const auto& [library, version] : needs) module.needed(library).need(library, version);
  module.edit([](ElfMember& member) {
    member.facts.machine = 62;  // EM_X86_64
    member.facts.bits = 64;
  });
  std::vector<Distribution> distributions;
  distributions.push_back({.facts = test::WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl").elf(module).build(),
                           .resolution = {},
                           .analysis = {}});
  const Result<Installation> installed = install(std::move(distributions), {.python = "shared"});
  return installed ? installed->description : installed.error().message;
}

// tesseract_robotics_nanobind 0.35.0.5 needs a newer libstdc++ than Debian 12 has.
TEST(Install, NamesTheVersionsThatTheReferenceLacks) {
  EXPECT_THAT(description_with({{"libstdc++.so.6", "GLIBCXX_3.4.31"}, {"libstdc++.so.6", "GLIBCXX_3.4.99"}}),
              testing::EndsWith("glibc 2.36, as if it had GLIBCXX_3.4.99"));
  EXPECT_THAT(
      description_with({{"libstdc++.so.6", "GLIBCXX_3.4.21"}, {"libc.so.6", "GLIBC_2.17"}, {"libx.so.1", "X_9"}}),
      testing::EndsWith("glibc 2.36"));
}

// h5py 2.7.0 and netCDF4 1.2.8 for CPython 2.7: their modules are not opened by CPython 3.
TEST(Install, RefusesWheelsForPython2Alone) {
  const auto shared = [](const std::string& tags) {
    std::vector<WheelFacts> wheels;
    wheels.push_back(test::WheelBuilder("foo-1.0-" + tags + ".whl").build());
    return can_share_a_process(wheels);
  };
  const auto refused = shared("cp27-cp27mu-manylinux1_x86_64");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("is for Python 2 alone"));
  EXPECT_TRUE(shared("py2.py3-none-any"));
  EXPECT_TRUE(shared("cp311-cp311-manylinux1_x86_64"));
}

}  // namespace
}  // namespace wheelcheck::conflicts
