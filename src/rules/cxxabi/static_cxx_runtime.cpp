// WC305: files of the wheel contain a statically linked C++ runtime.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::static_cxx_runtime {
namespace {

struct Seen {
  std::vector<ElfIndex> files;
  std::vector<std::string> paths, marks;
};

void report(const Emit& emit, CxxRuntime runtime, const Seen& seen) {
  const bool one = seen.files.size() == 1;
  const std::string_view library = runtime == CxxRuntime::StaticLibcxx ? "libc++" : "libstdc++";
  std::vector<Evidence> evidence;
  if (!one) evidence.push_back({"files", list_of(seen.paths)});
  if (!seen.marks.empty()) evidence.push_back({one ? "seen by" : "seen in the first by", list_of(seen.marks)});
  emit({.place = one ? Place(AtElf{seen.files.front()}) : Place(WholeWheel{}),
        .message = one ? fmt::format("contains a statically linked {}", library)
                       : fmt::format("{} contain a statically linked {}", count_of(seen.files.size(), "file"), library),
        .evidence = std::move(evidence),
        .fix = fmt::format("if C++ objects or exceptions leave the file, link it without {}",
                           runtime == CxxRuntime::StaticLibcxx ? "a static libc++" : "-static-libstdc++"),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  std::map<CxxRuntime, Seen> found;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
    const bool linked_in = abi.runtime == CxxRuntime::StaticLibstdcxx || abi.runtime == CxxRuntime::StaticLibcxx;
    if (!linked_in || std::holds_alternative<Program>(elf.role)) return;
    Seen& seen = found[abi.runtime];
    if (seen.files.empty()) seen.marks.assign(abi.runtime_evidence.begin(), abi.runtime_evidence.end());
    seen.files.push_back(index);
    seen.paths.emplace_back(path_of(view, index));
  });
  for (const auto& [runtime, seen] : found) report(emit, runtime, seen);
}

}  // namespace

extern const Rule rule{
    .code = "WC305",
    .name = "static-cxx-runtime",
    .severity = Severity::Info,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::static_cxx_runtime
