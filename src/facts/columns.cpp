// Converts symbols to columns and back.
#include "facts/columns.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "facts/cache_format_words.h"

namespace wheelcheck::facts {
namespace {

// --- to columns ---------------------------------------------------------------------------------------------------

// field: a pointer to a member, or a function of a row.
template <class Row, class Field, class Enum, std::size_t n>
std::string letters_of(std::span<const Row> rows, const Field& field, const Letters<Enum, n>& letters) {
  const auto usual = [&](const Row& row) { return std::invoke(field, row) == letters[0].first; };
  std::string out;
  if (std::ranges::all_of(rows, usual)) return out;
  out.reserve(rows.size());
  for (const Row& row : rows) out += letter_of(letters, std::invoke(field, row));
  return out;
}

template <class Row>
Joined names_of(std::span<const Row> rows, std::string& bytes) {
  Joined out;
  bytes.clear();
  for (const Row& row : rows) {
    bytes += row.name;
    out.sizes.push_back(row.name.size());
  }
  out.bytes = bytes;
  return out;
}

template <class Row, class Number>
std::vector<std::uint64_t> numbers_of(std::span<const Row> rows, const Number& number_of) {
  std::vector<std::uint64_t> out;
  if (std::ranges::all_of(rows, [&](const Row& row) { return number_of(row) == 0; })) return out;
  for (const Row& row : rows) out.push_back(number_of(row));
  return out;
}

std::uint64_t place(std::optional<std::uint16_t> index) { return index ? *index + std::uint64_t{1} : 0; }
std::uint64_t place(std::optional<NeedIndex> index) { return index ? index->value + std::uint64_t{1} : 0; }

// --- from columns -------------------------------------------------------------------------------------------------

// Checks the columns of a table.
class Rows {
 public:
  explicit Rows(std::size_t count) : count_(count) {}

  void has(const std::vector<std::uint64_t>& column) { good_ = good_ && (column.empty() || column.size() == count_); }
  template <class Enum, std::size_t n>
  void has(const std::string& column, const Letters<Enum, n>& letters) {
    std::array<bool, 256> known{};
    for (const auto& [value, letter] : letters) known[static_cast<unsigned char>(letter)] = true;
    const bool all = std::ranges::all_of(column, [&](char c) { return known[static_cast<unsigned char>(c)]; });
    good_ = good_ && all && (column.empty() || column.size() == count_);
  }
  // Checks that every value in the column is an index into a table of `size` items, plus one.
  void points_into(const std::vector<std::uint64_t>& column, std::size_t size) {
    has(column);
    good_ = good_ && std::ranges::all_of(column, [&](std::uint64_t place) { return place <= size; });
  }
  bool good() const { return good_; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  bool good_ = true;
};

template <class Enum, std::size_t n>
Enum at(const std::string& column, std::size_t i, const Letters<Enum, n>& letters) {
  if (column.empty()) return letters[0].first;
  return meaning_of(letters, column[i]).value_or(letters[0].first);
}
std::uint64_t at(const std::vector<std::uint64_t>& column, std::size_t i) { return column.empty() ? 0 : column[i]; }
std::optional<NeedIndex> need_at(const std::vector<std::uint64_t>& column, std::size_t i) {
  const std::uint64_t place = at(column, i);
  return place == 0 ? std::nullopt : std::optional(NeedIndex{static_cast<std::uint32_t>(place - 1)});
}
std::optional<std::uint16_t> version_at(const std::vector<std::uint64_t>& column, std::size_t i) {
  const std::uint64_t place = at(column, i);
  return place == 0 ? std::nullopt : std::optional(static_cast<std::uint16_t>(place - 1));
}

// Splits a joined text into names.
class Names {
 public:
  explicit Names(const Joined& joined) : left_(joined.bytes) {
    std::uint64_t sum = 0;
    for (const std::uint64_t size : joined.sizes) good_ = good_ && !__builtin_add_overflow(sum, size, &sum);
    good_ = good_ && sum == joined.bytes.size();
  }
  bool good() const { return good_; }
  std::string_view next(std::uint64_t size) {
    const std::string_view name = left_.substr(0, size);
    left_.remove_prefix(name.size());
    return name;
  }

 private:
  std::string_view left_;
  bool good_ = true;
};

}  // namespace

ImportColumns columns_of(std::span<const Import> imports, std::string& bytes) {
  return {.names = names_of(imports, bytes),
          .needs = numbers_of(imports, [](const Import& each) { return place(each.need); }),
          .kinds = letters_of(imports, &Import::kind, kind_letters),
          .bounds = letters_of(imports, &Import::bound, bound_letters),
          .visibilities = letters_of(imports, &Import::visibility, visibility_letters),
          .weak = letters_of(imports, &Import::weak, no_letters),
          .canonical = letters_of(imports, &Import::canonical, no_letters)};
}

ExportColumns columns_of(std::span<const Export> exports, std::string& bytes) {
  return {.names = names_of(exports, bytes),
          .versions = numbers_of(exports, [](const Export& each) { return place(each.version); }),
          .sizes = numbers_of(exports, [](const Export& each) { return each.size; }),
          .copied_versions = numbers_of(exports, [](const Export& each) { return place(each.copied_version); }),
          .kinds = letters_of(exports, &Export::kind, kind_letters),
          .bindings = letters_of(exports, &Export::binding, binding_letters),
          .visibilities = letters_of(exports, &Export::visibility, visibility_letters),
          .bounds = letters_of(exports, &Export::bound, bound_letters),
          .default_versions = letters_of(exports, &Export::default_version, yes_letters)};
}

ReferenceColumns columns_of(std::span<const Reference> references) {
  ReferenceColumns out{
      .symbols = {},
      .own = letters_of(
          references, [](Reference each) { return each.own; }, no_letters),
      .kinds = letters_of(
          references, [](Reference each) { return each.kind; }, look_up_letters),
      .at_first_call = letters_of(references, [](Reference each) { return each.at_first_call; }, no_letters)};
  for (const Reference& reference : references) out.symbols.push_back(reference.symbol);
  return out;
}

bool append_imports(const ImportColumns& columns, DynamicFacts& facts) {
  Names names(columns.names);
  Rows rows(columns.names.sizes.size());
  rows.points_into(columns.needs, facts.needs.size());
  rows.has(columns.kinds, kind_letters);
  rows.has(columns.bounds, bound_letters);
  rows.has(columns.visibilities, visibility_letters);
  rows.has(columns.weak, no_letters);
  rows.has(columns.canonical, no_letters);
  if (!names.good() || !rows.good()) return false;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const std::string_view name = names.next(columns.names.sizes[i]);
    facts.imports.push_back({.name = name,
                             .need = need_at(columns.needs, i),
                             .kind = at(columns.kinds, i, kind_letters),
                             .bound = at(columns.bounds, i, bound_letters),
                             .visibility = at(columns.visibilities, i, visibility_letters),
                             .weak = at(columns.weak, i, no_letters),
                             .canonical = at(columns.canonical, i, no_letters)});
  }
  return true;
}

bool append_exports(const ExportColumns& columns, DynamicFacts& facts) {
  Names names(columns.names);
  Rows rows(columns.names.sizes.size());
  constexpr std::size_t max_versions = std::size_t{1} << 16;
  rows.points_into(columns.versions, std::min(facts.provides.size(), max_versions));
  rows.has(columns.sizes);
  rows.points_into(columns.copied_versions, facts.needs.size());
  rows.has(columns.kinds, kind_letters);
  rows.has(columns.bindings, binding_letters);
  rows.has(columns.visibilities, visibility_letters);
  rows.has(columns.bounds, bound_letters);
  rows.has(columns.default_versions, yes_letters);
  if (!names.good() || !rows.good()) return false;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const std::string_view name = names.next(columns.names.sizes[i]);
    facts.exports.push_back({.name = name,
                             .version = version_at(columns.versions, i),
                             .copied_version = need_at(columns.copied_versions, i),
                             .size = at(columns.sizes, i),
                             .kind = at(columns.kinds, i, kind_letters),
                             .binding = at(columns.bindings, i, binding_letters),
                             .visibility = at(columns.visibilities, i, visibility_letters),
                             .bound = at(columns.bounds, i, bound_letters),
                             .default_version = at(columns.default_versions, i, yes_letters)});
  }
  return true;
}

bool append_references(const ReferenceColumns& columns, DynamicFacts& facts) {
  Rows rows(columns.symbols.size());
  rows.has(columns.own, no_letters);
  rows.has(columns.kinds, look_up_letters);
  rows.has(columns.at_first_call, no_letters);
  if (!rows.good()) return false;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const bool own = at(columns.own, i, no_letters);
    if (columns.symbols[i] >= (own ? facts.exports.size() : facts.imports.size())) return false;
    facts.references.emplace_back(static_cast<std::uint32_t>(columns.symbols[i]), own,
                                  at(columns.kinds, i, look_up_letters), at(columns.at_first_call, i, no_letters));
  }
  return true;
}

}  // namespace wheelcheck::facts
