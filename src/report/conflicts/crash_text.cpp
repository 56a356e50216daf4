// Annotates a stack trace frame by frame: the owner of the library, and the capture that led to it. It reads traces of
// gdb, glibc's backtrace_symbols, LLVM's signal handler and Python's faulthandler.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
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
  constexpr std::size_t most_frames = 200;
  std::vector<Frame> frames;
  for (const std::string_view raw : split(trace, '\n')) {
    const std::string_view line = trim(raw);
    const std::string_view library = library_in(line);
    const bool numbered = line.size() > 1 && line.front() == '#' && is_digit(line[1]);
    if (line.starts_with("Extension modules:") || (!numbered && library.empty())) continue;
    frames.push_back({line, library, symbol_in(line, library)});
    if (frames.size() == most_frames) break;
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
                                               plural(explained_, "frame is explained", "frames are explained"))
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
    for (const DistributionIndex distribution : conflicts_.load_plans[relation.load_plans.front()].order)
      if (distribution == relation.provider_distribution || distribution == relation.distribution)
        out += (out.empty() ? " in the order " : ", then ") + distribution_name(distribution);
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
