// Interfaces as a table for people and as JSON.
#include "report/interfaces/interfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
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

std::string evidence_text(const WheelFacts& wheel, const InterfaceEntry& entry) {
  std::string text = elf_path(wheel, entry.file);
  if (!entry.evidence.empty())
    text += fmt::format(" ({})", entry.evidence.starts_with("_Z") ? escape(short_symbol(entry.evidence))
                                                                  : escape(entry.evidence, shown_text));
  if (entry.files > 1) text += fmt::format(" and {} more {}", entry.files - 1, entry.files == 2 ? "file" : "files");
  return text;
}

using InterfaceRow = std::array<std::string, 4>;

std::string table(const std::vector<InterfaceRow>& rows, const Paint& paint) {
  std::array<std::size_t, 3> widths{};
  for (const InterfaceRow& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], std::min(columns(row[i]), widest_cell));
  std::string out;
  for (const InterfaceRow& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < widths.size(); ++i) line += ' ' + padded(row[i], widths[i]) + ' ';
    if (columns(line) + columns(row[3]) > paint.width()) {
      line.erase(line.find_last_not_of(' ') + 1);
      line = paint.wrapped(line, 0, 6);
      out += fmt::format("{}\n      {}\n", line, paint.wrapped(row[3], 6, 6));
    } else {
      out += line + row[3] + "\n";
    }
  }
  return out;
}

// What an installer would have to check, in one line.
std::string in_short(const std::vector<InterfaceEntry>& entries, const Paint& paint) {
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
  if (parts.empty()) return "";
  return fmt::format("  requires {}\n\n", paint.wrapped(join(parts, "; "), 11, 4));
}

std::string provider_text(const Interfaces& one, const ProviderAnswer& answer) {
  const std::string name = fmt::format("{} {}", escape(answer.distribution), escape(answer.version));
  if (answer.missing.empty()) return fmt::format("  {}: has all that is imported of it\n", name);
  std::string out = fmt::format("  {}: lacks {}\n", name,
                                plural(answer.missing.size(), "symbol or version node", "symbols or version nodes"));
  for (std::size_t i = 0; i < std::min(answer.missing.size(), shown_missing); ++i) {
    const ProviderAnswer::Missing& missing = answer.missing[i];
    out += fmt::format("    {}{} ({})\n", escape(short_symbol(missing.name)),
                       missing.library.empty() ? "" : " of " + escape(missing.library),
                       elf_path(one.wheel.facts, missing.file));
  }
  if (answer.missing.size() > shown_missing)
    out += fmt::format("    and {} more\n", answer.missing.size() - shown_missing);
  return out;
}

// Of each distribution with a version that lacks something: the lowest version that lacks nothing.
std::string lowest_text(std::span<const ProviderAnswer> answers) {
  std::string out;
  while (!answers.empty()) {
    const auto other = std::ranges::find_if(
        answers, [&](const ProviderAnswer& answer) { return answer.distribution != answers.front().distribution; });
    const auto same = answers.first(static_cast<std::size_t>(other - answers.begin()));
    const auto is_sufficient = [](const ProviderAnswer& answer) { return answer.missing.empty(); };
    const auto lowest = std::ranges::find_if(same, is_sufficient);
    if (lowest != same.end() && !std::ranges::all_of(same, is_sufficient))
      out +=
          fmt::format("  lowest sufficient version of {}: {}\n", escape(lowest->distribution), escape(lowest->version));
    answers = answers.subspan(same.size());
  }
  return out;
}

}  // namespace

std::string render_interfaces_text(std::span<const Interfaces> wheels, const Paint& paint) {
  std::size_t entries = 0, lacking = 0;
  std::string out;
  for (const Interfaces& one : wheels) {
    if (!out.empty()) out += '\n';
    out += paint.bold(escape(one.wheel.facts.file)) + "\n";
    std::vector<InterfaceRow> rows;
    for (const InterfaceEntry& entry : one.found.entries) {
      std::string what = range_text(entry);
      if (!entry.detail.empty()) what += (what.empty() ? "" : "; ") + escape(entry.detail, shown_detail);
      rows.push_back({std::string(name_of(entry.group)), escape(entry.name), std::move(what),
                      evidence_text(one.wheel.facts, entry)});
    }
    out += rows.empty() ? "  requires nothing that its files show\n"
                        : in_short(one.found.entries, paint) + table(rows, paint);
    entries += rows.size();
    if (!one.found.providers.empty()) out += "\nproviders\n";
    for (const ProviderAnswer& answer : one.found.providers) {
      out += provider_text(one, answer);
      lacking += answer.missing.empty() ? 0u : 1u;
    }
    out += lowest_text(one.found.providers);
  }
  if (wheels.empty()) return out;
  out += fmt::format("\n{}, {}", plural(wheels.size(), "wheel"), plural(entries, "interface"));
  if (lacking > 0)
    out +=
        "; " + paint.red(fmt::format("{} what is imported of {}", plural(lacking, "provider lacks", "providers lack"),
                                     lacking == 1 ? "it" : "them"));
  return out + "\n";
}

// docs/interfaces.schema.json, and variant properties.
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); }

Json entry_json(const WheelFacts& wheel, const InterfaceEntry& entry) {
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

}  // namespace

std::string render_interfaces_json(std::span<const Interfaces> wheels) {
  Json list = Json::array();
  for (const Interfaces& one : wheels) {
    Json entries = Json::array(), providers = Json::array();
    for (const InterfaceEntry& entry : one.found.entries) entries.push_back(entry_json(one.wheel.facts, entry));
    for (const ProviderAnswer& answer : one.found.providers) providers.push_back(provider_json(one, answer));
    list.push_back(
        {{"file", safe(one.wheel.facts.file)}, {"entries", std::move(entries)}, {"providers", std::move(providers)}});
  }
  return document_text({{"schema", "wheelcheck-interfaces"}, {"version", json_version}, {"wheels", std::move(list)}});
}

namespace {

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

std::string render_variants_json(std::span<const Interfaces> wheels) {
  Json list = Json::object();
  for (const Interfaces& one : wheels) list[safe(one.wheel.facts.file)] = variant_json(one);
  return document_text(list);
}

}  // namespace wheelcheck::report
