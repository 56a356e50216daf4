// What a project forbids or limits in its configuration.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mangling/demangle.h"
#include "model/module_names.h"
#include "rules/common.h"

// WC010: exports that the project forbids, or does not list (docs/configuration.md).
namespace wheelcheck::rules::forbidden_export {
namespace {

bool is_for(const NameRule& rule, std::string_view path) { return rule.path.empty() || glob_match(rule.path, path); }

// The mangled name, or the demangled one with its arguments. `*` stops at '/', which a symbol hardly has.
bool names_symbol(const NameRule& rule, std::string_view symbol, std::string_view demangled) {
  return glob_match(rule.names, symbol) || glob_match(rule.names, demangled);
}

// What CPython looks up, and what the linker adds to every library.
bool is_always_allowed(std::string_view symbol) {
  constexpr std::string_view of_linker[] = {"_init", "_fini", "_edata", "_end", "__bss_start"};
  return is_module_hook(symbol) || symbol.starts_with("PyInitU_") || symbol.starts_with("PyModExportU_") ||
         std::ranges::find(of_linker, symbol) != std::end(of_linker);
}

std::vector<std::string_view> sorted_exports(const ElfMember& elf) {
  std::vector<std::string_view> names;
  if (elf.facts.dynamic)
    for (const Export& symbol : elf.facts.dynamic->exports) names.push_back(symbol.name);
  std::ranges::sort(names);
  const auto last = std::ranges::unique(names);
  names.erase(last.begin(), last.end());
  return names;
}

void report_exports(const WheelView& view, const Emit& emit, ElfIndex index, const NameRule* rule,
                    const std::vector<std::string>& symbols) {
  if (symbols.empty()) return;
  std::vector<Evidence> evidence = {{"symbols", list_of(symbols, shown_symbols)}};
  if (rule != nullptr) evidence.push_back({"reason", rule->reason});
  const std::string what = rule != nullptr ? fmt::format("forbid-exports \"{}\" forbids: {}", rule->names, rule->reason)
                                           : std::string("no entry of allow-exports allows");
  emit({.place = AtElf{index},
        .message = fmt::format("exports {} that {}", count_of(symbols.size(), "symbol"), what),
        .evidence = std::move(evidence),
        .fix = fmt::format("hide them with a version script or -fvisibility=hidden; list them: wheelcheck symbols "
                           "--exports --by file {}",
                           shell_word(view.wheel.file)),
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const auto& forbidden = view.options.forbidden_exports;
  const auto& allowed = view.options.allowed_exports;
  if (forbidden.empty() && allowed.empty()) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::string_view path = path_of(view, index);
    std::vector<const NameRule*> may;
    for (const NameRule& rule : allowed)
      if (is_for(rule, path)) may.push_back(&rule);
    std::vector<std::vector<std::string>> hits(forbidden.size());
    std::vector<std::string> others;
    for (const std::string_view symbol : sorted_exports(elf)) {
      const std::string demangled = demangle(symbol);
      for (std::size_t i = 0; i < forbidden.size(); ++i)
        if (is_for(forbidden[i], path) && names_symbol(forbidden[i], symbol, demangled)) hits[i].push_back(demangled);
      const auto allows = [&](const NameRule* rule) { return names_symbol(*rule, symbol, demangled); };
      if (!may.empty() && !is_always_allowed(symbol) && std::ranges::none_of(may, allows)) others.push_back(demangled);
    }
    for (std::size_t i = 0; i < forbidden.size(); ++i) report_exports(view, emit, index, &forbidden[i], hits[i]);
    report_exports(view, emit, index, nullptr, others);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC010",
    .name = "forbidden-export",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::forbidden_export

// WC011: libraries that the project forbids its files to need (docs/configuration.md).
namespace wheelcheck::rules::forbidden_needed {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.forbidden_needed.empty()) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    for (const NameRule& rule : view.options.forbidden_needed) {
      if (!rule.path.empty() && !glob_match(rule.path, path_of(view, index))) continue;
      std::vector<std::string_view> listed;
      for (const std::string_view library : elf.facts.dynamic->needed) {
        if (!glob_match(rule.names, library) || std::ranges::find(listed, library) != listed.end()) continue;
        listed.push_back(library);
        emit({.place = AtElf{index},
              .message =
                  fmt::format("requires {}, which forbid-needed \"{}\" forbids: {}", library, rule.names, rule.reason),
              .evidence = {{"library", std::string(library)}, {"reason", rule.reason}},
              .fix = fmt::format("link without it, or link it statically; what requires it: wheelcheck tree {}",
                                 shell_word(view.wheel.file)),
              .severity = {}});
      }
    }
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC011",
    .name = "forbidden-needed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::forbidden_needed

// WC012: members that are larger than the project allows (docs/configuration.md).
namespace wheelcheck::rules::size_budget {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.size_budgets.empty()) return;
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberFacts& member = view.wheel.members[i];
    const auto is_of = [&](const SizeBudget& budget) { return glob_match(budget.path, member.path.text()); };
    const auto budget = std::ranges::find_if(view.options.size_budgets, is_of);
    if (budget == view.options.size_budgets.end() || member.size <= budget->bytes) continue;
    emit({.place = AtMember{MemberIndex{i}},
          .message = fmt::format("has {} bytes, {} above the size-budget of {}", member.size,
                                 size_text(member.size - budget->bytes), budget->bytes),
          .evidence = {{"budget", fmt::format("\"{}\" = {}", budget->path, budget->bytes)}},
          .fix = fmt::format("make it smaller (strip -g removes debug information), or raise the budget: size-budget = "
                             "{{ \"{}\" = {} }}",
                             budget->path, member.size),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC012",
    .name = "size-budget",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::size_budget
