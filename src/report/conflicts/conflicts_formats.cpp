// The conflicts of several wheels as a page with a graph, and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/check/json_wheel.h"
#include "report/conflicts/conflicts.h"
#include "report/html/html_parts.h"
#include "report/shared/json_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_arrows = 40, max_relation_rows = 200, max_example_names = 3, longest_node_name = 30;

std::string distribution_label(const ConflictReport& report, const std::optional<DistributionIndex>& index) {
  return index ? name_of_distribution(report.conflicts.installation.distributions[index->value].facts)
               : "Python or the platform";
}

// Relations of one kind between two distributions.
struct Edge {
  std::string user, provider;
  RelationKind kind = RelationKind::Capture;
  Severity severity = Severity::Note;
  std::size_t symbols = 0;
};

std::vector<Edge> edges_of(const ConflictReport& report) {
  std::map<std::tuple<std::string, std::string, RelationKind>, Edge> edges;
  for (const Relation& relation : report.conflicts.relations) {
    const std::string user = distribution_label(report, relation.distribution);
    const std::string provider = distribution_label(report, relation.provider_distribution);
    Edge& edge = edges[{user, provider, relation.kind}];
    edge.user = user;
    edge.provider = provider;
    edge.kind = relation.kind;
    edge.severity = std::max(edge.severity, relation.severity);
    edge.symbols += relation.tally.symbols;
  }
  std::vector<Edge> out;
  for (auto& [key, edge] : edges) out.push_back(std::move(edge));
  std::ranges::stable_sort(out, [](const Edge& a, const Edge& b) {
    return std::tuple(b.severity, b.symbols) < std::tuple(a.severity, a.symbols);
  });
  return out;
}

// The nodes of one side. A node is as high as its edges, each of which has a line of its own.
struct Column {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> top, used;  // by name: y of the node, lines that are taken
  std::map<std::string, std::size_t> lines;
  std::size_t height = 0;
};

constexpr std::size_t graph_line = 24, graph_node_gap = 14, graph_node_width = 250, graph_gap = 300, graph_head = 24;

Column column_of(const std::vector<Edge>& edges, std::string Edge::* side) {
  Column out;
  for (const Edge& edge : edges)
    if (out.lines[edge.*side]++ == 0) out.names.push_back(edge.*side);
  std::size_t y = graph_head;
  for (const std::string& name : out.names) {
    out.top[name] = y;
    y += out.lines[name] * graph_line + graph_node_gap;
  }
  out.height = y;
  return out;
}

std::string cut_name(const std::string& name) { return cut_at_word(escape(name), longest_node_name); }

std::string node_boxes(const Column& column, std::size_t x) {
  std::string out;
  for (const std::string& name : column.names) {
    const std::size_t y = column.top.at(name), height = column.lines.at(name) * graph_line;
    out +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                    x, y, graph_node_width, height, x + 10, y + height / 2 + 5, markup_shown(cut_name(name)));
  }
  return out;
}

std::string relation_graph(const ConflictReport& report) {
  std::vector<Edge> edges = edges_of(report);
  if (edges.empty()) return "";
  const std::size_t left_out = edges.size() > max_arrows ? edges.size() - max_arrows : 0;
  edges.resize(edges.size() - left_out);
  Column users = column_of(edges, &Edge::user), providers = column_of(edges, &Edge::provider);
  const std::size_t from = graph_node_width, to = graph_node_width + graph_gap;
  std::string lines;
  for (const Edge& edge : edges) {
    const auto next = [&](Column& column, const std::string& name) {
      return column.top[name] + column.used[name]++ * graph_line + graph_line / 2;
    };
    const std::size_t a = next(users, edge.user), b = next(providers, edge.provider);
    const std::string_view look = name_of(edge.severity);
    lines += fmt::format(
        "<path class=\"{0}\" d=\"M{1} {2} C{3} {2} {4} {5} {6} {5}\"/><polygon class=\"{0}\" points=\"{7},{5} {6},{8} "
        "{6},{9}\"/><text class=\"soft\" x=\"{10}\" y=\"{11}\">{12}, {13}</text>\n",
        look, from, a, from + 180, to - 120, b, to - 9, to - 1, b - 5, b + 5, from + 6, a - 4,
        count_of(edge.symbols, "symbol"), name_of(edge.kind));
  }
  const std::size_t height = std::max(users.height, providers.height);
  std::string out = fmt::format(
      "<section class=\"card\">\n<h2>Who uses whose symbols</h2>\n<p class=\"legend\"><i class=\"error\"></i>error<i "
      "class=\"warning\"></i>warning<i class=\"info\"></i>harmless</p>\n<div class=\"scroll\"><svg class=\"graph\" "
      "viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"An arrow leads from each distribution to the one that its "
      "symbols are bound to\">\n<text class=\"soft\" x=\"0\" y=\"12\">symbols of</text><text class=\"soft\" x=\"{}\" "
      "y=\"12\">are bound to a library of</text>\n{}{}{}</svg></div>\n",
      to + graph_node_width + 2, height, to, node_boxes(users, 0), node_boxes(providers, to), lines);
  if (left_out > 0) out += fmt::format("<p class=\"none\">{} not drawn.</p>\n", count_of(left_out, "more arrow"));
  return out + "</section>\n";
}

std::string relation_rows(const ConflictReport& report) {
  const std::vector<Relation>& all = report.conflicts.relations;
  if (all.empty()) return "";
  const auto file = [&](process::ObjectIndex object) {
    return markup(report.conflicts.installation.names[object.value]);
  };
  std::string out =
      "<section class=\"card\">\n<h2>Symbols of one wheel, library of another</h2>\n<div class=\"scroll\"><table "
      "class=\"relations\">\n<thead><tr><th scope=\"col\">Severity</th><th scope=\"col\">Kind</th><th "
      "scope=\"col\">File"
      "</th><th scope=\"col\">bound to</th><th scope=\"col\" class=\"number\">Symbols</th><th scope=\"col\">such "
      "as</th>"
      "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(all.size(), max_relation_rows); ++i) {
    const Relation& relation = all[i];
    std::vector<std::string> examples;
    for (const std::string& name : relation.shown)
      if (examples.size() < max_example_names) examples.push_back(escape(name));
    if (relation.tally.symbols > examples.size())
      examples.push_back(fmt::format("and {} more", relation.tally.symbols - examples.size()));
    out += fmt::format(
        "<tr><td><span class=\"badge "
        "{0}\">{0}</span></td><td>{1}</td><td><code>{2}</code></td><td><code>{3}</code></td>"
        "<td class=\"number\">{4}</td><td><code>{5}</code></td></tr>\n",
        name_of(relation.severity), name_of(relation.kind), file(relation.own), file(relation.provider),
        html::number(relation.tally.symbols), markup_shown(join(examples, ", ")));
  }
  out += "</tbody>\n</table></div>\n";
  if (all.size() > max_relation_rows)
    out += fmt::format("<p class=\"none\">{} more; --format json lists all.</p>\n", all.size() - max_relation_rows);
  return out + "</section>\n";
}

std::string order_rows(const ConflictReport& report) {
  std::string out =
      "<section class=\"card\">\n<h2>Orders of imports</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">Order</th><th scope=\"col\" class=\"number\">Errors</th><th scope=\"col\" "
      "class=\"number\">Warnings</th></tr></thead>\n<tbody>\n";
  const std::vector<LoadPlan>& plans = report.conflicts.load_plans;
  for (std::uint32_t i = 0; i < plans.size(); ++i) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < plans[i].order.size(); ++at)
      names.push_back(escape(name_in_order(report.conflicts.installation, plans[i], at)));
    std::size_t errors = 0, warnings = 0;
    for (const Finding& finding : report.findings) {
      if (!finding.load_plans.empty() && !std::ranges::binary_search(finding.load_plans, i)) continue;
      errors += finding.severity == Severity::Error ? 1u : 0u;
      warnings += finding.severity == Severity::Warning ? 1u : 0u;
    }
    out += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                       markup_shown(join(names, ", then ")), errors, warnings);
  }
  return out + "</tbody>\n</table></div>\n</section>\n";
}

std::string findings_cards(const ConflictReport& report) {
  if (report.findings.empty()) return "";
  std::string out = fmt::format("<section class=\"card findings\">\n<h2>Findings</h2>\n");
  const auto place_of = [&](const Place& place) {
    const AtObject* const at = std::get_if<AtObject>(&place);
    return at == nullptr ? "" : escape(report.conflicts.installation.names[at->object.value]);
  };
  for (const Finding& finding : report.findings)
    out += html::finding_item(with_short_symbols(finding.message), {&finding, 1}, place_of);
  return out + "</section>\n";
}

std::string unknown_list(const ConflictReport& report) {
  const std::vector<std::string>& all = report.conflicts.not_known;
  if (all.empty()) return "";
  std::string out = "<section class=\"card\">\n<h2>Not known</h2>\n<ul class=\"plain\">\n";
  for (const std::string& text : all) out += fmt::format("<li>{}</li>\n", markup(text));
  return out + "</ul>\n</section>\n";
}

std::string answer_sentence(const ConflictReport& report) {
  const Conflicts& conflicts = report.conflicts;
  const std::string opened = fmt::format("{} opened, {} bound", count_of(conflicts.files_opened, "file"),
                                         count_of(conflicts.references_bound, "reference"));
  switch (report.answer) {
    case ConflictAnswer::Conflict:
      return fmt::format("Conflict, in a process of {}: {}", conflicts.installation.description, opened);
    case ConflictAnswer::Incomplete:
      return fmt::format("Incomplete, in a process of {}: {} not known", conflicts.installation.description,
                         count_of(conflicts.not_known.size(), "thing"));
    case ConflictAnswer::None:
      break;
  }
  return fmt::format("No {} found in a process of {}: {}", report.warnings > 0 ? "error" : "conflict",
                     conflicts.installation.description, opened);
}

}  // namespace

std::string render_conflicts_html(const ConflictReport& report) {
  std::vector<std::string> names;
  for (const Distribution& distribution : report.conflicts.installation.distributions) {
    const WheelFacts& facts = distribution.facts;
    const std::string& version =
        facts.metadata && !facts.metadata->version.empty() ? facts.metadata->version : facts.name.version;
    names.push_back(escape(name_of_distribution(facts) + (version.empty() ? "" : " ") + version));
  }
  const std::string title = markup_shown(first_few(names, 6));
  std::string body =
      fmt::format("<header>\n<h1>{} <small>wheelcheck {}</small></h1>\n<p>{}</p>\n<ul class=\"tiles\">{}{}{}{}", title,
                  markup(report.version), markup(answer_sentence(report)), html::tile(names.size(), "wheels", ""),
                  html::tile(report.errors, report.errors == 1 ? "error" : "errors", "hot"),
                  html::tile(report.warnings, report.warnings == 1 ? "warning" : "warnings", "warm"),
                  html::tile(report.notes, report.notes == 1 ? "note" : "notes", ""));
  if (!report.conflicts.not_known.empty()) body += html::tile(report.conflicts.not_known.size(), "not known", "warm");
  body += "</ul>\n</header>\n<main id=\"main\">\n" + findings_cards(report) + unknown_list(report) +
          relation_graph(report) + order_rows(report) + relation_rows(report);
  if (report.findings.empty() && report.conflicts.relations.empty())
    body += "<section class=\"card\"><p class=\"none\">No wheel uses a symbol of another.</p></section>\n";
  body += fmt::format("</main>\n<footer>Written by wheelcheck {}. `wheelcheck explain RULE` explains a rule.</footer>",
                      markup(report.version));
  return html::page(title + " - wheelcheck", body, "page.graph.css");
}

// The report on several wheels as JSON (docs/conflicts.schema.json).
namespace {

class ConflictsJson {
 public:
  explicit ConflictsJson(const ConflictReport& report) : report_(report), conflicts_(report.conflicts) {}

  Json all() const {
    Json distributions = Json::array(), orders = Json::array(), relations = Json::array(), failures = Json::array(),
         runtimes = Json::array(), published = Json::array();
    for (const Distribution& distribution : installation().distributions)
      distributions.push_back(distribution_json(distribution));
    for (std::uint32_t i = 0; i < conflicts_.load_plans.size(); ++i) orders.push_back(order(i));
    for (const Relation& relation : conflicts_.relations) relations.push_back(relation_json(relation));
    for (const ImportFailure& failure : conflicts_.failures) failures.push_back(failure_json(failure));
    for (const RuntimeTwice& twice : conflicts_.runtimes) runtimes.push_back(runtime_json(twice));
    for (const Publication& each : conflicts_.publications) published.push_back(publication_json(each));
    return {{"schema", "wheelcheck-conflicts"},
            {"version", 1},
            {"wheelcheck", safe(report_.version)},
            {"process", safe(installation().description)},
            {"answer", name_of(report_.answer)},
            {"not_known", texts(conflicts_.not_known)},
            {"files_opened", conflicts_.files_opened},
            {"references_bound", conflicts_.references_bound},
            {"distributions", std::move(distributions)},
            {"orders", std::move(orders)},
            {"findings", findings()},
            {"relations", std::move(relations)},
            {"failed_imports", std::move(failures)},
            {"runtimes", std::move(runtimes)},
            {"published", std::move(published)},
            {"summary", {{"errors", report_.errors}, {"warnings", report_.warnings}, {"notes", report_.notes}}}};
  }

 private:
  const Installation& installation() const { return conflicts_.installation; }
  std::string name(process::ObjectIndex object) const { return safe(installation().names[object.value]); }

  static std::string distribution_name(const Distribution& distribution) {
    return safe(name_of_distribution(distribution.facts));
  }
  Json distribution_name(const std::optional<DistributionIndex>& distribution) const {
    return distribution ? Json(distribution_name(installation().distributions[distribution->value])) : Json(nullptr);
  }
  static Json distribution_json(const Distribution& distribution) {
    const WheelFacts& facts = distribution.facts;
    return {{"name", distribution_name(distribution)},
            {"version",
             safe(facts.metadata && !facts.metadata->version.empty() ? facts.metadata->version : facts.name.version)},
            {"file", safe(facts.file)}};
  }
  Json order(std::uint32_t load_plan) const {
    Json names = Json::array();
    const LoadPlan& plan = conflicts_.load_plans[load_plan];
    for (std::size_t at = 0; at < plan.order.size(); ++at)
      names.push_back(safe(name_in_order(installation(), plan, at)));
    return names;
  }
  static Json library_json(const std::optional<LibraryInside>& library) {
    if (!library) return nullptr;
    return {{"id", safe(library->id)}, {"name", safe(library->name)}, {"version", maybe(library->version)}};
  }
  Json source_json(const std::optional<FlagSource>& source) const {
    if (!source) return nullptr;
    Json file = nullptr;
    if (source->file)
      file =
          safe(installation().distributions[source->distribution.value].facts.members[source->file->value].path.text());
    return {{"file", std::move(file)},
            {"line", source->line},
            {"text", safe_long(source->text)},
            {"reach", name_of(source->reach)}};
  }

  Json findings() const {
    Json out = Json::array();
    for (const Finding& finding : report_.findings) {
      const AtObject* const at = std::get_if<AtObject>(&finding.place);
      const std::string path = at == nullptr ? "" : name(at->object);
      Json json = finding_json(finding, path, path);
      json["orders"] = finding.load_plans;
      out.push_back(std::move(json));
    }
    return out;
  }

  Json relation_json(const Relation& relation) const {
    Json by = Json::array();
    for (const process::ObjectIndex object : relation.by) by.push_back(name(object));
    const Tally& tally = relation.tally;
    return {{"kind", name_of(relation.kind)},
            {"severity", name_of(relation.severity)},
            {"confidence", name_of(relation.confidence)},
            {"reason", name_of(relation.reason)},
            {"orders", relation.load_plans},
            {"if_imported", relation.maybe},
            {"consumer", distribution_name(relation.distribution)},
            {"consumer_file", name(relation.own)},
            {"consumer_library", library_json(relation.library)},
            {"provider", distribution_name(relation.provider_distribution)},
            {"provider_file", name(relation.provider)},
            {"provider_library", library_json(relation.provider_library)},
            {"asked_by", std::move(by)},
            {"symbols", tally.symbols},
            {"functions", tally.functions},
            {"functions_of_equal_size", tally.functions_equal},
            {"data", tally.data},
            {"data_of_other_size", tally.size_differs},
            {"kind_differs", tally.kind_differs},
            {"standard", tally.standard},
            {"examples", examples(relation)},
            {"made_global_by", source_json(relation.published)}};
  }
  static Json examples(const Relation& relation) {
    Json out = Json::array();
    for (std::size_t i = 0; i < relation.examples.size(); ++i)
      out.push_back({{"symbol", safe_long(relation.examples[i].name)},
                     {"demangled", safe_long(i < relation.shown.size() ? relation.shown[i] : "")}});
    return out;
  }
  static Json texts(const std::vector<std::string>& list) {
    Json out = Json::array();
    for (const std::string& text : list) out.push_back(safe(text));
    return out;
  }
  Json failure_json(const ImportFailure& failure) const {
    return {{"order", failure.load_plan},     {"distribution", distribution_name(failure.distribution)},
            {"module", safe(failure.module)}, {"error", safe(failure.error)},
            {"ends_process", failure.fatal},  {"if_imported", failure.maybe},
            {"also_alone", failure.alone},    {"lacks_what_is_not_given", failure.outside}};
  }
  Json runtime_json(const RuntimeTwice& twice) const {
    Json copies = Json::array();
    for (const RuntimeTwice::Copy& copy : twice.copies)
      copies.push_back({{"file", name(copy.object)}, {"library", library_json(copy.library)}});
    return {{"family", safe(twice.family)},
            {"severity", name_of(twice.severity)},
            {"orders", twice.load_plans},
            {"copies", std::move(copies)}};
  }
  Json publication_json(const Publication& publication) const {
    Json files = Json::array();
    for (const process::ObjectIndex object : publication.files) files.push_back(name(object));
    return {{"distribution", distribution_name(publication.distribution)},
            {"exports", publication.exports},
            {"files", std::move(files)},
            {"by", source_json(publication.flags)}};
  }

  const ConflictReport& report_;
  const Conflicts& conflicts_;
};

}  // namespace

std::string render_conflicts_json(const ConflictReport& report) { return document_text(ConflictsJson(report).all()); }

// One binding for each line, so that grep works on half a million of them.

namespace {

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view how(process::BindingResult way) {
  switch (way) {
    case process::BindingResult::Plain:
      return "first";
    case process::BindingResult::Unique:
      return "unique";
    case process::BindingResult::Protected:
      return "protected";
    case process::BindingResult::Platform:
      return "platform";
    case process::BindingResult::WeakNull:
      return "weak";
    case process::BindingResult::Missing:
      return "missing";
  }
  return "first";
}

Json target(std::span<const std::string> names, const process::BoundReference& bound) {
  if (bound.to) return safe(names[bound.to->value]);
  return bound.way == process::BindingResult::Platform ? Json("<platform>") : Json(nullptr);
}

Json binding(const process::World& world, std::span<const std::string> names, const process::BoundReference& bound) {
  const ElfFacts& from = *world.files[bound.from.value].facts;
  const process::SymbolRequest symbol_request = process::symbol_request(from, bound.reference);
  Json out{{"from", safe(names[bound.from.value])},
           {"symbol", safe_long(symbol_request.name)},
           {"version", maybe(symbol_request.version)},
           {"to", target(names, bound)},
           {"how", how(bound.way)}};
  if (bound.lazy) out["lazy"] = true;
  if (bound.undone) out["undone"] = true;
  return out;
}

Json failure(const process::Failure& failure) {
  Json out{{"step", failure.step + 1}, {"open", failure.open + 1}, {"error", safe(failure.error)}};
  if (failure.fatal) out["fatal"] = true;
  if (failure.nested) out["nested"] = true;
  if (failure.given_up) out["given_up"] = true;
  return out;
}

template <class Range, class Line>
void add_lines(std::string& out, std::string_view key, const Range& range, const Line& line) {
  out += fmt::format(",\n  \"{}\": [", key);
  bool first = true;
  for (const auto& item : range) {
    out += std::exchange(first, false) ? "\n    " : ",\n    ";
    out += dump(line(item));
  }
  out += first ? "]" : "\n  ]";
}

}  // namespace

std::string render_bindings(const process::World& world, std::span<const std::string> names,
                            const process::Outcome& outcome) {
  const auto name = [&](process::ObjectIndex object) { return Json(safe(names[object.value])); };
  std::string out = "{\n  \"schema\": \"wheelcheck-bindings\",\n  \"version\": 1,\n  \"refused\": ";
  out += dump(maybe(outcome.refused));
  add_lines(out, "bindings", outcome.bound, [&](const auto& bound) { return binding(world, names, bound); });
  add_lines(out, "failed_steps", outcome.failures, [](const auto& each) { return failure(each); });
  add_lines(out, "global_scope", outcome.global, name);
  add_lines(out, "global_scope_added", outcome.published,
            [&](const process::Published& entry) { return name(entry.file); });
  add_lines(out, "loaded", outcome.loaded, [&](const process::Loaded& entry) { return name(entry.file); });
  return out + "\n}\n";
}

}  // namespace wheelcheck::report
