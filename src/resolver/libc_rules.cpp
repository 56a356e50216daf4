// The tables of the three loaders: libraries that a process always has, and the meanings of the tokens.
#include "resolver/libc_rules.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "model/machines.h"

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
  const HostMachine& machine = machine_of(arch);
  if (loader_kind == LoaderKind::Bionic) return {machine.bits == 64 ? "lib64"sv : "lib"sv};
  return known(machine.lib);
}
std::vector<std::string_view> platform_meanings(Arch arch) { return known(machine_of(arch).platform); }

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
