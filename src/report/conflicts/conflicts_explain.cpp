// Why a name is bound to a definition: the search for a traced name, and the frames of a stack trace.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

using process::BoundReference;
using process::ObjectIndex;
using process::Outcome;
using process::Search;

class Searches {
 public:
  Searches(const ConflictReport& report, const Paint& paint) : report_(report), paint_(paint) {}

  std::string text() {
    std::string out;
    for (const std::string& name : report_.traced) out += of_name(name);
    return out;
  }

 private:
  const Installation& all() const { return report_.conflicts.installation; }
  std::string name_of(ObjectIndex object) const { return escape(all().names[object.value]); }

  bool defines(ObjectIndex object, std::string_view name) const {
    const ElfFacts* const facts = all().world.files[object.value].facts;
    return facts != nullptr && facts->dynamic &&
           std::ranges::find(facts->dynamic->exports, name, &Export::name) != facts->dynamic->exports.end();
  }

  std::string of_name(const std::string& name) {
    std::string out;
    for (std::uint32_t load_plan = 0; load_plan < report_.conflicts.outcomes.size(); ++load_plan) {
      const Outcome& outcome = report_.conflicts.outcomes[load_plan];
      std::set<std::pair<ObjectIndex, std::optional<ObjectIndex>>> listed;
      for (const Search& search : outcome.searches) {
        const BoundReference& bound = outcome.bound[search.bound];
        if (bound.undone || symbol_request(bound).name != name || !listed.emplace(bound.from, bound.to).second)
          continue;
        out += of_search(load_plan, search, bound, name);
      }
    }
    if (!out.empty()) return out;
    const std::vector<std::string> importers = who_imports(name);
    if (importers.empty()) return fmt::format("\nno file imports {}\n{}", escape(name), who_defines(name));
    return fmt::format("\n{} is bound by no file that was loaded; {} it: {}\n{}", escape(name),
                       importers.size() == 1 ? "this file imports" : "these files import", first_few(importers, 8),
                       who_defines(name));
  }

  process::SymbolRequest symbol_request(const BoundReference& bound) const {
    return process::symbol_request(*all().world.files[bound.from.value].facts, bound.reference);
  }

  std::vector<std::string> who_imports(std::string_view name) const {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < all().world.files.size(); ++i) {
      const ElfFacts* const facts = all().world.files[i].facts;
      if (facts != nullptr && facts->dynamic &&
          std::ranges::find(facts->dynamic->imports, name, &Import::name) != facts->dynamic->imports.end())
        out.push_back(name_of({i}));
    }
    return out;
  }

  std::string who_defines(std::string_view name) const {
    std::string out;
    for (std::uint32_t i = 0; i < all().world.files.size(); ++i)
      if (defines({i}, name)) out += fmt::format("  defined by {}\n", name_of({i}));
    return out;
  }

  std::string of_search(std::uint32_t load_plan, const Search& search, const BoundReference& bound,
                        std::string_view name) const {
    const auto version = symbol_request(bound).version;
    std::string out = fmt::format("\n{} imports {}{}  ({})\n", paint_.bold(name_of(bound.from)), escape(name),
                                  version ? "@" + escape(*version) : "", order_text(load_plan));
    unsigned number = 0;
    const auto holds = [&](const Search::List& list) {
      return bound.to && std::ranges::find(list.files, *bound.to) != list.files.end();
    };
    const auto answering = std::ranges::find_if(search.scope, holds);
    for (const Search::List& list : search.scope)
      out += of_list(list, ++number, answering != search.scope.end() && &list == &*answering, bound, name);
    out += "  " + answer(bound) + "\n";
    const bool global = answering != search.scope.end() && answering->of == all().main && !answering->alone;
    return out + elsewhere(load_plan, bound) + (global ? publisher(load_plan, *bound.to) : "");
  }

  // Lists the files that define the name and only counts the others.
  std::string of_list(const Search::List& list, unsigned number, bool answers, const BoundReference& bound,
                      std::string_view name) const {
    const std::string what = list.alone              ? fmt::format("{} itself (DT_SYMBOLIC)", name_of(list.of))
                             : list.of == all().main ? std::string("global scope")
                                                     : fmt::format("scope of {}", name_of(list.of));
    std::string out = fmt::format("  {}. {}, {}\n", number, what, count_of(list.files.size(), "file"));
    for (std::size_t i = 0; i < list.files.size(); ++i) {
      const bool taken = answers && bound.to == list.files[i];
      if (!taken && !defines(list.files[i], name)) continue;
      out += fmt::format("     {:>4}  {}{}\n", i + 1, name_of(list.files[i]), taken ? "  <- taken" : "");
    }
    return out;
  }

  std::string answer(const BoundReference& bound) const {
    switch (bound.way) {
      case process::BindingResult::Plain:
        return fmt::format("bound to {}, the first that defines it", name_of(*bound.to));
      case process::BindingResult::Unique:
        return fmt::format("bound to {}, whose STB_GNU_UNIQUE definition the process took first", name_of(*bound.to));
      case process::BindingResult::Protected:
        return fmt::format("bound to {}, as its own symbol is protected", name_of(*bound.to));
      case process::BindingResult::Platform:
        return bound.to ? fmt::format("bound to {}, which is assumed to define it", name_of(*bound.to))
                        : "left to the platform";
      case process::BindingResult::WeakNull:
        return "null: nothing defines it, and it is weak";
      case process::BindingResult::Missing:
        break;
    }
    return "nothing defines it: the import fails";
  }

  std::string order_text(std::uint32_t load_plan) const {
    std::vector<std::string> names;
    const LoadPlan& plan = report_.conflicts.load_plans[load_plan];
    for (std::size_t at = 0; at < plan.order.size(); ++at) names.push_back(escape(name_in_order(all(), plan, at)));
    return first_few(names, 8);
  }

  // The orders in which the same reference is bound to another file.
  std::string elsewhere(std::uint32_t load_plan, const BoundReference& bound) const {
    std::string out;
    for (std::uint32_t other = 0; other < report_.conflicts.outcomes.size(); ++other) {
      if (other == load_plan) continue;
      const Outcome& outcome = report_.conflicts.outcomes[other];
      for (const Search& search : outcome.searches) {
        const BoundReference& there = outcome.bound[search.bound];
        if (there.from == bound.from && there.reference == bound.reference && there.to != bound.to && there.to)
          out += fmt::format("  imported as {}: {}\n", order_text(other), name_of(*there.to));
      }
    }
    return out;
  }

  // The open that added the file to the global scope.
  std::string publisher(std::uint32_t load_plan, ObjectIndex file) const {
    std::string out;
    for (const process::Published& each : report_.conflicts.outcomes[load_plan].published) {
      if (each.file != file) continue;
      const auto& flags = report_.conflicts.load_plans[load_plan].opens[each.step][each.open].flags;
      if (!flags) continue;
      const WheelFacts& facts = all().distributions[flags->distribution.value].facts;
      const std::string where =
          flags->file ? fmt::format("{}:{}: ", escape(facts.members[flags->file->value].path.text()), flags->line) : "";
      out += fmt::format("  made global by {}{}; without it this scope would not contain it\n", where,
                         escape(flags->text));
    }
    return out;
  }

  const ConflictReport& report_;
  const Paint& paint_;
};

}  // namespace

std::string searches_text(const ConflictReport& report, const Paint& paint) { return Searches(report, paint).text(); }

// Annotates a stack trace frame by frame: the owner of the library, and the capture that led to it. It reads traces of
// gdb, glibc's backtrace_symbols, LLVM's signal handler and Python's faulthandler.
namespace {

struct Frame {
  std::string_view line, library, symbol;  // library: a base name; both may be ""
};

bool ends_library(char c) {
  return is_blank(c) || c == ')' || c == '(' || c == ']' || c == ':' || c == '+' || c == ',';
}

// The base name of the library in a line: the word that contains ".so".
std::string_view library_in(std::string_view line) {
  for (std::size_t at = line.find(".so"); at != line.npos; at = line.find(".so", at + 1)) {
    std::size_t end = at + 3, begin = at;
    if (end < line.size() && line[end] != '.' && !ends_library(line[end])) continue;
    while (end < line.size() && !ends_library(line[end])) ++end;
    // Names such as libstdc++.so.6 contain '+', so the start is at a blank, bracket or quote.
    while (begin > 0 && !is_blank(line[begin - 1]) && line[begin - 1] != '(' && line[begin - 1] != '"') --begin;
    return wheelcheck::base_name(line.substr(begin, end - begin));
  }
  return {};
}

// Removes the address and "in" of gdb, or the address of LLVM.
std::string_view without_address(std::string_view text) {
  text = trim(text);
  if (text.starts_with("0x")) text = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  if (text.starts_with("in ")) text = trim(text.substr(3));
  return text;
}

std::string_view symbol_in(std::string_view line, std::string_view library) {
  std::string_view rest = line;
  if (rest.starts_with('#')) {
    rest.remove_prefix(1);
    while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
    rest = without_address(rest);
    const std::size_t from = std::min({rest.find(" from "), rest.find(" at "), rest.size()});
    rest = rest.substr(0, from);
    // "name (args)" in gdb, "name (library+0x12)" in LLVM
    return trim(rest.substr(0, std::min(rest.find(" ("), rest.size())));
  }
  // glibc writes "library(name+0x12) [0x34]".
  const std::size_t open = library.empty() ? line.npos : line.find('(', line.find(library));
  if (open == line.npos) return {};
  rest = line.substr(open + 1);
  rest = rest.substr(0, rest.find(')'));
  return rest.substr(0, rest.rfind("+0x"));
}

std::vector<Frame> frames_of(std::string_view trace) {
  constexpr std::size_t max_frames = 200;
  std::vector<Frame> frames;
  for (const std::string_view raw : split(trace, '\n')) {
    const std::string_view line = trim(raw);
    const std::string_view library = library_in(line);
    const bool numbered = line.size() > 1 && line.front() == '#' && is_digit(line[1]);
    if (line.starts_with("Extension modules:") || (!numbered && library.empty())) continue;
    frames.push_back({line, library, symbol_in(line, library)});
    if (frames.size() == max_frames) break;
  }
  return frames;
}

class Explainer {
 public:
  Explainer(const ConflictReport& report, Demangle demangle, const Paint& paint)
      : paint_(paint), conflicts_(report.conflicts), all_(report.conflicts.installation), demangle_(demangle) {}

  std::string text(const std::vector<Frame>& frames) {
    std::string out;
    for (std::size_t i = 0; i < frames.size(); ++i) out += one(i, frames[i]);
    if (frames.empty()) return "the input contains no frame of a stack trace\n";
    return out + (explained_ > 0 ? fmt::format("\n{} by a capture\n",
                                               count_of(explained_, "frame is explained", "frames are explained"))
                                 : "\nno capture of these distributions explains a frame\n");
  }

 private:
  std::string one(std::size_t number, const Frame& frame) {
    std::string out = fmt::format("#{:<3} {}\n", number, escape(frame.symbol.empty() ? "?" : demangle_(frame.symbol)));
    if (frame.library.empty()) return out;
    const auto file = file_called(frame.library);
    out += fmt::format("     {}{}\n", escape(frame.library),
                       file ? " of " + owner(*file) : ", of none of these distributions");
    if (const Relation* const relation = capture(frame)) {
      ++explained_;
      const std::string user =
          relation->distribution ? distribution_name(*relation->distribution) : "the standard library";
      out += fmt::format(
          "     {}\n",
          paint_.wrapped(
              escape(fmt::format(
                  "capture: {} of {} imports this name, has its own definition in {}, but is bound here{}",
                  all_.names[relation->by.front().value], user, all_.names[relation->own.value], order(*relation))),
              5, 7));
    }
    return out;
  }

  std::string distribution_name(DistributionIndex distribution) const {
    return name_of_distribution(all_.distributions[distribution.value].facts);
  }

  std::string owner(process::ObjectIndex file) const {
    const Origin& origin = all_.origins[file.value];
    return origin.kind == Origin::Kind::Distribution ? escape(distribution_name(origin.distribution)) : "the system";
  }

  std::string order(const Relation& relation) const {
    std::string out;
    if (relation.load_plans.empty()) return out;
    const LoadPlan& plan = conflicts_.load_plans[relation.load_plans.front()];
    for (std::size_t at = 0; at < plan.order.size(); ++at)
      if (plan.order[at] == relation.provider_distribution || plan.order[at] == relation.distribution)
        out += (out.empty() ? " in the order " : ", then ") + escape(name_in_order(all_, plan, at));
    return out;
  }

  bool is_called(process::ObjectIndex file, std::string_view name) const {
    const process::File& world = all_.world.files[file.value];
    return wheelcheck::base_name(world.path) == name ||
           (world.facts != nullptr && world.facts->dynamic && world.facts->dynamic->soname == std::optional(name));
  }
  std::optional<process::ObjectIndex> file_called(std::string_view name) const {
    for (std::uint32_t i = 0; i < all_.world.files.size(); ++i)
      if (is_called({i}, name)) return process::ObjectIndex{i};
    return std::nullopt;
  }

  // Compares with the mangled name and with the demangled one, with or without parameters.
  bool is_same(std::string_view symbol, std::string_view written) const {
    if (symbol == written) return true;
    if (written.starts_with("_Z")) return false;
    const std::string shown = demangle_(symbol);
    return shown == written || (shown.starts_with(written) && shown.substr(written.size()).starts_with('('));
  }

  const Relation* capture(const Frame& frame) const {
    for (const Relation& relation : conflicts_.relations) {
      if (relation.kind == RelationKind::Borrow || frame.symbol.empty()) continue;
      if (!is_called(relation.provider, frame.library)) continue;
      if (std::ranges::any_of(relation.symbols,
                              [&](const TakenSymbol& each) { return is_same(each.name, frame.symbol); }))
        return &relation;
    }
    return nullptr;
  }

  const Paint& paint_;
  const Conflicts& conflicts_;
  const Installation& all_;
  Demangle demangle_;
  std::size_t explained_ = 0;
};

}  // namespace

std::string crash_text(const ConflictReport& report, std::string_view trace, Demangle demangle, const Paint& paint) {
  return Explainer(report, demangle, paint).text(frames_of(trace));
}

}  // namespace wheelcheck::report
