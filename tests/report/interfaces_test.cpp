// Tests the output of `wheelcheck interfaces` as text and JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::interfaces_test {
namespace {

using report::Interfaces;
using report::interfaces_answer;
using report::render_variants_json;
using testing::HasSubstr;
using Group = InterfaceEntry::Group;

struct Sample {
  WheelReport wheel = broken_wheel();
  std::vector<WheelFacts> providers;
  Sample() { providers.push_back(WheelBuilder("bar-9.0-py3-none-any.whl").build()); }
  Interfaces interfaces() const {
    const InterfaceEntry numpy{Group::Numpy, "NumPy", "1.23", "2", "C API\n", 2, {}, "module was compiled"};
    const InterfaceEntry toolkit{Group::Gpu, "CUDA toolkit", "12", "13", "", 1, {}, "libcudart.so.12"};
    const InterfaceEntry cpu{Group::System, "CPU", "x86-64-v3", "", "", 1, {}, "note"};
    return {
        wheel, providers, {{numpy, cpu, toolkit}, {{0, "bar", "9.0", {{{}, "", "f2"}, {{}, "libbar.so", "BAR_2"}}}}}};
  }
};

TEST(InterfacesText, HasRangesEvidenceAndProviders) {
  const Sample sample;
  const Interfaces one = sample.interfaces();
  const std::string text = as_text(interfaces_answer({&one, 1}));
  EXPECT_THAT(text, HasSubstr(">= 1.23, < 2; C API\\x0a"));
  EXPECT_THAT(text, HasSubstr("libwave-1a2b3c4d.so.3.1.0 and 1 more file"));
  EXPECT_THAT(text, HasSubstr("\nproviders\n  bar 9.0: lacks 2 symbols or version nodes\n    f2 ("));
  EXPECT_THAT(text, HasSubstr("    BAR_2 of libbar.so ("));
  EXPECT_THAT(text, HasSubstr("\n  requires NumPy >= 1.23, < 2; CPU >= x86-64-v3; CUDA toolkit >= 12, < 13\n\n"));
  EXPECT_TRUE(text.ends_with("\n1 wheel, 3 interfaces; 1 provider lacks what is imported of it\n"));
}

TEST(InterfacesText, NamesNoMessageAsEvidence) {
  const Sample sample;
  Interfaces one = sample.interfaces();
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})), testing::Not(HasSubstr("module was compiled")));
  one.found.entries.front().evidence = "_import_array";
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})), HasSubstr("(_import_array) and 1 more file"));
}

TEST(InterfacesText, SaysThatTheEnvironmentHasNoNumpy) {
  const Sample sample;
  Interfaces one = sample.interfaces();
  one.absent = "NumPy";
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})),
              HasSubstr("providers\n  NumPy: not installed in the environment\n"));
}

TEST(InterfacesText, SaysThatNothingIsRequired) {
  const Sample sample;
  const Interfaces one{sample.wheel, {}, {}};
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})), HasSubstr("requires nothing that its files show"));
}

TEST(InterfacesJson, FitsItsSchema) {
  const Sample sample;
  const Interfaces list[] = {sample.interfaces(), {sample.wheel, {}, {}}};
  const nlohmann::json document = nlohmann::json::parse(as_json(interfaces_answer(list)));
  EXPECT_EQ(SchemaCheck(report::find_schema("interfaces")).errors(document), "");
  EXPECT_EQ(document["wheels"][0]["entries"][0]["minimum"], "1.23");
  EXPECT_EQ(document["wheels"][0]["entries"][1]["below"], nullptr);
  EXPECT_EQ(document["wheels"][0]["providers"][0]["sufficient"], false);
  EXPECT_EQ(document["wheels"][1]["entries"], nlohmann::json::array());
}

// What the schema of PEP 825 (v0.1.1) requires of variant.json, in draft 7.
constexpr std::string_view variant_schema = R"({
  "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false,
  "required": ["$schema", "default-priorities", "variants"],
  "properties": {
    "$schema": {"type": "string"},
    "default-priorities": {"type": "object", "additionalProperties": false, "required": ["namespace"],
      "properties": {"namespace": {"type": "array", "minItems": 1, "uniqueItems": true,
        "items": {"type": "string", "pattern": "^[a-z0-9_]+$"}}}},
    "variants": {"type": "object", "additionalProperties": false, "patternProperties": {"^[a-z0-9_.]+$":
      {"type": "object", "additionalProperties": false, "patternProperties": {"^[a-z0-9_]+$":
        {"type": "object", "additionalProperties": false, "patternProperties": {"^[a-z0-9_]+$":
          {"type": "array", "minItems": 1, "uniqueItems": true,
           "items": {"type": "string", "pattern": "^[a-z0-9_.]+$"}}}}}}}}
  }
})";

TEST(InterfacesVariants, ProposeWhatIsRequired) {
  const Sample sample;
  const Interfaces list[] = {sample.interfaces()};
  const nlohmann::json variant = nlohmann::json::parse(render_variants_json(list))[sample.wheel.facts.file];
  EXPECT_EQ(variant["default-priorities"]["namespace"], nlohmann::json({"nvidia", "x86_64"}));
  EXPECT_EQ(variant["variants"].size(), 1U);
  const nlohmann::json& properties = variant["variants"]["cu12_v3"];
  EXPECT_EQ(properties["nvidia"], nlohmann::json::parse(R"({"cuda_version_lower_bound": ["12.0"]})"));
  EXPECT_EQ(properties["x86_64"], nlohmann::json::parse(R"({"level": ["v3"]})"));
  EXPECT_EQ(SchemaCheck(variant_schema).errors(variant), "");
  nlohmann::json wrong = variant;
  wrong["providers"] = nlohmann::json::object();
  EXPECT_NE(SchemaCheck(variant_schema).errors(wrong), "");
  const Interfaces nothing[] = {{sample.wheel, {}, {}}};
  EXPECT_EQ(nlohmann::json::parse(render_variants_json(nothing))[sample.wheel.facts.file], nullptr);
}

TEST(InterfacesVariants, NameTheMinorVersionOfAToolkit) {
  const Sample sample;
  Interfaces one = sample.interfaces();
  for (InterfaceEntry& entry : one.found.entries)
    if (entry.name == "CUDA toolkit") entry.minimum = "12.3";
  const nlohmann::json variant = nlohmann::json::parse(render_variants_json({&one, 1}))[sample.wheel.facts.file];
  EXPECT_EQ(variant["variants"]["cu123_v3"]["nvidia"],
            nlohmann::json::parse(R"({"cuda_version_lower_bound": ["12.3"]})"));
}

TEST(InterfacesText, NamesTheLowestSufficientVersion) {
  const Sample sample;
  Interfaces one = sample.interfaces();
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})), testing::Not(HasSubstr("lowest sufficient")));
  one.found.providers.push_back({0, "bar", "10.0", {}});
  EXPECT_THAT(as_text(interfaces_answer({&one, 1})), HasSubstr("  lowest sufficient version of bar: 10.0\n"));
}

}  // namespace
}  // namespace wheelcheck::test::interfaces_test
