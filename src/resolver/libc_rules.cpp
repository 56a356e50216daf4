// The tables of the three loaders: libraries that a process always has, and the meanings of the tokens.
#include "resolver/libc_rules.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace wheelcheck::resolver {
namespace {

using namespace std::string_view_literals;

bool is_glibc_loader(std::string_view name) {
  return name.starts_with("ld-linux") || name.starts_with("ld64.so.") || name == "ld.so.1" || name == "ld.so";
}

// musl is one library with many names. It does not search for a DT_NEEDED that starts with the name of one of its
// historic parts (ldso/dynlink.c, load_library), whatever follows: libc.musl-x86_64.so.1, but also libc.so.6 and
// libm.so.6.
bool is_musl_itself(std::string_view name) {
  static constexpr std::array parts{"libc."sv,  "libpthread."sv, "librt."sv,  "libm."sv,
                                    "libdl."sv, "libutil."sv,    "libxnet."sv};
  return name.starts_with("ld-musl-") ||
         std::ranges::any_of(parts, [&](std::string_view part) { return name.starts_with(part); });
}

// The values of each token. $LIB is fixed when glibc is built (DL_DST_LIB: lib64 on Fedora and SUSE, lib on Arch, the
// multiarch directory on Debian). $PLATFORM is AT_PLATFORM of the kernel; on x86-64 sysdeps/x86/cpu-features.c replaces
// it by the type of the processor.
struct Meanings {
  Arch arch;
  std::array<std::string_view, 3> lib;
  // Empty: the kernel does not set AT_PLATFORM, and the element is ignored.
  std::array<std::string_view, 5> platform;
};
constexpr std::array meanings{
    Meanings{Arch::x86_64, {"lib64", "lib", "lib/x86_64-linux-gnu"}, {"x86_64", "haswell", "xeon_phi"}},
    Meanings{Arch::i686, {"lib", "lib/i386-linux-gnu"}, {"i686", "i586"}},
    Meanings{Arch::aarch64, {"lib64", "lib", "lib/aarch64-linux-gnu"}, {"aarch64"}},
    Meanings{Arch::armv7l, {"lib", "lib/arm-linux-gnueabihf"}, {"v7l", "v8l"}},
    Meanings{Arch::armv6l, {"lib", "lib/arm-linux-gnueabihf"}, {"v6l", "v7l", "v8l"}},
    Meanings{Arch::ppc64le, {"lib64", "lib", "lib/powerpc64le-linux-gnu"}, {"power8", "power9", "power10", "power11"}},
    Meanings{Arch::ppc64, {"lib64", "lib", "lib/powerpc64-linux-gnu"}, {"power7", "power8", "power9", "power10"}},
    Meanings{Arch::s390x, {"lib64", "lib", "lib/s390x-linux-gnu"}, {"z13", "z14", "z15", "z16", "z17"}},
    Meanings{Arch::riscv64, {"lib64/lp64d", "lib", "lib/riscv64-linux-gnu"}, {}},
    Meanings{Arch::loongarch64, {"lib64", "lib", "lib/loongarch64-linux-gnu"}, {"loongarch"}},
};

std::vector<std::string_view> known(std::span<const std::string_view> texts) {
  std::vector<std::string_view> out;
  std::ranges::copy_if(texts, std::back_inserter(out), [](std::string_view text) { return !text.empty(); });
  return out;
}

enum class Token { None, Origin, Lib, Platform };
struct Scanned {
  Token token = Token::None;
  std::size_t length = 0;  // including the '$' and the braces
};

// glibc elf/dl-load.c, is_dst: the longest identifier is compared, so $ORIGINAL is not a token; with braces it ends at
// the brace. musl compares only the first letters.
Scanned scan(std::string_view at, LoaderKind loader_kind) {
  static constexpr std::array tokens{std::pair{"ORIGIN"sv, Token::Origin}, std::pair{"LIB"sv, Token::Lib},
                                     std::pair{"PLATFORM"sv, Token::Platform}};
  const bool braces = at.starts_with("${");
  const std::string_view rest = at.substr(braces ? 2 : 1);
  for (const auto& [name, token] : tokens) {
    if (!rest.starts_with(name)) continue;
    if (loader_kind == LoaderKind::Musl && token != Token::Origin) continue;
    if (loader_kind == LoaderKind::Bionic && token == Token::Platform) continue;
    const char next = rest.size() > name.size() ? rest[name.size()] : '\0';
    if (braces && next != '}') continue;
    if (!braces && loader_kind != LoaderKind::Musl && (is_alnum(next) || next == '_')) continue;
    return {token, name.size() + (braces ? 3 : 1)};
  }
  return {};
}

// PATH_MAX, the longest path that the kernel opens. It limits the growth of a text with many tokens.
constexpr std::size_t longest_path = 4096;

bool uses(std::string_view text, Token token, LoaderKind loader_kind) {
  for (std::size_t i = text.find('$'); i != std::string_view::npos; i = text.find('$', i + 1))
    if (scan(text.substr(i), loader_kind).token == token) return true;
  return false;
}

// Empty for an unknown architecture.
std::vector<std::string_view> lib_meanings(Arch arch, LoaderKind loader_kind) {
  if (loader_kind == LoaderKind::Bionic) {
    const bool wide = arch == Arch::x86_64 || arch == Arch::aarch64 || arch == Arch::riscv64;
    return {wide ? "lib64"sv : "lib"sv};
  }
  const auto row = std::ranges::find(meanings, arch, &Meanings::arch);
  return row == meanings.end() ? std::vector<std::string_view>{} : known(row->lib);
}
std::vector<std::string_view> platform_meanings(Arch arch) {
  const auto row = std::ranges::find(meanings, arch, &Meanings::arch);
  return row == meanings.end() ? std::vector<std::string_view>{} : known(row->platform);
}

}  // namespace

LoaderKind loader_of(Libc libc) {
  switch (libc) {
    case Libc::Musl:
      return LoaderKind::Musl;
    case Libc::Bionic:
      return LoaderKind::Bionic;
    case Libc::Glibc:
    case Libc::None:
      break;
  }
  return LoaderKind::Glibc;
}

bool in_process(std::string_view name, LoaderKind loader_kind, bool program) {
  switch (loader_kind) {
    case LoaderKind::Glibc:
      return is_glibc_loader(name) || (!program && loaded_in_programs(name, loader_kind));
    case LoaderKind::Musl:
      return is_musl_itself(name);
    case LoaderKind::Bionic:
      return !program && loaded_in_programs(name, loader_kind);
  }
  return false;
}

bool loaded_in_programs(std::string_view name, LoaderKind loader_kind) {
  switch (loader_kind) {
    case LoaderKind::Glibc:
      return name == "libc.so.6" || name == "libm.so.6";
    case LoaderKind::Musl:
      return false;
    case LoaderKind::Bionic:
      return name == "libc.so" || name == "libm.so" || name == "libdl.so";
  }
  return false;
}

std::vector<std::string> expand(std::string_view text, std::string_view origin, Arch arch, LoaderKind loader_kind) {
  if (!text.starts_with('$') || scan(text, loader_kind).token != Token::Origin) return {};
  const std::vector<std::string_view> unused{""};
  const auto libs = uses(text, Token::Lib, loader_kind) ? lib_meanings(arch, loader_kind) : unused;
  const auto platforms = uses(text, Token::Platform, loader_kind) ? platform_meanings(arch) : unused;
  std::vector<std::string> out;
  for (const std::string_view lib : libs)
    for (const std::string_view platform : platforms) {
      auto path = replace_tokens(text, {origin, lib, platform}, loader_kind);
      if (!path) return {};
      out.push_back(std::move(*path));
    }
  return out;
}

std::optional<std::string> replace_tokens(std::string_view text, const Tokens& tokens, LoaderKind loader_kind) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() > longest_path) return std::nullopt;
    const Scanned found = text[i] == '$' ? scan(text.substr(i), loader_kind) : Scanned{};
    if (found.token == Token::None) {
      out += text[i++];
      continue;
    }
    out += found.token == Token::Origin ? tokens.origin : found.token == Token::Lib ? tokens.lib : tokens.platform;
    i += found.length;
  }
  return out;
}

bool has_unknown_token_for_musl(std::string_view text) {
  for (std::size_t i = text.find('$'); i != std::string_view::npos; i = text.find('$', i + 1))
    if (scan(text.substr(i), LoaderKind::Musl).token == Token::None) return true;
  return false;
}

}  // namespace wheelcheck::resolver
