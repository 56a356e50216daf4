// Reads recipes of ELF files from JSON; the wheels of wheels/made use this format.
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/elf_recipe.h"

namespace wheelcheck::test {
namespace {

using nlohmann::json;

// Reads the fields of an object, each with its own reader, and rejects unknown fields.
using Readers = std::map<std::string, std::function<void(const json&)>, std::less<>>;
void read_fields(const json& object, const Readers& readers, const char* what) {
  if (!object.is_object()) throw std::invalid_argument(std::string(what) + " is not an object");
  for (const auto& [key, value] : object.items()) {
    const auto reader = readers.find(key);
    if (reader == readers.end()) throw std::invalid_argument(std::string(what) + " has no field " + key);
    reader->second(value);
  }
}
template <class T>
std::function<void(const json&)> into(T& field) {
  return [&field](const json& value) { field = value.get<T>(); };
}
template <class T>
std::function<void(const json&)> into(std::optional<T>& field) {
  return [&field](const json& value) {
    if (value.is_null())
      field.reset();
    else
      field = value.get<T>();
  };
}
template <class T>
T word_of(const json& value, const std::map<std::string, T, std::less<>>& words) {
  const auto at = words.find(value.get<std::string>());
  if (at == words.end()) throw std::invalid_argument("unknown word " + value.get<std::string>());
  return at->second;
}
template <class T>
std::function<void(const json&)> list_into(std::vector<T>& list, T (*read)(const json&)) {
  return [&list, read](const json& values) {
    for (const json& value : values) list.push_back(read(value));
  };
}

RecipeSymbol symbol_of(const json& value) {
  RecipeSymbol symbol;
  if (value.is_string()) {
    symbol.name = value.get<std::string>();
    return symbol;
  }
  read_fields(value,
              {{"name", into(symbol.name)},
               {"weak", into(symbol.weak)},
               {"unique", into(symbol.unique)},
               {"default_version", into(symbol.default_version)},
               {"size", into(symbol.size)},
               {"returns", into(symbol.returns)},
               {"kind",
                [&](const json& v) {
                  symbol.kind = word_of<SymbolKind>(v, {{"none", SymbolKind::NoType},
                                                        {"function", SymbolKind::Function},
                                                        {"object", SymbolKind::Object},
                                                        {"tls", SymbolKind::Tls},
                                                        {"ifunc", SymbolKind::Ifunc},
                                                        {"common", SymbolKind::Common}});
                }},
               {"visibility",
                [&](const json& v) {
                  symbol.visibility = word_of<Visibility>(v, {{"default", Visibility::Default},
                                                              {"protected", Visibility::Protected},
                                                              {"hidden", Visibility::Hidden}});
                }},
               {"bound",
                [&](const json& v) {
                  symbol.bound = word_of<Bound>(
                      v, {{"never", Bound::Never}, {"first-call", Bound::AtFirstCall}, {"load", Bound::AtLoad}});
                }}},
              "a symbol");
  return symbol;
}

RecipeNeed need_of(const json& value) {
  RecipeNeed need;
  read_fields(value,
              {{"library", into(need.library)},
               {"version", into(need.version)},
               {"weak", into(need.weak)},
               {"symbols", list_into(need.symbols, symbol_of)}},
              "a version need");
  return need;
}

RecipeDefinition definition_of(const json& value) {
  RecipeDefinition definition;
  read_fields(value,
              {{"version", into(definition.version)},
               {"weak", into(definition.weak)},
               {"symbols", list_into(definition.symbols, symbol_of)}},
              "a version definition");
  return definition;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

RecipeSegment segment_of(const json& value) {
  RecipeSegment segment;
  read_fields(value,
              {{"type", into(segment.type)},
               {"flags", into(segment.flags)},
               {"offset", into(segment.offset)},
               {"address", into(segment.address)},
               {"file_size", into(segment.file_size)},
               {"memory_size", into(segment.memory_size)},
               {"align", into(segment.align)}},
              "a segment");
  return segment;
}

RecipeSection section_of(const json& value) {
  RecipeSection section;
  read_fields(value,
              {{"name", into(section.name)},
               {"text", into(section.bytes)},
               {"hex", [&](const json& v) { section.bytes = bytes_of_hex(v.get<std::string>()); }},
               {"flags", into(section.flags)},
               {"type", into(section.type)}},
              "a section");
  return section;
}

void read_patches(ElfRecipe& recipe, const json& values) {
  for (const json& value : values) {
    RecipePatch patch;
    const auto number = [&](int size) {
      return [&, size](const json& v) { patch.bytes = encoded(recipe, v.get<std::uint64_t>(), size); };
    };
    read_fields(value,
                {{"at", into(patch.at)},
                 {"plus", into(patch.plus)},
                 {"hex", [&](const json& v) { patch.bytes = bytes_of_hex(v.get<std::string>()); }},
                 {"u16", number(2)},
                 {"u32", number(4)},
                 {"u64", number(8)}},
                "a patch");
    recipe.patches.push_back(std::move(patch));
  }
}

Readers identity_fields(ElfRecipe& r) {
  return {{"machine", into(r.machine)},
          {"bits", into(r.bits)},
          {"big_endian", into(r.big_endian)},
          {"type", into(r.type)},
          {"flags", into(r.flags)},
          {"os_abi", into(r.os_abi)},
          {"gnu_stack", into(r.gnu_stack)},
          {"relro", into(r.relro)},
          {"writable_code", into(r.writable_code)},
          {"load_align", into(r.load_align)},
          {"build_id", into(r.build_id)},
          {"x86_isa_needed", into(r.x86_isa_needed)},
          {"x86_isa_used", into(r.x86_isa_used)},
          {"x86_features", into(r.x86_features)},
          {"android_api", into(r.android_api)},
          {"arm_cpu_arch", into(r.arm_cpu_arch)},
          {"strip_sections", into(r.strip_sections)},
          {"cut_at", into(r.cut_at)},
          {"sections", list_into(r.sections, section_of)},
          {"extra_segments", list_into(r.extra_segments, segment_of)},
          {"split_debug", [&r](const json& v) {
             r.split_debug = word_of<SplitDebug>(v, {{"no", SplitDebug::No},
                                                     {"no-bytes", SplitDebug::NoBytes},
                                                     {"sections-only", SplitDebug::SectionsOnly}});
           }}};
}

Readers dynamic_fields(ElfRecipe& r) {
  return {{"dynamic", into(r.dynamic)},
          {"interp", into(r.interp)},
          {"soname", into(r.soname)},
          {"rpath", into(r.rpath)},
          {"runpath", into(r.runpath)},
          {"needed", into(r.needed)},
          {"filters", into(r.filters)},
          {"auxiliaries", into(r.auxiliaries)},
          {"needs", list_into(r.needs, need_of)},
          {"defines", list_into(r.defines, definition_of)},
          {"imports", list_into(r.imports, symbol_of)},
          {"exports", list_into(r.exports, symbol_of)},
          {"dt_flags", into(r.dt_flags)},
          {"dt_flags_1", into(r.dt_flags_1)},
          {"symbolic", into(r.symbolic)},
          {"textrel", into(r.textrel)},
          {"bind_now", into(r.bind_now)},
          {"debug", into(r.debug)},
          {"extra_dynamic", into(r.extra_dynamic)},
          {"hash", [&r](const json& v) {
             r.hash = word_of<HashTables>(v, {{"gnu", HashTables::Gnu},
                                              {"sysv", HashTables::Sysv},
                                              {"both", HashTables::Both},
                                              {"none", HashTables::None}});
           }}};
}

}  // namespace

ElfRecipe elf_recipe_from_json(const json& object) {
  ElfRecipe recipe;
  Readers readers = identity_fields(recipe);
  readers.merge(dynamic_fields(recipe));
  readers["patches"] = [](const json&) {};  // last, because they need the byte order
  read_fields(object, readers, "an ELF recipe");
  if (object.contains("patches")) read_patches(recipe, object["patches"]);
  return recipe;
}

}  // namespace wheelcheck::test
