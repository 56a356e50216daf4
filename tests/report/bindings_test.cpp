// Tests the bindings of a process as JSON, with the published schema.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/conflicts/conflicts.h"
#include "report/shared/registry.h"
#include "tests/report/schema.h"
#include "tests/support/facts.h"
#include "wheelcheck/environment.h"

namespace wheelcheck::test::bindings_test {
namespace {

std::string render(const Prediction& prediction) {
  return report::render_bindings(prediction.environment.world, prediction.environment.names, prediction.outcome);
}

// A module that imports one name that a library defines, and others.
Prediction sample(const ElfMember& module) {
  Prediction out;
  out.environment.world.files = {{.path = "/env/p/x.so", .facts = &module.facts}, {.path = "/env/p/libf.so"}};
  out.environment.names = {"p/x.so", "p/libf\xff.so"};
  using process::BindingResult;
  const process::ObjectIndex user{0}, library{1};
  out.outcome.bound = {{.from = user, .reference = 0, .to = library},
                       {.from = user, .reference = 1, .to = {}, .way = BindingResult::Platform, .lazy = true},
                       {.from = user, .reference = 2, .to = {}, .way = BindingResult::Missing, .undone = true}};
  out.outcome.failures = {{.step = 0, .open = 1, .error = "x.so: undefined symbol: h", .fatal = true}};
  out.outcome.global = {user};
  out.outcome.published = {{library, 0}};
  out.outcome.loaded = {{user, {}}, {library, {}}};
  return out;
}

TEST(Bindings, FollowTheirSchemaAndNameFilesAndSteps) {
  const ElfMember module =
      ElfBuilder("p/x.so").import("f", "libf.so", "V1").import("g").import("h").build(MemberIndex{0});
  const std::string text = render(sample(module));
  const auto json = nlohmann::json::parse(text);
  const test::SchemaCheck schema(report::find_schema("bindings"));
  EXPECT_EQ(schema.errors(json), "");
  EXPECT_EQ(json["bindings"][0],
            nlohmann::json::parse(
                R"({"from": "p/x.so", "symbol": "f", "version": "V1", "to": "p/libf\\xff.so", "how": "first"})"));
  EXPECT_EQ(json["bindings"][1]["to"], "<platform>");
  EXPECT_EQ(json["bindings"][2]["to"], nullptr);
  EXPECT_EQ(json["failed_steps"][0]["step"], 1);
  EXPECT_EQ(json["failed_steps"][0]["open"], 2);
  EXPECT_EQ(json["global_scope_added"].size(), 1U);

  auto bad = json;
  bad["bindings"][0]["how"] = "magic";
  EXPECT_NE(schema.errors(bad), "");
}

TEST(Bindings, ProcessThatOpensNothingIsADocumentToo) {
  const auto json = nlohmann::json::parse(render({}));
  EXPECT_EQ(test::SchemaCheck(report::find_schema("bindings")).errors(json), "");
}

}  // namespace
}  // namespace wheelcheck::test::bindings_test
