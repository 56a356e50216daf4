// Bundled libraries that get no security fixes, or fail where a system demands proof.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/library_name.h"
#include "rules/common.h"
#include "wheelcheck/version.h"

// WC608: the wheel contains a library that is past its end of life.
namespace wheelcheck::rules::eol_library {
namespace {

// A version is below a later one. If the border starts with the version, the comparison is unknown: "3" may be 3.0 or
// 3.6.
bool is_below(std::string_view version, std::string_view border) {
  if (border.starts_with(version) && border.substr(version.size()).starts_with('.')) return false;
  return natural_order(version, border) < 0;
}

const EndOfLife* end_of(const KnownLibrary& library, std::string_view version) {
  for (const EndOfLife& end : library.ends)
    if (is_below(version, end.below)) return &end;
  return nullptr;
}

struct Old {
  const EndOfLife* end = nullptr;
  std::string name, text;  // of the library, and the evidence for its version
  const LibraryPackage* package = nullptr;
  std::vector<std::string> files;  // in the order of the wheel
  ElfIndex first;
};

// Red Hat's builds have FIPS between number and date, and get fixes for the lifetime of the system. A library that was
// copied from Debian or Ubuntu was compiled there, and so gets the fixes of that system.
bool is_distributors(std::string_view text) { return text.find(" FIPS ") != text.npos; }
// A stripped libcrypto shows it by its OPENSSLDIR.
bool is_of_debian(const ElfMember& elf) {
  if (!std::holds_alternative<BundledLibrary>(elf.role)) return false;
  return std::ranges::any_of(elf.facts.sections.comments,
                             [](std::string_view comment) {
                               return comment.starts_with("GCC: (Debian ") || comment.starts_with("GCC: (Ubuntu ");
                             }) ||
         std::ranges::any_of(elf.facts.texts.certificate_files,
                             [](std::string_view path) { return path.starts_with("/usr/lib/ssl/"); });
}

// "1.1.1w" of "1:1.1.1w-0+deb11u1": without the epoch and the revision of the package.
std::string upstream_version(std::string_view version) {
  version.remove_prefix(version.find(':') + 1);
  return std::string(version.substr(0, version.rfind('-')));
}
// "debian-11"
std::string_view distribution_of(const LibraryPackage& package) {
  const std::string_view key = "distro=", url = package.purl;
  const std::size_t at = url.find(key);
  return at == url.npos ? "its distribution" : url.substr(at + key.size(), url.substr(at + key.size()).find('&'));
}

void check(const WheelView& view, const Emit& emit) {
  std::map<std::tuple<std::string, std::string, std::string>, Old> found;  // by library, version and package
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    const ElfAnalysis& file = view.analysis.elfs[index.value];
    for (const IdentifiedLibrary& one : file.libraries) {
      const LibraryPackage* const package = one.itself && file.package ? &*file.package : nullptr;
      // With less confidence, the version is a lower bound or one of several candidates.
      if (package == nullptr && (!one.version || one.confidence != Confidence::High)) continue;
      const std::string version = package != nullptr ? upstream_version(package->version) : *one.version;
      const KnownLibrary* const known = view.knowledge.library(one.library);
      const EndOfLife* end = known == nullptr ? nullptr : end_of(*known, version);
      if (end == nullptr) continue;
      Old& old = found[{one.library, version, package != nullptr ? package->purl : ""}];
      if (old.files.empty()) old = {end, one.name, package != nullptr ? package->purl : "", package, {}, index};
      old.files.emplace_back(path_of(view, index));
      for (const LibraryEvidence& evidence : one.evidence)
        if (package == nullptr && (evidence.what == "string" || old.text.empty())) old.text = evidence.text;
    }
  });
  for (const auto& [key, old] : found) {
    const bool distributors =
        old.package != nullptr || is_distributors(old.text) || is_of_debian(view.wheel.elfs[old.first.value]);
    std::string fix = fmt::format("rebuild with a current {}", old.name);
    if (old.package != nullptr)
      fix += fmt::format("; or check that {} still maintains {} and that {} is its newest version",
                         distribution_of(*old.package), old.package->name, old.package->version);
    else if (distributors)
      fix += "; or check that the build image was up to date, if its distributor still maintains this version";
    emit({.place = AtElf{old.first},
          .message = fmt::format("contains {} {}, end of life since {}", old.name, std::get<1>(key), old.end->date),
          .evidence = {{"found", old.text}, {"files", list_of(old.files)}, {"source", std::string(old.end->source)}},
          .fix = std::move(fix),
          .severity = distributors ? std::optional(Severity::Note) : std::nullopt,
          .confidence = distributors && old.package == nullptr ? Confidence::Low : Confidence::Medium});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC608",
    .name = "eol-library",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .security = "",
    .check = check,
};

}  // namespace wheelcheck::rules::eol_library

// WC609: the wheel contains Red Hat's libcrypto without the checksum that it verifies in FIPS mode.
namespace wheelcheck::rules::fips_self_test {
namespace {

// Red Hat's builds say so in their version: "OpenSSL 1.1.1k  FIPS 25 Mar 2021", "OpenSSL 1.0.2k-fips  26 Jan 2017". In
// OpenSSL 3 the self test is in a module of its own, fips.so.
std::string version_with_self_test(const ElfAnalysis& analysis) {
  for (const IdentifiedLibrary& one : analysis.libraries) {
    if (one.library != "openssl") continue;
    for (const LibraryEvidence& evidence : one.evidence)
      if (evidence.what == "string" &&
          (evidence.text.find(" FIPS ") != std::string::npos || evidence.text.find("-fips ") != std::string::npos))
        return evidence.text;
  }
  return {};
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::string_view path = path_of(view, index), name = base_name(path);
    if (elf.facts.kind != ElfKind::SharedObject || !plain_library_name(name).starts_with("libcrypto.so")) return;
    const std::string version = version_with_self_test(view.analysis.elfs[index.value]);
    if (version.empty()) return;
    // FIPSCHECK_verify of Red Hat's OpenSSL: the file is beside the library and has its name.
    const std::string checksum = fmt::format("{}.{}.hmac", path.substr(0, path.size() - name.size()), name);
    if (find_member(view.wheel.members, checksum)) return;
    emit({.place = AtElf{index},
          .message = "ends the process when it is loaded on a system in FIPS mode (FATAL FIPS SELFTEST FAILURE): the "
                     "checksum file of Red Hat's libcrypto is not beside it",
          .evidence = {{"version", version}, {"checksum file", checksum}},
          .fix = fmt::format("bundle a libcrypto that was built from the source of OpenSSL, or do without one; {}",
                             version.starts_with("OpenSSL 1.0.")
                                 ? "OPENSSL_FORCE_FIPS_MODE=1 shows the failure only on a system with dracut-fips"
                                 : "OPENSSL_FORCE_FIPS_MODE=1 python3 -c 'import PACKAGE' shows the failure")});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC609",
    .name = "fips-self-test",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::fips_self_test
