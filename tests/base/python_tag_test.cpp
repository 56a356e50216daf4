// Tests the tags of Python versions against the table that python_tags.py makes with packaging.tags.
#include "model/python_tag.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/text.h"

namespace wheelcheck::test::python_tag_test {
namespace {

TEST(PythonTag, IsParsed) {
  const auto tag = parse_python_tag("cp313t");
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->implementation, Implementation::CPython);
  EXPECT_EQ(tag->version.major, 3U);
  EXPECT_EQ(tag->version.minor, 13U);
  EXPECT_TRUE(tag->version.is_free_threaded());
  EXPECT_EQ(parse_python_tag("py2")->version.minor, std::nullopt);
  EXPECT_EQ(parse_python_tag("pp310")->implementation, Implementation::PyPy);
  for (const char* const other : {"", "cp", "cpx", "abi3", "none", "graalpy311", "cp3111111", "cp311-1", "CP311"})
    EXPECT_FALSE(parse_python_tag(other)) << other;
  EXPECT_EQ(cpython3_tag("cp311"), 11U);
  for (const char* const other : {"cp3", "py311", "cp27", "cp313t", "pp310"})
    EXPECT_FALSE(cpython3_tag(other)) << other;
}

TEST(PythonTag, OfPython2Alone) {
  const auto alone = [](std::vector<std::string> tags) {
    WheelName name;
    name.python = std::move(tags);
    return is_for_python2_alone(name);
  };
  EXPECT_TRUE(alone({"cp27"}));
  EXPECT_TRUE(alone({"py2", "py27"}));
  EXPECT_FALSE(alone({"py2", "py3"}));
  EXPECT_FALSE(alone({"cp311"}));
  EXPECT_FALSE(alone({}));
}

std::string installers_of(const WheelName& name) {
  const InterpreterTags tags(name);
  std::string all;
  const auto add = [&](const char* letters, const Interpreter& one) {
    if (!tags.install_on(one)) return;
    all += ' ' + std::string(letters) + std::to_string(one.major) + std::to_string(one.minor);
    if (one.free_threaded) all += 't';
  };
  add("cp", {.major = 2, .minor = 7});
  for (unsigned minor = 2; minor < 18; ++minor) add("cp", {.minor = minor});
  for (unsigned minor = 13; minor < 18; ++minor) add("cp", {.minor = minor, .free_threaded = true});
  add("pp", {.implementation = Implementation::PyPy, .major = 2, .minor = 7});
  for (unsigned minor = 8; minor < 12; ++minor) add("pp", {.implementation = Implementation::PyPy, .minor = minor});
  return all;
}

TEST(PythonTag, IsInstalledByTheInterpretersThatPackagingNames) {
  std::ifstream table(WHEELCHECK_SOURCE_DIR "/tests/base/python_tags.txt");
  int lines = 0;
  for (std::string line; std::getline(table, line); ++lines) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const auto parts = split(std::string_view(line).substr(0, end), '-');
    WheelName name;
    for (const std::string_view tag : split(parts[0], '.')) name.python.emplace_back(tag);
    for (const std::string_view tag : split(parts[1], '.')) name.abi.emplace_back(tag);
    EXPECT_EQ(installers_of(name), line.substr(end)) << line;
  }
  EXPECT_GT(lines, 400);
}

}  // namespace
}  // namespace wheelcheck::test::python_tag_test
