// An installation written in C++: wheels below one site-packages, the standard library's modules, and little else.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/facts.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/load_plan.h"

namespace wheelcheck::test {

// resolve: resolve_by_name, or what the loader's own walk finds.
template <class Resolve>
Installation install_facts(std::vector<WheelFacts> wheels, const std::vector<std::string>& stdlib,
                           const std::string& python, const Resolve& resolve) {
  Installation in;
  in.site_packages = "/site";
  for (WheelFacts& wheel : wheels) {
    Resolution resolution = resolve(wheel);
    in.distributions.push_back({.facts = std::move(wheel), .resolution = std::move(resolution), .analysis = {}});
  }
  for (std::uint32_t p = 0; p < in.distributions.size(); ++p) {
    in.objects.emplace_back();
    const WheelFacts& wheel = in.distributions[p].facts;
    const Arch arch = wheel.name.platforms.empty() || wheel.name.platforms.front().family == PlatformTag::Family::Any
                          ? Arch::x86_64
                          : wheel.name.platforms.front().arch;
    for (std::uint32_t e = 0; e < wheel.elfs.size(); ++e) {
      if (!is_host_code(wheel.elfs[e]) || wheel.elfs[e].facts.arch != arch) {
        in.objects.back().emplace_back();
        continue;
      }
      in.objects.back().emplace_back(process::ObjectIndex{static_cast<std::uint32_t>(in.world.files.size())});
      const std::string& path = wheel.members[wheel.elfs[e].member.value].path.text();
      in.world.files.push_back({.path = "/site/" + path, .facts = &wheel.elfs[e].facts});
      in.origins.push_back(
          {.kind = Origin::Kind::Distribution, .distribution = DistributionIndex{p}, .elf = ElfIndex{e}});
      in.names.push_back(path);
    }
  }
  for (const std::string& module : stdlib) {
    in.world.files.push_back({.path = "/lib-dynload/" + module + ".cpython-" + python + "-x86_64-linux-gnu.so"});
    in.origins.push_back({.kind = Origin::Kind::Stdlib, .module = module});
    in.names.push_back(module);
  }
  in.main = process::ObjectIndex{static_cast<std::uint32_t>(in.world.files.size())};
  in.world.files.push_back({.path = "/bin/python3"});
  in.origins.push_back({.kind = Origin::Kind::Interpreter});
  in.names.push_back("<main>");
  return in;
}

inline Installation install(const std::vector<WheelBuilder>& wheels, const std::vector<std::string>& stdlib = {},
                            const std::string& python = "311") {
  std::vector<WheelFacts> facts;
  for (const WheelBuilder& builder : wheels) facts.push_back(builder.build());
  return install_facts(std::move(facts), stdlib, python,
                       [](const WheelFacts& wheel) { return resolve_by_name(wheel); });
}

// Each step in a line: "alpha/_x.so beta/_y.so! | _ssl?"; `!` RTLD_GLOBAL, `?` maybe.
inline std::string told(const Installation& in, const LoadPlan& load_plan) {
  std::string out;
  for (std::size_t s = 0; s < load_plan.opens.size(); ++s) {
    if (s > 0) out += " | ";
    for (std::size_t i = 0; i < load_plan.opens[s].size(); ++i) {
      const PlannedOpen& planned = load_plan.opens[s][i];
      const process::Open& open = load_plan.plan.steps[s].opens[i];
      if (i > 0) out += ' ';
      out += planned.object ? in.names[planned.object->value] : open.name;
      if (open.flags.global) out += '!';
      if (planned.maybe) out += '?';
    }
  }
  return out;
}

}  // namespace wheelcheck::test
