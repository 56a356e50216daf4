// The pipeline of `fix`: check the wheel, plan, write, check the result, and only then give it its name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/rewriting.h"
#include "base/fail.h"
#include "base/text.h"
#include "repair/fix_plan.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rewrite.h"
#include "wheelcheck/rule.h"

namespace wheelcheck {
namespace {

using app::Destination;

Destination destination_of(const FixOptions& options, const std::string& name) {
  if (options.output.empty() || options.output.ends_with(".whl")) {
    const std::string& path = options.output.empty() ? options.wheel : options.output;
    const std::size_t slash = path.rfind('/');
    return {slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash), name};
  }
  return {options.output, name};
}

// The platform tags for the file name of a wheel with this content, sorted, with aliases (manylinux2014_x86_64).
std::vector<std::string> best_platforms(const WheelReport& wheel, const PolicySet& policies) {
  std::set<std::string> out;
  for (const Assessment& assessment : wheel.assessments) {
    const std::string& best = assessment.level_names[assessment.best.value];
    if (std::ranges::find(wheel.verdict.best_tags, best) == wheel.verdict.best_tags.end()) continue;
    out.insert(best);
    for (const Policy& level : policies.policy_levels(assessment.family, assessment.arch).levels) {
      const std::vector<std::string> tags = app::platform_tags(level, assessment.arch);
      if (tags.front() == best) out.insert(tags.begin(), tags.end());
    }
  }
  return {out.begin(), out.end()};
}

// The findings from a severity on, by code, file and message, with their number. The result may have no error that is
// not found before. One that was a warning may become an error: a copy of libstdc++ that a search path now leads to.
std::map<std::tuple<std::string_view, std::string, std::string>, int> findings_of(const WheelReport& wheel,
                                                                                  Severity least) {
  std::map<std::tuple<std::string_view, std::string, std::string>, int> out;
  for (const Finding& finding : wheel.findings) {
    if (finding.severity < least) continue;
    // Of the whole wheel, a rule says by how much it fails: fewer unmet requirements are no new error.
    const std::string path = report::place_path(wheel.facts, finding.place);
    int& count = out[{finding.rule->code, path, path.empty() ? "" : finding.message}];
    count = path.empty() ? 1 : count + 1;
  }
  return out;
}

std::vector<std::string> needed_of(const ElfMember& elf) {
  return {elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end()};
}
// DT_NEEDED after the edits of the plan.
std::vector<std::string> needed_after(const repair::FixPlan& plan, const WheelFacts& facts, const ElfMember& elf) {
  std::vector<std::string> out = needed_of(elf);
  const auto edit = plan.elfs.find(facts.members[elf.member.value].path.text());
  if (edit == plan.elfs.end()) return out;
  std::erase_if(out, [&](const std::string& name) {
    return std::ranges::find(edit->second.remove_needed, name) != edit->second.remove_needed.end();
  });
  for (const auto& [from, to] : edit->second.replace_needed) std::ranges::replace(out, from, to);
  return out;
}

Result<void> demand_better(const WheelReport& before, const WheelReport& after, const repair::FixPlan& plan) {
  const auto refuse = [](std::string why) {
    return fail(ErrorCode::Usage, "nothing was written, because " + std::move(why));
  };
  const auto same_code = [&](const ElfMember& a, const ElfMember& b) {
    return before.facts.members[a.member.value].path == after.facts.members[b.member.value].path &&
           a.role.index() == b.role.index() && a.facts.machine == b.facts.machine &&
           (!a.facts.dynamic || (b.facts.dynamic && needed_after(plan, before.facts, a) == needed_of(b)));
  };
  if (!std::ranges::equal(before.facts.elfs, after.facts.elfs, same_code))
    return refuse("the result has different machine code");
  for (const Finding& finding : after.findings)
    if (finding.fixable && std::ranges::any_of(plan.changes, [&](const WheelChange& change) {
          return std::ranges::find(change.codes, finding.rule->code) != change.codes.end();
        }))
      return refuse(fmt::format("{} would still be found in {}", finding.rule->code,
                                report::place_path(after.facts, finding.place)));
  const auto old = findings_of(before, Severity::Note);
  for (const auto& [key, count] : findings_of(after, Severity::Error)) {
    const auto found = old.find(key);
    if (found == old.end() || found->second < count)
      return refuse(fmt::format("the result would have a new error, {}{}: {}", std::get<0>(key),
                                std::get<1>(key).empty() ? "" : " in " + escape(std::get<1>(key)),
                                escape(std::get<2>(key))));
  }
  return {};
}

class Fixer {
 public:
  Fixer(const FixOptions& options, app::OpenedWheel& wheel) : options_(options), wheel_(wheel) {
    for (const PlatformTag& tag : facts().name.platforms) platforms_.push_back(tag.text);
  }

  Result<FixResult> run() {
    plan_ = repair::plan_fixes(wheel_.judged());
    if (auto done = retag(); !done) return std::unexpected(std::move(done.error()));
    if (auto done = edit(); !done) return std::unexpected(std::move(done.error()));
    FixResult fixed{.changes = plan_.changes, .written = {}, .before = {}, .after = std::nullopt};
    if (!edits_.empty() || !renamed_.empty())
      if (auto done = write(fixed); !done) return std::unexpected(std::move(done.error()));
    fixed.before = std::move(wheel_.report);
    return fixed;
  }

 private:
  const WheelFacts& facts() const { return wheel_.judged().facts; }

  Result<void> retag() {
    if (!options_.retag || wheel_.judged().verdict.pure) return {};
    const auto policies = load_policies(options_.settings.policies);
    if (!policies) return std::unexpected(policies.error());
    std::vector<std::string> best = best_platforms(wheel_.judged(), *policies);
    if (best.empty() || std::ranges::is_permutation(best, platforms_)) return {};
    const std::string old = join(platforms_, ".");
    platforms_ = std::move(best);
    renamed_ = rewrite::file_name_of(facts().name, platforms_);
    plan_.changes.push_back(
        {.member = "", .what = "platform tags", .before = old, .after = join(platforms_, "."), .codes = {}});
    if (facts().dist_info && facts().wheel) plan_.wheel_tags = true;
    return {};
  }

  Result<void> edit() {
    for (const auto& [path, edit] : plan_.elfs) edits_.changes[path].elf = edit;
    for (const auto& [path, mode] : plan_.modes) edits_.changes[path].mode = mode;
    edits_.new_record = plan_.record;
    if (!plan_.wheel_tags && !plan_.platlib) return {};
    const std::string path = *facts().dist_info + "/WHEEL";
    const auto text = app::text_of_member(wheel_.archive, path);
    if (!text) return std::unexpected(report::named(options_.wheel, text.error()));
    edits_.changes[path].content =
        rewrite::with_tags(*text, facts().name, platforms_, plan_.platlib || !renamed_.empty());
    return {};
  }

  Result<void> write(FixResult& fixed) {
    const Destination to = destination_of(options_, renamed_.empty() ? facts().file : renamed_);
    if (options_.output.ends_with(".whl") && base_name(options_.output) != to.name)
      return fail(ErrorCode::Usage, "the wheel's name is {}, not {}", escape(to.name),
                  escape(base_name(options_.output)));
    if (auto done = app::demand_new_file(to, options_.environment.protected_files); !done) return done;
    std::optional<rewrite::Patchelf> patchelf;
    if (!plan_.elfs.empty()) {
      auto found = rewrite::Patchelf::find(options_.environment.patchelf, options_.environment.program_path);
      if (!found && options_.dry_run) {
        fixed.notes.push_back("the result was not made and judged: " + found.error().message);
        return {};
      }
      if (!found) return std::unexpected(std::move(found.error()));
      patchelf = std::move(*found);
      if (std::string note = patchelf->note(); !note.empty()) fixed.notes.push_back(std::move(note));
    }
    auto output = options_.dry_run ? rewrite::OutputFile::nameless() : rewrite::OutputFile::create(to.directory);
    if (!output) return std::unexpected(std::move(output.error()));
    const app::Rewriting rewriting{.edits = edits_,
                                   .tools = {.patchelf = patchelf ? &*patchelf : nullptr, .objcopy = nullptr},
                                   .source_date_epoch = options_.environment.source_date_epoch,
                                   .level = std::nullopt,
                                   .settings = options_.settings};
    auto after = app::write_and_judge(wheel_, rewriting, *output, to.path());
    if (!after) return std::unexpected(std::move(after.error()));
    if (auto done = demand_better(wheel_.judged(), *after->entries.front().wheel, plan_); !done) return done;
    if (!options_.dry_run) {
      if (auto done = output->keep(to.name); !done) return done;
      fixed.written = to.directory == "." ? to.name : to.path();
    }
    fixed.after = std::move(*after);
    return {};
  }

  const FixOptions& options_;
  app::OpenedWheel& wheel_;
  repair::FixPlan plan_;
  rewrite::Edits edits_;
  std::vector<std::string> platforms_;
  std::string renamed_;
};

}  // namespace

Result<FixResult> fix_wheel(const FixOptions& options) {
  auto wheel = app::open_wheel(options.wheel, options.settings);
  if (!wheel) return std::unexpected(std::move(wheel.error()));
  return Fixer(options, *wheel).run();
}

}  // namespace wheelcheck
