// Symbols and version nodes that no policy level allows.
#include <fmt/format.h>

#include <algorithm>

#include "model/library_name.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"
#include "wheelcheck/version.h"

// WC104: a symbol of an allowed library that the copy of some claimed systems does not export.
namespace wheelcheck::rules::denied_symbol {
namespace {

// True for the C library, which cannot be linked statically into an extension module.
bool is_part_of_libc(std::string_view library) {
  constexpr std::string_view parts[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so"};
  return std::ranges::any_of(parts, [&](std::string_view part) { return library.starts_with(part); });
}

// The symbols whose version the claimed systems lack. WC102 reports them, and the same change fixes both.
std::set<std::pair<ElfIndex, std::string_view>> too_new(const std::vector<UnmetRequirement<VersionRequirement>>& all) {
  std::set<std::pair<ElfIndex, std::string_view>> symbols;
  for (const UnmetRequirement<VersionRequirement>& one : all)
    for (const std::string& symbol : one.what->symbols) symbols.insert({one.elf, symbol});
  return symbols;
}

void check(const WheelView& view, const Emit& emit) {
  const auto versions = unmet_requirements_of<VersionRequirement>(view);
  const auto reported = too_new(versions);
  for (const UnmetRequirement<SymbolRequirement>& unmet_requirement : unmet_requirements_of<SymbolRequirement>(view)) {
    const SymbolRequirement& what = *unmet_requirement.what;
    if (reported.contains({unmet_requirement.elf, what.symbol})) continue;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("requires {} of {}, which not every system of {} exports", what.symbol, what.library,
                                 strictest(unmet_requirement.claims).text),
          .evidence = {{"library", what.library},
                       {"symbols", what.symbol},
                       {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = is_part_of_libc(what.library)
                     ? fmt::format("build {}, or make the reference weak and test it for null",
                                   image_for(unmet_requirement.claims))
                     : fmt::format("link {} statically or bundle it with wheelcheck repair or auditwheel repair",
                                   what.library),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC104",
    .name = "denied-symbol",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::denied_symbol

// WC105: a symbol that is private to glibc; any release may change or remove it.
namespace wheelcheck::rules::private_version_node {
namespace {

bool is_private(const VersionNeed& need) {
  return need.version == "GLIBC_PRIVATE" || (need.version.ends_with("_PRIVATE") && is_of_glibc(need.library));
}

void report(const WheelView& view, const Emit& emit, ElfIndex index, const VersionNeed& need,
            const std::vector<std::string>& symbols) {
  const bool promised = claims_family(view, PlatformTag::Family::Manylinux) && !need.weak;
  std::vector<Evidence> evidence{{"library", std::string(need.library)}, {"version", std::string(need.version)}};
  if (!symbols.empty()) evidence.push_back({"symbols", list_of(symbols, shown_symbols)});
  emit({.place = AtElf{index},
        .message =
            fmt::format("requires {} of {}{}, a private interface that any build of glibc may change", need.version,
                        need.library, symbols.empty() ? "" : fmt::format(" for {}", first_of(symbols))),
        .evidence = std::move(evidence),
        .fix = symbols.empty() ? std::string("remove the object file that requires it")
                               : fmt::format("remove the object file that uses {}; it is often part of a sanitizer, a "
                                             "memory allocator or a static glibc",
                                             symbols.front()),
        .severity = promised ? Severity::Error : Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    // The parts of glibc use each other's private symbols; that they are in the wheel is WC304.
    if (!elf.facts.dynamic || toolchain_of(path_of(view, index)) == Toolchain::Glibc) return;
    const std::vector<VersionNeed>& needs = elf.facts.dynamic->needs;
    if (std::ranges::none_of(needs, is_private)) return;
    const auto symbols = symbols_by_need(*elf.facts.dynamic);
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (is_private(needs[i])) report(view, emit, index, needs[i], symbols[i]);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC105",
    .name = "private-version-node",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::private_version_node

// WC107: a version node of an allowed library that cannot be judged, because no level lists its family.
namespace wheelcheck::rules::unknown_version_namespace {
namespace {

struct Unknown {
  std::vector<std::string> nodes, symbols;
  std::set<std::string> families, seen;
};

void check(const WheelView& view, const Emit& emit) {
  std::map<std::pair<ElfIndex, std::string>, Unknown> found;  // by file and library
  for (const Assessment& assessment : view.assessments) {
    for (const RequirementIndex index : assessment.unknown_versions) {
      const Requirement& requirement = assessment.requirements[index.value];
      const auto* const required = std::get_if<VersionRequirement>(&requirement.what);
      if (required == nullptr) continue;
      Unknown& unknown = found[{requirement.elf, required->library}];
      if (!unknown.seen.insert(required->version).second) continue;  // already seen in another policy family
      unknown.nodes.push_back(required->version.empty() ? "''" : required->version);
      unknown.families.insert(std::string(version_family(required->version)));
      unknown.symbols.insert(unknown.symbols.end(), required->symbols.begin(), required->symbols.end());
    }
  }
  for (const auto& [key, unknown] : found) {
    // libxcrypt replaces glibc's libcrypt on many systems and has its own versions.
    const bool none_has_it = is_of_glibc(key.second) && !key.second.starts_with("libcrypt.");
    std::vector<Evidence> evidence{{"library", key.second}, {"versions", list_of(unknown.nodes)}};
    if (!unknown.symbols.empty()) evidence.push_back({"symbols", list_of(unknown.symbols, shown_symbols)});
    emit({.place = AtElf{key.first},
          .message = fmt::format("requires {} of {}, a version that {}", first_of(unknown.nodes), key.second,
                                 none_has_it ? "no glibc has" : "no policy lists"),
          .evidence = std::move(evidence),
          .fix =
              none_has_it
                  ? "link against the glibc of the claimed system: the file was changed, or linked with a stub library"
                  : fmt::format("check by hand that the claimed systems have it, and list {} under \"versions\" of a "
                                "policy of your own: --policy FILE",
                                list_of({unknown.families.begin(), unknown.families.end()})),
          .severity = none_has_it ? std::optional(Severity::Error) : std::nullopt,
          .confidence = none_has_it ? std::optional(Confidence::High) : std::nullopt});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC107",
    .name = "unknown-version-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Low,
    .check = check,
};

}  // namespace wheelcheck::rules::unknown_version_namespace
