#include "policy/rungs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "policy/level.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

bool is_level(const Policy& policy) { return policy.name == level_name(policy.family, policy.libc); }

// The level between `newer` and `older`; `newer` may be null.
Policy derive(const Policy* newer, const Policy& older, const Version& libc) {
  Policy policy = older;
  policy.name = level_name(older.family, libc);
  policy.aliases.clear();
  policy.libc = libc;
  if (newer == nullptr || !newer->versions.contains("GLIBC")) return policy;
  for (const std::string_view node : newer->versions.find("GLIBC")->second) {
    Version version;
    if (parse_version(node, version) && version <= libc) policy.versions["GLIBC"].insert(node);
  }
  return policy;
}

void insert_claimed(const Version& libc, Family family, Rungs& result) {
  std::vector<const Policy*>& rungs = result.rungs;
  const std::string name = level_name(family, libc);
  if (std::ranges::any_of(rungs, [&](const Policy* rung) { return rung->name == name; })) return;
  const Policy* newer = nullptr;
  for (std::size_t i = 1; i < rungs.size(); ++i) {
    if (!is_level(*rungs[i])) continue;
    if (rungs[i]->libc > libc) {
      newer = rungs[i];
      continue;
    }
    if (newer == nullptr && family != Family::Android) return;
    result.derived.push_back(std::make_unique<const Policy>(derive(newer, *rungs[i], libc)));
    const auto older =
        std::ranges::find_if(rungs.begin() + 1, rungs.end(), [&](const Policy* r) { return r->libc < libc; });
    rungs.insert(older, result.derived.back().get());
    return;
  }
}

}  // namespace

std::string level_name(Family family, const Version& libc) {
  if (family == Family::Android) return fmt::format("android_{}", libc.parts[0]);
  return fmt::format("{}_{}_{}", name_of(family), libc.parts[0], libc.parts[1]);
}

std::string_view arch_text(Family family, Arch arch) {
  if (family != Family::Android) return name_of(arch);
  if (arch == Arch::aarch64) return "arm64_v8a";
  if (arch == Arch::armv7l) return "armeabi_v7a";
  return arch == Arch::i686 ? "x86" : name_of(arch);
}

Rungs rungs_of(const PolicySet& policies, const Wanted& wanted) {
  Rungs result;
  result.ladder = policies.ladder(wanted.family, wanted.arch);
  for (const Policy& rung : result.ladder.rungs) result.rungs.push_back(&rung);
  if (result.rungs.empty()) {
    result.derived.push_back(std::make_unique<const Policy>(linux_policy(wanted.family)));
    result.rungs.push_back(result.derived.back().get());
  }
  for (const Version& libc : wanted.claimed) insert_claimed(libc, wanted.family, result);
  for (std::size_t i = 0; i < result.rungs.size(); ++i) {
    const Policy& rung = *result.rungs[i];
    if (i > 0 && !rung.versions.empty()) result.tells_levels = true;
    const std::string_view arch = i == 0 ? name_of(wanted.arch) : arch_text(wanted.family, wanted.arch);
    result.names.push_back(fmt::format("{}_{}", rung.name, arch));
  }
  return result;
}

}  // namespace wheelcheck::policy
