// WC302: the std::string ABI of the wheel; an error if the user requires the other one.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::string_abi_report {
namespace {

StringAbi operator|(StringAbi a, StringAbi b) {
  if (a == b || b == StringAbi::None) return a;
  return a == StringAbi::None ? b : StringAbi::Both;
}

void require(const WheelView& view, const Emit& emit, ElfIndex index, StringAbi required) {
  const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
  const StringAbi spoken = abi.defined | abi.imported;
  if (spoken == required || spoken == StringAbi::None) return;
  const bool uses_new = required == StringAbi::New;
  const auto& wrong = uses_new ? abi.examples_old : abi.examples_new;
  std::vector<Evidence> evidence;
  if (!wrong.empty()) evidence.push_back({"symbols", list_of(wrong, 5)});
  emit({.place = AtElf{index},
        .message = fmt::format("uses the {} std::string type, but the {} one is required", uses_new ? "old" : "new",
                               name_of(required)),
        .evidence = std::move(evidence),
        .fix = fmt::format("compile with -D_GLIBCXX_USE_CXX11_ABI={}{}", uses_new ? 1 : 0,
                           uses_new ? " in the manylinux_2_28 image or a newer one" : ""),
        .severity = Severity::Error,
        .confidence = {}});
}

void report(const WheelView& view, const Emit& emit) {
  std::map<StringAbi, std::vector<std::string>> files;
  std::map<CxxRuntime, std::size_t> runtimes;
  std::vector<std::string> early;
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
    const StringAbi spoken = abi.defined | abi.imported;
    if (spoken != StringAbi::None) files[spoken].emplace_back(path_of(view, index));
    if (abi.runtime != CxxRuntime::None) ++runtimes[abi.runtime];
    if (abi.early_cxx11) early.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  StringAbi whole = StringAbi::None;
  std::vector<Evidence> evidence;
  for (const auto& [abi, paths] : files) {
    whole = whole | abi;
    evidence.push_back(
        {std::string(name_of(abi)), fmt::format("{}: {}", count_of(paths.size(), "file"), list_of(paths))});
  }
  std::vector<std::string> counts;
  for (const auto& [runtime, count] : runtimes)
    counts.push_back(fmt::format("{}: {}", name_of(runtime), count_of(count, "file")));
  if (!counts.empty()) evidence.push_back({"C++ runtime", fmt::format("{}", fmt::join(counts, "; "))});
  if (!early.empty()) evidence.push_back({"C++11 of a GCC before 5", list_of(early)});
  const bool both = whole == StringAbi::Both;
  emit({.place = WholeWheel{},
        .message = both ? std::string("its C++ code uses both std::string types of libstdc++")
                        : fmt::format("its C++ code uses the {} std::string type of libstdc++", name_of(whole)),
        .evidence = std::move(evidence),
        .fix = both ? std::string("compile C++ code that links a file with the type of that file: "
                                  "-D_GLIBCXX_USE_CXX11_ABI=0 is the old one, =1 the new one")
                    : fmt::format("compile C++ code that links it with -D_GLIBCXX_USE_CXX11_ABI={}",
                                  whole == StringAbi::New ? 1 : 0),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const StringAbi required = view.options.required_string_abi;
  if (required == StringAbi::Old || required == StringAbi::New)
    for_each_judged(view, [&](ElfIndex index, const ElfMember&) { require(view, emit, index, required); });
  report(view, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC302",
    .name = "string-abi-report",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::string_abi_report
