// The answer of `runs-on`: the systems on which wheels run, and on which of them pip installs them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "mangling/demangle.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t shown_reasons = 6, widest_names = 44;

// "version", "c-library" ...
std::string_view name_of(SystemRequirement::Kind kind) {
  constexpr std::array<std::string_view, 9> names = {"c-library", "machine", "finding", "missing-version", "version",
                                                     "library",   "isa",     "symbol",  "interpreter"};
  return names[static_cast<std::size_t>(kind)];
}

// GLIBC_2.34, linked for glibc, a CPU of x86-64-v3. Escaped.
std::string requirement_text(const SystemRequirement& system_requirement) {
  const std::string name = escape(system_requirement.name);
  switch (system_requirement.kind) {
    case SystemRequirement::Kind::CLibrary:
      return fmt::format("linked for {}", name);
    case SystemRequirement::Kind::Machine:
      return fmt::format("code for {}", name);
    case SystemRequirement::Kind::MissingVersion:
    case SystemRequirement::Kind::Symbol:
      return fmt::format("{} of {}", name, escape(system_requirement.library));
    case SystemRequirement::Kind::Isa:
      return fmt::format("a CPU of {}", name);
    case SystemRequirement::Kind::Interpreter:
      return fmt::format("a CPython with {}", name);
    case SystemRequirement::Kind::Finding:
      if (system_requirement.symbol.empty()) break;
      return fmt::format("a newer {} that defines {}", escape(system_requirement.library),
                         with_short_symbols(system_requirement.symbol));
    case SystemRequirement::Kind::Library:
      if (!system_requirement.library.empty()) return fmt::format("a search path to {}", name);
      break;
    case SystemRequirement::Kind::Version:
      break;
  }
  return name;
}

// foo/x.so (pthread_create) and 2 more files. Escaped.
std::string required_by_text(const SystemRequirement& system_requirement) {
  std::string text = system_requirement.member.empty() ? "the wheel" : escape(system_requirement.member);
  if (!system_requirement.symbol.empty()) text += fmt::format(" ({})", with_short_symbols(system_requirement.symbol));
  return text + and_more(system_requirement.files - std::min<std::size_t>(1, system_requirement.files), "file");
}

struct Class {
  bool installs;
  Runs runs;
  std::string_view title;
};
constexpr std::array<Class, 6> classes = {
    {{true, Runs::No, "pip installs it, and it breaks"},
     {true, Runs::Depends, "pip installs it, and it runs if this is there too"},
     {true, Runs::Yes, "pip installs it, and it runs"},
     {false, Runs::Yes, "it would run, but pip does not install it"},
     {false, Runs::Depends, "pip does not install it; it runs if this is there too"},
     {false, Runs::No, "pip does not install it, and it would not run"}}};

// The first of each kind and family: the newest GLIBC node represents the older ones.
std::vector<std::uint32_t> heads_of(const MachineCompatibility& machine, const std::vector<std::uint32_t>& required) {
  std::vector<std::uint32_t> heads;
  std::string last;
  for (const std::uint32_t index : required) {
    const SystemRequirement& system_requirement = machine.required[index];
    const std::string_view name = system_requirement.name;
    const bool is_node = system_requirement.kind == SystemRequirement::Kind::Version;
    std::string head = fmt::format("{} {}", name_of(system_requirement.kind),
                                   is_node ? name.substr(0, name.find_first_of("_ ")) : name);
    if (head == last) continue;
    last = std::move(head);
    heads.push_back(index);
  }
  return heads;
}

// A run of consecutive releases: 10, 11, 12 of 8 .. 13.
struct Run {
  std::string_view from, to;
  std::size_t length = 1;
};

// Debian 10, 11, 13; Fedora 28 to 44
std::string names_of(std::string_view distribution, const std::vector<Run>& runs) {
  std::vector<std::string> parts;
  for (const Run& run : runs) {
    if (run.length > 2) parts.push_back(fmt::format("{} to {}", escape(run.from), escape(run.to)));
    if (run.length == 2) parts.push_back(fmt::format("{}, {}", escape(run.from), escape(run.to)));
    if (run.length == 1) parts.push_back(escape(run.from));
  }
  return fmt::format("{} {}", escape(distribution), join(parts, ", "));
}

bool is_in(const Class& wanted, const SystemCompatibility& reach) {
  return wanted.runs == reach.runs && wanted.installs == !reach.tags.empty();
}

// What one wheel's code for one machine says.
class MachineText {
 public:
  MachineText(const WheelFacts& wheel, const MachineCompatibility& machine, std::span<const KnownSystem> systems)
      : wheel_(wheel), machine_(machine), systems_(systems) {}

  void add_to(Document& out) {
    add_head(out);
    for (const Class& one : classes) {
      TextTable table{.columns = {{.max_width = widest_names}, {}}, .last = TextTable::LastCell::BelowLong};
      add_rows(table, one);
      if (table.rows.empty()) continue;
      out.section(title_of(one));
      out.add(std::move(table));
    }
    add_to_install(out);
    add_requiring(out);
  }

 private:
  // The libraries that the systems above offer and that must be installed.
  void add_to_install(Document& out) const {
    if (machine_.to_install.empty()) return;
    std::vector<std::string> names;
    for (const std::uint32_t index : machine_.to_install) names.push_back(escape(machine_.required[index].name));
    out.section("must be installed");
    out.line("  ", join(names, ", "), 2);
  }

  // Lines such as "GLIBC_2.36  foo/x.so (arc4random)".
  void add_requiring(Document& out) const {
    if (told_.empty()) return;
    out.section("required by");
    TextTable table{.columns = {{.max_width = widest_names}, {}}};
    for (const std::uint32_t index : told_)
      table.rows.push_back({requirement_text(machine_.required[index]), required_by_text(machine_.required[index])});
    out.add(std::move(table));
  }

  std::string reasons_of(const SystemCompatibility& reach) {
    std::vector<std::uint32_t> heads = heads_of(machine_, reach.runs == Runs::No ? reach.lacks : reach.open);
    const std::size_t more = heads.size() > shown_reasons ? heads.size() - shown_reasons : 0;
    heads.resize(heads.size() - more);
    std::vector<std::string> texts;
    for (const std::uint32_t index : heads) texts.push_back(requirement_text(machine_.required[index]));
    told_.insert(heads.begin(), heads.end());
    return join(texts, ", ") + and_more(more);
  }

  void add_head(Document& out) const {
    const auto count = [&](Runs runs) {
      return std::ranges::count_if(
          machine_.systems, [&](const SystemCompatibility& one) { return !one.tags.empty() && one.runs == runs; });
    };
    const auto broken = count(Runs::No), open = count(Runs::Depends), good = count(Runs::Yes);
    out.title({escape(wheel_.file), Style::Strong});
    const std::string machine = machine_.arch == Arch::Other ? "any machine" : std::string(name_of(machine_.arch));
    if (machine_.systems.empty()) return out.line(fmt::format("  none of the systems is made for {}", machine));
    out.line("  ",
             fmt::format("{}: pip installs it on {} of {}, breaks on {}{}", machine, broken + open + good,
                         count_of(machine_.systems.size(), "system"), broken,
                         open > 0 ? fmt::format(", needs more on {}", open) : ""),
             4);
  }

  static StyledText title_of(const Class& one) {
    if (one.installs && one.runs == Runs::No) return {one.title, Style::Bad};
    if (one.installs && one.runs == Runs::Yes) return {one.title, Style::Good};
    return {one.title, one.installs || one.runs == Runs::Yes ? Style::Doubtful : Style::Dim};
  }

  void add_rows(TextTable& table, const Class& wanted) {
    for (std::size_t i = 0; i < machine_.systems.size();) {
      const std::string_view distribution = system_of(i).distribution;
      std::size_t end = i;
      while (end < machine_.systems.size() && system_of(end).distribution == distribution) ++end;
      add_rows(table, distribution, i, end, wanted);
      i = end;
    }
  }

  // One line for each different reason, in the order of the oldest version that has it.
  void add_rows(TextTable& table, std::string_view distribution, std::size_t begin, std::size_t end,
                const Class& wanted) {
    std::vector<std::pair<std::string, std::vector<Run>>> groups;
    std::vector<std::size_t> last;  // by group: its last system
    for (std::size_t i = begin; i < end; ++i) {
      const SystemCompatibility& reach = machine_.systems[i];
      if (!is_in(wanted, reach)) continue;
      std::string reasons = reasons_of(reach);
      const auto found = std::ranges::find(groups, reasons, &std::pair<std::string, std::vector<Run>>::first);
      const auto at = static_cast<std::size_t>(found - groups.begin());
      if (found == groups.end()) {
        groups.emplace_back(std::move(reasons), std::vector<Run>());
        last.push_back(end);
      }
      std::vector<Run>& runs = groups[at].second;
      const std::string_view version = system_of(i).version;
      if (last[at] + 1 == i) {
        runs.back().to = version;
        ++runs.back().length;
      } else {
        runs.push_back({version, version});
      }
      last[at] = i;
    }
    for (const auto& [reasons, runs] : groups) table.rows.push_back({names_of(distribution, runs), reasons});
  }

  const KnownSystem& system_of(std::size_t reach) const { return systems_[machine_.systems[reach].system]; }

  const WheelFacts& wheel_;
  const MachineCompatibility& machine_;
  const std::span<const KnownSystem> systems_;
  std::set<std::uint32_t> told_;  // the requirements that are named in some line
};

// --- processors -----------------------------------------------------------------------------------------------------

std::string_view name_of(LackingFeature::When when) {
  constexpr std::array<std::string_view, 4> names = {"import", "refused", "maybe", "call"};
  return names[static_cast<std::size_t>(when)];
}

// "executes pinsrq (SSE4.1) at 0x1234 of foo/x.so, from PyInit_x"
std::string lacking_text(const WheelFacts& wheel, const LackingFeature& one) {
  using When = LackingFeature::When;
  const std::string file = escape(path_of(wheel, one.file));
  if (one.when == When::Refused)
    return fmt::format("glibc 2.33 and newer does not load {}, which asks for {}", file, one.feature);
  if (one.when == When::Call)
    return fmt::format("{} has {} instructions and no test of the processor: a call can end the process", file,
                       one.feature);
  const std::string what =
      one.instruction.empty() ? one.feature : fmt::format("{} ({})", escape(one.instruction), one.feature);
  const std::string in = one.function.empty() ? "" : fmt::format(", in {}", with_short_symbols(one.function));
  const std::string from = one.entry == one.function ? "" : fmt::format(", from {}", escape(one.entry));
  return fmt::format("{} {} at {:#x} of {}{}{}", one.when == When::Import ? "executes" : "can reach", what, one.address,
                     file, in, from);
}

constexpr std::string_view judged_machines = "only code for x86-64 and AArch64 is judged";

// What one processor does with one wheel.
void add_processor(Document& out, const WheelFacts& wheel, const KnownProcessor& processor,
                   const ProcessorCompatibility& one) {
  const std::string& name = processor.names.front();
  const auto line = [&](StyledText verdict, const std::string& text) {
    out.line("  ", styled("{}: {}{}", name, verdict, text), 4);
  };
  if (one.files == 0) {
    std::vector<std::string> others;
    for (const Arch arch : one.not_judged) others.emplace_back(arch == Arch::Other ? "another machine" : name_of(arch));
    if (others.empty()) return line({"works", Style::Good}, ": the wheel has no machine code");
    return line({"not known", Style::Doubtful}, fmt::format(": no code for {}, but for {}; {}", name_of(processor.arch),
                                                            join(others, ", "), judged_machines));
  }
  if (one.runs == Runs::Yes)
    return line({"nothing found", Style::Good}, ": no direct call of the import leads to what it lacks");
  line(one.runs == Runs::No ? StyledText("the import fails", Style::Bad) : StyledText("may fail", Style::Doubtful), "");
  // One line for each feature, with its first file.
  std::map<std::pair<LackingFeature::When, std::string_view>, std::size_t> files;
  for (const LackingFeature& lacking : one.lacking) ++files[{lacking.when, lacking.feature}];
  for (const LackingFeature& lacking : one.lacking)
    if (const std::size_t count = std::exchange(files[{lacking.when, lacking.feature}], 0); count > 0)
      out.line("    ", lacking_text(wheel, lacking) + and_more(count - 1, "file"), 6);
  if (!one.unread.empty())
    out.line("    ",
             fmt::format("the code of {}{} was not read to its end", escape(path_of(wheel, one.unread.front())),
                         and_more(one.unread.size() - 1, "file")),
             6);
}

struct ProcessorTotals {
  std::size_t all = 0, fails = 0, open = 0;
};

ProcessorTotals processor_totals_of(std::span<const Compatibility> wheels) {
  ProcessorTotals totals;
  for (const Compatibility& one : wheels) {
    for (const ProcessorCompatibility& processor : one.processors) {
      ++totals.all;
      totals.fails += processor.runs == Runs::No ? 1u : 0u;
      totals.open += processor.runs == Runs::Depends ? 1u : 0u;
    }
  }
  return totals;
}

// The last line, where no systems are shown.
void add_processor_conclusion(Document& out, std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  const auto [all, fails, open] = processor_totals_of(wheels);
  const std::string_view name = options.processors.front().names.front();
  const std::string text = options.processors.size() > 1 || wheels.size() > 1
                               ? fmt::format("the import fails in {} of {}{}", fails, count_of(all, "case"),
                                             open > 0 ? fmt::format(", and may fail in {}", open) : "")
                           : fails > 0 ? fmt::format("the import fails on {}", name)
                           : open > 0  ? fmt::format("the import may fail on {}", name)
                                       : fmt::format("no instruction was found that {} lacks", name);
  out.outcome(styled("{}: {}",
                     fails > 0  ? StyledText("FAILED", Style::Bad)
                     : open > 0 ? StyledText("NOT KNOWN", Style::Doubtful)
                                : StyledText("PASSED", Style::Good),
                     text));
}

Json lacking_json(const WheelFacts& wheel, const LackingFeature& one) {
  return {{"when", name_of(one.when)},
          {"member", escape(path_of(wheel, one.file))},
          {"feature", one.feature},
          {"instruction", safe(one.instruction)},
          {"function", safe_long(one.function)},
          {"entry", safe_long(one.entry)},
          {"address", one.address}};
}

Json processor_json(const WheelFacts& wheel, const KnownProcessor& processor, const ProcessorCompatibility& one) {
  Json lacking = Json::array(), unread = Json::array(), others = Json::array();
  for (const LackingFeature& feature : one.lacking) lacking.push_back(lacking_json(wheel, feature));
  for (const ElfIndex file : one.unread) unread.push_back(escape(path_of(wheel, file)));
  for (const Arch arch : one.not_judged) others.push_back(name_of(arch));
  return {{"name", processor.names.front()}, {"architecture", name_of(processor.arch)},
          {"runs", name_of(one.runs)},       {"files", one.files},
          {"lacks", std::move(lacking)},     {"unread", std::move(unread)},
          {"not_judged", std::move(others)}};
}

// --- all ------------------------------------------------------------------------------------------------------------

struct Totals {
  std::size_t installed = 0, broken = 0, open = 0;
};

Totals totals_of(std::span<const Compatibility> wheels) {
  Totals totals;
  for (const Compatibility& one : wheels) {
    for (const MachineCompatibility& machine : one.reach.machines) {
      for (const SystemCompatibility& system : machine.systems) {
        if (system.tags.empty()) continue;
        ++totals.installed;
        totals.broken += system.runs == Runs::No ? 1u : 0u;
        totals.open += system.runs == Runs::Depends ? 1u : 0u;
      }
    }
  }
  return totals;
}

// What to type where pip installs a wheel that breaks, and the last line.
void add_conclusion(Document& out, std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  const Totals totals = totals_of(wheels);
  if (totals.broken > 0) {
    out.blank();
    out.line("fix: ", "correct the tag or the files that exceed it: `wheelcheck WHEEL` names both", 5);
  }
  const std::string where = fmt::format("{} on which pip installs {}", count_of(totals.installed, "system"),
                                        wheels.size() == 1 ? "it" : fmt::format("{} wheels", wheels.size()));
  const std::string more = totals.open == 0 ? "" : fmt::format(", needs more on {}", totals.open);
  std::string text = totals.installed == 0 ? wheels.size() == 1 ? "pip installs it on none of these systems"
                                                                : "pip installs them on none of these systems"
                     : totals.broken == 0  ? fmt::format("breaks on none of {}{}", where, more)
                                           : fmt::format("breaks on {} of {}{}", totals.broken, where, more);
  if (totals.broken > 0 && options.fail_on_broken) text += " (--fail-on-broken)";
  const ProcessorTotals processors = processor_totals_of(wheels);
  if (processors.fails + processors.open > 0)
    text += fmt::format("; the import {} on a processor", processors.fails > 0 ? "fails" : "may fail");
  const bool check_fails =
      std::ranges::any_of(wheels, [](const Compatibility& one) { return has_check_errors(one.wheel); });
  const bool fails = check_fails || processors.fails > 0;
  if (totals.broken > 0 && !options.fail_on_broken && !fails) text += " (exit 1 with --fail-on-broken)";
  if (check_fails) text += fmt::format("; check fails {}", wheels.size() == 1 ? "it" : "wheels");
  if (totals.installed == 0 && !options.fail_on_broken && !fails && processors.open == 0) return out.outcome(text);
  out.outcome(styled("{}: {}",
                     fails || (totals.broken > 0 && options.fail_on_broken) ? StyledText("FAILED", Style::Bad)
                     : totals.broken > 0                                    ? StyledText("BREAKS", Style::Doubtful)
                     : processors.open > 0                                  ? StyledText("NOT KNOWN", Style::Doubtful)
                                                                            : StyledText("PASSED", Style::Good),
                     text));
}

Document document_of(std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  Document out;
  for (const Compatibility& one : wheels) {
    if (!one.processors.empty()) {
      if (!out.empty()) out.blank();
      out.title({escape(one.wheel.facts.file), Style::Strong});
      for (std::size_t i = 0; i < one.processors.size(); ++i)
        add_processor(out, one.wheel.facts, options.processors[i], one.processors[i]);
    }
    if (options.processors_only) continue;
    for (const MachineCompatibility& machine : one.reach.machines) {
      if (!out.empty()) out.blank();
      MachineText(one.wheel.facts, machine, options.systems).add_to(out);
    }
    if (!one.reach.machines.empty()) {
      add_check_errors(out, one.wheel);
      continue;
    }
    if (!out.empty()) out.blank();
    const std::string systems = other_systems(one.wheel);
    out.line(fmt::format("{}: {}", escape(one.wheel.facts.file),
                         systems.empty() ? "no platform tag names the machine of its code"
                                         : fmt::format("not a Linux wheel ({}): runs on no Linux system", systems)));
  }
  if (options.ended > 0 && !options.processors_only) {
    out.blank();
    out.line(fmt::format("left out: {} that were end of life by {}", count_of(options.ended, "system"),
                         escape(options.today)));
  }
  if (wheels.empty()) return out;
  options.processors_only ? add_processor_conclusion(out, wheels, options) : add_conclusion(out, wheels, options);
  return out;
}

// Systems as JSON (docs/runs-on.schema.json). Requirements are listed once and systems refer to them by index, because
// a wheel may have thousands of requirements and there are many systems.

Json system_requirement_json(const SystemRequirement& system_requirement) {
  Json out = {{"kind", name_of(system_requirement.kind)}, {"name", safe(system_requirement.name)}};
  if (!system_requirement.library.empty()) out["library"] = safe(system_requirement.library);
  out["member"] = system_requirement.member.empty() ? Json(nullptr) : Json(escape(system_requirement.member));
  if (!system_requirement.symbol.empty()) out["symbol"] = safe_long(system_requirement.symbol);
  out["files"] = system_requirement.files;
  return out;
}

Json system_json(const KnownSystem& system, const SystemCompatibility& reach) {
  Json out = {{"id", safe(system.id)},
              {"distribution", safe(system.distribution)},
              {"version", safe(system.version)},
              {"libc", std::string(name_of(system.libc)) + ' ' + to_string(system.libc_version)},
              {"support_ends", system.support_ends.empty() ? Json(nullptr) : Json(safe(system.support_ends))},
              {"runs", name_of(reach.runs)},
              {"pip", !reach.tags.empty()},
              {"tags", texts(reach.tags)},
              {"lacks", reach.lacks},
              {"open", reach.open}};
  return out;
}

Json machine_json(const MachineCompatibility& machine, std::span<const KnownSystem> systems) {
  Json required = Json::array(), answers = Json::array();
  for (const SystemRequirement& system_requirement : machine.required)
    required.push_back(system_requirement_json(system_requirement));
  for (const SystemCompatibility& reach : machine.systems) answers.push_back(system_json(systems[reach.system], reach));
  return {{"architecture", machine.arch == Arch::Other ? Json("any") : Json(name_of(machine.arch))},
          {"requirements", std::move(required)},
          {"to_install", machine.to_install},
          {"systems", std::move(answers)}};
}

std::string json_of(std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  Json list = Json::array();
  for (const Compatibility& one : wheels) {
    Json machines = Json::array(), processors = Json::array();
    for (std::size_t i = 0; i < one.processors.size(); ++i)
      processors.push_back(processor_json(one.wheel.facts, options.processors[i], one.processors[i]));
    for (const MachineCompatibility& machine : one.reach.machines)
      machines.push_back(machine_json(machine, options.systems));
    list.push_back({{"file", safe(one.wheel.facts.file)},
                    {"machines", std::move(machines)},
                    {"processors", std::move(processors)},
                    {"check_errors", check_errors_json(one.wheel)}});
  }
  const Json document = {{"schema", "wheelcheck-runs-on"},
                         {"version", json_version},
                         {"today", options.today.empty() ? Json(nullptr) : Json(safe(options.today))},
                         {"left_out", options.ended},
                         {"wheels", std::move(list)}};
  return document_text(document);
}

}  // namespace

Answer runs_on_answer(std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  return {.document = [=] { return document_of(wheels, options); }, .json = [=] { return json_of(wheels, options); }};
}

}  // namespace wheelcheck::report
