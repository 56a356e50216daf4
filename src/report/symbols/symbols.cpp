// Symbol counts by file, namespace or library.
#include "report/symbols/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "report/symbols/symbol_list.h"
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
    const IdentifiedLibrary* const found = identified(analysis_of(tally.analysis, elf), library.key);
    if (found != nullptr && found->version) versions.insert(*found->version);
  }
  return {versions.begin(), versions.end()};
}

// --- JSON ---------------------------------------------------------------------------------------------------------
std::string document(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

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
  return document({{"files", std::move(files)}});
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
  return document({{"namespaces", std::move(namespaces)}, {"c", c}, {"rust", rust}});
}

std::string libraries_json(const Tally& tally) {
  Json libraries = Json::array();
  for (const Group& one : group(tally, &FileCounts::libraries)) {
    Json files = Json::array();
    for (const auto& [elf, count] : one.files) {
      const IdentifiedLibrary* const found = identified(analysis_of(tally.analysis, elf), one.key);
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
  return document({{"libraries", std::move(libraries)}});
}

// --- text ---------------------------------------------------------------------------------------------------------
using Line = std::pair<std::size_t, std::string>;  // a number of symbols, and their owner

// The numbers in a right-aligned column, largest first.
std::string lines(std::vector<Line> all) {
  std::ranges::stable_sort(all, [](const Line& a, const Line& b) { return a.first > b.first; });
  const std::size_t width = all.empty() ? 0 : fmt::formatted_size("{}", all.front().first);
  std::string out;
  for (const auto& [count, attribution] : all) out += fmt::format("  {:>{}}  {}\n", count, width, attribution);
  return out;
}

std::string files_text(const Tally& tally, const Paint& paint) {
  std::string out;
  for (std::uint32_t i = 0; i < tally.files.size(); ++i) {
    const FileCounts& file = tally.files[i];
    out += fmt::format("{}: {}, {}\n", paint.bold(elf_path(tally.wheel, ElfIndex{i})), plural(file.exports, "export"),
                       plural(file.imports, "import"));
    std::vector<Line> all;
    for (const auto& [scope, count] : file.scopes) all.emplace_back(count.symbols, escape(scope_name(scope)));
    if (file.rust != 0) all.emplace_back(file.rust, "(Rust names)");
    if (file.c != 0) all.emplace_back(file.c, "(C names)");
    out += lines(std::move(all));
  }
  return out;
}

std::string heading(const Tally& tally, const Paint& paint) {
  std::size_t symbols = 0, files = 0;
  for (const FileCounts& file : tally.files) {
    symbols += tally.of_side(file);
    files += tally.of_side(file) == 0 ? 0u : 1u;
  }
  const std::string_view one = tally.side().substr(0, tally.side().size() - 1);
  return fmt::format("{}: {} in {}\n", paint.bold(escape(tally.wheel.file)), plural(symbols, one),
                     plural(files, "file"));
}

std::string namespaces_text(const Tally& tally, const Paint& paint) {
  std::vector<Line> all;
  for (const Group& one : group(tally, &FileCounts::scopes)) {
    std::vector<std::string> files;
    for (const auto& [elf, count] : one.files) files.push_back(elf_path(tally.wheel, elf));
    all.emplace_back(one.all.symbols, fmt::format("{}{}  {}", escape(scope_name(one.key)),
                                                  tally.own(one.key) ? " (own)" : "", paint.dim(first_few(files, 2))));
  }
  std::size_t c = 0, rust = 0;
  for (const FileCounts& file : tally.files) {
    c += file.c;
    rust += file.rust;
  }
  if (rust != 0) all.emplace_back(rust, "(Rust names)");
  if (c != 0) all.emplace_back(c, "(C names)");
  return heading(tally, paint) + lines(std::move(all));
}

std::string libraries_text(const Tally& tally, const Paint& paint) {
  std::string out = heading(tally, paint);
  for (const Group& one : group(tally, &FileCounts::libraries)) {
    out += fmt::format("{}{}: {} of its symbols\n", paint.bold(escape(library_name(tally.knowledge, one.key))),
                       tally.own(one.key) ? " (own)" : "", one.all.symbols);
    std::vector<Line> all;
    for (const auto& [elf, count] : one.files) {
      const IdentifiedLibrary* const found = identified(analysis_of(tally.analysis, elf), one.key);
      std::string file = elf_path(tally.wheel, elf);
      if (found != nullptr && found->version)
        file += fmt::format("  version {}, confidence {}", escape(*found->version), name_of(found->confidence));
      all.emplace_back(count.symbols, std::move(file));
    }
    out += lines(std::move(all));
  }
  return out;
}

}  // namespace

std::string count_symbols(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                          const SymbolQuestion& question) {
  Tally counted = tally(wheel, analysis, knowledge, question);
  const Paint& paint = question.paint;
  switch (question.by) {
    case SymbolQuestion::By::File:
      return question.json ? files_json(counted) : files_text(counted, paint);
    case SymbolQuestion::By::Library:
      add_identified(counted);
      return question.json ? libraries_json(counted) : libraries_text(counted, paint);
    case SymbolQuestion::By::Namespace:
      break;
  }
  return question.json ? namespaces_json(counted) : namespaces_text(counted, paint);
}

}  // namespace wheelcheck::report
