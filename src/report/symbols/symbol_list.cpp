// Symbols listed one by one. A file may have half a million, so each is written immediately.

#include "report/symbols/symbol_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "report/symbols/symbols.h"

namespace wheelcheck::report {

namespace {

struct Row {
  ElfIndex elf;
  bool exported = false;
  std::string_view name;
  std::string_view version;  // node, "" if none
  bool default_version = true;
  SymbolKind kind = SymbolKind::NoType;
  Binding binding = Binding::Global;
  Attribution attribution;
};

void add_exports(std::vector<Row>& rows, ElfIndex elf, const DynamicFacts& dynamic) {
  for (const Export& symbol : dynamic.exports) {
    Row row{.elf = elf, .exported = true, .name = symbol.name, .version = {}, .attribution = {}};
    if (symbol.version && *symbol.version < dynamic.provides.size())
      row.version = dynamic.provides[*symbol.version].version;
    row.default_version = symbol.default_version;
    row.kind = symbol.kind;
    row.binding = symbol.binding;
    rows.push_back(row);
  }
}

void add_imports(std::vector<Row>& rows, ElfIndex elf, const DynamicFacts& dynamic) {
  for (const Import& symbol : dynamic.imports) {
    Row row{.elf = elf, .name = symbol.name, .version = {}, .default_version = false, .attribution = {}};
    if (symbol.need && symbol.need->value < dynamic.needs.size())
      row.version = dynamic.needs[symbol.need->value].version;
    row.kind = symbol.kind;
    row.binding = symbol.weak ? Binding::Weak : Binding::Global;
    rows.push_back(row);
  }
}

bool is_wanted(const Row& row, const SymbolSearch& search) {
  return search.matches(row.name) || (search.demangle && search.matches(search.demangle(row.name)));
}

std::vector<Row> rows_of(const WheelFacts& wheel, const SymbolSearch& search) {
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const std::optional<DynamicFacts>& dynamic = wheel.elfs[i].facts.dynamic;
    if (!dynamic) continue;
    const auto first = rows.size();
    if (search.exports) add_exports(rows, ElfIndex{i}, *dynamic);
    if (search.imports) add_imports(rows, ElfIndex{i}, *dynamic);
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first);
    rows.erase(std::remove_if(from, rows.end(), [&](const Row& row) { return !is_wanted(row, search); }), rows.end());
  }
  for (Row& row : rows) row.attribution = search.attribute(row.name);
  const auto key = [&](const Row& row) {
    const std::string_view group = search.by == SymbolQuestion::By::Namespace ? row.attribution.scope
                                   : search.by == SymbolQuestion::By::Library ? row.attribution.library
                                                                              : std::string_view();
    return std::tuple(group, row.elf, !row.exported, row.name, row.version);
  };
  std::ranges::stable_sort(rows, {}, key);
  return rows;
}

std::string row_text(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge, const Row& row,
                     const SymbolSearch& search, const Paint& paint) {
  std::string name = paint.cyan(escape(row.name));
  if (!row.version.empty()) name += (row.default_version ? "@@" : "@") + escape(row.version);
  std::string out = fmt::format("{}: {} {} {} {}", elf_path(wheel, row.elf), row.exported ? "export" : "import",
                                name_of(row.binding), name_of(row.kind), name);
  if (search.demangle)
    if (const std::string plain = search.demangle(row.name); plain != row.name) out += "  " + escape(plain);
  if (!row.attribution.library.empty())
    out += fmt::format("  [{}]", library_text(knowledge, analysis_of(analysis, row.elf), row.attribution.library));
  return out + "\n";
}

std::string row_json(const WheelFacts& wheel, const Analysis& analysis, const Row& row, const SymbolSearch& search) {
  const IdentifiedLibrary* const found = identified(analysis_of(analysis, row.elf), row.attribution.library);
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

std::string list_symbols(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                         const SymbolSearch& search) {
  const std::vector<Row> rows = rows_of(wheel, search);
  const Paint& paint = search.paint;
  std::string out = search.json ? "{\"symbols\": [" : "";
  for (const Row& row : rows) {
    if (search.json)
      out.append(&row == rows.data() ? "\n  " : ",\n  ").append(row_json(wheel, analysis, row, search));
    else
      out += row_text(wheel, analysis, knowledge, row, search, paint);
  }
  if (search.json) return out + (rows.empty() ? "]}\n" : "\n]}\n");
  return out + (rows.empty()
                    ? "no symbol matches; --match takes a regular expression, such as '^ffi_call'\n"
                    : fmt::format("{} {}\n", plural(rows.size(), "symbol"), rows.size() == 1 ? "matches" : "match"));
}

std::string_view scope_name(std::string_view scope) { return scope.empty() ? global_scope : scope; }

std::string_view library_name(const Knowledge& knowledge, std::string_view id) {
  const auto at = std::ranges::lower_bound(knowledge.libraries, id, {}, &KnownLibrary::id);
  return at != knowledge.libraries.end() && at->id == id ? std::string_view(at->name) : id;
}

const IdentifiedLibrary* identified(const ElfAnalysis& file, std::string_view library) {
  const auto at = std::ranges::find(file.libraries, library, &IdentifiedLibrary::library);
  return at == file.libraries.end() ? nullptr : &*at;
}

std::string library_text(const Knowledge& knowledge, const ElfAnalysis& file, std::string_view library) {
  std::string out = escape(library_name(knowledge, library));
  const IdentifiedLibrary* const found = identified(file, library);
  if (found != nullptr && found->version) out += " " + escape(*found->version);
  return out;
}

}  // namespace wheelcheck::report
