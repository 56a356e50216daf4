// The default format: for each wheel the answer, the score, the files that decide it, and the findings with what to
// type. It is written for someone who has a release to make: which file, which symbol, what now.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "report/check/analysis_text.h"
#include "report/check/elf_text.h"
#include "report/check/findings_text.h"
#include "report/check/foreign_text.h"
#include "report/check/score.h"
#include "report/check/suppressed.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "report/shared/unmet_requirement.h"
#include "report/shared/unreadable.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

std::string painted_promise(Promise promise, const Paint& paint, std::size_t width = 0) {
  switch (promise) {
    case Promise::Kept:
      return paint.green(padded("kept", width));
    case Promise::Broken:
      return paint.red(padded("BROKEN", width));
    case Promise::Unknown:
      return paint.yellow(padded("unknown", width));
    case Promise::NoPromise:
      break;
  }
  return padded("no promise", width);
}

// manylinux2014_x86_64 (manylinux_2_17_x86_64), claimed only in the file name: reason
std::string claim_text(const WheelReport& wheel, const Claim& claim) {
  std::string out = escape(claim.tag.text);
  if (claim.tag.canonical != claim.tag.text) out += fmt::format(" (= {})", escape(claim.tag.canonical));
  if (claim.assessment && claim.level) {
    const std::string& judged = wheel.assessments[*claim.assessment].level_names[claim.level->value];
    if (judged != claim.tag.canonical) out += fmt::format(", judged as {}", escape(judged));
  }
  if (!claim.in_wheel_file) out += ", claimed only in the file name";
  if (!claim.in_name) out += ", claimed only in WHEEL";
  if (!claim.reason.empty()) out += fmt::format(": {}", escape(claim.reason));
  return out;
}

std::string verdict_text(const WheelReport& wheel, const Paint& paint) {
  const Verdict& verdict = wheel.verdict;
  std::string out;
  for (const Claim& claim : verdict.claims) {
    const bool plain = claim.promise != Promise::Broken;
    const std::string line = wrapped(claim_text(wheel, claim), 14, 14);
    out += fmt::format("  {}{}\n", painted_promise(claim.promise, paint, 12), plain ? line : paint.bold(line));
  }
  std::vector<std::string> tags;
  for (const std::string& tag : verdict.best_tags) tags.push_back(escape(tag));
  if (tags.empty()) tags.push_back(escape(verdict.best_tag));
  out += fmt::format("  {:<12}{} (tightest)\n", "fits", fmt::join(tags, ", "));
  std::uint64_t unpacked = 0;
  for (const MemberFacts& member : wheel.facts.members) unpacked += member.size;
  const std::size_t elfs = wheel.facts.elfs.size();
  const std::string archive = wheel.facts.size == 0 ? "" : size_text(wheel.facts.size) + ", ";
  out += fmt::format("  {:<12}{}, {} of them ELF; {}{} unpacked\n", "holds", plural(wheel.facts.members.size(), "file"),
                     elfs == 0 ? "none" : fmt::format("{}", elfs), archive, size_text(unpacked));
  if (wheel.facts.size != 0 && !is_hashed(wheel.facts))
    out += fmt::format("  {:<12}not every file: RECORD's hashes were not compared\n", "read");
  return out;
}

std::string heading(const WheelReport& wheel, const Paint& paint) {
  const Verdict& verdict = wheel.verdict;
  const Promise promise = overall(verdict);
  std::string answer = painted_promise(promise, paint);
  const auto broken = std::ranges::count(verdict.claims, Promise::Broken, &Claim::promise);
  if (promise == Promise::Broken && verdict.claims.size() > 1)
    answer += fmt::format(", {} of {}", broken, plural(verdict.claims.size(), "tag"));
  if (promise == Promise::Broken) answer += fmt::format("; the content fits {}", escape(verdict.best_tag));
  return fmt::format("{}: {}\n", paint.bold(escape(wheel.facts.file)), answer);
}

std::string files_text(const Subject& subject, bool all, const Paint& paint) {
  const std::size_t count = subject.wheel.facts.elfs.size();
  if (count == 0) return "";
  Telling telling;
  if (all) {
    for (std::uint32_t i = 0; i < count; ++i) telling.files.push_back(ElfIndex{i});
  } else {
    telling = telling_files(subject.wheel);
  }
  const Promises promises(subject.wheel);
  const std::string title = telling.files.size() == count ? plural(count, "ELF file") : "ELF files that decide";
  std::string out = fmt::format("\n{}\n", paint.bold(title));
  for (const ElfIndex elf : telling.files) {
    out += elf_text(subject, promises, elf, paint);
    if (all) out += analysis_text(subject.wheel, elf);
  }
  const std::size_t rest = count - telling.files.size();
  if (rest == 0) return out;
  const std::string more = telling.left_out == 0
                               ? fmt::format("{}, none of them requires more than these", plural(rest, "more file"))
                               : fmt::format("{}, {} of them with unmet requirements or findings",
                                             plural(rest, "more file"), telling.left_out);
  return out + fmt::format("  {}\n", paint.dim(more + " (wheelcheck show lists every file)"));
}

std::string summary(const Report& report, const Paint& paint) {
  std::size_t wheels = 0, unreadable = 0, broken = 0;
  for (const Report::Entry& entry : report.entries) {
    wheels += entry.wheel ? 1u : 0u;
    unreadable += entry.unreadable ? 1u : 0u;
    broken += entry.wheel && overall(entry.wheel->verdict) == Promise::Broken ? 1u : 0u;
  }
  std::string out = "no wheel was checked";
  if (wheels != 0) {
    out = fmt::format("{}: ", plural(wheels, "wheel"));
    out += broken == 0 ? paint.green("no broken promise") : paint.red(fmt::format("{} BROKEN", broken));
    out += fmt::format("; {}, {}, {}", plural(report.errors, "error"), plural(report.warnings, "warning"),
                       plural(report.infos, "info", "info"));
  }
  if (unreadable != 0) out += "; " + paint.red(fmt::format("{} not readable", plural(unreadable, "input")));
  return out + "\n";
}

std::string render_full(const Report& report, const RenderOptions& options) {
  const Paint paint(options.colour);
  std::string out;
  for (const Report::Entry& entry : report.entries) {
    if (!out.empty()) out += "\n";
    if (entry.unreadable) {
      out += fmt::format("{} {}\n", paint.red("cannot check:"), unreadable_text(*entry.unreadable));
      continue;
    }
    const Subject subject{*entry.wheel, report.providers};
    out += heading(*entry.wheel, paint);
    out += verdict_text(*entry.wheel, paint);
    out += score_text(*entry.wheel, paint);
    out += files_text(subject, options.facts_only, paint);
    out += leaks_text(*entry.wheel, paint);
    if (options.facts_only) out += python_text(*entry.wheel, paint) + foreign_text(*entry.wheel, paint);
    out += options.facts_only ? remarks_text(*entry.wheel, paint) : findings_text(*entry.wheel, paint);
    out += set_aside_text(report, *entry.wheel, paint);
  }
  if (!report.entries.empty()) out += "\n";
  return out + summary(report, paint);
}

}  // namespace

extern const Renderer full{"full", "verdict, score, facts and findings for people (default)", &render_full};

}  // namespace wheelcheck::report
