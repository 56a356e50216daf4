// WC306: no library that the file loads can define one of its symbols. The file works only if another file of the
// process has loaded a definition before.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/pattern.h"
#include "base/text.h"
#include "mangling/cxx_name.h"
#include "mangling/demangle.h"
#include "model/c_names.h"
#include "model/each_symbol.h"
#include "model/library_name.h"
#include "model/python_calls.h"
#include "model/requirement.h"
#include "rules/common.h"
#include "rules/symbols/symbol_search.h"

namespace wheelcheck::rules::underlinked {
namespace {

constexpr std::size_t searched_symbols = 1000;  // the maximum number of symbols whose owner is searched in the tables

// The library that owns the names according to the tables: libgfortran for _gfortran_st_write. nullptr: unknown.
const KnownLibrary* likely_owner(const WheelView& view, const std::vector<std::string>& symbols) {
  const auto fits = [&](TextSpan patterns, std::string_view symbol) {
    return std::ranges::any_of(patterns,
                               [&](std::string_view pattern) { return match_pattern(pattern, symbol).has_value(); });
  };
  const std::size_t count = std::min(symbols.size(), searched_symbols);
  for (std::size_t i = 0; i < count; ++i)
    for (const KnownLibrary& library : view.knowledge.libraries)
      if (fits(library.symbols, symbols[i]) && !fits(library.not_symbols, symbols[i])) return &library;
  return nullptr;
}

// The file of the wheel that is the library, among those that `user` needs.
std::optional<ElfIndex> needed_copy(const WheelView& view, ElfIndex user, const KnownLibrary& library) {
  if (user.value >= view.resolution.needed.size()) return std::nullopt;
  for (const NeededFound& found : view.resolution.needed[user.value]) {
    if (!found.provider || found.provider->wheel.value != 0) continue;
    const std::string name = plain_library_name(found.name);
    if (std::ranges::any_of(library.sonames,
                            [&](std::string_view pattern) { return match_pattern(pattern, name).has_value(); }))
      return found.provider->elf;
  }
  return std::nullopt;
}

// GCC's and clang's calls of the vectorized functions of libmvec (x86-64 and AArch64 vector function ABI): a letter for
// the instructions, N or M for the mask, the number of lanes, v for each vector, the name.
bool is_of_libmvec(std::string_view name) {
  constexpr std::string_view functions[] = {"acos", "asin", "atan", "cbrt", "cos", "erf",
                                            "exp",  "log",  "pow",  "sin",  "tan"};
  const std::size_t end = name.find('_', 4);
  if (!name.starts_with("_ZGV") || end == name.npos) return false;
  const std::string_view function = name.substr(end + 1);
  return std::ranges::any_of(functions, [&](std::string_view start) { return function.starts_with(start); });
}

bool is_of_libatomic(std::string_view name) { return name.starts_with("__atomic_"); }

// A file of the wheel that defines one of the functions with the other std::string of libstdc++ among its types.
std::optional<std::pair<ElfIndex, std::string>> with_other_string(const WheelView& view,
                                                                  const std::vector<std::string>& symbols) {
  std::map<std::string_view, StringNames> sought;
  for (const std::string& symbol : symbols)
    if (const StringNames names = string_names(symbol); names.old_abi != names.new_abi)
      sought.emplace(qualified_part(symbol), names);
  sought.erase("");
  std::optional<std::pair<ElfIndex, std::string>> found;
  for (std::uint32_t i = 0; i < view.wheel.elfs.size() && !sought.empty() && !found; ++i) {
    const auto& dynamic = view.wheel.elfs[i].facts.dynamic;
    if (!dynamic) continue;
    any_symbol(dynamic->exports, [&](const Export& symbol) {
      const StringNames names = string_names(symbol.name);
      if (names.old_abi == names.new_abi) return false;
      const auto at = sought.find(qualified_part(symbol.name));
      if (at == sought.end() || at->second.old_abi == names.old_abi) return false;
      found = {ElfIndex{i}, std::string(symbol.name)};
      return true;
    });
  }
  return found;
}

// ctypes and cffi open a library for itself (RTLD_LOCAL), unless the call says otherwise.
bool may_be_global(const PythonCall& call) {
  if (call.call == LoadCall::FindLibrary) return false;
  return call.call == LoadCall::SetDlopenFlags || call.global || !call.library ||
         (!call.flags && call.text.contains("mode"));
}

// True if the wheel's Python code may load libraries for all files, or requires a distribution whose wheels provide
// libraries to others. The symbol may come from there.
bool may_come_from_elsewhere(const WheelView& view) {
  for (const PythonFile& file : view.wheel.python)
    if (std::ranges::any_of(file.calls, may_be_global) || (file.calls.empty() && !file.names.empty())) return true;
  if (!view.wheel.metadata) return false;
  for (const std::string& requirement : view.wheel.metadata->requires_dist) {
    const std::string name = parse_dependency(requirement).name;
    if (std::ranges::any_of(view.knowledge.distributions, [&](const KnownDistribution& d) { return d.name == name; }))
      return true;
    for (const KnownGpuLibrary& library : view.knowledge.gpu)
      if (std::ranges::any_of(library.providers, [&](const GpuProvider& p) { return p.distribution == name; }))
        return true;
  }
  return false;
}

enum class Missing { Everywhere, InThatVersion, OnMusl, InOldCxx, FromARelease, BeforeARelease, WithoutLibrt };

struct Symbols {
  Missing missing = Missing::Everywhere;
  std::string release;
  std::vector<std::string> names;  // sorted
};

std::string message_of(const Symbols& symbols, Libc libc) {
  const std::string first = first_of(symbols.names);
  if (symbols.missing == Missing::InThatVersion)
    return fmt::format("requires {}, which no library that it loads defines in that version", first);
  if (symbols.missing == Missing::FromARelease && libc == Libc::Musl)
    return fmt::format("requires {}, which musl {} and newer do not have", first, symbols.release);
  if (symbols.missing == Missing::FromARelease)
    return fmt::format("requires {} without a symbol version, which glibc {} and newer do not offer", first,
                       symbols.release);
  if (symbols.missing == Missing::BeforeARelease)
    return fmt::format("requires {}, which only musl {} and newer have", first, symbols.release);
  if (symbols.missing == Missing::InOldCxx)
    return fmt::format(
        "requires {} without a version: the libstdc++ that it was linked with does not define {}, newer "
        "ones do",
        first, symbols.names.size() == 1 ? "it" : "them");
  if (symbols.missing == Missing::OnMusl) return fmt::format("requires {}, which glibc has and musl does not", first);
  if (symbols.missing == Missing::WithoutLibrt)
    return fmt::format("requires {} but not librt.so.1, which defines {} before glibc 2.34", first,
                       symbols.names.size() == 1 ? "it" : "them");
  return fmt::format("requires {}, which {} defines", first,
                     libc == Libc::Musl ? "neither musl nor a library that it loads" : "no library that it loads");
}

// Names that glibc has in headers alone: <endian.h> (2.9), <byteswap.h>, <sched.h> (2.7), <math.h>, <assert.h>. Where a
// header lacks one, C code compiles, and the name becomes that of a function.
bool is_macro(std::string_view name) {
  constexpr std::string_view macros[] = {
      "CPU_ALLOC",  "CPU_ALLOC_SIZE", "CPU_FREE", "CPU_ISSET_S", "CPU_SET_S", "CPU_ZERO_S",   "_Static_assert",
      "alloca",     "be16toh",        "be32toh",  "be64toh",     "bswap_16",  "bswap_32",     "bswap_64",
      "fpclassify", "htobe16",        "htobe32",  "htobe64",     "htole16",   "htole32",      "htole64",
      "isfinite",   "isnormal",       "le16toh",  "le32toh",     "le64toh",   "static_assert"};
  return std::ranges::binary_search(macros, name);
}

std::string fix_of(const WheelView& view, const Unfound& unfound, const Symbols& symbols, const KnownLibrary* owner) {
  if (symbols.missing == Missing::InThatVersion)
    return "link it with the libraries that the wheel contains, or bundle those that it was linked with";
  if (symbols.missing == Missing::FromARelease && unfound.libc == Libc::Musl)
    return "compile again with the headers of a newer musl, or avoid the symbol";
  if (symbols.missing == Missing::FromARelease)
    return "compile with the headers of the glibc that it is linked with (older ones use this symbol with "
           "-ffast-math), and link with -lm";
  if (symbols.missing == Missing::BeforeARelease)
    return "compile in Alpine Linux 3.13 (musl 1.2.2), whose headers lack it, so that configure scripts do not use it; "
           "or name the newer system in the README";
  if (symbols.missing == Missing::InOldCxx)
    return unfound.defined_in
               ? "compile it and the libraries that it is linked with by one compiler, that of the image for the tag"
               : "link it with g++ (libstdc++.so of a manylinux image is a script that adds libstdc++_nonshared.a, "
                 "which has them), and compile what is linked into it with the same compiler";
  if (symbols.missing == Missing::OnMusl) return "compile it, and the static libraries in it, in a musllinux image";
  if (symbols.missing == Missing::WithoutLibrt)
    return fmt::format("link it with -lrt, or patchelf --add-needed librt.so.1 {}",
                       shell_word(path_of(view, unfound.file)));
  if (unfound.defined_in) {
    const std::string_view file = path_of(view, *unfound.defined_in);
    const std::string_view name =
        view.wheel.elfs[unfound.defined_in->value].facts.dynamic->soname.value_or(base_name(file));
    const auto& needed = view.wheel.elfs[unfound.file.value].facts.dynamic->needed;
    if (std::ranges::find(needed, name) != needed.end())
      return fmt::format("it requires {}, and another file of that name is found first: keep only {}", name, file);
    return fmt::format("link it with {}, or patchelf --add-needed {} {}", file, shell_word(name),
                       shell_word(path_of(view, unfound.file)));
  }
  if (std::ranges::all_of(symbols.names, is_of_libatomic))
    return fmt::format("link it with -latomic{}", is_rust(view.wheel.elfs[unfound.file.value].facts)
                                                      ? ": println!(\"cargo:rustc-link-lib=atomic\") in build.rs"
                                                      : "");
  if (std::ranges::any_of(symbols.names, is_macro))
    return "it is a macro of newer headers, which the compiler took for a function: compile with "
           "-Werror=implicit-function-declaration, and define it or build in an image with a newer glibc";
  if (std::ranges::any_of(symbols.names, is_of_libmvec))
    return "link it with -lmvec, which glibc has from 2.22 on (AArch64: 2.38), in the image for that tag; or compile "
           "without -ffast-math and -fopenmp-simd";
  if (const auto copy = owner ? needed_copy(view, unfound.file, *owner) : std::nullopt)
    return fmt::format(
        "{} is older than the headers of {} that it was compiled with: build in an image in which both "
        "are of one release, or link {} statically",
        path_of(view, *copy), owner->name, owner->name);
  if (symbols.missing == Missing::Everywhere)
    if (const auto other = with_other_string(view, symbols.names))
      return fmt::format("{} defines {}: compile all of it with the same value of _GLIBCXX_USE_CXX11_ABI",
                         path_of(view, other->first), demangle_briefly(other->second));
  if (owner != nullptr)
    return fmt::format("link it with {}; -Wl,-z,defs makes the linker name what is missing", owner->name);
  return "add the library that defines it to the link line; -Wl,-z,defs makes the linker name what is missing";
}

// A name of namespace std, or its type_info, vtable or guard variable (Itanium C++ ABI, 5.1).
bool is_of_std(std::string_view name) {
  constexpr std::string_view starts[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZTISt", "_ZTVSt", "_ZTSSt", "_ZGVNSt"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

// The first release of Alpine Linux with that musl (https://pkgs.alpinelinux.org).
std::string_view alpine_with(std::string_view release) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{{"1.2.0", "3.13"},
                                                                                       {"1.2.1", "3.13"},
                                                                                       {"1.2.2", "3.13"},
                                                                                       {"1.2.3", "3.16"},
                                                                                       {"1.2.4", "3.18"},
                                                                                       {"1.2.5", "3.20"}}};
  const auto* const at = std::ranges::find(known, release, &std::pair<std::string_view, std::string_view>::first);
  return at == known.end() ? std::string_view() : at->second;
}

// The systems on which the symbols are missing.
std::optional<SystemCondition> where(const Symbols& symbols) {
  switch (symbols.missing) {
    case Missing::FromARelease:
      return SystemCondition{.from = symbols.release};
    case Missing::BeforeARelease:
      return SystemCondition{.before = symbols.release};
    case Missing::WithoutLibrt:
      return SystemCondition{.before = "2.34"};
    case Missing::InOldCxx:
      return SystemCondition{.symbol = symbols.names.front(), .library = "libstdc++.so.6"};
    case Missing::Everywhere:
    case Missing::InThatVersion:
    case Missing::OnMusl:
      break;
  }
  return std::nullopt;
}

void report(const WheelView& view, const Emit& emit, const Unfound& unfound, const Symbols& symbols, bool imported) {
  const ElfMember& elf = view.wheel.elfs[unfound.file.value];
  std::vector<Evidence> evidence{{"symbols", list_of(symbols.names)}};
  const bool everywhere = symbols.missing == Missing::Everywhere;
  const KnownLibrary* const owner = everywhere ? likely_owner(view, symbols.names) : nullptr;
  if (everywhere && unfound.defined_in)
    evidence.push_back({"defined in", std::string(path_of(view, *unfound.defined_in))});
  else if (owner != nullptr)
    evidence.push_back({"likely of", std::string(owner->name)});
  if (const std::string_view alpine = alpine_with(symbols.release); unfound.libc == Libc::Musl && !alpine.empty())
    evidence.push_back({"fails on", fmt::format("Alpine Linux {} {}",
                                                symbols.missing == Missing::FromARelease ? "from" : "before", alpine)});
  if (symbols.missing == Missing::WithoutLibrt)
    evidence.push_back({"fails on",
                        "Debian 11, RHEL 8 and others before glibc 2.34, with a CPython that does not "
                        "itself need librt.so.1"});
  if (unfound.with)
    evidence.push_back(
        {"if the loader takes",
         fmt::format("{}, which it does {}", path_of(view, *unfound.with),
                     unfound.loaded_before ? "if another module has loaded it: the libraries have the same soname"
                                           : "on machines with these instructions")});
  // For a library that no import loads, it is unknown who opens it and what is loaded by then.
  const bool module = std::holds_alternative<ExtensionModule>(elf.role) || imported;
  const bool preloaded = unfound.defined_in && opens_globally(view.wheel);
  const bool opened =
      !module && !preloaded && is_opened_by_name(view.wheel, view.wheel.members[elf.member.value].path.name());
  // Of the other names, another library of the process may have a definition.
  const bool nowhere = symbols.missing == Missing::OnMusl || symbols.missing == Missing::InThatVersion;
  // A library that is opened from outside of the wheel, as libcufile.so.0 of nvidia_cufile, finds no librt and no newer
  // libstdc++ there either.
  const bool always = symbols.missing == Missing::WithoutLibrt || symbols.missing == Missing::InOldCxx;
  const bool certain = nowhere || (symbols.missing != Missing::BeforeARelease && !may_come_from_elsewhere(view));
  emit({.place = AtElf{unfound.file},
        .message = message_of(symbols, unfound.libc),
        .evidence = std::move(evidence),
        .fix = fix_of(view, unfound, symbols, owner),
        .severity = !module && !opened && !always    ? Severity::Note
                    : certain && (module || nowhere) ? Severity::Error
                                                     : Severity::Warning,
        .confidence = module || opened || always ? std::nullopt : std::optional(Confidence::Low),
        .on = where(symbols)});
}

// A tag has two numbers and covers the first release of that series (PEP 656). Of the series 1.1 no system is left that
// is older than 1.1.24: Alpine Linux 3.11 was the oldest release with support when pip learned the tags (21.2).
bool is_promised(const WheelView& view, std::string_view release) {
  Version since;
  if (!parse_version(release, since)) return false;
  const Version oldest{{1, 1, 24}};
  return std::ranges::all_of(view.claims, [&](const Claim& claim) {
    return claim.tag.family != PlatformTag::Family::Musllinux || std::max(claim.tag.libc, oldest) >= since;
  });
}

void check(const WheelView& view, const Emit& emit) {
  const Undefined all = find_undefined(view);
  if (!all.cut.empty())
    emit({.place = WholeWheel{},
          .message = fmt::format("{}: whether an import of a file has no definition is not known", all.cut),
          .evidence = {},
          .fix = "split the wheel: its libraries need each other in more ways than are followed",
          .severity = {}});
  if (all.files.empty()) return;
  // CPython binds all symbols of what an import loads (RTLD_NOW).
  const std::set<ElfIndex> loaded = loaded_by_import(view);
  for (const Unfound& unfound : all.files) {
    std::map<std::pair<Missing, std::string>, Symbols> groups;
    const auto& needed = view.wheel.elfs[unfound.file.value].facts.dynamic->needed;
    const bool needs_libstdcxx = std::ranges::find(needed, "libstdc++.so.6") != needed.end();
    for (const std::string_view symbol : unfound.symbols) {
      const std::optional<CName> known = c_name(unfound.libc, symbol);
      Symbols one;
      if (known && !known->dropped_in.empty()) one = {Missing::FromARelease, std::string(known->dropped_in), {}};
      if (unfound.libc == Libc::Glibc && needs_libstdcxx && is_of_std(symbol)) one = {Missing::InOldCxx, "", {}};
      if (unfound.libc == Libc::Musl && !known && c_name(Libc::Glibc, symbol)) one = {Missing::OnMusl, "", {}};
      if (unfound.libc == Libc::Glibc && is_of_librt(symbol)) one = {Missing::WithoutLibrt, "", {}};
      if (known && !known->since.empty()) one = {Missing::BeforeARelease, std::string(known->since), {}};
      if (one.missing == Missing::BeforeARelease && is_promised(view, one.release)) continue;
      groups.try_emplace({one.missing, one.release}, one).first->second.names.emplace_back(symbol);
    }
    if (!unfound.versioned.empty())
      groups[{Missing::InThatVersion, ""}] = {Missing::InThatVersion, "", unfound.versioned};
    for (auto& [key, symbols] : groups) {
      std::ranges::sort(symbols.names);
      report(view, emit, unfound, symbols, loaded.contains(unfound.file));
    }
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC306",
    .name = "underlinked",
    .severity = Severity::Error,
    .confidence = Confidence::Medium,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::underlinked
