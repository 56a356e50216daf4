// Parses requirements and environment markers (PEP 508).
#include "wheel/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "model/requires_dist.h"
#include "wheel/filename.h"
#include "wheel/pep440.h"

namespace wheelcheck::wheel {

namespace {

std::size_t release_parts(std::string_view version) {
  const std::size_t end = version.find_first_not_of("0123456789.");
  const std::string_view release = version.substr(0, end);
  return 1 + static_cast<std::size_t>(std::ranges::count(release, '.'));
}

bool is_specifier(std::string_view text) {
  static constexpr auto operators = std::to_array<std::string_view>({"===", "~=", "==", "!=", ">=", "<=", ">", "<"});
  const auto* const found =
      std::ranges::find_if(operators, [&](std::string_view word) { return text.starts_with(word); });
  if (found == operators.end()) return false;
  std::string_view version = trim(text.substr(found->size()));
  if (*found == "===") return !version.empty() && std::ranges::none_of(version, is_blank);
  const bool equality = *found == "==" || *found == "!=";
  const bool local = version.find('+') != version.npos;
  if (equality && version.ends_with(".*")) {
    version.remove_suffix(2);
    return !local && version.find("dev") == version.npos && comparable_version(version).has_value();
  }
  if (local && !equality) return false;
  return comparable_version(version) && (*found != "~=" || release_parts(version) > 1);
}

// Removes a name from the front of `text` and returns it; "" if there is none.
std::string_view take_name(std::string_view& text) {
  const auto in_name = [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; };
  const auto end = std::ranges::find_if_not(text, in_name);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text = trim(text.substr(name.size()));
  return is_project_name(name) ? name : std::string_view();
}

// Parses [bar, baz].
bool take_extras(std::string_view& text) {
  if (!text.starts_with('[')) return true;
  const std::size_t close = text.find(']');
  if (close == text.npos) return false;
  const std::string_view inside = trim(text.substr(1, close - 1));
  text = trim(text.substr(close + 1));
  if (inside.empty()) return true;
  return std::ranges::all_of(split(inside, ','), [](std::string_view extra) { return is_project_name(trim(extra)); });
}

}  // namespace

std::string specifiers_problem(std::string_view specifiers) {
  for (const std::string_view one : split(specifiers, ','))
    if (const std::string_view text = trim(one); !text.empty() && !is_specifier(text))
      return fmt::format("has the invalid version specifier '{}'", text);
  return "";
}

std::string requirement_problem(std::string_view requirement) {
  std::string_view rest = trim(requirement);
  if (take_name(rest).empty()) return "does not start with a project name";
  if (!take_extras(rest)) return "has an invalid list of extras";
  if (rest.starts_with('@')) {  // a URL ends at a blank, and a marker may follow
    rest = trim(rest.substr(1));
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    if (end == 0) return "has no URL after @";
    rest = trim(rest.substr(end));
    if (!rest.empty() && !rest.starts_with(';')) return "has text after its URL";
  }
  const std::size_t semicolon = rest.find(';');
  std::string_view specifiers = trim(rest.substr(0, semicolon));
  if (specifiers.starts_with('(') && specifiers.ends_with(')'))
    specifiers = specifiers.substr(1, specifiers.size() - 2);
  if (std::string problem = specifiers_problem(specifiers); !problem.empty()) return problem;
  if (semicolon != rest.npos && !is_marker(rest.substr(semicolon + 1))) return "has an invalid environment marker";
  return "";
}

// Evaluates the grammar of PEP 508, "Environment Markers", from left to right with three values: yes, no, unknown.

namespace {

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
  MarkerReader(std::string_view text, std::string_view python, std::string_view extra)
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

  Answer compare_extra(std::string_view sign, std::string_view literal) const {
    const bool same = normal_project_name(literal) == extra_;
    if (sign == "==") return answer(same);
    return sign == "!=" ? answer(!same) : Answer::Unknown;
  }

  static Answer compare_version(const std::string& value, std::string_view sign, const std::string& literal,
                                bool turned) {
    if (turned) sign = sign == "<" ? ">" : sign == ">" ? "<" : sign == "<=" ? ">=" : sign == ">=" ? "<=" : sign;
    const std::optional<bool> result = satisfies(value, std::string(sign) + literal);
    return result ? answer(*result) : Answer::Unknown;
  }

  std::string_view rest_;
  const std::string_view python_, extra_;
  unsigned depth_ = 0;
  bool broken_ = false;
};

}  // namespace

bool accepts(std::string_view marker, std::string_view python, std::string_view extra) {
  return trim(marker).empty() || MarkerReader(marker, python, extra).run() != Answer::No;
}

bool is_marker(std::string_view text) { return MarkerReader(text, "", "").is_valid(); }

}  // namespace wheelcheck::wheel
