// Determines the role of an ELF file (extension module, bundled library, program, ...) from its type, its exported
// hooks and its path.

#include "wheel/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_scan.h"
#include "base/bytes.h"
#include "base/text.h"
#include "model/build_tree.h"
#include "model/each_symbol.h"
#include "model/module_names.h"
#include "model/python_calls.h"
#include "python/read.h"

namespace wheelcheck::wheel {

namespace {

// Removes "directory/" from the front of `path`.
bool take_directory(std::string_view& path, std::string_view directory) {
  if (!path.starts_with(directory) || !path.substr(directory.size()).starts_with('/')) return false;
  path.remove_prefix(directory.size() + 1);
  return true;
}

// The name in an import statement, without tags: pkg/x.cpython-311-x86_64-linux-gnu.so is pkg.x, and a package's
// __init__ is the package itself.
std::string module_name(std::string_view installed, std::string_view site_packages) {
  const bool importable = take_directory(installed, site_packages);
  const std::string_view name = base_name(installed);
  const std::string_view stem = name.substr(0, name.find('.'));
  std::string module(importable ? directory_name(installed) : std::string_view());
  if (stem == "__init__" && !module.empty()) {
    std::ranges::replace(module, '/', '.');
    return module;
  }
  if (!module.empty()) module += '/';
  module += stem;
  std::ranges::replace(module, '/', '.');
  return module;
}

struct Hook {
  std::string_view prefix;
  std::optional<int> python_major;  // nothing: the hook is the same for both
  bool any_module = false;          // the text after the prefix is not the plain module name
};
// From CPython, Python/importdl.c and Lib/importlib. PyInitU_ is followed by punycode (PEP 489); PyModExport_ is the
// hook of PEP 793; PyPy looks for the hook of cffi for any language version.
constexpr std::array<Hook, 6> hooks = {{{"PyInit_", 3},
                                        {"PyInitU_", 3, true},
                                        {"PyModExport_", 3},
                                        {"PyModExportU_", 3, true},
                                        {"_cffi_pypyinit_", std::nullopt},
                                        {"init", 2}}};

// File names that only the import system uses: NAME.cpython-311-x86_64-linux-gnu.so, NAME.abi3.so,
// NAME.pypy310-pp73-...so (PEP 3149, PEP 384). Such a file may contain several modules, or one with
// another name.
bool has_soabi(std::string_view file_name) {
  if (!file_name.ends_with(".so")) return false;
  const std::size_t dot = file_name.find('.');
  const std::string_view tags = file_name.substr(dot);
  return tags.starts_with(".cpython-") || tags.starts_with(".pypy") || tags.starts_with(".graalpy") ||
         stable_suffix(file_name);
}

bool calls(const Hook& hook, std::string_view symbol, std::string_view file_name, std::string_view module) {
  if (!symbol.starts_with(hook.prefix)) return false;
  if (hook.any_module || (has_soabi(file_name) && hook.prefix != "init")) return true;
  symbol.remove_prefix(hook.prefix.size());
  // A package's __init__.so has the hook of the package (importlib uses the last part of the module's name).
  return symbol == file_name.substr(0, file_name.find('.')) || symbol == module.substr(module.rfind('.') + 1);
}

// The module in this file, if Python can import it.
std::optional<ExtensionModule> extension_module(const DynamicFacts& dynamic, std::string_view installed,
                                                std::string_view site_packages) {
  const std::string_view file_name = base_name(installed);
  std::string module = module_name(installed, site_packages);
  std::optional<int> major;
  bool found = false;
  each_symbol(dynamic.exports, [&](const Export& symbol) {
    if (symbol.kind == SymbolKind::Tls || is_mangled(symbol.name)) return;  // hooks do not have mangled names
    for (const Hook& hook : hooks) {
      // dlsym finds symbols of any type. Of Python 2 only functions count: `init` is a usual name of a variable.
      if (hook.prefix == "init" && symbol.kind != SymbolKind::Function) continue;
      if (!calls(hook, symbol.name, file_name, module)) continue;
      found = true;
      major = std::max(major, hook.python_major);
    }
  });
  if (!found) return std::nullopt;
  const bool stable = stable_suffix(file_name).has_value();
  return ExtensionModule{.module = std::move(module), .python_major = major, .stable_abi = stable};
}

// auditwheel and similar tools put libraries in NAME.libs/ next to the packages; older versions, and delocate, in
// .libs/ or .dylibs/ inside a package.
bool is_grafted(std::string_view installed, std::string_view site_packages) {
  if (!take_directory(installed, site_packages)) return false;
  const std::vector<std::string_view> parts = split(directory_name(installed), '/');
  return parts.front().ends_with(".libs") ||
         std::ranges::any_of(parts, [](std::string_view part) { return part == ".libs" || part == ".dylibs"; });
}

// From the suffix that CPython's configure puts into SOABI. Before 3.11, musl builds used -gnu as well (python/cpython
// issue 87278), so a -gnu suffix of these versions is ambiguous.
Libc libc_from_name(std::string_view file_name) {
  if (file_name.ends_with("-linux-musl.so") || file_name.ends_with("-linux-musleabi.so") ||
      file_name.ends_with("-linux-musleabihf.so"))
    return Libc::Musl;
  if (file_name.ends_with("-linux-android.so") || file_name.ends_with("-linux-androideabi.so")) return Libc::Bionic;
  if (!file_name.ends_with("-linux-gnu.so") && !file_name.ends_with("-linux-gnueabihf.so")) return Libc::None;
  return suffix_of(file_name).cpython_minor().value_or(0) >= 11 ? Libc::Glibc : Libc::None;
}

bool claims(const WheelName& name, PlatformTag::Family family) {
  return std::ranges::find(name.platforms, family, &PlatformTag::family) != name.platforms.end();
}

// True for the file name of a shared library: libfoo.so, libfoo.so.1.2.
bool is_library_name(std::string_view name) {
  const std::size_t at = name.rfind(".so");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = name.substr(at + 3);
  return rest.empty() ||
         (rest.front() == '.' && std::ranges::all_of(rest, [](char c) { return is_digit(c) || c == '.'; }));
}

// Directories whose content only tests read.
bool is_for_tests(std::string_view directory) {
  constexpr std::string_view names[] = {"test", "test-data", "test_data", "testdata", "tests"};
  return std::ranges::any_of(split(directory, '/'),
                             [&](std::string_view part) { return std::ranges::find(names, part) != std::end(names); });
}

// Also by names that are made at run time, as in getattr(ctypes, "CD" + "LL"), or as the import system does.
bool may_load(std::string_view code) {
  struct Word {
    std::string_view begin, end;
  };
  static constexpr Word words[] = {
      {"", "ctypes"}, {"Extensio", "nFileLoader"}, {"create", "_dynamic"}, {"load", "_dynamic"}};
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'c') & (d == 't')) | ((c == 'n') & (d == 'F')) | ((c == '_') & (d == 'd'));
  };
  const auto is_word = [&](std::size_t at) {
    return std::ranges::any_of(words, [&](const Word& word) {
      return code.substr(at).starts_with(word.end) && code.substr(0, at).ends_with(word.begin);
    });
  };
  return python::is_worth_parsing(code) || any_pair(code, 0, code.size(), is_mark, is_word);
}

bool is_of_build(const MemberFacts& member) { return !build_tree_of(member.path.text()).empty(); }
bool is_test_data(const MemberFacts& member) {
  constexpr std::uint32_t executable = 0111;
  return is_for_tests(member.path.directory()) && !is_library_name(member.path.name()) &&
         (member.unix_mode & executable) == 0;
}

}  // namespace

ElfRole role_of(const ElfFacts& facts, std::string_view installed, std::string_view site_packages) {
  if (facts.use == MachineUse::Device) return ForeignCode{.what = "device code"};
  if (facts.kind == ElfKind::Other) return BrokenElf{};
  if (facts.debug_only) return ForeignCode{.what = "debug information"};
  if (facts.kind == ElfKind::Relocatable) return ForeignCode{.what = "relocatable object"};
  if (facts.kind == ElfKind::Core) return ForeignCode{.what = "core dump"};
  if (facts.kind == ElfKind::Executable) return Program{};
  if (facts.dynamic)
    if (auto extension = extension_module(*facts.dynamic, installed, site_packages)) return *std::move(extension);
  if (is_grafted(installed, site_packages)) return BundledLibrary{};
  return PlainLibrary{};
}

void mark_data(WheelFacts& wheel, const std::set<std::string_view>& named) {
  std::set<std::string_view> needed = named;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic) needed.insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
  for (ElfMember& elf : wheel.elfs) {
    const MemberFacts& member = wheel.members[elf.member.value];
    const bool build = is_of_build(member);
    const bool test = is_test_data(member) && !std::holds_alternative<ExtensionModule>(elf.role);
    if ((!build && !test) || std::holds_alternative<ForeignCode>(elf.role)) continue;
    if (!needed.contains(member.path.name()) && !is_opened_by_name(wheel, member.path.name()))
      elf.role = ForeignCode{.what = build ? "left by a build" : "test data"};
  }
}

DataNames::DataNames(const WheelFacts& wheel) {
  for (const MemberFacts& member : wheel.members) {
    const std::string_view name = member.path.name();
    if (name.empty() || name.ends_with(".py") || !(is_of_build(member) || is_test_data(member))) continue;
    names_.insert(name);
    lengths_[static_cast<unsigned char>(name.back())] |= bit(name);
  }
}

std::vector<std::string_view> DataNames::named_in(std::string_view path, std::string_view code) const {
  std::vector<std::string_view> found;
  if (names_.empty() || is_for_tests(directory_name(path)) || !may_load(code)) return found;
  static constexpr auto of_names = [] {  // a table, because every byte of the code is looked at
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < table.size(); ++c)
      table[c] = is_alnum(static_cast<char>(c)) || std::string_view("_.-+").contains(static_cast<char>(c));
    return table;
  }();
  const auto is_of_name = [](char c) { return of_names[static_cast<unsigned char>(c)]; };
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t begin = at;
    while (at < code.size() && is_of_name(code[at])) ++at;
    if (at == begin) {
      ++at;
      continue;
    }
    const std::string_view word = code.substr(begin, at - begin);
    if ((lengths_[static_cast<unsigned char>(word.back())] & bit(word)) == 0) continue;
    const auto name = names_.find(word);
    if (name != names_.end() && !contains(found, *name)) found.push_back(*name);
  }
  return found;
}

Libc libc_of(const ElfFacts& facts, std::string_view file_name, const WheelName& name) {
  if (facts.libc != Libc::None) return facts.libc;
  if (const Libc libc = libc_from_name(file_name); libc != Libc::None) return libc;
  // The soname of both musl and bionic is libc.so, so a file that needs only that may be for either.
  if (!facts.dynamic || std::ranges::find(facts.dynamic->needed, "libc.so") == facts.dynamic->needed.end())
    return Libc::None;
  const bool musl = claims(name, PlatformTag::Family::Musllinux), bionic = claims(name, PlatformTag::Family::Android);
  if (musl == bionic) return Libc::None;
  return musl ? Libc::Musl : Libc::Bionic;
}

bool is_disguise(std::string_view file_name) {
  static constexpr auto extensions = std::to_array<std::string_view>(
      {".py",  ".pyi", ".pyc",  ".pyx", ".pxd", ".txt",   ".md",   ".rst", ".json", ".toml",  ".yaml", ".yml",
       ".ini", ".cfg", ".csv",  ".tsv", ".xml", ".htm",   ".html", ".css", ".js",   ".ts",    ".map",  ".svg",
       ".png", ".jpg", ".jpeg", ".gif", ".ico", ".webp",  ".pdf",  ".ttf", ".woff", ".woff2", ".mp3",  ".mp4",
       ".wav", ".c",   ".cc",   ".cpp", ".cxx", ".h",     ".hh",   ".hpp", ".rs",   ".go",    ".java", ".ipynb",
       ".sh",  ".log", ".pem",  ".po",  ".mo",  ".typed", ".npy",  ".npz", ".zip",  ".gz",    ".whl"});
  const std::string name = lower(file_name);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return false;
  return std::ranges::find(extensions, std::string_view(name).substr(dot)) != extensions.end();
}

// The kind of a file that is not ELF, from its first bytes (from each format's specification), or from a library's file
// name.

namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  ForeignKind kind;
};
constexpr Magic magics[] = {
    {"PK\x03\x04"sv, ForeignKind::Zip},
    {"PK\x05\x06"sv, ForeignKind::Zip},  // an archive without members
    {"\x1F\x8B\x08"sv, ForeignKind::Gzip},
    {"BZh"sv, ForeignKind::Bzip2},
    {"\xFD"
     "7zXZ\0"sv,
     ForeignKind::Xz},
    {"\x28\xB5\x2F\xFD"sv, ForeignKind::Zstandard},
    {"7z\xBC\xAF\x27\x1C"sv, ForeignKind::SevenZip},
    {"!<arch>\n"sv, ForeignKind::Ar},
    {"!<thin>\n"sv, ForeignKind::Ar},
    {"<bigaf>\n"sv, ForeignKind::Ar},  // of AIX, where shared libraries are members of one
    {"\xCE\xFA\xED\xFE"sv, ForeignKind::MachO},
    {"\xCF\xFA\xED\xFE"sv, ForeignKind::MachO},
    {"\xFE\xED\xFA\xCE"sv, ForeignKind::MachO},
    {"\xFE\xED\xFA\xCF"sv, ForeignKind::MachO},
    {"\0asm"sv, ForeignKind::WebAssembly},
    {"BC\xC0\xDE"sv, ForeignKind::LlvmBitcode},
    {"\xDE\xC0\x17\x0B"sv, ForeignKind::LlvmBitcode},    // with a wrapper header
    {"\x50\xED\x55\xBA"sv, ForeignKind::CudaFatBinary},  // the same magic that elf/fatbin.cpp searches in host files
    {"__CLANG_OFFLOAD_BUNDLE__"sv, ForeignKind::OffloadBundle},
    {"CCOB"sv, ForeignKind::OffloadBundle},  // compressed
    {"\x03\x02\x23\x07"sv, ForeignKind::SpirV},
    {".version "sv, ForeignKind::Ptx},
};

// A fat Mach-O file and a Java class start with the same magic. The next field is a small number of architectures in
// the first, and a version of at least 45 in the second.
ForeignKind cafebabe(std::string_view start) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  const bool small = byte(4) == 0 && byte(5) == 0 && byte(6) == 0 && byte(7) < 45;
  return small ? ForeignKind::MachO : ForeignKind::JavaClass;
}

// e_lfanew, the offset of the "PE" header, is at offset 60. If the available bytes are fewer, "MZ" alone is not
// sufficient.
bool is_windows_program(std::string_view start, std::uint64_t size) {
  if (!start.starts_with("MZ") || start.size() < 64) return false;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < 4; ++i) at |= std::uint32_t{static_cast<unsigned char>(start[60 + i])} << (8 * i);
  return at >= 4 && at < size;
}

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](char c) { return (c >= ' ' && c != 0x7F) || is_blank(c); }) || is_utf8(start);
}

ForeignKind fake_library(std::string_view start, std::uint64_t size) {
  if (size == 0) return ForeignKind::EmptyLibrary;
  for (const std::string_view word : {"/* GNU ld script"sv, "GROUP"sv, "INPUT"sv, "OUTPUT_FORMAT"sv})
    if (start.starts_with(word)) return ForeignKind::LinkerScript;
  return is_text(start) && start.find('\0') == start.npos ? ForeignKind::TextLibrary : ForeignKind::DataLibrary;
}

}  // namespace

ForeignKind foreign_kind(std::string_view name, std::uint64_t size, const archive::FirstBytes& head, bool elf_inside) {
  const std::string_view start = Bytes(head.bytes()).as_text();
  const auto known = std::ranges::find_if(magics, [&](const Magic& magic) { return start.starts_with(magic.bytes); });
  if (known != std::end(magics)) return known->kind;
  if (start.starts_with("\xCA\xFE\xBA\xBE") && start.size() >= 8) return cafebabe(start);
  if (is_windows_program(start, size)) return ForeignKind::WindowsProgram;
  if (name.ends_with(".ptx")) return ForeignKind::Ptx;
  if (elf_inside) return ForeignKind::Inside;
  return is_library_name(name) ? fake_library(start, size) : ForeignKind::None;
}

}  // namespace wheelcheck::wheel
