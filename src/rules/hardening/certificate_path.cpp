// WC610: certificates are looked for where only some systems have them.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "model/requirement.h"
#include "rules/common.h"

namespace wheelcheck::rules::certificate_path {
namespace {

// Which systems have a file of certificate authorities: its package ca-certificates, and OpenSSL's directory, in which
// a directory certs/ serves as well (openssl version -d).
struct Place {
  std::string_view start;  // of the path
  bool red_hat, debian;
  std::string_view systems;  // that have it
};
constexpr Place places[] = {
    {"/etc/pki/", true, false, "Red Hat's systems have (AlmaLinux, Fedora, RHEL)"},
    {"/etc/ssl/certs/ca-certificates.crt", false, true, "Debian, Ubuntu, Alpine and Arch Linux have"},
    {"/etc/ssl/ca-bundle.pem", false, false, "SUSE's systems have"},
    {"/etc/ssl/", true, true, ""},
    {"/usr/lib/ssl/", false, true, "Debian and Ubuntu have"},
};
constexpr Place nowhere = {"", false, false, "the build machine had"};

const Place& place_of_file(std::string_view path) {
  const auto at = std::ranges::find_if(places, [&](const Place& one) { return path.starts_with(one.start); });
  return at == std::end(places) ? nowhere : *at;
}

// OpenSSL's own file is opened only for a caller of these functions.
bool uses_defaults_of_openssl(const WheelFacts& wheel) {
  return std::ranges::any_of(wheel.elfs, [](const ElfMember& elf) {
    return elf.facts.dynamic && std::ranges::any_of(elf.facts.dynamic->imports, [](const Import& import) {
             return import.name == "SSL_CTX_set_default_verify_paths";
           });
  });
}

// Python code that names certificates: by certifi, or by a variable that curl or OpenSSL reads.
bool is_set_by_python(const WheelFacts& wheel) {
  constexpr std::string_view names[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "GDAL_CURL_CA_BUNDLE"};
  if (wheel.metadata && std::ranges::any_of(wheel.metadata->requires_dist, [](const std::string& line) {
        return parse_dependency(line).name == "certifi";
      }))
    return true;
  return std::ranges::any_of(wheel.python, [&](const PythonFile& file) {
    return std::ranges::any_of(file.variables, [&](const PythonVariable& variable) {
      return std::ranges::find(names, variable.name) != std::end(names);
    });
  });
}

// curl can be built without TLS, and then keeps the path all the same (ifm3dpy 1.6.0).
bool has_tls(const ElfMember& elf, std::span<const IdentifiedLibrary> libraries) {
  constexpr std::string_view others[] = {"libssl", "libgnutls", "libmbedtls", "libwolfssl", "libnss3"};
  const auto is_tls = [&](std::string_view needed) {
    return std::ranges::any_of(others, [&](std::string_view start) { return needed.starts_with(start); });
  };
  return std::ranges::find(libraries, "tls", &IdentifiedLibrary::family) != libraries.end() ||
         (elf.facts.dynamic && std::ranges::any_of(elf.facts.dynamic->needed, is_tls));
}

void check(const WheelView& view, const Emit& emit) {
  if (is_set_by_python(view.wheel)) return;
  const bool defaults = uses_defaults_of_openssl(view.wheel);
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    // A file with the places of several systems chooses among them when it runs.
    bool red_hat = false, debian = false, of_curl = false;
    std::vector<std::string> paths;
    const ElfAnalysis& inside = view.analysis.elfs[index.value];
    const bool curl = inside.library("curl") != nullptr && has_tls(elf, inside.libraries),
               openssl = inside.library("openssl") != nullptr && defaults;
    if (!curl && !openssl) return;
    for (const std::string_view path : elf.facts.texts.certificate_files) {
      const Place& place = place_of_file(path);
      red_hat = red_hat || place.red_hat;
      debian = debian || place.debian;
      if (path.ends_with("/cert.pem") ? !openssl : !curl) continue;
      if (place.red_hat && place.debian) continue;
      paths.emplace_back(path);
      of_curl = of_curl || !path.ends_with("/cert.pem");
    }
    if (paths.empty() || (red_hat && debian)) return;
    emit({.place = AtElf{index},
          .message = fmt::format("looks for certificates in {}, which only {}: HTTPS fails on other systems",
                                 paths.front(), place_of_file(paths.front()).systems),
          .evidence = {{"files", list_of(paths)}},
          .fix = "build curl with --without-ca-bundle --with-ca-fallback and OpenSSL with the directory of each system "
                 "in mind, or set CURLOPT_CAINFO or SSL_CERT_FILE when the package is imported, for example to "
                 "certifi.where()",
          // Not every user of OpenSSL's defaults verifies the other side: ffmpeg does not.
          .severity = of_curl ? std::nullopt : std::optional(Severity::Note)});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC610",
    .name = "certificate-path",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::certificate_path
