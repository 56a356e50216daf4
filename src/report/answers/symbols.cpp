// Symbols counted by namespace, file or library, and listed one by one.
#include "report/answers/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "report/answers/check_errors.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

struct Count {
  std::uint32_t symbols = 0, rtti = 0;
  void add(std::uint32_t more, std::uint32_t more_rtti) {
    symbols += more;
    rtti += more_rtti;
  }
};
using Counts = std::map<std::string, Count, std::less<>>;

struct FileCounts {
  std::size_t exports = 0, imports = 0;
  std::uint32_t c = 0, rust = 0;
  Counts scopes, libraries;  // C++ names by outermost scope; names of known libraries by id
};

FileCounts count_exports(const ElfAnalysis& file) {
  FileCounts out;
  out.c = file.exports.c;
  out.rust = file.exports.rust;
  for (const ScopeCount& scope : file.exports.scopes) out.scopes[scope.scope].add(scope.exports, scope.rtti);
  for (const LibraryCount& library : file.exports.libraries)
    out.libraries[library.library].add(library.exports, library.rtti);
  return out;
}

FileCounts count_imports(const DynamicFacts& dynamic, const SymbolQuestion& question) {
  FileCounts out;
  const auto add = [](Counts& counts, std::string_view key, bool rtti) {
    auto at = counts.find(key);
    if (at == counts.end()) at = counts.emplace(key, Count{}).first;
    at->second.add(1, rtti ? 1 : 0);
  };
  for (const Import& import : dynamic.imports) {
    const Attribution attribution = question.attribute(import.name);
    if (attribution.form == Attribution::Form::C) ++out.c;
    if (attribution.form == Attribution::Form::Rust) ++out.rust;
    if (attribution.form == Attribution::Form::Cxx) add(out.scopes, attribution.scope, attribution.rtti);
    if (!attribution.library.empty()) add(out.libraries, attribution.library, attribution.rtti);
  }
  return out;
}

struct Tally {
  const WheelFacts& wheel;
  const Analysis& analysis;
  const Knowledge& knowledge;
  const SymbolQuestion& question;
  std::vector<FileCounts> files = {};  // by ElfIndex

  std::string_view side() const { return question.side == SymbolSide::Exports ? "exports" : "imports"; }
  std::size_t of_side(const FileCounts& file) const {
    return question.side == SymbolSide::Exports ? file.exports : file.imports;
  }
  bool own(std::string_view name) const { return std::ranges::binary_search(analysis.own_scopes, name); }
};

Tally tally(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
            const SymbolQuestion& question) {
  Tally out{wheel, analysis, knowledge, question};
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const std::optional<DynamicFacts>& dynamic = wheel.elfs[i].facts.dynamic;
    FileCounts file;
    if (dynamic) {
      file = question.side == SymbolSide::Exports ? count_exports(analysis_of(analysis, ElfIndex{i}))
                                                  : count_imports(*dynamic, question);
      file.exports = dynamic->exports.size();
      file.imports = dynamic->imports.size();
    }
    out.files.push_back(std::move(file));
  }
  return out;
}

// One namespace or library in all files of the wheel.
struct Group {
  std::string key;
  Count all;
  std::vector<std::pair<ElfIndex, Count>> files;  // most symbols first, then by path
};

std::vector<Group> group(const Tally& tally, Counts FileCounts::* counts) {
  std::map<std::string_view, Group> groups;
  for (std::uint32_t i = 0; i < tally.files.size(); ++i) {
    for (const auto& [key, count] : tally.files[i].*counts) {
      Group& one = groups[key];
      one.key = key;
      one.all.add(count.symbols, count.rtti);
      one.files.emplace_back(ElfIndex{i}, count);
    }
  }
  std::vector<Group> out;
  out.reserve(groups.size());
  for (auto& [key, one] : groups) {
    std::ranges::stable_sort(one.files,
                             [](const auto& a, const auto& b) { return a.second.symbols > b.second.symbols; });
    out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, [](const Group& a, const Group& b) { return a.all.symbols > b.all.symbols; });
  return out;
}

// Also counts a library that is inside a file but has no symbol of that side.
void add_identified(Tally& tally) {
  for (std::uint32_t i = 0; i < tally.files.size(); ++i)
    for (const IdentifiedLibrary& library : analysis_of(tally.analysis, ElfIndex{i}).libraries)
      tally.files[i].libraries.try_emplace(library.library);
}

std::vector<std::string> versions_of(const Tally& tally, const Group& library) {
  std::set<std::string, NaturalLess> versions;
  for (const auto& [elf, count] : library.files) {
    const IdentifiedLibrary* const found = analysis_of(tally.analysis, elf).library(library.key);
    if (found != nullptr && found->version) versions.insert(*found->version);
  }
  return {versions.begin(), versions.end()};
}

// --- JSON ---------------------------------------------------------------------------------------------------------

std::string files_json(const Tally& tally) {
  Json files = Json::array();
  for (std::uint32_t i = 0; i < tally.files.size(); ++i) {
    const FileCounts& file = tally.files[i];
    Json namespaces = Json::object();
    for (const auto& [scope, count] : file.scopes) namespaces[safe(scope_name(scope))] = count.symbols;
    files.push_back({{"file", safe(member_of(tally.wheel, ElfIndex{i}).path.text())},
                     {"exports", file.exports},
                     {"imports", file.imports},
                     {"namespaces", std::move(namespaces)}});
  }
  return document_text({{"files", std::move(files)}});
}

std::string namespaces_json(const Tally& tally) {
  Json namespaces = Json::array();
  for (const Group& one : group(tally, &FileCounts::scopes)) {
    Json files = Json::array();
    for (const auto& [elf, count] : one.files)
      files.push_back({{"file", safe(member_of(tally.wheel, elf).path.text())}, {tally.side(), count.symbols}});
    namespaces.push_back({{"namespace", safe(scope_name(one.key))},
                          {tally.side(), one.all.symbols},
                          {"rtti", one.all.rtti},
                          {"own", tally.own(one.key)},
                          {"files", std::move(files)}});
  }
  std::size_t c = 0, rust = 0;
  for (const FileCounts& file : tally.files) {
    c += file.c;
    rust += file.rust;
  }
  return document_text({{"namespaces", std::move(namespaces)}, {"c", c}, {"rust", rust}});
}

std::string libraries_json(const Tally& tally) {
  Json libraries = Json::array();
  for (const Group& one : group(tally, &FileCounts::libraries)) {
    Json files = Json::array();
    for (const auto& [elf, count] : one.files) {
      const IdentifiedLibrary* const found = analysis_of(tally.analysis, elf).library(one.key);
      files.push_back({{"file", safe(member_of(tally.wheel, elf).path.text())},
                       {tally.side(), count.symbols},
                       {"version", found != nullptr ? maybe(found->version) : Json(nullptr)},
                       {"confidence", found != nullptr ? Json(name_of(found->confidence)) : Json(nullptr)}});
    }
    libraries.push_back({{"library", safe(one.key)},
                         {"name", safe(library_name(tally.knowledge, one.key))},
                         {"versions", texts(versions_of(tally, one))},
                         {tally.side(), one.all.symbols},
                         {"rtti", one.all.rtti},
                         {"own", tally.own(one.key)},
                         {"files", std::move(files)}});
  }
  return document_text({{"libraries", std::move(libraries)}});
}

// --- text ---------------------------------------------------------------------------------------------------------

using NumberRow = std::pair<std::size_t, StyledText>;  // a number of symbols, and their owner

// The numbers in a right-aligned column, largest first.
void add_rows(Document& out, std::vector<NumberRow> all) {
  std::ranges::stable_sort(all, [](const NumberRow& a, const NumberRow& b) { return a.first > b.first; });
  TextTable table{.columns = {{.right = true}, {}}, .last = TextTable::LastCell::Whole};
  for (NumberRow& row : all) table.rows.push_back({std::to_string(row.first), std::move(row.second)});
  out.add(std::move(table));
}

void add_other_names(std::vector<NumberRow>& rows, std::size_t rust, std::size_t c) {
  if (rust != 0) rows.emplace_back(rust, "(Rust names)");
  if (c != 0) rows.emplace_back(c, "(C names)");
}

void add_by_file(Document& out, const Tally& tally) {
  for (std::uint32_t i = 0; i < tally.files.size(); ++i) {
    const FileCounts& file = tally.files[i];
    out.line(styled("{}: {}, {}", StyledText(elf_path(tally.wheel, ElfIndex{i}), Style::Strong),
                    count_of(file.exports, "export"), count_of(file.imports, "import")));
    std::vector<NumberRow> all;
    for (const auto& [scope, count] : file.scopes) all.emplace_back(count.symbols, escape(scope_name(scope)));
    add_other_names(all, file.rust, file.c);
    add_rows(out, std::move(all));
  }
}

void add_heading(Document& out, const Tally& tally) {
  std::size_t symbols = 0, files = 0;
  for (const FileCounts& file : tally.files) {
    symbols += tally.of_side(file);
    files += tally.of_side(file) == 0 ? 0u : 1u;
  }
  const std::string_view one = tally.side().substr(0, tally.side().size() - 1);
  out.line(styled("{}: {} in {}", StyledText(escape(tally.wheel.file), Style::Strong), count_of(symbols, one),
                  count_of(files, "file")));
}

// " [Apache Arrow]" for arrow; "" for a namespace that is in no table.
std::string of_library(const Knowledge& knowledge, std::string_view scope) {
  for (const KnownLibrary& library : knowledge.libraries)
    if (std::ranges::find(library.namespaces, scope) != library.namespaces.end())
      return fmt::format(" [{}]", escape(library_name(knowledge, library.id)));
  return "";
}

void add_by_namespace(Document& out, const Tally& tally) {
  std::vector<NumberRow> all;
  for (const Group& one : group(tally, &FileCounts::scopes)) {
    std::vector<std::string> files;
    for (const auto& [elf, count] : one.files) files.push_back(elf_path(tally.wheel, elf));
    all.emplace_back(one.all.symbols,
                     styled("{}{}{}  {}", escape(scope_name(one.key)), of_library(tally.knowledge, one.key),
                            tally.own(one.key) ? " (own)" : "", StyledText(first_few(files, 2), Style::Dim)));
  }
  std::size_t c = 0, rust = 0;
  for (const FileCounts& file : tally.files) {
    c += file.c;
    rust += file.rust;
  }
  add_other_names(all, rust, c);
  add_heading(out, tally);
  add_rows(out, std::move(all));
}

void add_by_library(Document& out, const Tally& tally) {
  add_heading(out, tally);
  for (const Group& one : group(tally, &FileCounts::libraries)) {
    out.line(styled("{}{}: {} of its symbols",
                    StyledText(escape(library_name(tally.knowledge, one.key)), Style::Strong),
                    tally.own(one.key) ? " (own)" : "", one.all.symbols));
    std::vector<NumberRow> all;
    for (const auto& [elf, count] : one.files) {
      const IdentifiedLibrary* const found = analysis_of(tally.analysis, elf).library(one.key);
      std::string file = elf_path(tally.wheel, elf);
      if (found != nullptr && found->version)
        file += fmt::format("  version {}, confidence {}", escape(*found->version), name_of(found->confidence));
      all.emplace_back(count.symbols, std::move(file));
    }
    add_rows(out, std::move(all));
  }
  std::size_t all = 0, known = 0;
  for (const FileCounts& file : tally.files) {
    all += tally.of_side(file);
    for (const auto& [library, count] : file.libraries) known += count.symbols;
  }
  if (known < all)
    out.line(styled("no known library: {}; --by namespace counts them", count_of(all - known, "other symbol")));
}

}  // namespace

Answer symbol_counts_answer(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                            const SymbolQuestion& question) {
  using By = SymbolQuestion::By;
  const auto count = [&wheel, &analysis, &knowledge, question] {
    Tally counted = tally(wheel, analysis, knowledge, question);
    if (question.by == By::Library) add_identified(counted);
    return counted;
  };
  return {
      .document =
          [&wheel, count, by = question.by] {
            Document out;
            const auto add = by == By::File ? &add_by_file : by == By::Library ? &add_by_library : &add_by_namespace;
            add(out, count());
            add_unread(out, wheel);
            return out;
          },
      .json =
          [count, by = question.by] {
            const auto json = by == By::File ? &files_json : by == By::Library ? &libraries_json : &namespaces_json;
            return json(count());
          }};
}

// Symbols listed one by one. A file may have half a million, so each is written immediately.
namespace {

struct SymbolRow {
  ElfIndex elf;
  bool exported = false;
  std::string_view name;
  std::string_view version;  // node, "" if none
  bool default_version = true;
  SymbolKind kind = SymbolKind::NoType;
  Binding binding = Binding::Global;
  Attribution attribution;
};

void add_exports(std::vector<SymbolRow>& rows, ElfIndex elf, const DynamicFacts& dynamic) {
  for (const Export& symbol : dynamic.exports) {
    SymbolRow row{.elf = elf, .exported = true, .name = symbol.name, .version = {}, .attribution = {}};
    if (symbol.version && *symbol.version < dynamic.provides.size())
      row.version = dynamic.provides[*symbol.version].version;
    row.default_version = symbol.default_version;
    row.kind = symbol.kind;
    row.binding = symbol.binding;
    rows.push_back(row);
  }
}

void add_imports(std::vector<SymbolRow>& rows, ElfIndex elf, const DynamicFacts& dynamic) {
  for (const Import& symbol : dynamic.imports) {
    SymbolRow row{.elf = elf, .name = symbol.name, .version = {}, .default_version = false, .attribution = {}};
    if (symbol.need && symbol.need->value < dynamic.needs.size())
      row.version = dynamic.needs[symbol.need->value].version;
    row.kind = symbol.kind;
    row.binding = symbol.weak ? Binding::Weak : Binding::Global;
    rows.push_back(row);
  }
}

bool is_wanted(const SymbolRow& row, const SymbolSearch& search) {
  return search.matches(row.name) || (search.demangle && search.matches(search.demangle(row.name)));
}

std::vector<SymbolRow> rows_of(const WheelFacts& wheel, const SymbolSearch& search) {
  std::vector<SymbolRow> rows;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const std::optional<DynamicFacts>& dynamic = wheel.elfs[i].facts.dynamic;
    if (!dynamic) continue;
    const auto first = rows.size();
    if (search.exports) add_exports(rows, ElfIndex{i}, *dynamic);
    if (search.imports) add_imports(rows, ElfIndex{i}, *dynamic);
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first);
    rows.erase(std::remove_if(from, rows.end(), [&](const SymbolRow& row) { return !is_wanted(row, search); }),
               rows.end());
  }
  for (SymbolRow& row : rows) row.attribution = search.attribute(row.name);
  const auto key = [&](const SymbolRow& row) {
    const std::string_view group = search.by == SymbolQuestion::By::Namespace ? row.attribution.scope
                                   : search.by == SymbolQuestion::By::Library ? row.attribution.library
                                                                              : std::string_view();
    return std::tuple(group, row.elf, !row.exported, row.name, row.version);
  };
  std::ranges::stable_sort(rows, {}, key);
  return rows;
}

TextLine row_line(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge, const SymbolRow& row,
                  const SymbolSearch& search) {
  StyledText name(escape(row.name), Style::Term);
  if (!row.version.empty()) name += (row.default_version ? "@@" : "@") + escape(row.version);
  StyledText out = styled("{}: {} {} {} {}", elf_path(wheel, row.elf), row.exported ? "export" : "import",
                          name_of(row.binding), name_of(row.kind), name);
  if (search.demangle)
    if (const std::string plain = search.demangle(row.name); plain != row.name) out += "  " + escape(plain);
  if (!row.attribution.library.empty())
    out += fmt::format("  [{}]", library_text(knowledge, analysis_of(analysis, row.elf), row.attribution.library));
  return {.lead = std::move(out)};
}

std::string row_json(const WheelFacts& wheel, const Analysis& analysis, const SymbolRow& row,
                     const SymbolSearch& search) {
  const IdentifiedLibrary* const found = analysis_of(analysis, row.elf).library(row.attribution.library);
  const bool cxx = row.attribution.form == Attribution::Form::Cxx;
  const Json object = {
      {"file", safe(member_of(wheel, row.elf).path.text())},
      {"side", row.exported ? "export" : "import"},
      {"name", safe_long(row.name)},
      {"demangled", search.demangle ? Json(safe_long(search.demangle(row.name))) : Json(nullptr)},
      {"version", row.version.empty() ? Json(nullptr) : Json(safe(row.version))},
      {"kind", name_of(row.kind)},
      {"binding", name_of(row.binding)},
      {"form", name_of(row.attribution.form)},
      {"namespace", cxx ? Json(safe(scope_name(row.attribution.scope))) : Json(nullptr)},
      {"rtti", row.attribution.rtti},
      {"standard", row.attribution.standard},
      {"library", row.attribution.library.empty() ? Json(nullptr) : Json(safe(row.attribution.library))},
      {"library_version", found != nullptr ? maybe(found->version) : Json(nullptr)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Answer symbol_list_answer(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                          const SymbolSearch& search) {
  const auto rows = std::make_shared<const std::vector<SymbolRow>>(rows_of(wheel, search));
  const auto line = [&wheel, &analysis, &knowledge, search, rows](std::size_t i) {
    return row_line(wheel, analysis, knowledge, (*rows)[i], search);
  };
  return {.document =
              [&wheel, rows, line] {
                Document out;
                out.add(TextLines{rows->size(), line});
                out.line(rows->empty()
                             ? "no symbol matches; --match takes a regular expression, such as '^ffi_call'"
                             : count_of(rows->size(), "symbol") + (rows->size() == 1 ? " matches" : " match"));
                add_unread(out, wheel);
                return out;
              },
          .json =
              [&wheel, &analysis, search, rows] {
                std::string out = "{\"symbols\": [";
                for (const SymbolRow& row : *rows)
                  out.append(&row == rows->data() ? "\n  " : ",\n  ").append(row_json(wheel, analysis, row, search));
                return out + (rows->empty() ? "]}\n" : "\n]}\n");
              }};
}

std::string_view scope_name(std::string_view scope) { return scope.empty() ? global_scope : scope; }

std::string_view library_name(const Knowledge& knowledge, std::string_view id) {
  const KnownLibrary* const known = knowledge.library(id);
  return known != nullptr ? std::string_view(known->name) : id;
}

std::string library_text(const Knowledge& knowledge, const ElfAnalysis& file, std::string_view library) {
  std::string out = escape(library_name(knowledge, library));
  const IdentifiedLibrary* const found = file.library(library);
  if (found != nullptr && found->version) out += " " + escape(*found->version);
  return out;
}

}  // namespace wheelcheck::report
