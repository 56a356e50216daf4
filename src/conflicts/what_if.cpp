// Parses and applies the changes of --what-if: to files, to dlopen flags, and to whole wheels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text.h"
#include "conflicts/find.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {
namespace {

struct Change {
  bool hide = false;
  std::string wheel, member, pattern;
};

std::unexpected<Error> unusable(std::string_view text, std::string_view why) {
  return fail(ErrorCode::Usage, "--what-if {}: {}", escape(text), why);
}

Result<Change> read_change(const std::string& text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() != 3 || (words[0] != "hide" && words[0] != "no-needed"))
    return unusable(text,
                    "expected \"hide WHEEL::MEMBER NAMES\", \"no-needed WHEEL::MEMBER SONAME\", \"dlopen-flags WHEEL "
                    "FLAGS\" or \"replace FILE\"");
  const std::size_t colons = words[1].find("::");
  if (colons == words[1].npos) return unusable(text, "expected WHEEL::MEMBER");
  return Change{.hide = words[0] == "hide",
                .wheel = normal_project_name(words[1].substr(0, colons)),
                .member = std::string(words[1].substr(colons + 2)),
                .pattern = std::string(words[2])};
}

bool is_member(std::string_view pattern, std::string_view path) {
  return glob_match(pattern, path) || glob_match(pattern, base_name(path));
}

// A copy of what the loader model uses of a file. The strings are still owned by the facts of the wheel, which outlive
// the copy.
std::unique_ptr<ElfFacts> copied(const ElfFacts& from) {
  auto out = std::make_unique<ElfFacts>();
  out->arch = from.arch;
  out->libc = from.libc;
  out->kind = from.kind;
  out->machine = from.machine;
  out->bits = from.bits;
  out->little_endian = from.little_endian;
  out->os_abi = from.os_abi;
  out->flags = from.flags;
  out->interpreter = from.interpreter;
  out->dynamic = from.dynamic;
  out->build_id = from.build_id;
  out->segments = from.segments;
  out->flaws = from.flaws;
  return out;
}

// A hidden name is not found by other files, and the file's own references to it are not looked up. The indices of the
// other symbols do not change.
std::size_t hide(DynamicFacts& facts, std::string_view pattern) {
  std::vector<bool> hidden(facts.exports.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < facts.exports.size(); ++i) {
    if (!glob_match(pattern, facts.exports[i].name)) continue;
    hidden[i] = true;
    facts.exports[i].name = {};
    ++count;
  }
  std::erase_if(facts.references, [&](const Reference& each) { return each.own && hidden[each.symbol]; });
  return count;
}

std::size_t apply(Installation& installation, const Change& change) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < installation.world.files.size(); ++i) {
    const ElfMember* const member = installation.member({i});
    process::File& file = installation.world.files[i];
    if (member == nullptr || file.facts == nullptr || !file.facts->dynamic) continue;
    const WheelFacts& wheel = installation.distributions[installation.origins[i].distribution.value].facts;
    if (!glob_match(change.wheel, normal_project_name(name_of_distribution(wheel))) ||
        !is_member(change.member, wheel.members[member->member.value].path.text()))
      continue;
    std::unique_ptr<ElfFacts> facts = copied(*file.facts);
    count += change.hide ? hide(*facts->dynamic, change.pattern)
                         : std::erase_if(facts->dynamic->needed,
                                         [&](std::string_view name) { return glob_match(change.pattern, name); });
    file.facts = facts.get();
    installation.facts.push_back(std::move(facts));
  }
  return count;
}

constexpr std::string_view replace_word = "replace ", flags_word = "dlopen-flags ";

struct FlagChange {
  std::string wheel;  // a pattern
  process::OpenFlags flags;
};

// "dlopen-flags WHEEL LOCAL,NOW"
Result<FlagChange> read_flag_change(const std::string& text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() != 3) return unusable(text, "expected \"dlopen-flags WHEEL FLAGS\"");
  FlagChange out{.wheel = normal_project_name(words[1]), .flags = {}};
  const std::array<std::pair<std::string_view, bool*>, 4> known = {{{"global", &out.flags.global},
                                                                    {"lazy", &out.flags.lazy},
                                                                    {"deepbind", &out.flags.deepbind},
                                                                    {"nodelete", &out.flags.nodelete}}};
  for (const std::string_view word : split(words[2], ',')) {
    std::string flag = lower(word);
    if (flag.starts_with("rtld_")) flag.erase(0, 5);
    if (flag == "local" || flag == "now") continue;  // the default of CPython
    const auto found = std::ranges::find(known, std::string_view(flag), [](const auto& each) { return each.first; });
    if (found == known.end()) return unusable(text, "expected LOCAL, GLOBAL, NOW, LAZY, DEEPBIND or NODELETE");
    *found->second = true;
  }
  return out;
}

}  // namespace

Result<void> apply_what_if(Installation& installation, std::span<const std::string> changes) {
  for (const std::string& text : changes) {
    if (text.starts_with(replace_word) || text.starts_with(flags_word)) continue;
    const auto change = read_change(text);
    if (!change) return std::unexpected(change.error());
    if (apply(installation, *change) == 0) return unusable(text, "no file here has that");
  }
  return {};
}

// --- dlopen flags of what a wheel's Python code opens, and other versions of a wheel --------------------------------

std::vector<std::string> replacing_wheels(std::span<const std::string> changes) {
  std::vector<std::string> out;
  for (const std::string& text : changes)
    if (text.starts_with(replace_word)) out.push_back(text.substr(replace_word.size()));
  return out;
}

Result<void> replace_wheels(std::vector<WheelFacts>& wheels, std::size_t count) {
  const std::size_t kept = wheels.size() - std::min(count, wheels.size());
  for (std::size_t i = kept; i < wheels.size(); ++i) {
    const std::string name = normal_project_name(name_of_distribution(wheels[i]));
    const auto end = wheels.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto at = std::find_if(wheels.begin(), end, [&](const WheelFacts& each) {
      return normal_project_name(name_of_distribution(each)) == name;
    });
    if (at == end) return unusable("replace " + wheels[i].file, fmt::format("no distribution here is called {}", name));
    *at = std::move(wheels[i]);
  }
  wheels.erase(wheels.begin() + static_cast<std::ptrdiff_t>(kept), wheels.end());
  return {};
}

Result<void> apply_what_if(std::vector<LoadPlan>& load_plans, const Installation& installation,
                           std::span<const std::string> changes) {
  for (const std::string& text : changes) {
    if (!text.starts_with(flags_word)) continue;
    const auto change = read_flag_change(text);
    if (!change) return std::unexpected(change.error());
    const auto is_meant = [&](const std::optional<DistributionIndex>& distribution) {
      return distribution && glob_match(change->wheel, normal_project_name(name_of_distribution(
                                                           installation.distributions[distribution->value].facts)));
    };
    bool found = false;
    for (LoadPlan& load_plan : load_plans)
      for (std::size_t step = 0; step < load_plan.opens.size(); ++step)
        for (std::size_t i = 0; i < load_plan.opens[step].size(); ++i) {
          PlannedOpen& planned = load_plan.opens[step][i];
          if (!is_meant(planned.distribution) || planned.in_code) continue;
          found = true;
          load_plan.plan.steps[step].opens[i].flags = change->flags;
          planned.flags.reset();
          if (change->flags.global || change->flags.deepbind)
            planned.flags = FlagSource{.by = FlagSource::By::CommandLine, .text = text};
        }
    if (!found && !load_plans.empty()) return unusable(text, "no wheel here of that name opens a file");
  }
  return {};
}

}  // namespace wheelcheck::conflicts
