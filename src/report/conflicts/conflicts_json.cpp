// The report on several wheels as JSON (docs/conflicts.schema.json).

#include "report/conflicts/conflicts_json.h"

#include <fmt/format.h>

#include <utility>

#include "model/requires_dist.h"
#include "report/check/json_wheel.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/json_text.h"

namespace wheelcheck::report {

namespace {

class Document {
 public:
  explicit Document(const ConflictReport& report) : report_(report), conflicts_(report.conflicts) {}

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
            {"summary", {{"errors", report_.errors}, {"warnings", report_.warnings}, {"infos", report_.infos}}}};
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
    for (const DistributionIndex distribution : conflicts_.load_plans[load_plan].order)
      names.push_back(distribution_name(distribution));
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

std::string render_conflicts_json(const ConflictReport& report) {
  return Document(report).all().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// One binding for each line, so that grep works on half a million of them.

namespace {

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view how(process::Way way) {
  switch (way) {
    case process::Way::Plain:
      return "first";
    case process::Way::Unique:
      return "unique";
    case process::Way::Protected:
      return "protected";
    case process::Way::Platform:
      return "platform";
    case process::Way::WeakNull:
      return "weak";
    case process::Way::Missing:
      return "missing";
  }
  return "first";
}

Json target(std::span<const std::string> names, const process::BoundReference& bound) {
  if (bound.to) return safe(names[bound.to->value]);
  return bound.way == process::Way::Platform ? Json("<platform>") : Json(nullptr);
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
