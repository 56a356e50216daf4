#include "analysis/compilers.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace wheelcheck::analysis {
namespace {

struct Tool {
  std::string_view name, mark;  // the mark stands in the comment, the version behind it
};
// The first that fits is taken: what several vendors build on clang says "clang" as well.
constexpr Tool tools[] = {
    {"LLD", "Linker: LLD "},
    {"mold", "mold "},
    {"GCC", "GCC: ("},
    {"Intel oneAPI", "oneAPI DPC++/C++ Compiler "},
    {"Intel C++", "Intel(R) C"},
    {"rustc", "rustc version "},
    {"clang", "clang version "},
    {"NVIDIA HPC", "nvc++ "},
    {"NVIDIA CUDA", "nvcc "},
    {"zig", "zig "},
    {"GHC", "GHC "},
};

// The first run of digits and dots that starts a word, behind `at`.
std::string_view version_behind(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool starts = is_digit(text[at]) && (at == 0 || text[at - 1] == ' ');
    if (starts) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
      return text.substr(at, end - at);
    }
    ++at;
  }
  return {};
}

// "GCC: (Debian 12.2.0-14) 12.2.0": what is in brackets names the distributor and its own number.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
  int open = 1;
  for (at += 1; at < text.size() && open > 0; ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')') --open;
  }
  return at;
}

Compiler compiler_of(std::string_view comment) {
  for (const Tool& tool : tools) {
    std::size_t at = comment.find(tool.mark);
    if (at == comment.npos) continue;
    at += tool.mark.size();
    if (tool.name == "GCC") at = behind_brackets(comment, at - 1);
    return {std::string(tool.name), std::string(version_behind(comment, at)), std::string(comment)};
  }
  return {.name = "other", .version = {}, .text = std::string(comment)};
}

}  // namespace

std::vector<Compiler> compilers(std::span<const std::string_view> comments) {
  std::vector<Compiler> found;
  for (const std::string_view comment : comments)
    if (!comment.empty()) found.push_back(compiler_of(comment));
  const auto by = [](const Compiler& c) { return std::tie(c.name, c.version, c.text); };
  std::ranges::sort(found, {}, by);
  const auto same = [](const Compiler& a, const Compiler& b) {
    return a.name == b.name && a.version == b.version && a.name != "other";
  };
  const auto again = std::ranges::unique(found, same);
  found.erase(again.begin(), again.end());
  return found;
}

bool only_gcc_before_5(std::span<const Compiler> compilers) {
  bool any = false;
  for (const Compiler& compiler : compilers) {
    if (compiler.name == "clang" || compiler.name.starts_with("Intel")) return false;
    if (compiler.name != "GCC") continue;
    any = true;
    std::uint64_t major = 0;
    const std::string_view version = compiler.version;
    if (!parse_number(version.substr(0, version.find('.')), major) || major >= 5) return false;
  }
  return any;
}

}  // namespace wheelcheck::analysis
