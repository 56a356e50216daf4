#include "wheel/spdx.h"

#include <algorithm>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {
extern const EmbeddedFile embedded_spdx[];
}  // namespace wheelcheck

namespace wheelcheck::wheel {
namespace {

// Whether data/spdx.txt has the line; "with " precedes exceptions. Its first line is the version, the others are
// sorted.
bool is_listed(std::string_view line) {
  static const std::vector<std::string_view> lines = split(embedded_spdx[0].text, '\n');
  return std::ranges::binary_search(lines.begin() + 1, lines.end() - 1, line);
}

bool is_licence(std::string_view token) {
  if (token.starts_with("licenseref-")) {
    const std::string_view rest = token.substr(11);
    return !rest.empty() && std::ranges::all_of(rest, [](char c) { return is_alnum(c) || c == '.' || c == '-'; });
  }
  if (token.ends_with('+')) token.remove_suffix(1);
  return is_listed(token);
}

// Removes the next token from the text, in lower case; "" at its end.
std::string take_token(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  const auto ends = [](char c) { return is_blank(c) || c == '(' || c == ')'; };
  std::size_t size = static_cast<std::size_t>(std::ranges::find_if(text, ends) - text.begin());
  if (size == 0 && !text.empty()) size = 1;  // a bracket
  const std::string_view token = text.substr(0, size);
  text.remove_prefix(size);
  return lower(token);
}

}  // namespace

std::string license_expression_problem(std::string_view text) {
  constexpr std::size_t deepest = 200;  // the same limit as `packaging`
  std::size_t depth = 0;
  bool operand_next = true;
  std::string before;  // the token before this one
  for (std::string token = take_token(text); !token.empty(); token = take_token(text)) {
    const bool is_operator = token == "and" || token == "or" || token == "with";
    const bool opens = token == "(";
    if (token == ")" ? operand_next || depth == 0 : (is_operator ? operand_next : !operand_next) || depth >= deepest)
      return "is not an SPDX expression";
    if (opens) ++depth;
    if (token == ")") --depth;
    if (token == "with" && (before == ")" || before.empty())) return "is not an SPDX expression";
    if (!is_operator && !opens && token != ")") {
      const bool exception = before == "with";
      if (exception ? !is_listed("with " + token) : !is_licence(token))
        return std::string("has the unknown ") + (exception ? "exception " : "licence ") + token;
    }
    if (!opens) operand_next = is_operator;
    before = token;
  }
  return operand_next || depth != 0 ? "is not an SPDX expression" : "";
}

}  // namespace wheelcheck::wheel
