// Converts the document to facts. Every index is checked against its table.
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "facts/process_facts.h"
#include "facts/value.h"
#include "facts/words.h"
#include "json/json.h"

namespace wheelcheck::facts {
namespace {

// The properties that the words of a symbol express.
struct Traits {
  SymbolKind kind = SymbolKind::Function;
  Binding binding = Binding::Global;
  Visibility visibility = Visibility::Default;
  bool old = false, canonical = false;
};

Traits traits_of(const Value& value) {
  Traits out;
  if (value.raw().empty()) return out;
  for (const std::string_view word : split(value.raw(), ' ')) {
    if (const auto kind = value_in(symbol_words, word); kind && !word.empty())
      out.kind = *kind;
    else if (const auto binding = value_in(binding_words, word); binding && !word.empty())
      out.binding = *binding;
    else if (const auto visibility = value_in(visibility_words, word); visibility && !word.empty())
      out.visibility = *visibility;
    else if (word == old_word)
      out.old = true;
    else if (word == canonical_word)
      out.canonical = true;
    else
      value.fail("has an unknown word");
  }
  return out;
}

class DynamicReader {
 public:
  DynamicReader(const Value& value, StringPool& pool) : value_(value), pool_(pool) {}

  DynamicFacts run() {
    value_.object({"symbol_count", "static_tls_relocations", "soname", "needed", "filters", "auxiliaries", "rpath",
                   "runpath", "flags", "needs", "provides", "imports", "exports", "references"});
    facts_.symbol_count = value_.need("symbol_count").number<std::uint32_t>();
    if (const auto count = value_.find("static_tls_relocations"))
      facts_.static_tls_relocations = count->number<std::uint32_t>();
    if (const auto soname = value_.find("soname")) facts_.soname = soname->text(pool_);
    texts("needed", facts_.needed);
    texts("filters", facts_.filters);
    texts("auxiliaries", facts_.auxiliaries);
    texts("rpath", facts_.search.rpath);
    texts("runpath", facts_.search.runpath);
    flags();
    rows("needs", 3, 4, [&](const Value& row) { read_need(row); });
    rows("provides", 2, 3, [&](const Value& row) { read_provided(row); });
    rows("imports", 1, 3, [&](const Value& row) { read_import(row); });
    rows("exports", 2, 5, [&](const Value& row) { read_export(row); });
    rows("references", 2, SIZE_MAX, [&](const Value& row) { read_references(row); });
    return std::move(facts_);
  }

 private:
  void texts(std::string_view key, std::vector<std::string_view>& out) const {
    const auto list = value_.find(key);
    for (std::size_t i = 0, n = list ? list->items() : 0; i < n; ++i) out.push_back((*list)[i].text(pool_));
  }
  // Stops at the first problem, because later rows may depend on the wrong one.
  template <class Read>
  void rows(std::string_view key, std::size_t least, std::size_t most, const Read& read) const {
    const auto list = value_.find(key);
    for (std::size_t i = 0, n = list ? list->items() : 0; i < n && !value_.failed(); ++i) {
      const Value row = (*list)[i];
      if (row.items(least, most) != 0) read(row);
    }
  }
  void flags() {
    const auto list = value_.find("flags");
    for (std::size_t i = 0, n = list ? list->items() : 0; i < n; ++i) {
      bool known = false;
      for (const auto& [flag, word] : flag_words)
        if ((*list)[i].raw() == word) known = facts_.flags.*flag = true;
      if (!known) (*list)[i].fail("is not a known flag");
    }
  }
  static bool weak(const Value& row, std::size_t at) {
    if (row.items() <= at) return false;
    if (row[at].raw() != "weak") row[at].fail("is not \"weak\"");
    return true;
  }
  void read_need(const Value& row) {
    facts_.needs.push_back({.library = row[0].text(pool_),
                            .version = row[1].text(pool_),
                            .index = row[2].number<std::uint16_t>(),
                            .weak = weak(row, 3)});
  }
  void read_provided(const Value& row) {
    facts_.provides.push_back(
        {.version = row[0].text(pool_), .index = row[1].number<std::uint16_t>(), .weak = weak(row, 2)});
  }
  std::optional<NeedIndex> need_at(const Value& value) const {
    if (facts_.needs.empty()) value.fail("names a version need, and there is none");
    return value.failed() ? std::nullopt
                          : std::optional(NeedIndex{value.number<std::uint32_t>(facts_.needs.size() - 1)});
  }
  void read_import(const Value& row) {
    const std::size_t items = row.items();
    const Traits traits = items > 2 ? traits_of(row[2]) : Traits{};
    if (traits.binding == Binding::Unique || traits.old) row[2].fail("has a word that imports do not have");
    Import out{.name = row[0].text(pool_),
               .need = {},
               .kind = traits.kind,
               .visibility = traits.visibility,
               .weak = traits.binding == Binding::Weak,
               .canonical = traits.canonical};
    if (items > 1 && !row[1].is_null()) out.need = need_at(row[1]);
    facts_.imports.push_back(out);
  }
  void read_export(const Value& row) {
    const std::size_t items = row.items();
    const Traits traits = items > 3 ? traits_of(row[3]) : Traits{};
    if (traits.canonical || traits.visibility == Visibility::Hidden) row[3].fail("has a word that exports do not have");
    Export out{.name = row[0].text(pool_),
               .version = {},
               .copied_version = {},
               .size = row[1].number<std::uint64_t>(),
               .kind = traits.kind,
               .binding = traits.binding,
               .visibility = traits.visibility,
               .default_version = !traits.old};
    if (items > 2 && !row[2].is_null()) {
      if (facts_.provides.empty()) row[2].fail("names a version, and none is defined");
      if (!row.failed()) out.version = row[2].number<std::uint16_t>(facts_.provides.size() - 1);
    }
    if (items > 4) out.copied_version = need_at(row[4]);
    facts_.exports.push_back(out);
  }
  // Symbol::bound follows from the references, so it is not stored.
  void read_references(const Value& row) {
    const auto words = split(row[0].raw(), ' ');
    const auto kind = value_in(look_up_words, words.empty() ? std::string_view{} : words[0]);
    const bool lazy = words.size() == 2 && words[1] == lazy_word;
    if (!kind || words.size() > (lazy ? 2 : 1)) return row[0].fail("is not a known kind of reference");
    for (std::size_t i = 1, n = row.items(); i < n && !row.failed(); ++i) {
      const Value symbol = row[i];
      const bool own = symbol.is_negative();
      if (own ? facts_.exports.empty() : facts_.imports.empty())
        return symbol.fail("points into a table that is empty");
      const std::uint64_t place =
          own ? symbol.negated(facts_.exports.size()) - 1 : symbol.number<std::uint64_t>(facts_.imports.size() - 1);
      if (row.failed()) return;
      Bound& bound = own ? facts_.exports[place].bound : facts_.imports[place].bound;
      bound = std::max(bound, lazy ? Bound::AtFirstCall : Bound::AtLoad);
      facts_.references.emplace_back(static_cast<std::uint32_t>(place), own, *kind, lazy);
    }
  }

  const Value& value_;
  StringPool& pool_;
  DynamicFacts facts_;
};

std::unique_ptr<const ElfFacts> read_facts(const Value& value) {
  auto pool = std::make_unique<StringPool>();
  auto facts = std::make_unique<ElfFacts>();
  const Value kind = value.need("kind");
  const auto known = value_in(kind_words, kind.raw());
  if (!known) kind.fail("is not a known kind of file");
  facts->kind = known.value_or(ElfKind::Other);
  facts->machine = value.need("machine").number<std::uint16_t>();
  facts->bits = value.need("bits").number<std::uint16_t>();
  if (facts->bits != 32 && facts->bits != 64) value.need("bits").fail("is neither 32 nor 64");
  if (const auto arch = value.find("arch")) {
    const auto named = arch_from_name(arch->raw());
    if (!named) arch->fail("is not a known machine");
    facts->arch = named.value_or(Arch::Other);
  }
  if (const auto big = value.find("big_endian")) facts->little_endian = !big->flag();
  if (const auto abi = value.find("os_abi")) facts->os_abi = abi->number<std::uint8_t>();
  if (const auto debug = value.find("debug_only")) facts->debug_only = debug->flag();
  if (const auto interpreter = value.find("interpreter")) facts->interpreter = interpreter->text(*pool);
  if (const auto build_id = value.find("build_id")) facts->build_id = build_id->raw();
  if (const auto tls = value.find("tls"); tls && tls->items(2, 2) != 0) {
    facts->segments.tls_size = (*tls)[0].number<std::uint64_t>();
    facts->segments.tls_align = (*tls)[1].number<std::uint64_t>();
  }
  if (const auto dynamic = value.find("dynamic")) facts->dynamic = DynamicReader(*dynamic, *pool).run();
  facts->strings = std::move(pool);
  return facts;
}

void read_file(const Value& value, Stored& out, std::set<std::string>& paths) {
  value.object({"path", "aliases", "kind", "machine", "bits", "arch", "big_endian", "os_abi", "debug_only",
                "interpreter", "build_id", "tls", "dynamic"});
  StringPool pool;
  const auto path_of = [&](const Value& written) {
    std::string path(written.text(pool));
    if (!paths.insert(path).second) written.fail("is the path of two files");
    return path;
  };
  process::File file{.path = path_of(value.need("path"))};
  if (const auto aliases = value.find("aliases"))
    for (std::size_t i = 0, n = aliases->items(); i < n; ++i) file.aliases.push_back(path_of((*aliases)[i]));
  out.facts.push_back(read_facts(value));
  file.facts = out.facts.back().get();
  out.files.push_back(std::move(file));
}

}  // namespace

Result<Stored> read(std::string_view text, std::string_view file) {
  Problem problem;
  Stored out;
  constexpr std::size_t max_depth = 8;
  const auto document = json::parse(text, max_depth);
  if (!document) {
    problem = {"", document.error().front(), true};
  } else {
    const Value top(*document, problem);
    StringPool pool;
    std::set<std::string> paths;
    if (top.object({"about", "files"})) {
      out.about = top.need("about").text(pool);
      const Value files = top.need("files");
      for (std::size_t i = 0, n = files.items(); i < n && !problem.found; ++i) read_file(files[i], out, paths);
    }
  }
  if (!problem.found) return out;
  return std::unexpected(
      Error{ErrorCode::BadPolicy, fmt::format("{}: {}{}{}", escape(file), escape(problem.pointer, 400),
                                              problem.pointer.empty() ? "" : " ", problem.what)});
}

}  // namespace wheelcheck::facts
