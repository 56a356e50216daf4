// Reads data/libraries.json, and files of the user in the same format. It accepts exactly what
// data/schema/libraries.schema.json allows.
#include <algorithm>

#include "base/text.h"
#include "knowledge/fields.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
}
bool is_line(std::string_view text) { return !text.empty() && text.size() <= 1000 && is_printable(text); }
bool is_name(std::string_view text) { return is_line(text) && text.size() <= 200; }
bool is_pattern(std::string_view text) {
  return !text.empty() && text.size() <= 1000 &&
         std::ranges::all_of(text, [](char c) { return c == '\t' || is_printable({&c, 1}); });
}
bool is_library_id(std::string_view text) {
  const auto lower_or_digit = [](char c) { return is_lower(c) || is_digit(c); };
  return !text.empty() && text.size() <= 100 && lower_or_digit(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return lower_or_digit(c) || c == '.' || c == '+' || c == '-'; });
}
bool is_version(std::string_view text) {
  return !text.empty() && text.size() <= 100 && is_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '.' || c == '_'; });
}
bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return false;
  return true;
}

constexpr std::string_view library_id_words = "lower-case letters, digits, '.', '+' and '-', as in openssl";

TextSpan patterns(const Field& library, std::string_view key) {
  const std::optional<Field> field = library.find(key);
  return field ? field->list(is_pattern, "a pattern of printable ASCII, not empty") : TextSpan();
}

Compatible compatible_of(const Field& field) {
  const auto is_known = [](std::string_view text) { return text == "stable" || text == "major" || text == "exact"; };
  const std::string_view text = field.text(is_known, "stable, major or exact");
  return text == "stable"  ? Compatible::Stable
         : text == "major" ? Compatible::Major
         : text == "exact" ? Compatible::Exact
                           : Compatible::Unsaid;
}

std::span<const EndOfLife> ends_of(const Field& library) {
  std::vector<EndOfLife> result;
  const std::optional<Field> field = library.find("ends");
  if (!field) return {};
  for (const Field& end : field->items()) {
    if (!end.object({"below", "date", "source"}, {})) break;
    result.push_back({.below = end.find("below")->text(is_version, "a version, as in 1.1.1"),
                      .date = end.find("date")->text(is_date, "a day, as in 2023-09-11"),
                      .source = end.find("source")->text(is_line, "a line of printable ASCII")});
  }
  return library.keep(std::move(result));
}

std::span<const OpenedParts> opens_of(const Field& library) {
  std::vector<OpenedParts> result;
  const std::optional<Field> field = library.find("opens");
  if (!field) return {};
  for (const Field& opener : field->items()) {
    if (!opener.object({"file", "one_of"}, {})) break;
    result.push_back({.file = opener.find("file")->text(is_pattern, "a pattern of printable ASCII, not empty"),
                      .one_of = patterns(opener, "one_of")});
  }
  return library.keep(std::move(result));
}

KnownLibrary read_library(const Field& field) {
  KnownLibrary result;
  if (!field.object({"id", "name"},
                    {"$comment", "family", "namespaces", "symbols", "not_symbols", "sonames", "texts", "version_nodes",
                     "owners", "compatible", "checks_version", "bare_version", "in_interpreters", "ends", "opens"}))
    return result;
  result.id = field.find("id")->text(is_library_id, library_id_words);
  result.name = field.find("name")->text(is_name, "a line of printable ASCII");
  if (const auto family = field.find("family")) result.family = family->text(is_library_id, library_id_words);
  if (const auto comment = field.find("$comment")) comment->text([](std::string_view) { return true; }, "");
  result.namespaces = patterns(field, "namespaces");
  result.symbols = patterns(field, "symbols");
  result.not_symbols = patterns(field, "not_symbols");
  result.sonames = patterns(field, "sonames");
  result.texts = patterns(field, "texts");
  result.version_nodes = patterns(field, "version_nodes");
  if (const auto owners = field.find("owners")) result.owners = owners->list(is_distribution, distribution_words);
  if (const auto compatible = field.find("compatible")) result.compatible = compatible_of(*compatible);
  if (const auto checks = field.find("checks_version")) result.checks_version = checks->flag();
  if (const auto bare = field.find("bare_version")) result.bare_version = bare->flag();
  if (const auto inside = field.find("in_interpreters")) result.in_interpreters = inside->flag();
  result.ends = ends_of(field);
  result.opens = opens_of(field);
  return result;
}

}  // namespace

std::vector<KnownLibrary> libraries_of(const Field& table) {
  std::vector<KnownLibrary> result;
  for (const Field& field : table.items("id")) result.push_back(read_library(field));
  return result;
}

}  // namespace wheelcheck::knowledge
