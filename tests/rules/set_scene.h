// Two wheels in one process with relations set by hand, for tests of rules about several wheels.
//
//   SetScene scene;                       // "alpha", which is global, and "beta"
//   scene.relation(RelationKind::Capture) // of beta/_b.so, by alpha/_a.so, in the first order
//   const auto findings = scene.run("predicted-clash");
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/rules/scene.h"

namespace wheelcheck::test {

class SetScene {
 public:
  Conflicts conflicts;
  Knowledge knowledge;
  RuleOptions options;

  static constexpr process::ObjectIndex alpha{0}, beta{1};

  SetScene() {
    for (const std::string name : {"alpha", "beta"}) {
      WheelBuilder wheel(name + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
      const std::string path = name + "/_" + name.substr(0, 1) + ".so";
      Distribution distribution{
          .facts = wheel.elf(ElfBuilder(path)).member(name + "/__init__.py").build(), .resolution = {}, .analysis = {}};
      const DistributionIndex index{static_cast<std::uint32_t>(conflicts.installation.distributions.size())};
      conflicts.installation.distributions.push_back(std::move(distribution));
      conflicts.installation.names.push_back(path);
      conflicts.installation.origins.push_back({.kind = Origin::Kind::Distribution, .distribution = index, .elf = {0}});
    }
    conflicts.importers = {{0}, {1}};
    load_plan({0, 1});
    load_plan({1, 0});
  }

  Relation& relation(RelationKind kind, Severity severity = Severity::Error, Reason reason = Reason::AbiProof) {
    Relation out{.kind = kind,
                 .distribution = DistributionIndex{1},
                 .provider_distribution = {0},
                 .own = beta,
                 .provider = alpha};
    out.by = {beta};
    out.symbols = {{.name = "f", .from = beta}};
    out.examples = out.symbols;
    out.shown = {"f()"};
    out.tally = {.symbols = 1, .functions = 1};
    out.reason = reason;
    out.severity = severity;
    out.load_plans = {0};
    conflicts.relations.push_back(std::move(out));
    return conflicts.relations.back();
  }
  ImportFailure& failure(const std::string& error) {
    conflicts.failures.push_back(
        {.load_plan = 0, .at = {1, 0}, .distribution = DistributionIndex{1}, .module = "beta._b", .error = error});
    return conflicts.failures.back();
  }
  // alpha/__init__.py, line 7.
  FlagSource source() const {
    const auto& members = conflicts.installation.distributions[0].facts.members;
    FlagSource out{.distribution = {0}, .line = 7, .text = "sys.setdlopenflags(258)"};
    for (std::uint32_t i = 0; i < members.size(); ++i)
      if (members[i].path.text() == "alpha/__init__.py") out.file = MemberIndex{i};
    return out;
  }

  std::vector<Finding> run(const std::string& rule) const {
    EXPECT_NE(find_rule(rule), nullptr) << rule;
    auto findings = rules::run_set_rules({conflicts, knowledge, options}, {.select = {rule}, .ignore = {}});
    for (const Finding& finding : findings) check_words(finding);
    return findings;
  }

 private:
  void load_plan(std::vector<std::uint32_t> order) {
    LoadPlan out;
    for (const std::uint32_t distribution : order) {
      out.order.push_back({distribution});
      out.opens.push_back({{.object = process::ObjectIndex{distribution},
                            .distribution = DistributionIndex{distribution},
                            .module = distribution == 0 ? "alpha._a" : "beta._b"}});
      out.plan.steps.push_back({{{.name = conflicts.installation.names[distribution]}}});
    }
    conflicts.load_plans.push_back(std::move(out));
  }
};

}  // namespace wheelcheck::test
