// Implements do_lookup_x, check_match, do_lookup_unique and _dl_lookup_symbol_x of glibc elf/dl-lookup.c, in that
// order.
#include "ldso/process_lookup.h"

#include <algorithm>

namespace wheelcheck::resolver {

using process::BindingResult;

LookUpTable::LookUpTable(const Definitions& definitions, Maps& maps, bool dynamic_weak)
    : definitions_(definitions),
      maps_(maps),
      dynamic_weak_(dynamic_weak),
      rules_(maps.files().rules()),
      asserts_(maps.files().platform().glibc < process::Glibc{2, 41}),
      prefers_exact_(maps.files().platform().glibc >= process::Glibc{2, 42}),
      rank_(maps.files().size(), nowhere),
      versioned_(maps.files().size()) {
  for (std::uint32_t i = 0; i < versioned_.size(); ++i)
    if (const DynamicFacts* const facts = maps.dynamic({i}))
      versioned_[i] = !facts->provides.empty() || !facts->needs.empty();
}

void LookUpTable::enter(ObjectIndex object) {
  object_ = object;
  const Map& map = maps_[object];
  maps_.files().work().spend(map.scope.size());
  if (ranked_scope_ == map.scope && ranked_global_ == maps_.global().size()) return;
  rank(map.scope);
}

void LookUpTable::rank(const std::vector<ScopeEntry>& scope) {
  for (const ObjectIndex object : ranked_) rank_[object.value] = nowhere;
  ranked_.clear();
  assumed_.clear();
  references_.clear();
  further_.clear();
  const auto add = [&](ObjectIndex object) {
    if (rank_[object.value] != nowhere) return;
    rank_[object.value] = static_cast<std::uint32_t>(ranked_.size());
    ranked_.push_back(object);
    if (maps_.files().file(object).assumed) assumed_.push_back(object);
    if (maps_.files().file(object).reference) references_.push_back(object);
    if (!maps_.files().file(object).further.empty()) further_.push_back(object);
  };
  for (const ScopeEntry& entry : scope) {
    if (entry.alone)
      add(entry.of);
    else if (const auto& list = maps_[entry.of].searchlist; list && !maps_.files().work().is_spent()) {
      maps_.files().work().spend(list->size());
      std::ranges::for_each(*list, add);
    }
  }
  ranked_scope_ = scope;
  ranked_global_ = maps_.global().size();
}

std::vector<process::Search::List> LookUpTable::scope() const {
  std::vector<process::Search::List> lists;
  for (const ScopeEntry& entry : maps_[object_].scope) {
    process::Search::List list{.of = entry.of, .alone = entry.alone, .files = {}};
    if (entry.alone)
      list.files = {entry.of};
    else if (const auto& searchlist = maps_[entry.of].searchlist)
      list.files = *searchlist;
    lists.push_back(std::move(list));
  }
  return lists;
}

// The version of an export (`own`) or import, as in l_versions: one that the file defines or one that it needs.
std::optional<LookUpTable::Version> LookUpTable::version_of(ObjectIndex file, std::uint32_t symbol, bool own) const {
  if (!rules_.versions) return std::nullopt;
  const DynamicFacts& facts = *maps_.dynamic(file);
  if (own && facts.exports[symbol].version) {
    const VersionDefinition& version = facts.provides[*facts.exports[symbol].version];
    return Version{version.version, version.index, {}};
  }
  const auto need = own ? std::optional<NeedIndex>(facts.exports[symbol].copied_version) : facts.imports[symbol].need;
  if (!need) return std::nullopt;
  const VersionNeed& version = facts.needs[need->value];
  return Version{version.version, version.index, version.library};
}

// do_lookup_x over all scopes. A weak definition is equivalent to a strong one, unless LD_DYNAMIC_WEAK is set.
LookUpTable::Hit LookUpTable::first(const Request& request) const {
  Hit hit;
  std::uint32_t best = nowhere, best_weak = nowhere;
  const Definition* weak = nullptr;
  const auto all = definitions_.of(request.name);
  maps_.files().work().spend(1 + all.size() + assumed_.size() + further_.size());
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    const ObjectIndex object = all[from].file;
    while (to < all.size() && all[to].file == object) ++to;
    const std::uint32_t rank = rank_[object.value];
    if (rank >= best) continue;
    if (request.kind == LookUp::Copy && object == maps_.program()) continue;
    const Definition* const chosen = choose(all.subspan(from, to - from), request);
    if (chosen == nullptr) continue;
    if (dynamic_weak_ && binding_of(*chosen) == Binding::Weak) {
      if (rank < best_weak) weak = chosen, best_weak = rank;
      continue;
    }
    hit.definition = chosen;
    best = rank;
  }
  if (hit.definition == nullptr) {
    hit.definition = weak;
    best = best_weak;
  }
  if (assume(request, best, hit)) hit.definition = nullptr;
  if (best == nowhere && request.version) hit.assumed = newer(*request.version, hit.assumed);
  if (hit.definition != nullptr) hit.inconsistent = contradicts_known_names(hit.definition->file, request);
  return hit;
}

// The definitions of an assumed library are unknown. A version that is required of it must exist, because otherwise the
// file with the requirement would not load. A name without a version that no known file defines may be in several
// assumed libraries.
bool LookUpTable::assume(const Request& request, std::uint32_t before, Hit& hit) const {
  if (assumed_.empty() && further_.empty()) return false;
  const std::string_view name = definitions_.text(request.name);
  if (request.version) {
    const std::string_view library = request.version->library;
    const auto holds = [](const std::vector<std::string>& list, std::string_view text) {
      return std::ranges::find(list, text) != list.end();
    };
    const auto answering = std::ranges::find_if(assumed_, [&](ObjectIndex object) {
      const process::Assumed& known = *maps_.files().file(object).assumed;
      return rank_[object.value] < before &&
             (maps_.is_named(object, library) || holds(known.speaks_for, library) || holds(known.also, name));
    });
    if (answering != assumed_.end()) hit.assumed = *answering;
    return hit.assumed.has_value();
  }
  if (before != nowhere) return false;
  const auto begins_as = [name](const std::vector<std::string>& prefixes) {
    return std::ranges::any_of(prefixes, [name](const std::string& prefix) { return name.starts_with(prefix); });
  };
  const auto further =
      std::ranges::find_if(further_, [&](ObjectIndex object) { return begins_as(maps_.files().file(object).further); });
  if (further != further_.end()) return hit.assumed = *further, true;
  if (const auto library = assumed_owner(name)) hit.assumed = library;
  for (const ObjectIndex object : assumed_) {
    const process::Assumed& library = *maps_.files().file(object).assumed;
    if (hit.assumed || library.versioned) continue;
    if (library.prefixes.empty()) hit.somewhere = true;
    if (begins_as(library.prefixes)) hit.assumed = object;
  }
  return hit.assumed || hit.somewhere;
}

// A reference library whose newer release defines the version, if the known release does not.
std::optional<ObjectIndex> LookUpTable::newer(const Version& version, std::optional<ObjectIndex> assumed) const {
  if (assumed) return assumed;
  for (const ObjectIndex object : references_) {
    const auto& known = maps_.dynamic(object)->provides;
    if (maps_.is_named(object, version.library) &&
        std::ranges::find(known, version.name, &VersionDefinition::version) == known.end())
      return object;
  }
  return std::nullopt;
}

// Files that were linked without the C library require its names without a version. Other files of the process may
// require the same name with a version, which shows the library.
std::optional<ObjectIndex> LookUpTable::assumed_owner(std::string_view name) const {
  if (!requested_) {
    requested_.emplace();
    for (std::uint32_t i = 0; i < maps_.files().size(); ++i)
      if (const DynamicFacts* const facts = maps_.dynamic({i}))
        for (const Import& symbol : facts->imports)
          if (symbol.need) requested_->try_emplace(symbol.name, facts->needs[symbol.need->value].library);
  }
  const auto found = requested_->find(name);
  if (found == requested_->end()) return std::nullopt;
  const auto named = std::ranges::find_if(assumed_, [&](ObjectIndex object) {
    const auto& others = maps_.files().file(object).assumed->speaks_for;
    return maps_.is_named(object, found->second) || std::ranges::find(others, found->second) != others.end();
  });
  return named == assumed_.end() ? std::nullopt : std::optional(*named);
}

// The part of do_lookup_x that walks one hash chain.
const Definition* LookUpTable::choose(std::span<const Definition> of_one_file, const Request& request) const {
  const Definition* alone = nullptr;
  unsigned possible = 0;
  for (const Definition& definition : of_one_file) {
    switch (match(definition, request)) {
      case Match::No:
        break;
      case Match::Yes:
        return &definition;
      case Match::IfAlone:
        if (possible++ == 0) alone = &definition;
        break;
    }
  }
  return possible == 1 ? alone : nullptr;
}

// check_match. It compares the name of the version, not the library of the version need.
LookUpTable::Match LookUpTable::match(const Definition& definition, const Request& request) const {
  const DynamicFacts& facts = *maps_.dynamic(definition.file);
  if (definition.canonical && request.kind == LookUp::Plt) return Match::No;
  if (!definition.canonical && facts.exports[definition.symbol].kind == SymbolKind::Other) return Match::No;
  if (!rules_.indirect && !definition.canonical && facts.exports[definition.symbol].kind == SymbolKind::Ifunc)
    return Match::No;
  if (!rules_.versions) return is_hidden(definition) ? Match::No : Match::Yes;
  if (!versioned_[definition.file.value]) return Match::Yes;
  if (!request.version) return match_unversioned(definition);
  const auto version = version_of(definition.file, definition.symbol, !definition.canonical);
  if (version) return version->name == request.version->name ? Match::Yes : Match::No;
  if (is_hidden(definition)) return Match::No;
  return prefers_exact_ ? Match::IfAlone : Match::Yes;
}

// A file that was linked without versions gets the oldest version, which is the first after the base. A newer one is
// used only if it is the only one.
LookUpTable::Match LookUpTable::match_unversioned(const Definition& definition) const {
  constexpr std::uint16_t oldest = 2;
  const auto version = version_of(definition.file, definition.symbol, !definition.canonical);
  if (!version || version->index <= oldest) return Match::Yes;
  return is_hidden(definition) ? Match::No : Match::IfAlone;
}

bool LookUpTable::is_hidden(const Definition& definition) const {
  return !definition.canonical && !maps_.dynamic(definition.file)->exports[definition.symbol].default_version;
}

// A version need names this file, but the file has no version tables.
bool LookUpTable::contradicts_known_names(ObjectIndex object, const Request& request) const {
  return asserts_ && request.version && !request.version->library.empty() && !versioned_[object.value] &&
         maps_.is_named(object, request.version->library);
}

std::uint32_t LookUpTable::export_of(const Definition& definition) {
  return definition.canonical ? process::unknown_definition : definition.symbol;
}

Binding LookUpTable::binding_of(const Definition& definition) const {
  if (definition.canonical) return Binding::Global;
  return maps_.dynamic(definition.file)->exports[definition.symbol].binding;
}

// do_lookup_unique. A copy relocation reads the definition that was found, and enters the program's copy into the
// table.
LookupResult LookUpTable::settle(const Hit& hit, const Request& request) {
  if (hit.assumed || hit.somewhere) return {.object = hit.assumed, .way = BindingResult::Platform};
  if (hit.definition == nullptr) return {};
  const ObjectIndex object = hit.definition->file;
  const std::uint32_t definition = export_of(*hit.definition);
  if (hit.inconsistent) return {.object = object, .definition = definition, .inconsistent = true};
  if (!rules_.unique || binding_of(*hit.definition) != Binding::Unique)
    return {.object = object, .definition = definition, .way = BindingResult::Plain};
  if (request.kind == LookUp::Copy) {
    unique_.settle(request.name, {object_});
    return {.object = object, .definition = definition, .way = BindingResult::Unique};
  }
  const bool fresh = !unique_.holds(request.name);
  const UniqueTable::Entry taken = unique_.settle(request.name, {object, definition});
  // Before glibc 2.31 the file was made NODELETE at once, even if the open failed.
  if (fresh && maps_.files().platform().glibc < process::Glibc{2, 31}) maps_[object].kept = true;
  return {.object = taken.object, .definition = taken.definition, .way = BindingResult::Unique};
}

// _dl_lookup_symbol_x.
LookupResult LookUpTable::look_up(std::uint32_t index) {
  const DynamicFacts& facts = *maps_.dynamic(object_);
  const wheelcheck::Reference& reference = facts.references[index];
  Request request{.name = definitions_.name(object_, index),
                  .kind = reference.kind,
                  .version = version_of(object_, reference.symbol, reference.own)};
  LookupResult found = settle(first(request), request);
  if (found.inconsistent) return found;
  if (!found.object && found.way == BindingResult::Missing && rules_.lfs64)
    found = as_lfs64(definitions_.text(request.name));
  const bool weak = !reference.own && facts.imports[reference.symbol].weak;
  if (found.way == BindingResult::Platform && (found.object || !weak)) return found;
  if (!found.object) {
    if (weak) found.way = BindingResult::WeakNull;
    if (!weak && request.version && maps_.files().file(object_).reference) found.way = BindingResult::Platform;
    return found;
  }
  if (!rules_.protects || !reference.own || facts.exports[reference.symbol].visibility != Visibility::Protected)
    return found;
  LookupResult others = found;
  if (reference.kind != LookUp::Plt) {
    request.kind = LookUp::Plt;
    others = settle(first(request), request);
  }
  if (others.object && *others.object != object_)
    return {.object = object_, .definition = reference.symbol, .way = BindingResult::Protected};
  return found;
}

// musl ldso/dynlink.c, get_lfs64.
LookupResult LookUpTable::as_lfs64(std::string_view name) const {
  static constexpr std::string_view names[] = {"aio_cancel",    "aio_error",
                                               "aio_fsync",     "aio_read",
                                               "aio_return",    "aio_suspend",
                                               "aio_write",     "alphasort",
                                               "creat",         "fallocate",
                                               "fgetpos",       "fopen",
                                               "freopen",       "fseeko",
                                               "fsetpos",       "fstat",
                                               "fstatat",       "fstatfs",
                                               "fstatvfs",      "ftello",
                                               "ftruncate",     "ftw",
                                               "getdents",      "getrlimit",
                                               "glob",          "globfree",
                                               "lio_listio",    "lockf",
                                               "lseek",         "lstat",
                                               "mkostemp",      "mkostemps",
                                               "mkstemp",       "mkstemps",
                                               "mmap",          "nftw",
                                               "open",          "openat",
                                               "posix_fadvise", "pread",
                                               "preadv",        "prlimit",
                                               "pwrite",        "pwritev",
                                               "readdir",       "posix_fallocate",
                                               "scandir",       "sendfile",
                                               "setrlimit",     "stat",
                                               "statfs",        "statvfs",
                                               "tmpfile",       "truncate",
                                               "versionsort",   "__fxstat",
                                               "__fxstatat",    "__lxstat",
                                               "__xstat"};
  const std::string_view base = name == "readdir64_r"  ? "readdir_r"
                                : name.ends_with("64") ? name.substr(0, name.size() - 2)
                                                       : std::string_view();
  const auto libc = maps_.interpreter();
  const bool known = base == "readdir_r" || std::ranges::find(names, base) != std::end(names);
  const DynamicFacts* const facts = libc && known ? maps_.dynamic(*libc) : nullptr;
  if (facts == nullptr) return {};
  const auto at = std::ranges::find(facts->exports, base, &Export::name);
  if (at == facts->exports.end()) return {};
  return {.object = libc,
          .definition = static_cast<std::uint32_t>(at - facts->exports.begin()),
          .way = BindingResult::Plain};
}

LookupResult LookUpTable::look_up_late(std::uint32_t index) {
  const DynamicFacts& facts = *maps_.dynamic(object_);
  const wheelcheck::Reference& reference = facts.references[index];
  if (rules_.protects && reference.own && facts.exports[reference.symbol].visibility == Visibility::Protected)
    return {.object = object_, .definition = reference.symbol, .way = BindingResult::Protected};
  return look_up(index);
}

}  // namespace wheelcheck::resolver
