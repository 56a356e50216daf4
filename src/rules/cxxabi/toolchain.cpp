#include "rules/cxxabi/toolchain.h"

#include <array>
#include <string>

#include "base/text.h"
#include "model/library_name.h"

namespace wheelcheck::rules {
namespace {

struct Known {
  std::string_view stem, soname;
  Toolchain is;
};
constexpr std::array<Known, 12> known = {{{"libstdc++", "libstdc++.so.6", Toolchain::Libstdcxx},
                                          {"libgcc_s", "libgcc_s.so.1", Toolchain::Libgcc},
                                          {"libc", "libc.so.6", Toolchain::Glibc},
                                          {"libm", "libm.so.6", Toolchain::Glibc},
                                          {"libdl", "libdl.so.2", Toolchain::Glibc},
                                          {"libpthread", "libpthread.so.0", Toolchain::Glibc},
                                          {"librt", "librt.so.1", Toolchain::Glibc},
                                          {"libutil", "libutil.so.1", Toolchain::Glibc},
                                          {"libresolv", "libresolv.so.2", Toolchain::Glibc},
                                          {"libmvec", "libmvec.so.1", Toolchain::Glibc},
                                          {"libanl", "libanl.so.1", Toolchain::Glibc},
                                          {"libnsl", "libnsl.so.1", Toolchain::Glibc}}};

// Checks the text between the stem and ".so": nothing, or "-" or "." followed by a hash or a release number.
bool is_mark(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() < 4 || (text[0] != '-' && text[0] != '.')) return false;
  for (const char c : text.substr(1))
    if (!is_digit(c) && !(c >= 'a' && c <= 'f') && c != '.') return false;
  return true;
}

const Known* find(std::string_view library) {
  const std::string plain = plain_library_name(base_name(library));  // libc-2-28d830c3.28.so is libc-2.28.so
  const std::string_view name = plain;
  for (const Known& one : known) {
    if (!name.starts_with(one.stem)) continue;
    const std::string_view rest = name.substr(one.stem.size());
    const std::size_t so = rest.find(".so");
    if (so == rest.npos || !is_mark(rest.substr(0, so))) continue;
    const std::string_view version = rest.substr(so);                                // .so.6.0.28
    const std::string_view wanted = one.soname.substr(one.soname.find(".so"));       // .so.6
    const bool released = so > 0 && version == ".so" && one.is == Toolchain::Glibc;  // libc-2.17.so
    if (released || (version.starts_with(wanted) && (version.size() == wanted.size() || version[wanted.size()] == '.')))
      return &one;
  }
  return nullptr;
}

}  // namespace

Toolchain toolchain_of(std::string_view library) {
  const std::string_view name = base_name(library);
  if (name.starts_with("ld-linux") || name.starts_with("ld64.so.")) return Toolchain::Loader;
  if (name.starts_with("ld-musl-") || name.starts_with("libc.musl-")) return Toolchain::Musl;
  const Known* const one = find(library);
  return one ? one->is : Toolchain::None;
}

std::string_view system_name(std::string_view library) {
  const Known* const one = find(library);
  return one ? one->soname : std::string_view();
}

}  // namespace wheelcheck::rules
