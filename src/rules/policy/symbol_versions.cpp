// Symbol versions that the claimed levels do not have.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/required_needs.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"
#include "wheelcheck/version.h"

// WC102: a version node that the claimed systems do not have; their loader refuses the file.
namespace wheelcheck::rules::symbol_version_too_new {
namespace {

// The cause of a version node, and how to avoid it other than by building on an older system. The first match applies;
// an empty `symbol` matches every symbol.
struct Advice {
  std::string_view node;    // a whole node, or the family before the first '_' with a trailing '_'
  std::string_view symbol;  // a prefix
  std::string_view text;
};
constexpr Advice known[] = {
    {"GLIBC_2.28", "fcntl64",
     "compile the caller without -D_FILE_OFFSET_BITS=64, which changes nothing else on a 64-bit machine"},
    {"GLIBC_2.14", "memcpy", "bind the old symbol: __asm__(\".symver memcpy,memcpy@GLIBC_2.2.5\")"},
    {"GLIBC_2.38", "__isoc23_",
     "the headers of glibc 2.38 choose it under _GNU_SOURCE and -std=c23; in C, -std=c17 without _GNU_SOURCE avoids "
     "it"},
    {"GLIBC_2.32", "__libc_single_threaded",
     "the C++ headers use it where sys/single_threaded.h exists, so only older headers avoid it"},
    {"GLIBC_2.30", "pthread_",
     "the C++ headers use it where the glibc of the build has it, so only an older system avoids it"},
    {"GLIBC_2.33", "stat",
     "before glibc 2.33 it came from the static libc_nonshared.a, so only an older system avoids it"},
    {"GLIBC_2.33", "fstat",
     "before glibc 2.33 it came from the static libc_nonshared.a, so only an older system avoids it"},
    {"GLIBC_2.33", "lstat",
     "before glibc 2.33 it came from the static libc_nonshared.a, so only an older system avoids it"},
    {"GLIBC_2.34", "",
     "glibc 2.34 moved libpthread, libdl, librt and libutil into libc, so only an older system avoids "
     "it"},
    {"GLIBC_ABI_DT_RELR", "", "link without relative relocations in packed form: -Wl,-z,nopack-relative-relocs"},
    {"GLIBC_ABI_GNU2_TLS", "", "compile with -mtls-dialect=gnu"},
    {"GLIBCXX_", "", "or link the C++ library into the file: -static-libstdc++"},
    {"CXXABI_", "", "or link the C++ library into the file: -static-libstdc++"},
    {"GCC_", "", "or link the compiler's library into the file: -static-libgcc"},
    {"ZLIB_", "", "or link zlib statically"},
};

bool fits(const Advice& advice, const VersionRequirement& what) {
  const bool node = advice.node.ends_with('_') ? what.version.starts_with(advice.node) : what.version == advice.node;
  if (!node || advice.symbol.empty()) return node;
  return std::ranges::any_of(what.symbols, [&](const std::string& s) { return s.starts_with(advice.symbol); });
}

// A name that is imported without a version was not there when the file was linked, as in the image of an older tag
// (mpedb 0.3.1: copy_file_range of a Rust crate).
bool was_absent_at_link_time(const WheelView& view, const UnmetRequirement<VersionRequirement>& unmet) {
  const auto& dynamic = view.wheel.elfs[unmet.elf.value].facts.dynamic;
  return dynamic && !unmet.what->symbols.empty() && std::ranges::any_of(dynamic->imports, [&](const Import& import) {
           return !import.need && import.name == std::string_view(unmet.what->symbols.front());
         });
}

// A requirement that has a library of the file; null if none has.
const LibrarySource* requirement_of(const WheelView& view, ElfIndex file) {
  if (file.value >= view.resolution.needed.size()) return nullptr;
  for (const NeededFound& found : view.resolution.needed[file.value]) {
    if (!found.source) continue;
    const LibrarySource& source = view.resolution.sources[found.source->value];
    if (source.kind == LibrarySource::Kind::Distribution || source.kind == LibrarySource::Kind::Extra) return &source;
  }
  return nullptr;
}

std::string fix_of(const WheelView& view, const UnmetRequirement<VersionRequirement>& unmet_requirement) {
  if (const std::string_view file = path_of(view, unmet_requirement.elf); toolchain_of(file) != Toolchain::None)
    return fmt::format("leave {} out of the wheel: each system has a copy that fits it (WC304)", shell_word(file));
  const bool absent = was_absent_at_link_time(view, unmet_requirement);
  // The wheel's own code does not call these; headers of a newer system do (furiosa-native-runtime 2026.2.1).
  const auto is_of_headers = [](const std::string& symbol) {
    return symbol.starts_with("__") || symbol.starts_with("pthread_");
  };
  if (absent && std::ranges::any_of(unmet_requirement.what->symbols, is_of_headers))
    return fmt::format("compile all of it {}, static libraries too: a part was compiled on a newer system",
                       image_for(unmet_requirement.claims));
  if (absent)
    return fmt::format(
        "declare {} weak and test it before the call, or use syscall(): the image that linked it had no "
        "such function, so that another image does not help",
        unmet_requirement.what->symbols.front());
  std::string fix = fmt::format("build {}", image_for(unmet_requirement.claims));
  // Code of another distribution that the file is linked with has its own oldest image, and shares the C++ library.
  const LibrarySource* const source = requirement_of(view, unmet_requirement.elf);
  if (source != nullptr) fix += fmt::format(", or in the oldest one for which {} has wheels", source->name);
  const auto* const advice =
      std::ranges::find_if(known, [&](const Advice& a) { return fits(a, *unmet_requirement.what); });
  const bool shared = source != nullptr && advice != std::end(known) && advice->text.contains("-static-libstdc++");
  if (advice != std::end(known) && !shared) fix += fmt::format("; {}", advice->text);
  return fix;
}

// "above the promised 2.17" if the node is a glibc release, else the levels that do not have it.
std::string compared(const UnmetRequirement<VersionRequirement>& unmet_requirement) {
  const PlatformTag& tag = strictest(unmet_requirement.claims);
  Version requested;
  const bool glibc = tag.family == PlatformTag::Family::Manylinux &&
                     version_family(unmet_requirement.what->version) == "GLIBC" &&
                     parse_version(version_suffix(unmet_requirement.what->version), requested);
  if (glibc && requested > tag.libc) return fmt::format("above the {} of the tag", to_string(tag.libc));
  return fmt::format("which {} does not allow", tag.text);
}

using Unmet = UnmetRequirement<VersionRequirement>;

// The highest node of each family first, and glibc before other libraries: "version `GLIBC_2.38' not found" is what
// users report, and what decides the tag.
std::vector<Unmet> by_weight(std::vector<Unmet> all) {
  const auto version_of = [](const Unmet& each) {
    Version version;
    return parse_version(version_suffix(each.what->version), version) ? version : Version{};
  };
  std::map<std::pair<ElfIndex, std::string_view>, Version> highest;
  for (const Unmet& each : all) {
    Version& found = highest[{each.elf, version_family(each.what->version)}];
    found = std::max(found, version_of(each));
  }
  std::ranges::stable_sort(all, {}, [&](const Unmet& each) {
    const std::string_view family = version_family(each.what->version);
    return std::pair(version_of(each) < highest[{each.elf, family}], family != "GLIBC");
  });
  return all;
}

void check(const WheelView& view, const Emit& emit) {
  for (const Unmet& unmet_requirement : by_weight(unmet_requirements_of<VersionRequirement>(view))) {
    const VersionRequirement& what = *unmet_requirement.what;
    if (std::string_view(what.version).ends_with("_PRIVATE")) continue;  // WC105
    const std::string symbols = what.symbols.empty() ? "" : fmt::format(" for {}", first_of(what.symbols));
    std::vector<Evidence> evidence{{"library", what.library}, {"version", what.version}};
    if (!what.symbols.empty()) evidence.push_back({"symbols", list_of(what.symbols, shown_symbols)});
    evidence.push_back({"blocks", tags_of(unmet_requirement.claims)});
    emit({.place = AtElf{unmet_requirement.elf},
          .message =
              fmt::format("requires {} of {}{}, {}", what.version, what.library, symbols, compared(unmet_requirement)),
          .evidence = std::move(evidence),
          .fix = fix_of(view, unmet_requirement),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC102",
    .name = "symbol-version-too-new",
    .severity = Severity::Error,
    .ordered = true,
    .check = check,
};

}  // namespace wheelcheck::rules::symbol_version_too_new

// WC108: a weak version need above the claimed level; the loader accepts the file without that version.
namespace wheelcheck::rules::weak_version_need {
namespace {

struct Above {
  std::vector<std::string> nodes, symbols;
  std::vector<const Claim*> claims;
};

// Only glibc releases can be compared without the policy, because requirements do not include weak needs.
bool is_above(std::string_view node, const Claim& claim) {
  Version requested;
  return claim.tag.family == PlatformTag::Family::Manylinux && version_family(node) == "GLIBC" &&
         parse_version(version_suffix(node), requested) && requested > claim.tag.libc;
}

Above above_of(const WheelView& view, const DynamicFacts& dynamic) {
  Above result;
  if (std::ranges::none_of(dynamic.needs, &VersionNeed::weak)) return result;
  const auto symbols = symbols_by_need(dynamic);
  const std::vector<bool> required = required_needs(dynamic);
  for (std::size_t i = 0; i < dynamic.needs.size(); ++i) {
    const VersionNeed& need = dynamic.needs[i];
    if (required[i]) continue;
    bool any = false;
    for (const Claim& claim : view.claims) {
      if (!is_above(need.version, claim)) continue;
      any = true;
      if (std::ranges::find(result.claims, &claim) == result.claims.end()) result.claims.push_back(&claim);
    }
    if (!any) continue;
    result.nodes.push_back(fmt::format("{} of {}", need.version, need.library));
    result.symbols.insert(result.symbols.end(), symbols[i].begin(), symbols[i].end());
  }
  return result;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || elf.libc == Libc::Musl) return;
    const Above above = above_of(view, *elf.facts.dynamic);
    if (above.nodes.empty()) return;
    std::vector<Evidence> evidence{{"versions", list_of(above.nodes)}, {"newer than", tags_of(above.claims)}};
    if (!above.symbols.empty()) evidence.push_back({"symbols", list_of(above.symbols, shown_symbols)});
    emit({.place = AtElf{index},
          .message = fmt::format("requires {} (weak), which {} does not allow", first_of(above.nodes),
                                 strictest(above.claims).text),
          .evidence = std::move(evidence),
          .fix = "nothing has to be changed if the code works without the symbols: the loader accepts the file without "
                 "this version",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC108",
    .name = "weak-version-need",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::weak_version_need
