#include "python/names.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/byte_scan.h"
#include "base/text.h"

namespace wheelcheck::python {
namespace {

constexpr std::size_t most_names = 4096;
constexpr std::size_t longest = 256;  // bytes of a name

bool names_library(std::string_view text) {
  if (text.size() > longest) return false;
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c >= 0x7F; })) return false;
  for (std::size_t at = text.find(".so"); at != text.npos; at = text.find(".so", at + 1)) {
    const std::string_view rest = text.substr(at + 3);
    if (rest.empty() || rest.front() == '.' || rest.front() == '%' || rest.front() == '*' || rest.front() == '{')
      return true;
  }
  return false;
}

// Whether ".so" stands anywhere before what names_library wants behind it, or before the quote that ends a literal.
bool may_name_libraries(std::string_view source) {
  constexpr std::string_view before_end = "\"'.%*{";
  const auto tells = [](const auto& c, const auto& d, auto& marks) { marks = (c == '.') & (d == 's'); };
  return any_pair(source, 0, source.size(), tells, [&](std::size_t at) {
    return at + 3 < source.size() && source[at + 2] == 'o' && before_end.find(source[at + 3]) != before_end.npos;
  });
}

// Python's lexical analysis, 2.4: an f-string fills in what stands in braces; doubled braces are braces.
std::string filled(std::string_view body) {
  std::string result;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    const bool doubled = i + 1 < body.size() && body[i + 1] == c;
    if (depth == 0 && (c == '{' || c == '}') && doubled) {
      result += c;
      ++i;
    } else if (c == '{') {
      if (depth++ == 0) result += '*';
    } else if (c == '}') {
      if (depth > 0) --depth;
    } else if (depth == 0) {
      result += c;
    }
  }
  return result;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<PythonName> scan() {
    static constexpr auto is_mark = [] {
      std::array<bool, 256> marks{};
      for (const unsigned char mark : {'#', '"', '\'', '\n'}) marks[mark] = true;
      return marks;
    }();
    while (result_.size() < most_names) {
      while (at_ < source_.size() && !is_mark[static_cast<unsigned char>(source_[at_])]) ++at_;
      if (at_ >= source_.size()) break;
      const char c = source_[at_];
      if (c == '#') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (c == '\n') {
        ++line_;
        ++at_;
      } else {
        literal(c);
      }
    }
    return std::move(result_);
  }

 private:
  // The letters right before the quote: r, b, u, f and t in any case (string prefixes), at most two.
  bool is_formatted() const {
    std::size_t start = at_;
    while (start > 0 && (is_alnum(source_[start - 1]) || source_[start - 1] == '_')) --start;
    const std::string prefix = lower(source_.substr(start, at_ - start));
    return prefix == "f" || prefix == "fr" || prefix == "rf";
  }

  void literal(char quote) {
    const bool formatted = is_formatted();
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_triple = source_.substr(at_, 3) == triple;
    const std::size_t start = at_ + (is_triple ? 3 : 1);
    const std::uint32_t line = line_;
    std::size_t end = start;
    while (end < source_.size()) {
      const char c = source_[end];
      if (is_triple ? source_.substr(end, 3) == triple : c == quote) break;
      if (c == '\n') {
        if (!is_triple) break;  // the literal is broken; the next line starts afresh
        ++line_;
      }
      if (c == '\\' && end + 1 < source_.size()) line_ += source_[++end] == '\n';
      ++end;
    }
    end = std::min(end, source_.size());
    take(source_.substr(start, end - start), formatted, line);
    at_ = end;
    if (at_ < source_.size() && source_[at_] != '\n') at_ += is_triple ? 3 : 1;
  }

  void take(std::string_view body, bool formatted, std::uint32_t line) {
    if (body.size() > 4 * longest) return;  // a docstring; what is filled in is seldom longer
    std::string text = formatted ? filled(body) : std::string(body);
    if (names_library(text)) result_.push_back({std::move(text), line});
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<PythonName> result_;
};

}  // namespace

std::vector<PythonName> library_names(std::string_view source) {
  if (!may_name_libraries(source)) return {};
  return Scanner(source).scan();
}

}  // namespace wheelcheck::python
