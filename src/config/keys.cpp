// The keys of the configuration and the checks of their values.
#include <limits>

#include "config/fields.h"
#include "wheelcheck/platform.h"

namespace wheelcheck::config {
namespace {

constexpr std::string_view severities[] = {"error", "warning", "note"};
constexpr std::string_view severities_or_never[] = {"error", "warning", "note", "never"};
constexpr std::string_view string_abis[] = {"new", "old"};
constexpr std::string_view indexes[] = {"pypi"};
constexpr std::uint64_t max_exports = std::numeric_limits<std::uint32_t>::max();

Severity severity_of(std::string_view word) {
  return word == "error" ? Severity::Error : word == "warning" ? Severity::Warning : Severity::Note;
}

template <class T>
std::optional<std::uint32_t> as_count(const T& number) {
  return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

void read_fail_on(const Reader& reader, const Value& value, ConfigKeys& out) {
  const auto word = reader.word(value, severities_or_never);
  if (word) out.fail_on = FailOn{*word == "never" ? std::nullopt : std::optional(severity_of(*word))};
}

// severity = { WC604 = "error" }
void read_severities(const Reader& reader, const Value& value, ConfigKeys& out) {
  const Table* const table = reader.table(value);
  if (table == nullptr) return;
  for (const KeyValue& entry : *table) {
    const bool known = reader.is_rule(entry.key, entry.at);
    const auto word = reader.word(entry.value, severities);
    if (known && word) out.severities.push_back({entry.key, severity_of(*word)});
  }
}

// export-budget = { "**/libx.so" = 500 }
void read_budgets(const Reader& reader, const Value& value, ConfigKeys& out) {
  const Table* const table = reader.table(value);
  if (table == nullptr) return;
  for (const KeyValue& entry : *table) {
    const bool good = reader.is_glob(entry.key, entry.at);
    const auto exports = as_count(reader.number(entry.value, 0, max_exports));
    if (good && exports) out.export_budgets.push_back({entry.key, *exports});
  }
}

// size-budget = { "**/libx.so" = "50MB" }
void read_size_budgets(const Reader& reader, const Value& value, ConfigKeys& out) {
  const Table* const table = reader.table(value);
  if (table == nullptr) return;
  for (const KeyValue& entry : *table) {
    const bool good = reader.is_glob(entry.key, entry.at);
    const auto bytes = reader.size(entry.value);
    if (good && bytes) out.size_budgets.push_back({entry.key, *bytes});
  }
}

// A tag, a list of tags of which one must fit, or { x86_64 = "manylinux_2_28" }: those of content for one machine.
void read_required_tags(const Reader& reader, const Value& value, ConfigKeys& out) {
  const auto* const table = std::get_if<Table>(&value.what);
  if (table == nullptr) {
    out.require_tags = reader.list(value, &Reader::tag, true);
    return;
  }
  for (const KeyValue& entry : *table) {
    if (!arch_from_name(entry.key))
      reader.problems.add(entry.at, fmt::format("`{}` is not a machine of a platform tag", escape(entry.key, 80)));
    else
      out.tags_of_machines.push_back({entry.key, reader.list(entry.value, &Reader::tag, true)});
  }
}

void read_string_abi(const Reader& reader, const Value& value, ConfigKeys& out) {
  const auto word = reader.word(value, string_abis);
  if (word) out.string_abi = *word == "new" ? StringAbi::New : StringAbi::Old;
}

void read_index(const Reader& reader, const Value& value, ConfigKeys& out) {
  if (const auto word = reader.word(value, indexes)) out.index = std::string(*word);
}

void read_when(const Reader& reader, const Value& value, ExternalLibrary& out) {
  constexpr std::string_view allowed = "\"optional\", or \"extra:\" and the name of an extra";
  const auto when = reader.text(value, allowed);
  if (!when) return;
  if (*when != "optional" && !(when->starts_with("extra:") && when->size() > 6))
    return reader.problems.add(value.at, fmt::format("must be {}, not `{}`", allowed, escape(*when, 80)));
  out.when = *when;
}

constexpr Field<ExternalLibrary> external_fields[] = {
    {"library", [](const Reader& r, const Value& v, ExternalLibrary& o) { o.library = r.glob(v).value_or(""); }, true},
    {"dist", [](const Reader& r, const Value& v, ExternalLibrary& o) { o.distribution = r.plain(v).value_or(""); }},
    {"when", &read_when},
};

constexpr Field<IgnoreRule> ignore_fields[] = {
    {"rule", [](const Reader& r, const Value& v, IgnoreRule& o) { o.rule = r.rule(v).value_or(""); }, true},
    {"path", [](const Reader& r, const Value& v, IgnoreRule& o) { o.path = r.glob(v).value_or(""); }},
    {"reason", [](const Reader& r, const Value& v, IgnoreRule& o) { o.reason = r.plain(v).value_or(""); }},
    {"until", [](const Reader& r, const Value& v, IgnoreRule& o) { o.until = r.date(v); }},
};

void read_rule_path(const Reader& reader, const Value& value, NameRule& out) {
  out.path = reader.glob(value).value_or("");
}
void read_rule_reason(const Reader& reader, const Value& value, NameRule& out) {
  out.reason = reader.plain(value).value_or("");
}

constexpr Field<NameRule> export_rule_fields[] = {
    {"symbols", [](const Reader& r, const Value& v, NameRule& o) { o.names = r.plain(v).value_or(""); }, true},
    {"path", &read_rule_path},
    {"reason", &read_rule_reason, true},
};
constexpr Field<NameRule> needed_rule_fields[] = {
    {"library", [](const Reader& r, const Value& v, NameRule& o) { o.names = r.glob(v).value_or(""); }, true},
    {"path", &read_rule_path},
    {"reason", &read_rule_reason, true},
};

std::vector<NameRule> read_name_rules(const Reader& reader, const Value& value, std::span<const Field<NameRule>> keys) {
  return read_entries(reader, value, keys, [](Position) { return NameRule{}; });
}

void read_external(const Reader& reader, const Value& value, ConfigKeys& out) {
  out.external = read_entries(reader, value, external_keys(), [](Position) { return ExternalLibrary{}; });
}

void read_ignores(const Reader& reader, const Value& value, ConfigKeys& out) {
  out.ignores = read_entries(reader, value, ignore_keys(), [&](Position at) {
    IgnoreRule rule;
    rule.where = fmt::format("{}:{}", reader.file, at.line);
    return rule;
  });
}

constexpr Field<ConfigKeys> fields[] = {
    {"require-tag", &read_required_tags},
    {"select", [](const Reader& r, const Value& v, ConfigKeys& o) { o.select = r.list(v, &Reader::rule); }},
    {"ignore", [](const Reader& r, const Value& v, ConfigKeys& o) { o.ignore = r.list(v, &Reader::rule); }},
    {"severity", &read_severities},
    {"fail-on", &read_fail_on},
    {"pedantic", [](const Reader& r, const Value& v, ConfigKeys& o) { o.pedantic = r.truth(v); }},
    {"self-contained", [](const Reader& r, const Value& v, ConfigKeys& o) { o.self_contained = r.truth(v); }},
    {"own-namespaces",
     [](const Reader& r, const Value& v, ConfigKeys& o) { o.own_namespaces = r.list(v, &Reader::plain); }},
    {"own-sonames", [](const Reader& r, const Value& v, ConfigKeys& o) { o.own_sonames = r.list(v, &Reader::glob); }},
    {"max-size", [](const Reader& r, const Value& v, ConfigKeys& o) { o.max_size = r.size(v); }},
    {"index", &read_index},
    {"max-exports",
     [](const Reader& r, const Value& v, ConfigKeys& o) { o.max_exports = as_count(r.number(v, 0, max_exports)); }},
    {"leak-threshold",
     [](const Reader& r, const Value& v, ConfigKeys& o) { o.leak_threshold = as_count(r.number(v, 0, max_exports)); }},
    {"export-budget", &read_budgets},
    {"size-budget", &read_size_budgets},
    {"forbid-exports", [](const Reader& r, const Value& v,
                          ConfigKeys& o) { o.forbidden_exports = read_name_rules(r, v, export_rule_keys()); }},
    {"allow-exports", [](const Reader& r, const Value& v,
                         ConfigKeys& o) { o.allowed_exports = read_name_rules(r, v, export_rule_keys()); }},
    {"forbid-needed", [](const Reader& r, const Value& v,
                         ConfigKeys& o) { o.forbidden_needed = read_name_rules(r, v, needed_rule_keys()); }},
    {"require-cxx11-abi", &read_string_abi},
    {"require-sm", [](const Reader& r, const Value& v, ConfigKeys& o) { o.required_sm = r.list(v, &Reader::sm); }},
    {"external", &read_external},
    {"ignore-rule", &read_ignores},
};

}  // namespace

std::span<const Field<ConfigKeys>> wheel_keys() { return fields; }
std::span<const Field<ExternalLibrary>> external_keys() { return external_fields; }
std::span<const Field<NameRule>> export_rule_keys() { return export_rule_fields; }
std::span<const Field<NameRule>> needed_rule_keys() { return needed_rule_fields; }
std::span<const Field<IgnoreRule>> ignore_keys() { return ignore_fields; }

}  // namespace wheelcheck::config
