// Tests what PyPI refuses in entry_points.txt. tests/index compares the rest with PyPI's own code.
#include "wheel/index_checks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wheelcheck::wheel {
namespace {

TEST(IndexEntryPoints, NamesOfScriptsHaveFewCharacters) {
  for (const char* const section : {"console_scripts", "gui_scripts", "DEFAULT"})
    EXPECT_THAT(index_entry_points_problem(fmt::format("[{}]\na/b = foo:main\n", section)),
                testing::HasSubstr(fmt::format("the name 'a/b' in [{}]", section)));
  EXPECT_EQ(index_entry_points_problem("[foo.plugins]\na/b = foo:main\n[console_scripts]\na-b = foo:main\n"), "");
}

TEST(IndexEntryPoints, SectionsAndNamesOccurOnce) {
  EXPECT_EQ(index_entry_points_problem("[a]\nx = y\n[a]\nz = y\n"), "the section [a] occurs twice");
  EXPECT_EQ(index_entry_points_problem("[a]\nx = y\nx = z\n"), "'x' is twice in [a]");
}

}  // namespace
}  // namespace wheelcheck::wheel
