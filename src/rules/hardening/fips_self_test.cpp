// WC609: the wheel contains Red Hat's libcrypto without the checksum that it verifies in FIPS mode.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/library_name.h"
#include "rules/common.h"

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
          .fix = "bundle a libcrypto that was built from the source of OpenSSL, or do without one; "
                 "OPENSSL_FORCE_FIPS_MODE=1 python3 -c 'import PACKAGE' shows the failure"});
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
