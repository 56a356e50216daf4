// A simulation as an HTML page: a plot of the best tags before and after, the causes of the changes, and the wheels.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/html/html_parts.h"
#include "report/shared/text.h"
#include "report/simulation/simulation.h"

namespace wheelcheck::report {
namespace {

std::string head(const Simulation& simulation) {
  std::string out = fmt::format(
      "<header>\n<h1>wheelcheck <small>{}</small></h1>\n<p>What new levels would do to these wheels</p>\n"
      "<ul class=\"tiles\">{}{}{}{}{}",
      markup(simulation.version), html::tile(simulation.wheels.size(), "wheels", ""),
      html::tile(simulation.gain, "gain", ""), html::tile(simulation.lose + simulation.mixed, "lose", "hot"),
      html::tile(simulation.lose_claim, "lose a claimed tag", "hot"), html::tile(simulation.same, "as before", ""));
  if (simulation.unreadable != 0) out += html::tile(simulation.unreadable, "not readable", "hot");
  return out + "</ul>\n</header>\n";
}

// In units of the drawing.
constexpr std::size_t name_width = 230, bar_width = 460, row_height = 34, bar_height = 12, head_height = 26;

std::string bar(std::size_t count, std::size_t most, std::size_t y, std::string_view kind) {
  const std::size_t width = most == 0 ? 0 : (count * bar_width + most - 1) / most;
  return fmt::format(
      "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><text class=\"count\" x=\"{}\" y=\"{}\">{}"
      "</text>",
      kind, name_width, y, width, bar_height, name_width + width + 6, y + bar_height - 1, count);
}

std::string plot(const Simulation& simulation) {
  if (simulation.levels.empty()) return "";
  std::size_t most = 1, y = 0;
  for (const CountedLevel& level : simulation.levels) most = std::max({most, level.before, level.after});
  std::string rows, policy_levels;
  for (const CountedLevel& level : simulation.levels) {
    if (level.policy_levels != policy_levels) {
      rows += fmt::format("<text class=\"platform\" x=\"0\" y=\"{}\">{}</text>\n", y + 17, markup(level.policy_levels));
      y += head_height;
    }
    policy_levels = level.policy_levels;
    rows += fmt::format("<text x=\"0\" y=\"{}\">{}</text>{}{}\n", y + 16, markup(level.tag),
                        bar(level.before, most, y, "before"), bar(level.after, most, y + bar_height + 1, "after"));
    y += row_height;
  }
  return fmt::format(
      "<section class=\"card\">\n<h3>Lowest compatible tags</h3>\n<p class=\"legend\"><i class=\"before\"></i>before<i "
      "class=\"after\"></i>after</p>\n<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Wheels by "
      "their lowest compatible tag, before and after\">\n<line x1=\"{}\" y1=\"0\" x2=\"{}\" "
      "y2=\"{}\"/>\n{}</svg>\n</section>\n",
      name_width + bar_width + 60, y, name_width, name_width, y, rows);
}

std::string causes(const Simulation& simulation, bool lost) {
  const std::vector<CountedCause>& list = lost ? simulation.losses : simulation.gains;
  if (list.empty()) return "";
  std::string out = fmt::format(
      "<section class=\"card\">\n<h3>Refused by the {} levels</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">Asked for</th><th scope=\"col\" class=\"number\">Wheels</th><th scope=\"col\" "
      "class=\"number\">Files</th><th scope=\"col\" class=\"number\">Explained so far</th><th "
      "scope=\"col\">Symbols</th></tr></thead>\n<tbody>\n",
      lost ? "new" : "old");
  for (const CountedCause& cause : list)
    out += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td><code>{}</code></td></tr>\n",
        markup_shown(cause_text(cause.required)), cause.wheels, cause.files, explained_text(cause, simulation, lost),
        markup_shown(symbols_text(cause)));
  return out + "</tbody>\n</table></div>\n</section>\n";
}

std::string cell(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "<br>") + markup_shown(text);
  return out;
}

std::string row(const SimulatedWheel& wheel) {
  std::vector<std::string> refused;
  for (const bool lost : {true, false})
    for (const std::string& text : cause_texts(wheel, lost))
      refused.push_back(fmt::format("{} {}", lost ? "now" : "was", text));
  return fmt::format(
      "<tr><td><span class=\"badge {}\">{}</span></td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      name_of(wheel.shift), name_of(wheel.shift), markup_shown(wheel_name(wheel)), cell(level_set_texts(wheel, "→")),
      cell(claim_texts(wheel)), cell(refused));
}

std::string wheels(const Simulation& simulation) {
  std::string rows;
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains})
    for (const SimulatedWheel& wheel : simulation.wheels)
      if (!wheel.unreadable && wheel.shift == shift) rows += row(wheel);
  for (const SimulatedWheel& wheel : simulation.wheels)
    if (wheel.unreadable)
      rows +=
          fmt::format("<tr><td><span class=\"badge loses\">not readable</span></td><td colspan=\"4\">{}</td></tr>\n",
                      markup_shown(wheel_name(wheel)));
  if (rows.empty()) return "<section class=\"card\"><p class=\"none\">No wheel changes.</p></section>\n";
  return "<section class=\"card\">\n<h3>Wheels that change</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th "
         "scope=\"col\">Shift</th><th scope=\"col\">Wheel</th><th scope=\"col\">Lowest compatible tag</th><th "
         "scope=\"col\">Claims</th><th scope=\"col\">Refused</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table></div>\n</section>\n";
}

}  // namespace

std::string render_simulation_html(const Simulation& simulation) {
  std::string edits;
  for (const std::string& edit : edits_text(simulation)) edits += fmt::format("<li>{}</li>\n", markup_shown(edit));
  const std::string body = fmt::format(
      "{}<main id=\"main\">\n<section class=\"card\">\n<h3>Levels</h3>\n<ul>\n{}</ul>\n</section>\n{}{}{}{}</main>\n"
      "<footer>Written by wheelcheck {}.</footer>",
      head(simulation), edits, plot(simulation), causes(simulation, true), causes(simulation, false),
      wheels(simulation), markup(simulation.version));
  return html::page("What new levels would do - wheelcheck", body, "page.plot.css");
}

}  // namespace wheelcheck::report
