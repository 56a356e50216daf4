// The words and names that all sections of a comparison share.
#include <fmt/format.h>

#include <algorithm>

#include "report/diff/diff_outline.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t longest_symbol = 60, names_width = 90;

std::string symbol_name(const std::string& symbol, const DiffStyle& style) {
  if (!style.demangle) return symbol;
  const std::string written = style.demangle(symbol);
  return columns(written) <= longest_symbol ? written : symbol;
}

}  // namespace

std::string grouped(std::size_t number) {
  std::string out = fmt::format("{}", number);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string few_names(const std::vector<std::string>& names, std::size_t shown, const DiffStyle& style) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(style.name(name));
  return first_few(out, shown, names_width);
}

std::string few_symbols(const std::vector<std::string>& symbols, std::size_t shown, const DiffStyle& style) {
  std::vector<std::string> out;
  for (const std::string& symbol : symbols)  // the others are counted, not shown
    out.push_back(out.size() <= shown ? style.name(symbol_name(symbol, style)) : symbol);
  return first_few(out, shown, names_width);
}

std::string in_files(const std::vector<std::string>& files, const DiffStyle& style) {
  if (files.size() == 1) return "in " + style.name(files.front());
  if (files.size() == 2) return fmt::format("in {} and {}", style.name(files[0]), style.name(files[1]));
  return fmt::format("in {} files, such as {}", files.size(), style.name(files.front()));
}

std::string from_to(std::string_view old, std::string_view now, const DiffStyle& style) {
  return fmt::format("{} {} {}", style.prose(old), style.arrow, style.prose(now));
}

}  // namespace wheelcheck::report
