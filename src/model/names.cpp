// The words for the enumerations of the vocabulary, the checks of MemberPath, and what counts as host code.
#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "model/foreign_names.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/conflicts.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/member.h"
#include "wheelcheck/system_compatibility.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

std::optional<MemberPath> MemberPath::parse(std::string_view raw) {
  if (raw.empty() || !is_utf8(raw)) return std::nullopt;
  if (raw.size() >= 2 && is_alpha(raw[0]) && raw[1] == ':') return std::nullopt;  // a drive of other systems
  const auto unsafe = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\'; };
  if (std::ranges::any_of(raw, unsafe)) return std::nullopt;
  for (const auto each : std::views::split(raw, '/')) {
    const std::string_view part(each);
    if (part.empty() || part == "." || part == "..") return std::nullopt;
  }
  return MemberPath(std::string(raw));
}

std::string_view MemberPath::name() const {
  const std::size_t at = text_.rfind('/');
  return at == std::string::npos ? std::string_view(text_) : std::string_view(text_).substr(at + 1);
}

std::string_view MemberPath::directory() const {
  const std::size_t at = text_.rfind('/');
  return at == std::string::npos ? std::string_view() : std::string_view(text_).substr(0, at);
}

std::string_view name_of(ElfArea area) {
  switch (area) {
    case ElfArea::Header:
      return "header";
    case ElfArea::ProgramHeaders:
      return "program headers";
    case ElfArea::Dynamic:
      return "dynamic section";
    case ElfArea::Strings:
      return "strings";
    case ElfArea::Versions:
      return "versions";
    case ElfArea::Symbols:
      return "symbols";
    case ElfArea::Relocations:
      return "relocations";
    case ElfArea::Notes:
      return "notes";
  }
  return "";
}

std::string_view name_of(ForeignKind kind) {
  return std::ranges::find(foreign_names, kind, [](const auto& each) { return each.first; })->second;
}

std::string_view name_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::Low:
      return "low";
    case Confidence::Medium:
      return "medium";
    case Confidence::High:
      break;
  }
  return "high";
}

std::string_view name_of(StringAbi abi) {
  switch (abi) {
    case StringAbi::None:
      break;
    case StringAbi::Old:
      return "old";
    case StringAbi::New:
      return "new";
    case StringAbi::Both:
      return "both";
  }
  return "none";
}

std::string_view name_of(CxxRuntime runtime) {
  switch (runtime) {
    case CxxRuntime::None:
      break;
    case CxxRuntime::Libstdcxx:
      return "libstdc++";
    case CxxRuntime::Hybrid:
      return "libstdc++, newer parts linked in";
    case CxxRuntime::StaticLibstdcxx:
      return "libstdc++, linked in";
    case CxxRuntime::Libcxx:
      return "libc++";
    case CxxRuntime::StaticLibcxx:
      return "libc++, linked in";
    case CxxRuntime::Undecided:
      return "undecided";
  }
  return "none";
}

std::string_view name_of(GpuUse use) {
  switch (use) {
    case GpuUse::Needed:
      return "linked";
    case GpuUse::Bundled:
      return "bundled";
    case GpuUse::Dlopen:
      return "named for dlopen";
    case GpuUse::Named:
      return "named";
    case GpuUse::Python:
      return "loaded by Python code";
    case GpuUse::Declared:
      break;
  }
  return "declared";
}

std::string_view name_of(LoadCall call) {
  switch (call) {
    case LoadCall::SetDlopenFlags:
      return "sys.setdlopenflags";
    case LoadCall::Cdll:
      return "ctypes.CDLL";
    case LoadCall::CffiDlopen:
      return "ffi.dlopen";
    case LoadCall::FindLibrary:
      break;
  }
  return "ctypes.util.find_library";
}

std::string_view name_of(Reach reach) {
  switch (reach) {
    case Reach::Possible:
      return "possible";
    case Reach::Likely:
      return "likely";
    case Reach::Certain:
      break;
  }
  return "certain";
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "info";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "";
}

std::string_view name_of(TagResult tag_result) {
  switch (tag_result) {
    case TagResult::Compatible:
      return "kept";
    case TagResult::Incompatible:
      return "broken";
    case TagResult::NoMinimum:
      return "no promise";
    case TagResult::Unknown:
      return "unknown";
  }
  return "";
}

std::string_view name_of(const ElfRole& role) {
  struct Names {
    std::string_view operator()(const ExtensionModule&) const { return "extension module"; }
    std::string_view operator()(const BundledLibrary&) const { return "grafted library"; }
    std::string_view operator()(const PlainLibrary&) const { return "library"; }
    std::string_view operator()(const Program&) const { return "program"; }
    std::string_view operator()(const ForeignCode& foreign) const { return foreign.what; }
    std::string_view operator()(const BrokenElf&) const { return "broken ELF file"; }
  };
  return std::visit(Names{}, role);
}

bool is_hashed(const WheelFacts& wheel) {
  return wheel.size != 0 && std::ranges::none_of(wheel.members, [](const MemberFacts& m) { return m.sha256.empty(); });
}

bool is_host_code(const ElfMember& file) {
  return file.facts.use == MachineUse::Host && !std::holds_alternative<ForeignCode>(file.role) &&
         !std::holds_alternative<BrokenElf>(file.role);
}

std::string_view name_of(Runs runs) {
  switch (runs) {
    case Runs::Yes:
      return "yes";
    case Runs::No:
      return "no";
    case Runs::Depends:
      break;
  }
  return "depends";
}

std::string_view name_of(RelationKind kind) {
  switch (kind) {
    case RelationKind::Capture:
      return "capture";
    case RelationKind::Borrow:
      return "borrow";
    case RelationKind::Displaced:
      return "displaced";
    case RelationKind::SharedUnique:
      return "shared-unique";
  }
  return "capture";
}

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::TypeInformation:
      return "type-information";
    case Reason::SameBuild:
      return "same-build";
    case Reason::AbiProof:
      return "abi-proof";
    case Reason::Incompatible:
      return "incompatible";
    case Reason::InlineCode:
      return "inline-code";
    case Reason::OlderProvider:
      return "older-provider";
    case Reason::SameVersion:
      return "same-version";
    case Reason::NewerProvider:
      return "newer-provider";
    case Reason::UnknownVersion:
      return "unknown-version";
    case Reason::MissingAlone:
      return "missing-alone";
  }
  return "unknown-version";
}

}  // namespace wheelcheck
