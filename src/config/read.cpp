// Reads a configuration file: toml.cpp parses it, keys.cpp lists the keys of each table with the function that reads
// each, and the values become settings (apply, at the end of this file).
//
// All problems of a file are collected with their positions, so that its author fixes them in one go; an unknown key is
// an error with the nearest known one, because a misspelt key that is ignored would silently switch a check off. Values
// of the command line overrule those of the file, and an override applies only to the wheels that its pattern matches.
#include "config/read.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/fields.h"

namespace wheelcheck::config {

namespace {

using Overruled = std::set<std::string, std::less<>>;

// Keys that apply to the whole run.
struct RunKeys {
  std::vector<std::string> policies, knowledge;
};
void read_version(const Reader& reader, const Value& value, RunKeys&) {
  const auto* const version = std::get_if<std::int64_t>(&value.what);
  if (version == nullptr) return reader.wrong(value, fmt::format("{}", schema_version));
  if (*version != schema_version)
    reader.problems.add(value.at,
                        fmt::format("version {} is not known to this wheelcheck; {} is", *version, schema_version));
}
constexpr Field<RunKeys> run_fields[] = {
    {"schema-version", &read_version},
    {"policies", [](const Reader& r, const Value& v, RunKeys& o) { o.policies = r.list(v, &Reader::path); }},
    {"knowledge", [](const Reader& r, const Value& v, RunKeys& o) { o.knowledge = r.list(v, &Reader::path); }},
};
constexpr std::string_view overrides_key = "overrides", wheel_key = "wheel";

template <class Target>
void read_unless(const Overruled& overruled, const Reader& reader, const KeyValue& entry, const Field<Target>& field,
                 Target& out) {
  Target forgotten;
  field.read(reader, entry.value, overruled.contains(entry.key) ? forgotten : out);
}

std::vector<std::string_view> file_keys() {
  std::vector<std::string_view> keys = keys_of(std::span<const Field<RunKeys>>(run_fields));
  for (const std::string_view key : keys_of(wheel_keys())) keys.push_back(key);
  keys.push_back(overrides_key);
  return keys;
}

std::vector<std::string_view> override_keys() {
  std::vector<std::string_view> keys = keys_of(wheel_keys());
  keys.insert(keys.begin(), wheel_key);
  return keys;
}

ConfigOverride read_override(const Reader& reader, const Value& value, const Overruled& overruled) {
  ConfigOverride out;
  const Table* const table = reader.table(value);
  if (table == nullptr) return out;
  const auto fields = wheel_keys();
  const std::vector<std::string_view> whole_run = file_keys();
  for (const KeyValue& entry : *table) {
    const auto field = std::ranges::find(fields, entry.key, &Field<ConfigKeys>::key);
    if (entry.key == wheel_key) {
      out.wheel = reader.glob(entry.value).value_or("");
    } else if (field != fields.end()) {
      read_unless(overruled, reader, entry, *field, out.keys);
    } else if (std::ranges::find(whole_run, entry.key) != whole_run.end()) {
      reader.problems.add(entry.at,
                          fmt::format("`{}` applies to the whole run and cannot be in an override", entry.key));
    } else {
      reader.problems.add(entry.at,
                          fmt::format("unknown key `{}`{}", escape(entry.key, 80), hint(entry.key, override_keys())));
    }
  }
  if (find(*table, wheel_key) == nullptr) reader.problems.add(value.at, "needs a key `wheel`");
  return out;
}

void read_overrides(const Reader& reader, const Value& value, const Overruled& overruled, Config& out) {
  const auto* const array = std::get_if<Array>(&value.what);
  if (array == nullptr) return reader.wrong(value, "a list of tables");
  for (const Value& element : *array) out.overrides.push_back(read_override(reader, element, overruled));
}

void read_file(const Reader& reader, const Table& table, const Overruled& overruled, Config& out) {
  RunKeys run;
  const auto fields = wheel_keys();
  for (const KeyValue& entry : table) {
    const auto field = std::ranges::find(fields, entry.key, &Field<ConfigKeys>::key);
    const auto* const run_field = std::ranges::find(run_fields, entry.key, &Field<RunKeys>::key);
    if (field != fields.end()) {
      read_unless(overruled, reader, entry, *field, out.keys);
    } else if (run_field != std::end(run_fields)) {
      read_unless(overruled, reader, entry, *run_field, run);
    } else if (entry.key == overrides_key) {
      read_overrides(reader, entry.value, overruled, out);
    } else {
      reader.problems.add(entry.at,
                          fmt::format("unknown key `{}`{}", escape(entry.key, 80), hint(entry.key, file_keys())));
    }
  }
  out.policies = std::move(run.policies);
  out.knowledge = std::move(run.knowledge);
}

const Value* section_of(const Value& document) {
  const KeyValue* const tool = find(std::get<Table>(document.what), "tool");
  if (tool == nullptr || !std::holds_alternative<Table>(tool->value.what)) return nullptr;
  const KeyValue* const section = find(std::get<Table>(tool->value.what), "wheelcheck");
  return section == nullptr ? nullptr : &section->value;
}

// A fast test for the table [tool.wheelcheck]. In TOML 1.0 the keys `tool` and `wheelcheck` have a dot between them, or
// `tool` ends a table header or precedes a value. Most projects' files have neither, and parsing such a file takes as
// long as judging the symbols of a small wheel.
bool may_have_section(std::string_view text) {
  constexpr std::string_view between = " \t\"'", tool = "tool", section = "wheelcheck";
  for (const std::string_view escape : {"\\u", "\\U"})  // a key may contain escapes
    if (text.find(escape) != text.npos) return true;
  const auto skip = [&](std::size_t at) { return std::min(text.find_first_not_of(between, at), text.size()); };
  for (std::size_t at = text.find(tool); at != text.npos; at = text.find(tool, at + 1)) {
    const std::size_t next = skip(at + tool.size());
    if (next == text.size()) return false;
    if (text[next] == ']' || text[next] == '=') return true;
    if (text[next] == '.' && text.substr(skip(next + 1)).starts_with(section)) return true;
  }
  return false;
}

}  // namespace

bool has_section(std::string_view text) {
  if (!may_have_section(text)) return false;
  const auto document = parse_toml(text);
  return !document || section_of(*document) != nullptr;
}

Result<Config> read_config(const Source& source, const Known& known, const Overruled& overruled) {
  Problems problems;
  const std::size_t slash = source.path.rfind('/') + 1;  // 0 if there is no slash
  const std::string name = source.path.substr(slash);
  const auto document = parse_toml(source.text);
  if (!document) {
    problems.add(document.error().at, fmt::format("is not TOML: {}", escape(document.error().reason)));
    return fail(ErrorCode::Usage, problems.lines(source.path));
  }
  const Value* const section = section_of(*document);
  if (section == nullptr && name == "pyproject.toml")
    return fail(ErrorCode::Usage, "{}: has no [tool.wheelcheck]", escape(source.path));
  const std::string directory = source.path.substr(0, slash);
  const Reader reader{known, problems, name, directory};
  Config config;
  config.file = {name, sha256_hex(std::as_bytes(std::span(source.text)))};
  if (const Table* const table = reader.table(section == nullptr ? *document : *section))
    read_file(reader, *table, overruled, config);
  if (!problems.empty()) return fail(ErrorCode::Usage, problems.lines(source.path));
  return config;
}

std::vector<TableKeys> keys_of_tables() {
  return {{"", file_keys(), {}},
          {"external", keys_of(external_keys()), keys_of(external_keys(), true)},
          {"ignore-rule", keys_of(ignore_keys()), keys_of(ignore_keys(), true)},
          {"forbid-exports", keys_of(export_rule_keys()), keys_of(export_rule_keys(), true)},
          {"forbid-needed", keys_of(needed_rule_keys()), keys_of(needed_rule_keys(), true)},
          {"overrides", override_keys(), {wheel_key}}};
}

namespace {

namespace fs = std::filesystem;

std::unexpected<Error> bad(const std::string& path, std::string_view what) {
  return fail(ErrorCode::Usage, "{}: {}", escape(path), what);
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::uint64_t largest) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return bad(path, "no such file");
  if (!fs::is_regular_file(status)) return bad(path, "is not a file");
  auto text = read_text_file(path, largest);
  if (!text) return bad(path, text.error());
  return std::move(*text);
}

Result<std::optional<ConfigText>> find_config() {
  std::error_code error;
  fs::path at = fs::current_path(error);
  if (error) return std::nullopt;
  for (std::string up;; up += "../") {
    for (const char* const name : {"wheelcheck.toml", "pyproject.toml"}) {
      const std::string path = up + name;
      if (!fs::is_regular_file(path, error)) continue;
      Result<std::string> text = read_text(path);
      if (!text) return std::unexpected(text.error());
      if (name == std::string_view("pyproject.toml") && !has_section(*text)) continue;
      return ConfigText{path, std::move(*text)};
    }
    if (!at.has_relative_path()) return std::nullopt;
    at = at.parent_path();
  }
}

namespace {

template <class From, class To>
void take(const std::optional<From>& from, To& to) {
  if (from) to = *from;
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void apply(const ConfigKeys& keys, Settings& settings) {
  take(keys.require_tags, settings.required_tags);
  take(keys.select, settings.select);
  take(keys.ignore, settings.ignore);
  take(keys.pedantic, settings.pedantic);
  RuleOptions& rules = settings.rules;
  take(keys.self_contained, rules.self_contained);
  take(keys.own_namespaces, rules.own_namespaces);
  take(keys.own_sonames, rules.own_sonames);
  take(keys.required_sm, rules.required_sm);
  take(keys.max_size, rules.max_wheel_bytes);
  take(keys.index, rules.index);
  take(keys.max_exports, rules.max_exports);
  take(keys.leak_threshold, rules.leak_threshold);
  take(keys.string_abi, rules.required_string_abi);
  if (keys.fail_on) {
    settings.never_fail = !keys.fail_on->least;
    settings.fail_on = keys.fail_on->least.value_or(settings.fail_on);
  }
  append(keys.severities, settings.severities);
  append(keys.ignores, settings.ignores);
  // The first match applies, so the entries of an override come before those of the file.
  rules.export_budgets.insert(rules.export_budgets.begin(), keys.export_budgets.begin(), keys.export_budgets.end());
  rules.size_budgets.insert(rules.size_budgets.begin(), keys.size_budgets.begin(), keys.size_budgets.end());
  append(keys.forbidden_exports, rules.forbidden_exports);
  append(keys.allowed_exports, rules.allowed_exports);
  append(keys.forbidden_needed, rules.forbidden_needed);
  append(keys.tags_of_machines, settings.tags_of_machines);
  append(keys.external, rules.external);
  for (const ExternalLibrary& library : keys.external) settings.external.push_back(library.library);
}

std::optional<Settings> settings_for(const std::string& file, const Settings& run) {
  std::optional<Settings> own;
  for (const ConfigOverride& one : run.overrides) {
    if (!glob_match(one.wheel, file)) continue;
    if (!own) own = run;
    apply(one.keys, *own);
  }
  return own;
}

}  // namespace wheelcheck::config
