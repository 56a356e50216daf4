// Interfaces as a table and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t widest_cell = 40, shown_missing = 5, shown_text = 60, shown_detail = 240;

// ">= 1.23, < 2", or "" where neither limit can be proved.
std::string range_text(const InterfaceEntry& entry) {
  std::vector<std::string> parts;
  if (!entry.minimum.empty()) parts.push_back(">= " + escape(entry.minimum));
  if (!entry.below.empty()) parts.push_back("< " + escape(entry.below));
  return join(parts, ", ");
}

// Whether the evidence is a text for people that the file contains, not the name of a symbol: it explains nothing.
bool is_message(const InterfaceEntry& entry) {
  using Group = InterfaceEntry::Group;
  const bool has_messages = entry.group == Group::Numpy || entry.group == Group::Cython;
  return entry.evidence.empty() || (has_messages && entry.evidence.find_first_of(" %") != std::string::npos);
}

std::string evidence_text(const WheelFacts& wheel, const InterfaceEntry& entry) {
  std::string text = elf_path(wheel, entry.file);
  if (!is_message(entry))
    text += fmt::format(" ({})", entry.evidence.starts_with("_Z") ? escape(short_symbol(entry.evidence))
                                                                  : escape(entry.evidence, shown_text));
  return text + and_more(entry.files - std::min<std::size_t>(1, entry.files), "file");
}

// What an installer would have to check, in one line.
void add_in_short(Document& out, const std::vector<InterfaceEntry>& entries) {
  std::vector<std::string> parts;
  std::string_view name;
  const std::vector<InterfaceEntry> required = required_in_all(entries);
  for (const InterfaceEntry& entry : required) {
    if (entry.name == name)
      parts.back() += " or " + range_text(entry);
    else
      parts.push_back(fmt::format("{} {}", escape(entry.name), range_text(entry)));
    name = entry.name;
  }
  if (parts.empty()) return;
  out.line("  requires ", join(parts, "; "), 4);
  out.blank();
}

void add_provider(Document& out, const Interfaces& one, const ProviderAnswer& answer) {
  const std::string name = fmt::format("{} {}", escape(answer.distribution), escape(answer.version));
  if (answer.missing.empty()) return out.line(fmt::format("  {}: has all that is imported of it", name));
  out.line(fmt::format("  {}: lacks {}", name,
                       count_of(answer.missing.size(), "symbol or version node", "symbols or version nodes")));
  const std::size_t shown = std::min(answer.missing.size(), shown_missing);
  for (const ProviderAnswer::Missing& missing : std::span(answer.missing).first(shown))
    out.line(fmt::format("    {}{} ({})", escape(short_symbol(missing.name)),
                         missing.library.empty() ? "" : " of " + escape(missing.library),
                         elf_path(one.wheel.facts, missing.file)));
  out.and_more("    ", answer.missing.size() - shown);
}

// Of each distribution with a version that lacks something: the lowest version that lacks nothing.
void add_lowest(Document& out, std::span<const ProviderAnswer> answers) {
  while (!answers.empty()) {
    const auto other = std::ranges::find_if(
        answers, [&](const ProviderAnswer& answer) { return answer.distribution != answers.front().distribution; });
    const auto same = answers.first(static_cast<std::size_t>(other - answers.begin()));
    const auto is_sufficient = [](const ProviderAnswer& answer) { return answer.missing.empty(); };
    const auto lowest = std::ranges::find_if(same, is_sufficient);
    if (lowest != same.end() && !std::ranges::all_of(same, is_sufficient))
      out.line(
          fmt::format("  lowest sufficient version of {}: {}", escape(lowest->distribution), escape(lowest->version)));
    answers = answers.subspan(same.size());
  }
}

Document document_of(std::span<const Interfaces> wheels) {
  std::size_t entries = 0, lacking = 0;
  Document out;
  for (const Interfaces& one : wheels) {
    if (!out.empty()) out.blank();
    out.title({escape(one.wheel.facts.file), Style::Strong});
    TextTable::Column column{.max_width = widest_cell};
    TextTable table{.columns = {column, column, column, {}}, .last = TextTable::LastCell::BelowNarrow, .last_gap = 1};
    for (const InterfaceEntry& entry : one.found.entries) {
      std::string what = range_text(entry);
      if (!entry.detail.empty()) what += (what.empty() ? "" : "; ") + escape(entry.detail, shown_detail);
      table.rows.push_back(
          {name_of(entry.group), escape(entry.name), std::move(what), evidence_text(one.wheel.facts, entry)});
    }
    entries += table.rows.size();
    if (table.rows.empty()) {
      out.line("  requires nothing that its files show");
    } else {
      add_in_short(out, one.found.entries);
      out.add(std::move(table));
    }
    if (!one.found.providers.empty() || !one.absent.empty()) out.section("providers");
    if (!one.absent.empty()) out.line(fmt::format("  {}: not installed in the environment", escape(one.absent)));
    for (const ProviderAnswer& answer : one.found.providers) {
      add_provider(out, one, answer);
      lacking += answer.missing.empty() ? 0u : 1u;
    }
    add_lowest(out, one.found.providers);
    add_check_errors(out, one.wheel);
  }
  if (wheels.empty()) return out;
  StyledText last = fmt::format("{}, {}", count_of(wheels.size(), "wheel"), count_of(entries, "interface"));
  if (lacking > 0)
    last += "; " +
            StyledText(fmt::format("{} what is imported of {}", count_of(lacking, "provider lacks", "providers lack"),
                                   lacking == 1 ? "it" : "them"),
                       Style::Bad);
  out.outcome(std::move(last));
  return out;
}

// docs/interfaces.schema.json, and variant properties.

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); }

Json interface_json(const WheelFacts& wheel, const InterfaceEntry& entry) {
  return {{"group", name_of(entry.group)},
          {"name", safe(entry.name)},
          {"minimum", or_null(entry.minimum)},
          {"below", or_null(entry.below)},
          {"detail", entry.detail.empty() ? Json(nullptr) : Json(safe_long(entry.detail))},
          {"files", entry.files},
          {"member", elf_path(wheel, entry.file)},
          {"evidence", safe_long(entry.evidence)}};
}

Json provider_json(const Interfaces& one, const ProviderAnswer& answer) {
  Json missing = Json::array();
  for (const ProviderAnswer::Missing& each : answer.missing)
    missing.push_back({{"member", elf_path(one.wheel.facts, each.file)},
                       {"library", or_null(each.library)},
                       {"name", safe_long(each.name)}});
  return {{"distribution", safe(answer.distribution)},
          {"version", safe(answer.version)},
          {"file", safe(one.providers[answer.provider].file)},
          {"sufficient", answer.missing.empty()},
          {"missing", std::move(missing)}};
}

std::string json_of(std::span<const Interfaces> wheels) {
  Json list = Json::array();
  for (const Interfaces& one : wheels) {
    Json entries = Json::array(), providers = Json::array();
    for (const InterfaceEntry& entry : one.found.entries) entries.push_back(interface_json(one.wheel.facts, entry));
    for (const ProviderAnswer& answer : one.found.providers) providers.push_back(provider_json(one, answer));
    list.push_back({{"file", safe(one.wheel.facts.file)},
                    {"entries", std::move(entries)},
                    {"providers", std::move(providers)},
                    {"check_errors", check_errors_json(one.wheel)}});
  }
  return document_text({{"schema", "wheelcheck-interfaces"}, {"version", json_version}, {"wheels", std::move(list)}});
}

// What a variant must ask for so that it is chosen only where the files run. Values of one feature are alternatives
// (PEP 825), so each has one. Of alternatives in the wheel, the first one is the lowest.
Json variant_json(const Interfaces& one) {
  std::string toolkit, level;
  constexpr std::string_view prefix = "x86-64-";
  for (const InterfaceEntry& entry : required_in_all(one.found.entries)) {
    if (entry.name == "CUDA toolkit" && toolkit.empty()) toolkit = entry.minimum;
    if (entry.name == "CPU" && entry.minimum.starts_with(prefix)) level = entry.minimum.substr(prefix.size());
  }
  if (toolkit.empty() && level.empty()) return nullptr;
  Json properties = Json::object(), namespaces = Json::array();
  std::string label;
  if (!toolkit.empty()) {
    // A newer driver runs older programs, so there is no upper limit.
    const bool has_minor = toolkit.find('.') != std::string::npos;
    properties["nvidia"]["cuda_version_lower_bound"] = Json::array({safe(has_minor ? toolkit : toolkit + ".0")});
    namespaces.push_back("nvidia");
    label = "cu" + toolkit;
    std::erase(label, '.');
  }
  if (!level.empty()) {
    properties["x86_64"]["level"] = Json::array({safe(level)});
    namespaces.push_back("x86_64");
    label += (label.empty() ? "x86_64_" : "_") + level;
  }
  Json variants = Json::object();
  variants[label] = std::move(properties);
  // The identifier of the schema in the appendix of PEP 825.
  return {{"$schema", "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json"},
          {"default-priorities", {{"namespace", std::move(namespaces)}}},
          {"variants", std::move(variants)}};
}

}  // namespace

Answer interfaces_answer(std::span<const Interfaces> wheels) {
  return {.document = [wheels] { return document_of(wheels); }, .json = [wheels] { return json_of(wheels); }};
}

std::string render_variants_json(std::span<const Interfaces> wheels) {
  Json list = Json::object();
  for (const Interfaces& one : wheels) list[safe(one.wheel.facts.file)] = variant_json(one);
  return document_text(list);
}

}  // namespace wheelcheck::report
