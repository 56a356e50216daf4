// The frame of the HTML page: head, style and script.
#include "report/html/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "base/embedded.h"
#include "base/hash.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_page[];
extern const std::size_t embedded_page_count;

namespace report::html {
namespace {

std::string_view asset(std::string_view name) {
  const std::span files(embedded_page, embedded_page_count);
  const auto at = std::ranges::find(files, name, &EmbeddedFile::name);
  return at == files.end() ? std::string_view() : at->text;
}

unsigned value_of(char hex) { return static_cast<unsigned>(is_digit(hex) ? hex - '0' : hex - 'a' + 10); }

// Base64 (RFC 4648, section 4) of bytes given in hex. One base64 digit is six bits, which is one and a half hex digits.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, have = 0;
  for (const char c : hex) {
    bits = bits << 4 | value_of(c);
    have += 4;
    if (have < 6) continue;
    have -= 6;
    out += digits[bits >> have & 63];
  }
  if (have != 0) out += digits[bits << (6 - have) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string source_of(std::string_view text) {
  return fmt::format("'sha256-{}'", base64_of_hex(sha256_hex(std::as_bytes(std::span(text)))));
}

std::string policy(std::string_view more) {
  return fmt::format("default-src 'none'; style-src {}{}; script-src {}; base-uri 'none'; form-action 'none'",
                     source_of(asset("page.css")), more.empty() ? "" : " " + source_of(more),
                     source_of(asset("page.js")));
}

}  // namespace

std::string page(std::string_view title, std::string_view body, std::string_view more_style) {
  const std::string_view more = more_style.empty() ? "" : asset(more_style);
  std::string style(asset("page.css"));
  if (!more.empty()) style.append("</style>\n<style>").append(more);
  // Text that is already inserted is not scanned again, so no name can be taken for a placeholder.
  std::string out;
  std::string_view rest = asset("page.html");
  const std::pair<std::string_view, std::string> marks[] = {{"{{policy}}", policy(more)},
                                                            {"{{title}}", std::string(title)},
                                                            {"{{style}}", style},
                                                            {"{{body}}", std::string(body)},
                                                            {"{{script}}", std::string(asset("page.js"))}};
  for (const auto& [mark, text] : marks) {
    const std::size_t at = rest.find(mark);
    out.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(at + mark.size());
  }
  return out.append(rest);
}

}  // namespace report::html

}  // namespace wheelcheck
