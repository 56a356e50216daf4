// Tests the CPython releases that the tags of wheels require.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conflicts/find.h"

namespace wheelcheck::conflicts {
namespace {

using Texts = std::vector<std::string>;
constexpr unsigned any = PythonReleases::any;

WheelName name_of(Texts python, Texts abi) {
  WheelName name;
  name.python = std::move(python);
  name.abi = std::move(abi);
  return name;
}
std::pair<unsigned, unsigned> range(const PythonReleases& releases) { return {releases.oldest, releases.newest}; }
std::pair<unsigned, unsigned> of(Texts python, Texts abi) {
  return range(pythons_of(name_of(std::move(python), std::move(abi))));
}
std::pair<unsigned, unsigned> of_all(const std::vector<WheelName>& names) {
  std::vector<Distribution> distributions(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) distributions[i].facts.name = names[i];
  return range(pythons_of(distributions));
}

TEST(PythonsOf, OneWheelIsThoseThatItsTagsName) {
  EXPECT_EQ(of({"cp312"}, {"cp312"}), std::pair(12U, 12U));
  EXPECT_EQ(of({"cp313"}, {"cp313t"}), std::pair(13U, 13U));
  EXPECT_EQ(of({"cp39"}, {"abi3"}), std::pair(9U, any));
  EXPECT_EQ(of({"cp315"}, {"abi3", "abi3t"}), std::pair(15U, any));
  EXPECT_EQ(of({"cp39", "cp310"}, {"cp39", "cp310"}), std::pair(9U, 10U));
  EXPECT_EQ(of({"cp312"}, {"none"}), std::pair(12U, 12U));
}

TEST(PythonsOf, OtherTagsSayNothing) {
  for (const char* const tag : {"py3", "py2", "cp27", "cp3", "pp310", "cp3x", "cp399999999999"})
    EXPECT_EQ(of({tag}, {"none"}), std::pair(0U, any)) << tag;
  EXPECT_EQ(of({"cp312", "py3"}, {"none"}), std::pair(0U, any));
  EXPECT_EQ(of({}, {}), std::pair(0U, any));
}

TEST(PythonsOf, SeveralWheelsAreThoseThatAllAreFor) {
  const WheelName of_312 = name_of({"cp312"}, {"cp312"}), from_39 = name_of({"cp39"}, {"abi3"}),
                  from_313 = name_of({"cp313"}, {"abi3"}), pure = name_of({"py3"}, {"none"});
  EXPECT_EQ(of_all({of_312, from_39, pure}), std::pair(12U, 12U));
  EXPECT_EQ(of_all({from_39, from_313}), std::pair(13U, any));
  EXPECT_EQ(of_all({pure}), std::pair(0U, any));
  // These cannot be in one process.
  EXPECT_EQ(of_all({of_312, from_313}), std::pair(13U, 13U));
}

}  // namespace
}  // namespace wheelcheck::conflicts
