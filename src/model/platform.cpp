// Parses platform tags, and converts C libraries and families to text.
#include "wheelcheck/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "model/machines.h"

namespace wheelcheck {
namespace {

struct ArchText {
  Arch arch = Arch::Other;
  std::string isa;
};

// "x86_64", or with a variant "x86_64_v3".
ArchText read_arch(std::string_view text) {
  if (const auto arch = arch_from_name(text)) return {*arch, ""};
  if (text == "x86_64_v2" || text == "x86_64_v3" || text == "x86_64_v4") return {Arch::x86_64, std::string(text)};
  return {};
}

// Android tags contain the name of an ABI, not of a machine (PEP 738).
Arch android_arch(std::string_view abi) {
  const auto row = std::ranges::find(machines(), abi, &HostMachine::android);
  return abi.empty() || row == machines().end() ? Arch::Other : row->arch;
}

// Removes "{number}_" from the front of `text`.
bool take_number(std::string_view& text, std::uint32_t& out) {
  const std::size_t at = text.find('_');
  std::uint64_t number = 0;
  if (at == std::string_view::npos || !parse_number(text.substr(0, at), number) || number > 0xFFFFFFFF) return false;
  out = static_cast<std::uint32_t>(number);
  text.remove_prefix(at + 1);
  return true;
}

// Parses manylinux_X_Y_arch and musllinux_X_Y_arch (PEP 600, PEP 656) after the family and its '_'.
bool read_libc_tag(std::string_view rest, PlatformTag& tag) {
  std::uint32_t major = 0, minor = 0;
  if (!take_number(rest, major) || !take_number(rest, minor)) return false;
  const ArchText arch = read_arch(rest);
  tag.libc = {{major, minor, 0, 0}};
  tag.arch = arch.arch;
  tag.isa = arch.isa;
  tag.canonical = fmt::format("{}_{}_{}_{}", name_of(tag.family), major, minor, rest);
  return true;
}

struct Legacy {
  std::string_view prefix;
  std::uint32_t minor;
};
constexpr std::array<Legacy, 3> legacy_names = {
    {{"manylinux1_", 5}, {"manylinux2010_", 12}, {"manylinux2014_", 17}}};  // PEP 600, "Legacy manylinux tags"

bool read_known(std::string_view text, PlatformTag& tag) {
  using Family = PlatformTag::Family;
  if (text == "any") {
    tag.family = Family::Any;
    return true;
  }
  for (const Legacy& legacy : legacy_names) {
    if (!text.starts_with(legacy.prefix)) continue;
    tag.family = Family::Manylinux;
    return read_libc_tag(fmt::format("2_{}_{}", legacy.minor, text.substr(legacy.prefix.size())), tag);
  }
  if (text.starts_with("manylinux_")) {
    tag.family = Family::Manylinux;
    return read_libc_tag(text.substr(10), tag);
  }
  if (text.starts_with("musllinux_")) {
    tag.family = Family::Musllinux;
    return read_libc_tag(text.substr(10), tag);
  }
  if (text.starts_with("linux_")) {
    const ArchText arch = read_arch(text.substr(6));
    tag.family = Family::Linux;
    tag.arch = arch.arch;
    tag.isa = arch.isa;
    return true;
  }
  if (text.starts_with("android_")) {
    std::string_view rest = text.substr(8);
    std::uint32_t level = 0;
    if (!take_number(rest, level)) return false;
    tag.family = Family::Android;
    tag.libc = {{level, 0, 0, 0}};
    tag.arch = android_arch(rest);
    return true;
  }
  return false;
}

}  // namespace

bool runs_on(Arch code, Arch machine) {
  if (code == Arch::Other) return false;
  return code == machine || (code == Arch::armv6l && machine == Arch::armv7l);
}

std::string_view name_of(Libc libc) {
  switch (libc) {
    case Libc::Glibc:
      return "glibc";
    case Libc::Musl:
      return "musl";
    case Libc::Bionic:
      return "bionic";
    case Libc::None:
      break;
  }
  return "none";
}

std::string_view name_of(PlatformTag::Family family) {
  switch (family) {
    case PlatformTag::Family::Any:
      return "any";
    case PlatformTag::Family::Linux:
      return "linux";
    case PlatformTag::Family::Manylinux:
      return "manylinux";
    case PlatformTag::Family::Musllinux:
      return "musllinux";
    case PlatformTag::Family::Android:
      return "android";
    case PlatformTag::Family::Other:
      break;
  }
  return "other";
}

std::string_view other_system(const PlatformTag& tag) {
  static constexpr auto systems = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"win32", "Windows"},
      {"win_", "Windows"},
      {"mingw_", "Windows"},
      {"cygwin_", "Windows"},
      {"macosx_", "macOS"},
      {"ios_", "iOS"},
      {"emscripten_", "WebAssembly"},
      {"pyodide_", "WebAssembly"},
      {"pyemscripten_", "WebAssembly"},
      {"wasm", "WebAssembly"},
      {"wasi_", "WebAssembly"},
      {"freebsd_", "FreeBSD"},
      {"netbsd_", "NetBSD"},
      {"openbsd_", "OpenBSD"},
      {"solaris_", "Solaris"},
      {"aix_", "AIX"},
  });
  if (tag.family != PlatformTag::Family::Other) return "";
  for (const auto& [prefix, system] : systems)
    if (tag.text.starts_with(prefix)) return system;
  return "";
}

bool is_for_other_systems(std::span<const PlatformTag> tags) {
  return !tags.empty() && std::ranges::none_of(tags, [](const PlatformTag& tag) { return other_system(tag).empty(); });
}

PlatformTag parse_platform_tag(std::string_view text) {
  PlatformTag tag;
  tag.text = std::string(text);
  tag.canonical = tag.text;
  if (!read_known(text, tag)) {
    tag.family = PlatformTag::Family::Other;
    tag.arch = Arch::Other;
  }
  return tag;
}

bool is_libpython(std::string_view soname) {
  if (soname.starts_with("libpypy")) return soname.find(".so") != std::string_view::npos;
  constexpr std::string_view prefix = "libpython";
  if (!soname.starts_with(prefix)) return false;
  std::string_view rest = soname.substr(prefix.size());
  const auto skip = [&](auto matches) {
    const std::size_t before = rest.size();
    while (!rest.empty() && matches(rest.front())) rest.remove_prefix(1);
    return before != rest.size();
  };
  if (!skip(is_digit)) return false;  // 3
  if (rest.size() >= 2 && rest[0] == '.' && is_digit(rest[1])) {
    rest.remove_prefix(1);
    skip(is_digit);  // .11
  }
  skip([](char c) { return std::string_view("dmtu").find(c) != std::string_view::npos; });  // sys.abiflags
  return rest == ".so" || rest.starts_with(".so.");
}

}  // namespace wheelcheck
