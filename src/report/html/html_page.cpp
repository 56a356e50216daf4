// The HTML page, and the parts that pages share.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/hash.h"
#include "base/text.h"
#include "report/check/ci_summary.h"
#include "report/html/html_parts.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"

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

// The HTML format: a self-contained page with the verdicts, the reasons for them, and the findings with filters.
namespace wheelcheck {

namespace report {
namespace {

std::string head(const Report& report, RenderOptions all) {
  all.verbosity = 1;
  std::size_t wheels = 0, incompatible = 0, unreadable = 0;
  for (const Report::Entry& entry : report.entries) {
    wheels += entry.wheel ? 1u : 0u;
    unreadable += entry.unreadable ? 1u : 0u;
    incompatible += entry.wheel && entry.wheel->verdict.overall() == TagResult::Incompatible ? 1u : 0u;
  }
  std::string out = fmt::format("<header>\n<h1>wheelcheck <small>{}</small></h1>\n<p>{}</p>\n<ul class=\"tiles\">{}{}",
                                markup(report.version), markup_shown(last_line(report, all)),
                                html::tile(wheels, wheels == 1 ? "wheel" : "wheels", ""),
                                html::tile(incompatible, "not compatible", "hot"));
  if (unreadable != 0) out += html::tile(unreadable, "not readable", "hot");
  return out + fmt::format("{}{}{}</ul>\n</header>\n",
                           html::tile(report.errors, report.errors == 1 ? "error" : "errors", "hot"),
                           html::tile(report.warnings, report.warnings == 1 ? "warning" : "warnings", "warm"),
                           html::tile(report.notes, report.notes == 1 ? "note" : "notes", ""));
}

std::string card(const Unreadable& unreadable, std::size_t number) {
  return fmt::format(
      "<section class=\"card wheel is-broken\" id=\"wheel-{}\">\n<h2>{}</h2>\n<p class=\"verdict\"><strong "
      "class=\"broken\">Cannot be read</strong> <span>{}</span></p>\n</section>\n",
      number, markup(base_name(unreadable.path)), markup_shown(unreadable_message(unreadable)));
}

std::string card(const Report& report, const WheelReport& wheel, std::size_t number) {
  const Subject subject{wheel, report.providers};
  const TagResult tag_result = wheel.verdict.overall();
  const std::string_view state = tag_result == TagResult::Incompatible ? "is-incompatible"
                                 : tag_result == TagResult::Compatible ? "is-compatible"
                                 : tag_result == TagResult::Unknown    ? "is-unknown"
                                                                       : "is-plain";
  return fmt::format("<section class=\"card wheel {}\" id=\"wheel-{}\">\n<h2>{}</h2>\n{}{}{}{}{}{}{}</section>\n",
                     state, number, markup(wheel.facts.file), html::verdict(wheel), html::findings(wheel),
                     html::scores(wheel), html::files(subject), html::needs(subject), html::libraries(wheel),
                     html::symbols(wheel));
}

// How bad an input is: not readable, not compatible, then by its errors, warnings and notes.
std::array<std::size_t, 5> badness(const Report::Entry& entry) {
  if (entry.unreadable) return {1};
  std::array<std::size_t, 5> out = {0, entry.wheel->verdict.overall() == TagResult::Incompatible};
  for (const Finding& finding : entry.wheel->findings)
    ++out[finding.severity == Severity::Error ? 2 : finding.severity == Severity::Warning ? 3 : 4];
  return out;
}

// Indices of the inputs, the worst first, else in the order given.
std::vector<std::size_t> in_order_of_badness(const Report& report) {
  std::vector<std::size_t> order(report.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return badness(report.entries[i]); });
  return order;
}

// For several wheels: the result of each, with a link to its part of the page.
std::string contents(const Report& report) {
  if (report.entries.size() < 2) return "";
  std::string out =
      "<nav class=\"card\" aria-label=\"Wheels\"><div class=\"scroll\"><table class=\"contents\">\n<thead><tr><th "
      "scope=\"col\">Wheel</th><th "
      "scope=\"col\">Verdict</th><th scope=\"col\">Lowest compatible tag</th><th scope=\"col\" "
      "class=\"number\">Findings</th></tr></thead>\n"
      "<tbody>\n";
  for (const std::size_t i : in_order_of_badness(report)) {
    const Report::Entry& entry = report.entries[i];
    const std::string_view file = entry.wheel ? entry.wheel->facts.file : base_name(entry.unreadable->path);
    const std::string_view word = entry.wheel ? tag_result_text(entry.wheel->verdict.overall()) : "not readable";
    const std::string_view look = word == "compatible"                                 ? "compatible"
                                  : word == "not compatible" || word == "not readable" ? "incompatible"
                                  : word == "unknown"                                  ? "unknown"
                                                                                       : "none";
    out +=
        fmt::format("<tr><td><a href=\"#wheel-{}\"><code>{}</code></a></td><td><span class=\"badge {}\">{}</span></td>",
                    i + 1, markup(file), look, word);
    out += entry.wheel ? fmt::format("<td><code>{}</code></td><td class=\"number\">{}</td></tr>\n",
                                     markup(entry.wheel->verdict.best_tag), entry.wheel->findings.size())
                       : "<td></td><td></td></tr>\n";
  }
  return out + "</tbody>\n</table></div></nav>\n";
}

std::string render_html_page(const Report& report, const RenderOptions& options) {
  std::string body = head(report, options) + "<main id=\"main\">\n" + contents(report) + html::filters(report);
  for (const std::size_t i : in_order_of_badness(report)) {
    const Report::Entry& entry = report.entries[i];
    body += entry.wheel ? card(report, *entry.wheel, i + 1) : card(*entry.unreadable, i + 1);
  }
  body += fmt::format("</main>\n<footer>Written by wheelcheck {}. `wheelcheck explain RULE` explains a rule.</footer>",
                      markup(report.version));
  std::string title = "wheelcheck";
  if (report.entries.size() == 1 && report.entries.front().wheel)
    title = fmt::format("{} - wheelcheck", markup(report.entries.front().wheel->facts.file));
  return html::page(title, body);
}

}  // namespace

extern const Renderer html_page{"html", "one page for a browser, with filters", &render_html_page};

}  // namespace report
}  // namespace wheelcheck
