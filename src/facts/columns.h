// Symbols as columns. Half a million symbols are stored as a few long texts and arrays. A column in which every symbol
// has the most frequent value is omitted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/json_form.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::facts {

// Texts joined without a separator, and their sizes.
struct Joined {
  std::string_view bytes;
  std::vector<std::uint64_t> sizes;
};
template <class Form>
void describe(Form& form, Of<Form, Joined>& joined) {
  auto& [bytes, sizes] = joined;
  form("bytes", bytes);
  form("sizes", sizes);
}

// An index into another table is stored plus one; 0: none.
struct ImportColumns {
  Joined names;
  std::vector<std::uint64_t> needs;
  std::string kinds, bounds, visibilities, weak, canonical;  // letters of facts/cache_format_words.h
};
template <class Form>
void describe(Form& form, Of<Form, ImportColumns>& columns) {
  auto& [names, needs, kinds, bounds, visibilities, weak, canonical] = columns;
  form("names", names);
  form("needs", needs);
  form("kinds", kinds);
  form("bounds", bounds);
  form("visibilities", visibilities);
  form("weak", weak);
  form("canonical", canonical);
}

struct ExportColumns {
  Joined names;
  std::vector<std::uint64_t> versions, sizes, copied_versions;
  std::string kinds, bindings, visibilities, bounds, default_versions;
};
template <class Form>
void describe(Form& form, Of<Form, ExportColumns>& columns) {
  auto& [names, versions, sizes, copied_versions, kinds, bindings, visibilities, bounds, default_versions] = columns;
  form("names", names);
  form("versions", versions);
  form("sizes", sizes);
  form("copied_versions", copied_versions);
  form("kinds", kinds);
  form("bindings", bindings);
  form("visibilities", visibilities);
  form("bounds", bounds);
  form("default_versions", default_versions);
}

struct ReferenceColumns {
  std::vector<std::uint64_t> symbols;
  std::string own, kinds, at_first_call;
};
template <class Form>
void describe(Form& form, Of<Form, ReferenceColumns>& columns) {
  auto& [symbols, own, kinds, at_first_call] = columns;
  form("symbols", symbols);
  form("own", own);
  form("kinds", kinds);
  form("at_first_call", at_first_call);
}

// `bytes` is the buffer for the names; the columns point into it.
ImportColumns columns_of(std::span<const Import> imports, std::string& bytes);
ExportColumns columns_of(std::span<const Export> exports, std::string& bytes);
ReferenceColumns columns_of(std::span<const Reference> references);

// Append to the facts. Version needs and definitions must be there already, and references must be appended after
// symbols. Return false if a column has another length than the others, contains an unknown letter, or points beyond
// its table.
bool append_imports(const ImportColumns& columns, DynamicFacts& facts);
bool append_exports(const ExportColumns& columns, DynamicFacts& facts);
bool append_references(const ReferenceColumns& columns, DynamicFacts& facts);

}  // namespace wheelcheck::facts
