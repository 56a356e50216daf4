#include "wheel/python_files.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "archive/names.h"
#include "base/parallel.h"
#include "base/text.h"
#include "model/installed_files.h"
#include "python/names.h"
#include "python/prefilter/hidden_text.h"
#include "python/read.h"
#include "wheel/install_layout.h"
#include "wheel/roles.h"

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

// Python reads .pth files only in site-packages itself. One in a subdirectory is data.
bool is_path_file(std::string_view path) {
  if (!path.ends_with(".pth")) return false;
  const auto data = data_path(path);
  if (!data) return !path.contains('/');
  if (data->scheme == "data") {
    const std::string place = shared_site_packages(std::string(data->rest));
    return place.starts_with("site-packages/") && std::ranges::count(place, '/') == 1;
  }
  return is_site(data->scheme) && !data->rest.contains('/');
}

bool is_import(std::string_view line) { return line.starts_with("import ") || line.starts_with("import\t"); }

// The bytes of a line end that splitlines() knows besides LF and CR, at the start of the text; 0 if there is none.
std::size_t rare_line_end(std::string_view text) {
  const char c = text.front();
  if (c == '\v' || c == '\f' || (c >= '\x1C' && c <= '\x1E')) return 1;
  if (text.starts_with("\xC2\x85")) return 2;
  return text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9") ? 3 : 0;
}

// What Python runs of one line of a .pth. Python 3.13 splits it once more, by splitlines(); older ones do not.
std::string_view run_of_line(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_import(line.substr(at))) return line.substr(at);
    std::size_t end = 0;
    while (at < line.size() && (end = rare_line_end(line.substr(at))) == 0) ++at;
    at += end == 0 ? 0 : end - 1;
  }
  return "";
}

// The first byte from `at` on that is not ASCII; the size of the text if there is none.
std::size_t next_other(std::string_view text, std::size_t at) {
  for (std::uint64_t word = 0; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// The name as Python reads it, if that is ASCII; "" if it is not.
std::string ascii_form(std::string_view name) {
  constexpr std::size_t longest = 64;
  constexpr std::string_view first_bytes =
      "\xC2\xC4\xC5\xC7\xCA\xCB\xE1\xE2\xEF\xF0";  // of characters that become ASCII
  // EA is the first byte of Hangul too; letters that become ASCII begin with EA 9F.
  if (name.size() > longest || (name.find_first_of(first_bytes) == name.npos && !name.contains("\xEA\x9F"))) return "";
  std::string form = archive::compatible_form(name);
  const bool ascii = next_other(form, 0) == form.size();
  return ascii && std::ranges::all_of(form, python::is_name_byte) ? form : "";
}

// Python reads names in the normal form NFKC.
std::string_view with_normal_names(std::string_view text, std::string& buffer) {
  std::string out;
  std::size_t done = 0;  // up to here the text is in `out`
  for (std::size_t end = 0, at = 0; (at = next_other(text, end)) < text.size();) {
    std::size_t begin = at;
    while (begin > end && python::is_name_byte(text[begin - 1])) --begin;
    for (end = at; end < text.size() && python::is_name_byte(text[end]);) ++end;
    const std::string form = ascii_form(text.substr(begin, end - begin));
    if (form.empty()) continue;
    out.append(text.substr(done, begin - done)).append(form);
    done = end;
  }
  if (done == 0) return text;
  out += text.substr(done);
  buffer = std::move(out);
  return buffer;
}

// Python also reads a CR as the end of a line, and the letter of an escape sequence.
std::string_view as_python_reads(std::string_view text, std::string& buffer) {
  const auto is_end = [&](std::size_t at) { return !text.substr(at + 1).starts_with('\n'); };
  std::size_t at = text.find('\r');
  while (at != text.npos && !is_end(at)) at = text.find('\r', at + 1);
  std::string lines, letters, names;
  if (at != text.npos) lines = text;
  for (; at != text.npos; at = text.find('\r', at + 1))
    if (is_end(at)) lines[at] = '\n';
  with_normal_names(python::with_plain_letters(lines.empty() ? text : std::string_view(lines), letters), names);
  for (std::string* const changed : {&names, &letters, &lines}) {
    if (changed->empty()) continue;
    buffer = std::move(*changed);
    return buffer;
  }
  return text;
}

}  // namespace

PythonForm python_form(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  if (path.ends_with(".py")) return limits.imports || !is_test_suite(path) ? PythonForm::Module : PythonForm::None;
  if (is_path_file(path)) return PythonForm::PathFile;
  return is_script(path) ? PythonForm::Script : PythonForm::None;
}

bool runs_python(std::string_view script) {
  return script.starts_with("#!") && script.substr(0, script.find_first_of("\r\n")).contains("python");
}

std::unique_ptr<ScriptLine> script_line(MemberIndex member, std::string_view path, std::string_view start) {
  if (!is_script(path) || !start.starts_with("#!")) return nullptr;
  const std::size_t end = start.find('\n');
  std::string_view line = start.substr(2, end == start.npos ? end : end - 2);
  const bool carriage_return = end != start.npos && line.ends_with('\r');
  if (carriage_return) line.remove_suffix(1);
  return std::make_unique<ScriptLine>(member, std::string(line), carriage_return);
}

bool is_bytecode(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  return path.ends_with(".pyc") && entry.size <= max_searched && (limits.imports || !is_test_suite(path));
}

bool hides_code(std::string_view path, std::string_view bytecode) {
  if (!path.contains("/__pycache__/")) return python::is_worth_parsing(bytecode);
  // CPython Lib/importlib/_bootstrap_external.py, _classify_pyc: 1 is "hash-based", 2 is "check the source", and other
  // flags are refused. Before 3.7 it is the time of the source (PySide2 5.12.0).
  return bytecode.size() >= 8 && bytecode.substr(4, 4) == std::string_view("\1\0\0\0", 4);
}

bool is_too_long(const archive::Entry& entry, const Limits& limits) { return entry.size > limits.source_bytes; }

std::unique_ptr<PythonFile> not_read(MemberIndex member, PythonCut cut) {
  PythonFile file{.member = member, .broken = true};
  file.cut = cut;
  return std::make_unique<PythonFile>(std::move(file));
}

CodeBudget::CodeBudget(std::span<const archive::Entry> entries) : within_(entries.size()) {
  const auto packed = [](const archive::Entry& entry) { return entry.packed_size; };
  if (std::ranges::none_of(entries, packed)) return;  // the files of a directory are not packed
  // Of 248 wheels with more than 1 MiB of code, the densest has 4.4 bytes more of it for each packed byte.
  max_ = std::uint64_t{1} << 20;
  for (const archive::Entry& entry : entries) max_ += 6 * entry.packed_size;
  costs_.resize(entries.size());
}

bool CodeBudget::admits(std::size_t rank, std::uint64_t cost) {
  if (!is_limited()) return true;
  const std::scoped_lock lock(mutex_);
  if (rank >= within_) return false;
  costs_[rank] += cost;
  sum_ += cost;
  while (sum_ > max_) sum_ -= costs_[--within_];
  return rank < within_;
}

void CodeBudget::refuse(std::span<Reading> readings, std::span<const std::size_t> by_rank) const {
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    Reading& reading = readings[by_rank[rank]];
    if (admits(rank) || (!reading.python && !reading.waits)) continue;
    reading.python = not_read(MemberIndex{static_cast<std::uint32_t>(by_rank[rank])}, PythonCut::Size);
    reading.waits = false;
  }
}

namespace {

// The code of a file as Python reads it: of a .pth, the lines that Python runs, with the numbers that they have in the
// file; with its ends of lines and forms of names. If it is not the text itself, `buffer` contains it.
std::string_view code_of(const archive::Entry& entry, std::string_view text, std::string& buffer) {
  if (!is_path_file(entry.path.text())) return as_python_reads(text, buffer);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    buffer += run_of_line(text.substr(0, end));
    if (end == text.size()) break;
    buffer += '\n';
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  const std::string lines = std::move(buffer);
  buffer = lines;
  as_python_reads(lines, buffer);
  return buffer;
}

// Whether CPython reads other code than the bytes show, because a comment names an encoding (PEP 263) in which ASCII
// bytes may be something else.
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

// How much code of a wheel is parsed: a count of bytes that grows with the packed wheel, so that no more time is spent
// than for inflating, and the same for every number of threads. The real wheels of the tests need less than a third.
// Dense code counts by its tokens, because they are what the parser needs time for.
class PythonBudget {
 public:
  explicit PythonBudget(std::span<const archive::Entry> entries) {
    // The files of a directory are not packed.
    for (const archive::Entry& entry : entries)
      left_ += for_packed_byte * (entry.packed_size != 0 ? entry.packed_size : entry.size);
  }

  // Call it in the order of the members.
  bool admits(std::uint64_t size, std::uint64_t tokens) {
    const std::uint64_t cost = std::max(size, for_token * tokens) + for_file;
    if (cost > left_) return false;
    left_ -= cost;
    return true;
  }

  static constexpr std::uint64_t for_token = 4;

 private:
  static constexpr std::uint64_t base = std::uint64_t{1} << 20, for_packed_byte = 2, for_file = 8192;
  std::uint64_t left_ = base;
};

// Dense code counts by its tokens, because they are what the parser needs time for. Real code has one for four bytes.
std::uint64_t cost_of_parsing(std::string_view source) {
  return std::max<std::uint64_t>(source.size(), PythonBudget::for_token * python::token_count(source));
}

// How many tokens of a file the parser gets: at most, if the file is not denser than real code.
std::uint32_t tokens_to_parse(std::string_view source) {
  const std::size_t tokens = python::token_count(source);
  if (PythonBudget::for_token * tokens <= source.size()) return static_cast<std::uint32_t>(tokens);
  const std::optional<std::string> code = python::loading_code(source, python::Detail::Events);
  return static_cast<std::uint32_t>(python::token_count(code.value_or("")));
}

enum class PythonReading : std::uint8_t {
  Names,    // names of libraries, in a file that loads none
  Calls,    // also calls that load libraries
  Events,   // also other events during import
  Imports,  // events during import, of every file
};

// How much of a file is read. Nothing if that depends on the other files: the file loads a library, its events matter
// only if some file of its wheel sets dlopen flags, and all such files share one budget. If imports are followed: the
// file belongs to a test suite, which is read only if code outside of test suites imports one.
std::optional<PythonReading> reading_of(const archive::Entry& entry, std::string_view source, const Limits& limits) {
  const bool loads = python::is_worth_parsing(source);
  if (limits.imports)
    return loads || !is_test_suite(entry.path.text()) ? std::optional(PythonReading::Imports) : std::nullopt;
  return loads ? std::nullopt : std::optional(PythonReading::Names);
}

// The same for a file that is_too_long: null if nothing in it matters, not_read() if it cannot be told.
std::unique_ptr<PythonFile> read_long_python(std::string_view source, MemberIndex member, const Limits& limits) {
  if (python::runs_hidden_text(source)) return not_read(member, PythonCut::Text);
  if (python::is_worth_parsing(source)) return not_read(member, PythonCut::Size);
  if (!limits.imports) return nullptr;
  auto file = python::read_long_imports(source, member, limits.source_bytes);
  return file ? std::make_unique<PythonFile>(std::move(*file)) : not_read(member, PythonCut::Size);
}

// Of a long file that loads a library, the code for that is parsed: in bindings of uniffi, a few lines.
bool loads_in_few_lines(std::string_view source, const Limits& limits) {
  if (!python::is_worth_parsing(source)) return false;
  const std::optional<std::string> code = python::loading_code(source, python::Detail::Events);
  return code && code->size() <= limits.source_bytes;
}

bool imports_test_suite(const PythonFile& file) {
  const auto is_suite = [](std::string_view name) {
    const std::vector<std::string_view> parts = split(name, '.');
    return std::ranges::find(parts, "tests") != parts.end();
  };
  return std::ranges::any_of(file.events, [&](const PythonEvent& event) {
    return is_suite(event.name) || std::ranges::any_of(event.names, is_suite);
  });
}

// True if the file certainly imports a module that the wheel lacks, or if it is too long to tell.
bool lacks_module(std::string_view text, std::string_view path, const import_plan::OwnModules& own,
                  const Limits& limits) {
  const auto file = python::read_long_imports(text, {}, limits.source_bytes, false);
  return !file || !own.missing_in(*file, below_site(path)).empty();
}

// True if a statement at module level opens a library by a constant file name: `lib = ctypes.CDLL("libfoo.so.1")`. Only
// the imports of all files tell whether it certainly runs. Those of CUDA and of the C library are never missing.
bool opens_file_name(std::string_view text) {
  constexpr std::string_view common[] = {"libcu", "libnv", "libc.so", "libm.so", "libdl.so"};
  for (const std::string_view call : {"CDLL(", "LoadLibrary(", "dlopen("}) {
    std::size_t start = 0, searched = 0;  // of the line; up to here
    for (std::size_t at = text.find(call); at != std::string_view::npos; at = text.find(call, at + 1)) {
      const std::string_view rest = trim(text.substr(at + call.size(), 200));
      if (const std::size_t newline = text.substr(searched, at - searched).rfind('\n'); newline != text.npos)
        start = searched + newline + 1;
      searched = at;
      if (is_blank(text[start]) || text[start] == '#' || rest.empty() || (rest[0] != '"' && rest[0] != '\'')) continue;
      const std::string_view name = rest.substr(1, rest.find(rest[0], 1) - 1);
      const bool is_common = std::ranges::any_of(common, [&](std::string_view word) { return name.starts_with(word); });
      if (name.starts_with("lib") && !is_common && name.find(".so") != std::string_view::npos &&
          name.find('/') == std::string_view::npos)
        return true;
    }
  }
  return false;
}

// Null for a file that neither loads nor names libraries, unless its imports are read.
std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading,
                                        const Limits& limits) {
  std::unique_ptr<PythonFile> result;
  const auto set = [&](PythonFile file) { result = std::make_unique<PythonFile>(std::move(file)); };
  if (reading == PythonReading::Imports) {
    auto long_file =
        source.size() > limits.source_bytes ? python::read_loads(source, member, python::Detail::Events) : std::nullopt;
    set(long_file                          ? std::move(*long_file)
        : python::is_worth_parsing(source) ? python::read_source(source, member)
                                           : python::read_imports(source, member));
    result->variables = python::variables_set(source);
    result->refusals = python::refusals_in(source);
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
  if (std::vector<PythonDescriptor> descriptors = python::descriptors_in(source); !descriptors.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->descriptors = std::move(descriptors);
  }
  if (python::runs_hidden_text(source)) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->cut = PythonCut::Text;
  }
  return result;
}

}  // namespace

void read_code(Reading& reading, const archive::Entry& entry, std::string_view bytes, MemberIndex member,
               const Limits& limits, CodeBudget& budget, std::size_t rank, const import_plan::OwnModules* own,
               const DataNames& data) {
  if (python_form(entry, limits) == PythonForm::Script && !runs_python(bytes)) return;
  std::string buffer;
  const std::string_view text = code_of(entry, bytes, buffer);
  reading.names_data = data.named_in(entry.path.text(), text);
  // Before 3.13, a .pth in another encoding than that of the locale ends every start of the interpreter (Lib/site.py).
  const bool hidden = has_other_encoding(text) || (is_path_file(entry.path.text()) && !is_utf8(bytes));
  const bool is_long = is_too_long(entry, limits) && !loads_in_few_lines(text, limits);
  const bool lacks = own != nullptr && own->may_lack(text, below_site(entry.path.text()));
  const bool counts = (limits.imports || lacks) && budget.is_limited();
  if (hidden || (counts && !budget.admits(rank, is_long ? limits.source_bytes : cost_of_parsing(text)))) {
    reading.python = not_read(member, hidden ? PythonCut::Encoding : PythonCut::Size);
    return;
  }
  if (own != nullptr && python::is_worth_parsing(text) && opens_file_name(text)) reading.needs_imports = true;
  if (lacks && !reading.needs_imports) reading.needs_imports = lacks_module(text, entry.path.text(), *own, limits);
  const std::optional<PythonReading> how = is_long ? std::nullopt : reading_of(entry, text, limits);
  reading.waits = !how && !is_long;
  if (reading.waits) reading.tokens = tokens_to_parse(text);
  reading.sets_flags = reading.waits && python::may_set_flags(text);
  if (is_long) reading.python = read_long_python(text, member, limits);
  if (how)
    reading.python = read_python(text, member, *how, limits);
  else if (reading.waits && !limits.imports && budget.keeps(text.size()))
    reading.waiting = std::make_unique<std::string>(text);
  const bool stopped = !is_long && reading.python && reading.python->cut != PythonCut::None && reading.python->broken;
  if (limits.imports && stopped) budget.add_stopped(rank, text.size());
}

Result<void> read_imports(const archive::Source& source, std::span<Reading> readings, const Limits& limits,
                          unsigned jobs) {
  CodeBudget budget(source.entries());
  parallel_for(readings.size(), jobs, [&](std::size_t i) {
    const archive::Entry& entry = source.entries()[i];
    const PythonForm form = python_form(entry, limits);
    const std::uint64_t max = form == PythonForm::Script ? limits.source_bytes : max_searched;
    if (form == PythonForm::None || entry.size > max) return;  // not_read()
    auto content = source.read(entry, {.keep = archive::Keep::Everything, .hash = false});
    if (!content) {
      readings[i].error = std::make_unique<Error>(std::move(content.error()));
      return;
    }
    Reading again;
    if (!content->elf)
      read_code(again, entry, text_of(content->bytes), MemberIndex{static_cast<std::uint32_t>(i)}, limits, budget, i,
                nullptr, {});
    readings[i].python = std::move(again.python);
    readings[i].waits = again.waits;
    readings[i].waiting.reset();
  });
  source.release();
  std::vector<std::size_t> ranks(readings.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{0});
  budget.refuse(readings, ranks);
  for (Reading& reading : readings)
    if (reading.error) return std::unexpected(std::move(*reading.error));
  return {};
}

Result<void> read_waiting(const archive::Source& source, std::span<Reading> readings, const Limits& limits,
                          unsigned jobs) {
  PythonBudget budget(source.entries());
  const auto read_those = [&](bool that_set_flags, PythonReading how) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < readings.size(); ++i) {
      if (!readings[i].waits || readings[i].sets_flags != that_set_flags) continue;
      if (limits.imports || budget.admits(source.entries()[i].size, readings[i].tokens))
        numbers.push_back(i);
      else
        readings[i].python = not_read(MemberIndex{i}, PythonCut::Size);
    }
    parallel_for(numbers.size(), jobs, [&](std::size_t at) {
      const MemberIndex member{numbers[at]};
      Reading& reading = readings[member.value];
      if (const auto text = std::move(reading.waiting)) {
        reading.python = read_python(*text, member, how, limits);
        return;
      }
      const archive::Entry& entry = source.entries()[member.value];
      auto content = source.read(entry, {.keep = archive::Keep::Everything, .hash = false});
      std::string buffer;
      if (content)
        reading.python = read_python(code_of(entry, text_of(content->bytes), buffer), member, how, limits);
      else
        reading.error = std::make_unique<Error>(std::move(content.error()));
    });
  };
  const auto any = [&](bool (*is)(const PythonFile&)) {
    return std::ranges::any_of(readings, [&](const Reading& one) { return one.python && is(*one.python); });
  };
  if (limits.imports) {
    if (any(&imports_test_suite)) read_those(false, PythonReading::Imports);
  } else {
    read_those(true, PythonReading::Events);
    read_those(false, any(&sets_global) ? PythonReading::Events : PythonReading::Calls);
  }
  source.release();
  for (Reading& reading : readings)
    if (reading.error) return std::unexpected(std::move(*reading.error));
  return {};
}

}  // namespace wheelcheck::wheel
