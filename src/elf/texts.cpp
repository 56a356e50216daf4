// Finds texts by a significant character instead of reading all of the data as text. A library name or a version
// contains a '.', a date a '-', and a path starts with '/'. One pass searches for these characters with a suitable next
// character. The whole text is read only if its other neighbours are suitable too.
#include "elf/texts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "base/byte_scan.h"
#include "base/text.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t max_library_text = 256, max_version_text = 200, max_path_text = 1024;
constexpr std::size_t max_interface_text = 512;
constexpr std::uint32_t max_checks = 4096;
constexpr std::size_t least_version_text = 4;  // default of strings(1)

constexpr bool is_text(char c) { return (c >= ' ' && c <= '~') || c == '\t'; }
constexpr bool ends_text(char c) { return c == '\0' || c == '\n' || c == '\r'; }

// The characters of one range of data. Outside of it at() returns NUL.
class Data {
 public:
  Data(const char* begin, const char* end) : begin_(begin), end_(end) {}
  std::string_view text() const { return {begin_, end_}; }
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  char at(const char* place, std::ptrdiff_t plus) const {
    const bool inside = plus < 0 ? place - begin_ >= -plus : end_ - place > plus;
    return inside ? place[plus] : '\0';
  }

 private:
  const char *begin_, *end_;
};

// "libfoo.so", "foo.so.1", "lib%s.so.%d"; not "foo.socket", ".so", "a. so".
bool names_library(const Data& data, const char* dot) {
  if (data.at(dot, 1) != 's' || data.at(dot, 2) != 'o') return false;
  const char before = data.at(dot, -1), after = data.at(dot, 3);
  const bool stem =
      is_alnum(before) || (before != '\0' && std::string_view("_+-%*}])").find(before) != std::string_view::npos);
  return stem && !is_alnum(after) && after != '_';
}

// "1.2", "22.1.0git"; not the width in "%5.2f".
bool is_version(const Data& data, const char* dot) {
  if (!is_digit(data.at(dot, -1)) || !is_digit(data.at(dot, 1))) return false;
  std::ptrdiff_t back = -2;
  while (back > -8 && is_digit(data.at(dot, back))) --back;
  const char before = data.at(dot, back);
  return before != '%' && !((before == '-' || before == '+') && data.at(dot, back - 1) == '%');
}

// True at the first '-' of "2023-08-18".
bool has_digits_of_date(const Data& data, const char* dash) {
  for (const std::ptrdiff_t i : {-4, -3, -2, -1, 1, 2, 4, 5})
    if (!is_digit(data.at(dash, i))) return false;
  return data.at(dash, 3) == '-';
}
bool is_date(const Data& data, const char* dash) {
  return has_digits_of_date(data, dash) && !is_digit(data.at(dash, -5)) && !is_digit(data.at(dash, 6));
}

// Home directories and the working directories of build services.
constexpr std::string_view build_directories[] = {"home",    "root",    "Users",         "__w",
                                                  "build",   "builds",  "buildbot",      "github",
                                                  "project", "io",      "tmp",           "var/tmp",
                                                  "private", "mnt",     "workspace",     "opt/conda/conda-bld",
                                                  "croot",   "usr/src", "usr/local/src", "var/lib/jenkins"};
bool is_build_path(std::string_view text) {
  // A fast test: few slashes are followed by the first letter of one of them.
  static constexpr auto is_initial = [] {
    std::array<bool, 256> initials{};
    for (const std::string_view directory : build_directories)
      initials[static_cast<unsigned char>(directory[0])] = true;
    return initials;
  }();
  if (text.size() < 2 || text[0] != '/' || !is_initial[static_cast<unsigned char>(text[1])]) return false;
  text.remove_prefix(1);
  return std::ranges::any_of(build_directories, [&](std::string_view directory) {
    return text.size() > directory.size() + 1 && text.starts_with(directory) && text[directory.size()] == '/';
  });
}

// A file of certificate authorities, such as "/etc/ssl/certs/ca-certificates.crt", or one that only a build machine had
// ("/project/.pixi/envs/build/ssl/cacert.pem"). The test of its begin is fast.
bool may_be_certificate_file(std::string_view text) {
  return text.starts_with("/etc/") || text.starts_with("/opt/") || text.starts_with("/usr/l") ||
         text.starts_with("/usr/ss");
}
bool is_certificate_file(std::string_view text) {
  constexpr std::string_view names[] = {"/ca-bundle.crt", "/ca-bundle.pem", "/ca-certificates.crt", "/cacert.pem",
                                        "/cert.pem"};
  return (may_be_certificate_file(text) || is_build_path(text)) &&
         std::ranges::any_of(names, [&](std::string_view name) { return text.ends_with(name); });
}

// Texts of import checks. Each has a significant character:
//    "numpy._core._multiarray_umath"        the '.' before '_' (NumPy, _import_array of __multiarray_api.h)
//    "numpy.core.multiarray"                the last '.' (the same in NumPy 1; pybind11 before 2.12, pybind11/numpy.h)
//    "module compiled against ... 0x%x"     the 'x' before '%' (the same function)
//    "__pybind11_internals_v11_system_..."  the 'v' before a digit (pybind11/detail/internals.h)
//    "v15_system_libstdcpp_..."             the same (nanobind, src/nb_abi.h)
//    "nanobind_system_libstdcpp_..._a1_v22" the last 'v' (the same, since 2026)
//    "%.200s.%.200s has wrong signature"    the '.' before 2 (Cython, Utility/ImportExport.c)
//    "%.200s.%.200s size changed, ..."      the same
//    "/proc/sys/vm/overcommit_memory"       the first '/' (jemalloc and others)
//    "pybind11_abseil.status"               the '.' (pybind11_abseil/import_status_module.cc)
//    "{numpy.ndarray[numpy.float64[3, 3]]}" the first '.' (pybind11/eigen/matrix.h, EigenProps::descriptor)
bool may_name_interface(const Data& data, const char* at) {
  const auto is_at = [&](std::ptrdiff_t plus, std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i)
      if (data.at(at, plus + static_cast<std::ptrdiff_t>(i)) != word[i]) return false;
    return true;
  };
  switch (*at) {
    case '.':
      return is_at(-4, "core._mul") || is_at(-4, "core.multiarray") || is_at(-1, "%.200s") ||
             is_at(-6, "abseil.status") || is_at(-6, "{numpy.ndarray[n");
    case 'x':
      return is_at(-9, "version 0x%x");
    case 'v':
      return is_at(-5, "nals_v") || data.at(at, -1) == '\0' || (is_at(-4, "_a") && is_at(-1, "_v"));
    case '/':
      return is_at(1, "proc/sys/vm/over");
    default:
      return false;
  }
}
// The rest of an argument behind "{numpy": one that pybind11 takes as a matrix of Eigen by value. A reference to one
// has flags behind the size ("[m, n], flags.f_contiguous"), except for a vector, which may be either.
bool is_matrix_argument(std::string_view text) {
  constexpr std::string_view head = ".ndarray[numpy.", tail = "]]}";
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  const std::size_t open = text.find('['), comma = text.find(", "), close = text.find(tail);
  if (open >= comma || comma >= close || close == text.npos) return false;
  const auto is_size = [](std::string_view one) {
    return one == "m" || one == "n" || (!one.empty() && one != "1" && std::ranges::all_of(one, is_digit));
  };
  return std::ranges::all_of(text.substr(0, open), is_alnum) && is_size(text.substr(open + 1, comma - open - 1)) &&
         is_size(text.substr(comma + 2, close - comma - 2));
}

enum class CheckText {
  None,
  NumpyMessage,
  NumpyModule,
  Pybind11Id,
  NanobindId,
  Status,
  CythonMessage,
  Sizes,
  Overcommit
};
CheckText check_text(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto only_if = [](bool holds, CheckText check) { return holds ? check : CheckText::None; };
  if (text.starts_with("module ")) return only_if(has(" compiled against ") && has("0x%x"), CheckText::NumpyMessage);
  if (text.starts_with("numpy."))
    return only_if(text.ends_with("core._multiarray_umath") || text == "numpy.core.multiarray", CheckText::NumpyModule);
  if (text.starts_with("__pybind11_internals_v")) return CheckText::Pybind11Id;
  if (text.starts_with("__nb_internals_v")) return CheckText::NanobindId;
  if (text == jemalloc_hint) return CheckText::Overcommit;
  if (text.starts_with('v') || text.starts_with("nanobind_"))
    return only_if(has("_libstdcpp") || has("_libcpp"), CheckText::NanobindId);
  if (text.starts_with("%.200s.%.200s size changed, ")) return CheckText::Sizes;
  if (text.ends_with("pybind11_abseil.status")) return CheckText::Status;
  return only_if(text.starts_with("C ") ? has(" has wrong signature ")
                                        : text.ends_with(" does not export expected C function %.200s"),
                 CheckText::CythonMessage);
}

// "v4_gcc" of "__pybind11_internals_v4_gcc__".
std::string_view without_key(std::string_view text, std::string_view prefix) {
  if (text.starts_with(prefix)) {
    text.remove_prefix(prefix.size());
    if (text.ends_with("__")) text.remove_suffix(2);
  }
  return text;
}

void add_check(std::string_view text, DataTexts& out) {
  InterfaceFacts& facts = out.interfaces;
  switch (check_text(text)) {
    case CheckText::NumpyMessage:
      return facts.numpy_messages.push_back(text);
    case CheckText::NumpyModule:
      return facts.numpy_modules.push_back(text);
    case CheckText::Pybind11Id: {
      const std::string_view id = without_key(text, "__pybind11_internals_");
      // The key of another object of pybind11 3 (detail/internals.h), not an id of its own.
      if (!id.ends_with("_call_once_storage")) facts.pybind11_ids.push_back(id);
      return;
    }
    case CheckText::NanobindId:
      return facts.nanobind_ids.push_back(without_key(text, "__nb_internals_"));
    case CheckText::CythonMessage:
      return facts.cython_messages.push_back(text);
    case CheckText::Status:
      facts.pybind11_status = true;
      return;
    case CheckText::Sizes:
      out.checks_sizes = true;
      return;
    case CheckText::Overcommit:
      out.names_overcommit = true;
      return;
    case CheckText::None:
      return;
  }
}

// Calls `visit` for each offset in [begin, end) of `text` where a '.', '-', '/', 'v' or 'x' may be a significant
// character. The visits test exactly; with exact tests here, the search of torch takes 1.35 times as long.
template <class Visit>
void each_matching(std::string_view text, std::size_t begin, std::size_t end, Visit visit) {
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    const auto next = d - '0';
    const auto punctuation = (c - '-') <= '/' - '-';
    marks = (punctuation & (next <= 'z' - '0')) | ((c == 'v') & (next <= 9)) | ((c == 'x') & (d == '%'));
  };
  any_pair(text, begin, end, matches, [&](std::size_t at) { return visit(at), false; });
}

// A set of texts with a limited size. The texts are copied at once, because the bytes of the file may be released.
class Kept {
 public:
  Kept(std::size_t max, StringPool& pool) : max_(max), pool_(pool) {}
  void add(std::string_view text) {
    if (texts_.contains(text)) return;
    if (texts_.size() < max_)
      texts_.insert(pool_.add(text));
    else
      cut_ = true;
  }
  bool cut() const { return cut_; }
  std::vector<std::string_view> take() const { return {texts_.begin(), texts_.end()}; }

 private:
  std::size_t max_;
  StringPool& pool_;
  std::set<std::string_view> texts_;
  bool cut_ = false;
};

class TextReader {
 public:
  TextReader(const Limits& limits, StringPool& pool)
      : libraries_(limits.texts, pool),
        versions_(limits.texts, pool),
        paths_(limits.texts, pool),
        certificates_(std::min(limits.texts, max_checks), pool),
        checks_(std::min(limits.texts, max_checks), pool) {}

  // Searches for significant characters from `start` to `end`, offsets in `data`.
  void part(const Data& data, std::size_t start, std::size_t end) {
    const char *after_dot = data.begin(), *after_dash = data.begin(), *after_slash = data.begin();
    each_matching(data.text(), start, end, [&](std::size_t place) {
      const char* const at = data.begin() + place;
      if (may_name_interface(data, at)) interface(data, at);
      switch (*at) {
        case '.':
          if (at >= after_dot) after_dot = dot(data, at);
          break;
        case '-':
          if (at >= after_dash) after_dash = dash(data, at);
          break;
        case '/':
          if (at >= after_slash) after_slash = slash(data, at);
          break;
        default:
          break;
      }
    });
  }

  DataTexts take() const {
    DataTexts out;
    out.texts = {.libraries = libraries_.take(),
                 .versions = versions_.take(),
                 .version_names = {},
                 .build_paths = paths_.take(),
                 .certificate_files = certificates_.take(),
                 .cut = libraries_.cut() || versions_.cut() || paths_.cut() || checks_.cut()};
    for (const std::string_view text : checks_.take()) add_check(text, out);
    out.interfaces.eigen_matrices = matrices_;
    std::ranges::sort(out.interfaces.nanobind_ids);  // with two forms of key
    return out;
  }

 private:
  // dot(), dash() and slash() return where to continue, so that no text is read twice.

  // The text around `at`; empty if it is not terminated or is longer than `most`. Sets `next` to the end of the text.
  static std::string_view around(const Data& data, const char* at, std::size_t max, const char*& next) {
    const char* end = at;
    while (end < data.end() && is_text(*end)) ++end;
    next = end;
    if (end == data.end() || !ends_text(*end)) return {};
    const char* begin = at;
    while (begin > data.begin() && is_text(begin[-1]) && static_cast<std::size_t>(end - begin) <= max) --begin;
    const auto size = static_cast<std::size_t>(end - begin);
    return size > max ? std::string_view() : std::string_view(begin, size);
  }

  const char* dot(const Data& data, const char* at) {
    if (!names_library(data, at) && !is_version(data, at)) return at + 1;
    const char* next = nullptr;
    const std::string_view text = around(data, at, max_library_text, next);
    bool library = false, version = false;
    for (std::size_t i = text.find('.'); i != std::string_view::npos; i = text.find('.', i + 1)) {
      library = library || names_library(data, text.data() + i);
      version = version || is_version(data, text.data() + i);
    }
    if (library) libraries_.add(text);
    if (version) add_version(text);
    return next;
  }
  const char* dash(const Data& data, const char* at) {
    if (!is_date(data, at)) return at + 1;
    const char* next = nullptr;
    add_version(around(data, at, max_version_text, next));
    return next;
  }
  const char* slash(const Data& data, const char* at) {
    if (is_text(data.at(at, -1))) return at + 1;
    const std::string_view begin(at, static_cast<std::size_t>(std::min<std::ptrdiff_t>(32, data.end() - at)));
    if (!is_build_path(begin) && !may_be_certificate_file(begin)) return at + 1;
    const char* next = nullptr;
    const std::string_view text = around(data, at, max_path_text, next);
    if (is_build_path(text)) paths_.add(text);
    if (is_certificate_file(text)) certificates_.add(text);
    return next;
  }
  void interface(const Data& data, const char* at) {
    constexpr std::ptrdiff_t longest_argument = 64;
    if (is_matrix_argument({at, static_cast<std::size_t>(std::min(longest_argument, data.end() - at))})) ++matrices_;
    if (at < after_interface_) return;
    const std::string_view text = around(data, at, max_interface_text, after_interface_);
    if (check_text(text) != CheckText::None) checks_.add(text);
  }
  void add_version(std::string_view text) {
    if (text.size() >= least_version_text && text.size() <= max_version_text) versions_.add(text);
  }

  Kept libraries_, versions_, paths_, certificates_, checks_;
  const char* after_interface_ = nullptr;
  std::uint32_t matrices_ = 0;
};

}  // namespace

void each_text_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                    const std::function<void(std::uint64_t)>& visit) {
  const auto* const base = reinterpret_cast<const char*>(bytes.data());
  const Data data(base, base + bytes.size());
  each_matching(data.text(), begin, end, [&](std::size_t place) {
    const char* const at = base + place;
    bool matches = may_name_interface(data, at);
    switch (*at) {
      case '.':
        matches = matches || (data.at(at, 1) == 's' && data.at(at, 2) == 'o') ||
                  (is_digit(data.at(at, -1)) && is_digit(data.at(at, 1)));
        break;
      case '-':
        matches = has_digits_of_date(data, at);
        break;
      case '/':
        if (const std::string_view text(at, static_cast<std::size_t>(std::min<std::ptrdiff_t>(32, data.end() - at)));
            !matches)
          matches = is_build_path(text) || may_be_certificate_file(text);
        break;
      default:
        break;
    }
    if (matches) visit(place);
  });
}

DataTexts read_texts(const File& file, std::span<const FileRange> data, const Limits& limits, StringPool& pool) {
  constexpr std::uint64_t margin = 2 * max_path_text;
  TextReader reader(limits, pool);
  const auto* const base = reinterpret_cast<const char*>(file.unchecked().data());
  for (const FileRange& range : data) {
    const Data bytes(base + range.begin, base + range.end);
    file.search(range, margin, File::Search::Marks, [&](FileRange part) {
      reader.part(bytes, part.begin - range.begin, part.end - range.begin);
      return part.end;
    });
  }
  return reader.take();
}

}  // namespace wheelcheck::elf
