#include "tests/rules/generated_code.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::protobuf_refused_test {
namespace {

std::vector<Finding> findings(const Generated& code, const std::vector<std::string>& requires_dist,
                              const std::string& tag = "py3-none-any") {
  WheelBuilder builder("foo-1.0-" + tag + ".whl");
  add_generated(builder, "foo", code);
  WheelFacts wheel = builder.build();
  if (!wheel.metadata) wheel.metadata.emplace();
  wheel.metadata->requires_dist = requires_dist;
  return Scene(std::move(wheel)).run("protobuf-refused");
}

TEST(ProtobufRefused, IsAnErrorWhereTheNewestProtobufRefusesWhatTheImportRuns) {
  const auto found = findings({.before = "4"}, {"protobuf>=3.0.0a3"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("Descriptors cannot be created directly"));
  EXPECT_EQ(findings({.before = "4", .imported = false}, {"protobuf"}).at(0).severity, Severity::Warning);
}

TEST(ProtobufRefused, IsAWarningWhereAnOlderProtobufIsAllowed) {
  const auto found = findings({.since = "6.30.2"}, {"protobuf>=5.29.3"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].fix, testing::HasSubstr("`Requires-Dist: protobuf>=6.30.2`"));
}

TEST(ProtobufRefused, IsAWarningWhereNoRequirementNamesProtobuf) {
  EXPECT_EQ(findings({.since = "6.31.1"}, {"grpcio-tools"}).at(0).severity, Severity::Warning);
  EXPECT_EQ(findings({.before = "4"}, {"grpcio-tools"}).at(0).severity, Severity::Warning);
  EXPECT_TRUE(findings({.since = "3.20.0"}, {"grpcio-tools"}).empty());
}

TEST(ProtobufRefused, NamesAReleaseForThePythonOfTheWheel) {
  EXPECT_THAT(findings({.before = "4"}, {"protobuf"}, "cp37-cp37m-manylinux2010_x86_64").at(0).message,
              testing::HasSubstr("protobuf 4.21.12,"));
  EXPECT_TRUE(findings({.before = "4"}, {"protobuf"}, "cp36-cp36m-manylinux2010_x86_64").empty());
  for (const char* const tags : {"cp314-cp314-linux_x86_64", "cp315-cp315-linux_x86_64", "cp36-abi3-linux_x86_64"})
    EXPECT_EQ(findings({.before = "4"}, {"protobuf"}, tags).at(0).message,
              findings({.before = "4"}, {"protobuf"})[0].message);
}

// ddtrace 2.7.1: pprof_312_pb2.py of ddtrace/profiling/exporter/pprof.proto and pprof_421_pb2.py of pprof.proto.
TEST(ProtobufRefused, IsSilentWhereAFileBesideItIsForTheRelease) {
  const auto with = [](const std::string& second) {
    WheelFacts wheel = WheelBuilder("foo-1.0-py3-none-any.whl").member("foo/a_pb2.py").member(second).build();
    const auto add = [&](std::string_view path, const PythonDescriptor& descriptor) {
      wheel.python.push_back({.member = *find_member(wheel.members, path), .descriptors = {descriptor}});
    };
    add("foo/a_pb2.py", {.file = "foo/a.proto", .before = "4"});
    add(second, {.file = "a.proto", .since = "3.20"});
    wheel.metadata->requires_dist = {"protobuf"};
    return Scene(std::move(wheel)).run("protobuf-refused").size();
  };
  EXPECT_EQ(with("foo/a_new_pb2.py"), 0U);
  EXPECT_EQ(with("bar/a_pb2.py"), 1U);
}

TEST(ProtobufRefused, IsSilentOnLimitsAndExtras) {
  EXPECT_TRUE(findings({.before = "4"}, {"protobuf<4"}).empty());
  EXPECT_TRUE(findings({.since = "6.30.2"}, {"protobuf>=6.30.2"}).empty());
  EXPECT_TRUE(findings({.before = "4"}, {"protobuf ; extra == 'x'"}).empty());
  EXPECT_TRUE(findings({}, {"protobuf"}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::protobuf_refused_test
