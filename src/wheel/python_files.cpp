#include "wheel/python_files.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "python/names.h"
#include "python/read.h"

namespace wheelcheck::wheel {

namespace {

// Test suites are not run by an import, and the libraries that they name are mostly fictitious.
bool is_test_suite(std::string_view path) { return path.starts_with("tests/") || path.contains("/tests/"); }

// The encoding that a comment in the first two lines names (PEP 263), normalized as by encodings.normalize_encoding; ""
// if there is none. The second line counts only after a blank line or a comment.
std::string named_encoding(std::string_view source) {
  for (int number = 0; number < 2 && !source.empty(); ++number) {
    const std::string_view line = source.substr(0, source.find_first_of("\r\n"));
    source.remove_prefix(std::min(line.size() + 1, source.size()));
    if (source.starts_with('\n') && number == 0) source.remove_prefix(1);  // of "\r\n"
    const std::size_t start = line.find_first_not_of(" \t\f\xEF\xBB\xBF");
    if (start == line.npos) continue;
    if (line[start] != '#') return "";
    for (std::size_t at = line.find("coding"); at != line.npos; at = line.find("coding", at + 1)) {
      std::string_view rest = line.substr(at + 6);
      if (!rest.starts_with(':') && !rest.starts_with('=')) continue;
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t", 1), rest.size()));
      std::string name;
      for (const char c : rest) {
        if (!is_alnum(c) && c != '-' && c != '_' && c != '.') break;
        if (is_alnum(c)) name += to_lower(c);
        if (!is_alnum(c) && !name.empty() && !name.ends_with('_')) name += '_';
      }
      if (!name.empty()) return name;
    }
  }
  return "";
}

}  // namespace

bool is_python(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  return path.ends_with(".py") && (limits.imports || !is_test_suite(path));
}

bool is_bytecode(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  return path.ends_with(".pyc") && entry.size <= most_searched && (limits.imports || !is_test_suite(path));
}

bool hides_code(std::string_view path, std::string_view bytecode) {
  if (!path.contains("/__pycache__/")) return python::is_worth_parsing(bytecode);
  // CPython Lib/importlib/_bootstrap_external.py, _classify_pyc: 1 is "hash-based", 2 is "check the source".
  return bytecode.size() >= 8 && (static_cast<unsigned char>(bytecode[4]) & 3U) == 1;
}

bool is_too_long(const archive::Entry& entry, const Limits& limits) { return entry.size > limits.source_bytes; }

std::unique_ptr<PythonFile> not_read(MemberIndex member) {
  PythonFile file{.member = member, .broken = true};
  file.cut = true;
  return std::make_unique<PythonFile>(std::move(file));
}

// Names and aliases of encodings of CPython (Lib/encodings/aliases.py), by their starts.
bool has_other_encoding(std::string_view source) {
  // ASCII bytes may be other characters.
  constexpr std::string_view others[] = {
      "utf_7",   "utf7",   "u7",       "utf_16",  "utf16",    "u16",      "utf_32", "utf32",  "u32",
      "unicode", "hz",     "raw_unic", "iso2022", "iso_2022", "csiso2",   "ebcdic", "037",    "1026",
      "1140",    "273",    "424",      "500",     "cp037",    "cp1026",   "cp1140", "cp273",  "cp424",
      "cp500",   "cp875",  "ibm037",   "ibm039",  "ibm1026",  "ibm1140",  "ibm273", "ibm424", "ibm500",
      "csibm0",  "csibm1", "csibm2",   "csibm4",  "csibm50",  "punycode", "idna"};
  // The second byte of a character may look like ASCII, a backslash before the end of a string, for example.
  constexpr std::string_view two_bytes[] = {"gbk",        "gb18030", "936",   "cp936",   "ms936",  "big5",  "csbig5",
                                            "950",        "cp950",   "ms950", "shift",   "csshif", "sjis",  "s_jis",
                                            "932",        "cp932",   "ms932", "mskanji", "ms_k",   "949",   "cp949",
                                            "windows_31", "ms949",   "uhc",   "johab",   "cp1361", "ms1361"};
  const std::string name = named_encoding(source);
  if (name.empty()) return false;
  const auto starts = [&](std::string_view start) { return name.starts_with(start); };
  if (std::ranges::any_of(others, starts)) return true;
  return std::ranges::any_of(two_bytes, starts) &&
         std::ranges::any_of(source, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) &&
         python::is_worth_parsing(source);
}

PythonBudget::PythonBudget(std::span<const archive::Entry> entries) {
  // The files of a directory are not packed.
  for (const archive::Entry& entry : entries)
    left_ += for_packed_byte * (entry.packed_size != 0 ? entry.packed_size : entry.size);
}

bool PythonBudget::admits(const archive::Entry& entry) {
  const std::uint64_t cost = entry.size + for_file;
  if (cost > left_) return false;
  left_ -= cost;
  return true;
}

std::unique_ptr<PythonFile> read_long_python(std::string_view source, MemberIndex member, const Limits& limits) {
  if (python::is_worth_parsing(source)) return not_read(member);
  if (!limits.imports) return nullptr;
  auto file = python::read_long_imports(source, member, limits.source_bytes);
  return file ? std::make_unique<PythonFile>(std::move(*file)) : not_read(member);
}

std::optional<PythonReading> reading_of(std::string_view source, const Limits& limits) {
  if (limits.imports) return PythonReading::Imports;
  if (!python::is_worth_parsing(source)) return PythonReading::Names;
  return std::nullopt;
}

std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading) {
  std::unique_ptr<PythonFile> result;
  const auto set = [&](PythonFile file) { result = std::make_unique<PythonFile>(std::move(file)); };
  if (reading == PythonReading::Imports) {
    set(python::is_worth_parsing(source) ? python::read_source(source, member) : python::read_imports(source, member));
    result->variables = python::variables_set(source);
  } else if (reading != PythonReading::Names) {
    const bool events = reading == PythonReading::Events;
    auto file = python::read_loads(source, member, events ? python::Detail::Events : python::Detail::Calls);
    // The events of such a file say whether its call can run at all (rules/symbols/dead_calls.h).
    if (file && !events && std::ranges::any_of(file->calls, &PythonCall::global))
      file = python::read_loads(source, member, python::Detail::Events);
    if (file) set(std::move(*file));
  }
  if (std::vector<PythonName> names = python::library_names(source); !names.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->names = std::move(names);
  }
  return result;
}

}  // namespace wheelcheck::wheel
