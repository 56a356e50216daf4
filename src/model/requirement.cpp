// Parses requirements and environment markers (PEP 508).
#include "model/requirement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "model/pep440.h"

namespace wheelcheck {
namespace {

// The parts of a line, as views into it. After a problem, the later parts are missing.
struct Parts {
  std::string_view name, extras, url, specifiers;
  std::optional<std::string_view> marker;
  std::string_view problem;
};

Parts parts_of(std::string_view line) {
  Parts parts;
  const auto in_name = [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; };
  std::string_view rest = trim(line);
  parts.name = rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, in_name) - rest.begin()));
  rest = trim(rest.substr(parts.name.size()));
  if (!is_project_name(parts.name)) parts.problem = "does not start with a project name";
  if (const std::size_t close = rest.find(']'); rest.starts_with('[') && close != rest.npos) {
    parts.extras = trim(rest.substr(1, close - 1));
    rest = trim(rest.substr(close + 1));
  } else if (rest.starts_with('[')) {
    parts.problem = "has an invalid list of extras";
  }
  if (rest.starts_with('@')) {  // a URL ends at a blank, and a marker may follow
    rest = trim(rest.substr(1));
    parts.url = rest.substr(0, rest.find_first_of(" \t"));
    rest = trim(rest.substr(parts.url.size()));
    if (parts.url.empty()) parts.problem = "has no URL after @";
    if (!rest.empty() && !rest.starts_with(';')) parts.problem = "has text after its URL";
  }
  const std::size_t semicolon = rest.find(';');
  if (semicolon != rest.npos) parts.marker = rest.substr(semicolon + 1);
  if (!parts.url.empty()) return parts;
  parts.specifiers = trim(rest.substr(0, semicolon));
  if (parts.specifiers.starts_with('(') && parts.specifiers.ends_with(')'))
    parts.specifiers = parts.specifiers.substr(1, parts.specifiers.size() - 2);
  return parts;
}

// Markers (PEP 508, "Environment Markers") are evaluated from left to right with three values: yes, no, unknown.

enum class Answer { No, Unknown, Yes };

struct Operand {
  std::string text;
  bool quoted = false;
};

// The values of the variables for CPython on Linux; those that depend on the machine (host name, kernel release) are
// absent.
std::optional<std::string> value_of(std::string_view variable, std::string_view python) {
  static constexpr auto known =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"os_name", "posix"},
                                                                    {"sys_platform", "linux"},
                                                                    {"platform_system", "Linux"},
                                                                    {"platform_python_implementation", "CPython"},
                                                                    {"implementation_name", "cpython"}});
  const auto* const found = std::ranges::find(known, variable, &std::pair<std::string_view, std::string_view>::first);
  if (found != known.end()) return std::string(found->second);
  if (variable == "python_version" && !python.empty()) return std::string(python);
  return std::nullopt;
}

// The variables of PEP 508, and the two of lock files (PEP 751).
bool is_variable(std::string_view name) {
  static constexpr auto names = std::to_array<std::string_view>(
      {"os_name", "sys_platform", "platform_machine", "platform_python_implementation", "python_implementation",
       "platform_release", "platform_system", "platform_version", "python_version", "python_full_version",
       "implementation_name", "implementation_version", "extra", "extras", "dependency_groups"});
  return std::ranges::find(names, name) != names.end();
}

Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }

class MarkerReader {
 public:
  // Without `extra`, what depends on it is unknown.
  MarkerReader(std::string_view text, std::string_view python, std::optional<std::string_view> extra)
      : rest_(text), python_(python), extra_(extra) {}

  bool is_valid() {
    run();
    return !broken_ && rest_.empty();
  }
  Answer run() {
    const Answer result = any();
    skip();
    return broken_ || !rest_.empty() ? Answer::Unknown : result;
  }
  // After run(): the first extra that the marker compares with "==".
  const std::optional<std::string>& named_extra() const { return named_extra_; }

 private:
  static constexpr unsigned deepest = 32;  // levels of nested parentheses

  void skip() { rest_ = rest_.substr(std::min(rest_.size(), rest_.find_first_not_of(" \t\r\n"))); }
  bool take(std::string_view word) {
    skip();
    if (!rest_.starts_with(word)) return false;
    if (is_alpha(word.front()) && rest_.size() > word.size() &&
        (is_alnum(rest_[word.size()]) || rest_[word.size()] == '_'))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  Answer any() {
    Answer result = all();
    while (!broken_ && take("or")) result = std::max(result, all());
    return result;
  }
  Answer all() {
    Answer result = one();
    while (!broken_ && take("and")) result = std::min(result, one());
    return result;
  }
  Answer one() {
    if (!take("(")) return comparison();
    if (++depth_ > deepest) return fail();
    const Answer result = any();
    --depth_;
    return take(")") ? result : fail();
  }
  Answer fail() {
    broken_ = true;
    return Answer::Unknown;
  }

  std::optional<Operand> operand() {
    skip();
    if (rest_.empty()) return std::nullopt;
    if (const char quote = rest_.front(); quote == '"' || quote == '\'') {
      const std::size_t end = rest_.find(quote, 1);
      if (end == rest_.npos) return std::nullopt;
      Operand result{.text = std::string(rest_.substr(1, end - 1)), .quoted = true};
      rest_.remove_prefix(end + 1);
      return result;
    }
    std::size_t end = 0;
    while (end < rest_.size() && (is_alnum(rest_[end]) || rest_[end] == '_' || rest_[end] == '.')) ++end;
    Operand result{.text = std::string(rest_.substr(0, end))};
    std::ranges::replace(result.text, '.', '_');  // os.name, the spelling in older versions of the standard
    rest_.remove_prefix(end);
    if (end == 0) return std::nullopt;
    return result;
  }

  std::string_view comparator() {
    static constexpr auto words =
        std::to_array<std::string_view>({"===", "~=", "==", "!=", "<=", ">=", "<", ">", "in"});
    for (const std::string_view word : words)
      if (take(word)) return word;
    return take("not") && take("in") ? "not in" : std::string_view();
  }

  Answer comparison() {
    const std::optional<Operand> left = operand();
    const std::string_view sign = left ? comparator() : std::string_view();
    const std::optional<Operand> right = sign.empty() ? std::nullopt : operand();
    if (!right || left->quoted == right->quoted) return fail();
    const std::string& variable = left->quoted ? right->text : left->text;
    const std::string& literal = left->quoted ? left->text : right->text;
    if (!is_variable(variable)) return fail();
    if (variable == "extra") return compare_extra(sign, literal);
    const std::optional<std::string> value = value_of(variable, python_);
    if (!value) return Answer::Unknown;
    if (sign == "in" || sign == "not in") {
      const bool inside = left->quoted ? value->find(literal) != value->npos : literal.find(*value) != literal.npos;
      return answer(inside == (sign == "in"));
    }
    if (variable == "python_version") return compare_version(*value, sign, literal, left->quoted);
    if (sign == "==" || sign == "===") return answer(*value == literal);
    return sign == "!=" ? answer(*value != literal) : Answer::Unknown;
  }

  Answer compare_extra(std::string_view sign, std::string_view literal) {
    const std::string name = normal_project_name(literal);
    if (sign == "==" && !named_extra_) named_extra_ = name;
    if (!extra_) return Answer::Unknown;
    const bool same = name == *extra_;
    if (sign == "==") return answer(same);
    return sign == "!=" ? answer(!same) : Answer::Unknown;
  }

  static Answer compare_version(const std::string& value, std::string_view sign, const std::string& literal,
                                bool turned) {
    if (turned) sign = sign == "<" ? ">" : sign == ">" ? "<" : sign == "<=" ? ">=" : sign == ">=" ? "<=" : sign;
    const std::optional<bool> result = allows(std::string(sign) + literal, value);
    return result ? answer(*result) : Answer::Unknown;
  }

  std::string_view rest_;
  const std::string_view python_;
  const std::optional<std::string_view> extra_;
  std::optional<std::string> named_extra_;
  unsigned depth_ = 0;
  bool broken_ = false;
};

}  // namespace

bool is_project_name(std::string_view text) {
  const auto allowed = [](char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; };
  return !text.empty() && is_alnum(text.front()) && is_alnum(text.back()) && std::ranges::all_of(text, allowed);
}

std::string normal_project_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator) {
      result += to_lower(c);
    } else if (!result.ends_with('-')) {
      result += '-';
    }
  }
  return result;
}

Dependency parse_dependency(std::string_view line) {
  const Parts parts = parts_of(line);
  Dependency result{.name = normal_project_name(parts.name), .extras = {}, .specifier = {}, .marker = {}, .under = {}};
  if (!parts.extras.empty())
    for (const std::string_view extra : split(parts.extras, ','))
      result.extras.push_back(normal_project_name(trim(extra)));
  if (!parts.url.empty()) {
    result.specifier = '@' + std::string(parts.url);
  } else {
    const auto is_text = [](char c) { return !is_blank(c); };
    std::ranges::copy_if(parts.specifiers, std::back_inserter(result.specifier), is_text);
  }
  if (!parts.marker) return result;
  result.marker = trim(*parts.marker);
  MarkerReader reader(*parts.marker, "", std::nullopt);
  result.for_linux = reader.run() != Answer::No;
  result.under = reader.named_extra();
  return result;
}

std::string specifier_of(std::string_view line) { return parse_dependency(line).specifier; }

bool is_one_release(std::string_view specifiers) {
  return specifiers.starts_with("==") && !specifiers.contains(',') && !specifiers.ends_with('*');
}

bool is_optional_part(std::string_view line, std::string_view version) {
  const Dependency part = parse_dependency(line);
  return part.for_linux && part.under && is_one_release(part.specifier) && allows(part.specifier, version) == true;
}

namespace {

// uv reads METADATA only if each URL names an archive or a Git repository (uv-distribution-filename,
// SourceDistExtension).
std::string url_problem(std::string_view url) {
  constexpr std::string_view archives[] = {".whl",    ".zip", ".tar",    ".tar.gz", ".tgz",      ".tar.bz2", ".tbz",
                                           ".tar.xz", ".txz", ".tar.lz", ".tlz",    ".tar.lzma", ".tar.zst"};
  if (url.empty() || url.starts_with("git+") || url.starts_with("${")) return "";
  const std::string_view path = url.substr(0, url.find_first_of("?#"));
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  const bool is_known = url.starts_with("http:") || url.starts_with("https:") || url.starts_with("file:");
  if (is_known && std::ranges::any_of(archives, ends)) return "";
  return "has a URL that names neither an archive nor a Git repository: uv refuses the wheel";
}

}  // namespace

std::string requirement_problem(std::string_view line) {
  const Parts parts = parts_of(line);
  if (!parts.problem.empty()) return std::string(parts.problem);
  if (std::string problem = url_problem(parts.url); !problem.empty()) return problem;
  if (!parts.extras.empty() && !std::ranges::all_of(split(parts.extras, ','), [](std::string_view extra) {
        return is_project_name(trim(extra));
      }))
    return "has an invalid list of extras";
  if (std::string problem = specifiers_problem(parts.specifiers); !problem.empty()) return problem;
  return parts.marker && !is_marker(*parts.marker) ? "has an invalid environment marker" : "";
}

std::optional<bool> evaluate_marker(std::string_view marker, std::string_view python, std::string_view extra) {
  if (trim(marker).empty()) return true;
  const Answer result = MarkerReader(marker, python, extra).run();
  return result == Answer::Unknown ? std::nullopt : std::optional(result == Answer::Yes);
}

bool accepts(std::string_view marker, std::string_view python, std::string_view extra) {
  return evaluate_marker(marker, python, extra).value_or(true);
}

bool is_marker(std::string_view text) { return MarkerReader(text, "", "").is_valid(); }

}  // namespace wheelcheck
