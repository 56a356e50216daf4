// C++ runtimes that a wheel contains: as a copy of the library, or linked into its files.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"

// WC304: the wheel contains a copy of a library of the compiler or the C library, although every system of the tag has
// it.
namespace wheelcheck::rules::toolchain_runtime_bundled {
namespace {

struct Use {
  std::vector<std::string> users;
  bool in_the_interpreter = false;  // loaded by an imported file, not only by programs
};

Use use_of(const WheelView& view, ElfIndex library) {
  Use use;
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i) {
    for (const NeededFound& found : view.resolution.needed[i]) {
      if (found.provider != ElfRef{WheelIndex{0}, library}) continue;
      use.users.emplace_back(path_of(view, ElfIndex{i}));
      const ElfIndex root = found.root.wheel.value == 0 ? found.root.elf : ElfIndex{i};
      if (!std::holds_alternative<Program>(view.wheel.elfs[root.value].role)) use.in_the_interpreter = true;
    }
  }
  return use;
}

// The policies for musl allow neither libstdc++ nor libgcc_s, so a wheel for musl must bundle them. Android's C++
// library is libc++_shared, which is meant to be bundled and is not checked here.
bool has_to_be_carried(const WheelView& view, const ElfMember& elf, Toolchain what) {
  if (what != Toolchain::Libstdcxx && what != Toolchain::Libgcc) return false;
  return elf.libc == Libc::Musl || elf.libc == Libc::Bionic ||
         (!claims_family(view, PlatformTag::Family::Manylinux) &&
          (claims_family(view, PlatformTag::Family::Musllinux) || claims_family(view, PlatformTag::Family::Android)));
}

// `packed`: by the project itself; repair tools do not remove such a file.
std::string fix_of(std::string_view file, std::string_view library, const Use& use, bool packed) {
  const std::string_view system = system_name(library);
  if (system.empty() || packed) return fmt::format("leave {} out of the wheel", shell_word(file));
  std::string fix = fmt::format("repair with auditwheel repair --exclude {}", system);
  const std::string_view name = base_name(file);
  if (name != system && use.users.size() == 1)
    fix += fmt::format(", or patchelf --replace-needed {} {} {} and remove the copy", shell_word(name), system,
                       shell_word(use.users.front()));
  return fix;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || elf.facts.kind != ElfKind::SharedObject) return;
    const std::string_view file = path_of(view, index);
    std::string_view name = elf.facts.dynamic->soname.value_or(file);
    Toolchain what = toolchain_of(name);
    if (what == Toolchain::None) what = toolchain_of(name = file);
    if (what == Toolchain::None || has_to_be_carried(view, elf, what)) return;
    const Use use = use_of(view, index);
    const bool promised = claims_family(view, PlatformTag::Family::Manylinux);
    std::vector<Evidence> evidence;
    if (elf.facts.dynamic->soname) evidence.push_back({"soname", std::string(*elf.facts.dynamic->soname)});
    if (!use.users.empty()) evidence.push_back({"needed by", list_of(use.users)});
    const std::string_view system = system_name(name);
    emit({.place = AtElf{index},
          .message = fmt::format("is a copy of {}, which {}", system.empty() ? "the C library" : system,
                                 promised ? "every system of the claimed tags has" : "the system has too"),
          .evidence = std::move(evidence),
          .fix = fix_of(file, name, use, !std::holds_alternative<BundledLibrary>(elf.role)),
          .severity = promised && use.in_the_interpreter ? Severity::Error : Severity::Warning,
          .confidence = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC304",
    .name = "toolchain-runtime-bundled",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::toolchain_runtime_bundled

// WC305: files of the wheel contain a statically linked C++ runtime.
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
    .severity = Severity::Note,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::static_cxx_runtime
