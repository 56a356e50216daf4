#include "tests/support/elf_facts.h"

#include <algorithm>
#include <memory>

namespace wheelcheck::test {
namespace {

// Adds a reference for every symbol that relocations look up.
void refer(DynamicFacts& dynamic, const auto& symbols, bool own) {
  for (std::uint32_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].bound != Bound::Never)
      dynamic.references.push_back({i, own, LookUp::Data, symbols[i].bound == Bound::AtFirstCall});
}

// Inserts into a sorted list without duplicates.
void insert(std::vector<std::string_view>& list, std::string_view text) {
  const auto at = std::ranges::lower_bound(list, text);
  if (at == list.end() || *at != text) list.insert(at, text);
}

Import new_import(std::string_view name, std::optional<NeedIndex> need, bool weak) {
  Import result;
  result.name = name;
  result.need = need;
  result.kind = SymbolKind::Function;
  result.bound = Bound::AtLoad;
  result.weak = weak;
  return result;
}

std::size_t find_need(const DynamicFacts& dynamic, std::string_view library, std::string_view version) {
  return static_cast<std::size_t>(
      std::ranges::find_if(dynamic.needs,
                           [&](const VersionNeed& n) { return n.library == library && n.version == version; }) -
      dynamic.needs.begin());
}

VersionNeed& need_of(ElfMember& m, StringPool& pool, std::string_view library, std::string_view version) {
  DynamicFacts& dynamic = *m.facts.dynamic;
  const std::size_t at = find_need(dynamic, library, version);
  if (at == dynamic.needs.size()) {
    dynamic.needs.push_back(
        {pool.add(library), pool.add(version), static_cast<std::uint16_t>(2 + dynamic.provides.size() + at), false});
  }
  return dynamic.needs[at];
}

std::uint16_t definition_of(ElfMember& m, StringPool& pool, std::string_view version) {
  std::vector<VersionDefinition>& provides = m.facts.dynamic->provides;
  const auto at = std::ranges::find(provides, version, &VersionDefinition::version);
  const auto index = static_cast<std::uint16_t>(at - provides.begin());
  if (at == provides.end()) provides.push_back({pool.add(version), static_cast<std::uint16_t>(2 + index), false});
  return index;
}

}  // namespace

ElfBuilder::ElfBuilder(std::string path) : path_(std::move(path)) {}
ElfBuilder::ElfBuilder(const ElfBuilder&) = default;
ElfBuilder::ElfBuilder(ElfBuilder&&) noexcept = default;
ElfBuilder& ElfBuilder::operator=(const ElfBuilder&) = default;
ElfBuilder& ElfBuilder::operator=(ElfBuilder&&) noexcept = default;
ElfBuilder::~ElfBuilder() = default;

ElfBuilder& ElfBuilder::arch(Arch arch) {
  return edit([=](ElfMember& m) { m.facts.arch = arch; });
}

ElfBuilder& ElfBuilder::libc(Libc libc) {
  return edit([=](ElfMember& m) { m.libc = m.facts.libc = libc; });
}

ElfBuilder& ElfBuilder::role(ElfRole role) {
  return edit([=](ElfMember& m) { m.role = role; });
}

ElfBuilder& ElfBuilder::kind(ElfKind kind) {
  return edit([=](ElfMember& m) { m.facts.kind = kind; });
}

ElfBuilder& ElfBuilder::use(MachineUse use) {
  return edit([=](ElfMember& m) { m.facts.use = use; });
}

ElfBuilder& ElfBuilder::isa(std::uint32_t needed_bits) {
  return edit([=](ElfMember& m) { m.facts.x86_isa_needed = needed_bits; });
}

ElfBuilder& ElfBuilder::interpreter(std::string path) {
  return add([=](ElfMember& m, StringPool& pool) { m.facts.interpreter = pool.add(path); });
}

ElfBuilder& ElfBuilder::soname(std::string name) {
  return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->soname = pool.add(name); });
}

ElfBuilder& ElfBuilder::needed(std::string library) {
  return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->needed.push_back(pool.add(library)); });
}

ElfBuilder& ElfBuilder::rpath(std::string element) {
  return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->search.rpath.push_back(pool.add(element)); });
}

ElfBuilder& ElfBuilder::runpath(std::string element) {
  return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->search.runpath.push_back(pool.add(element)); });
}

ElfBuilder& ElfBuilder::need(std::string library, std::string version, bool weak) {
  return add([=](ElfMember& m, StringPool& pool) { need_of(m, pool, library, version).weak = weak; });
}

ElfBuilder& ElfBuilder::import(std::string name, bool weak) {
  return add([=](ElfMember& m, StringPool& pool) {
    m.facts.dynamic->imports.push_back(new_import(pool.add(name), std::nullopt, weak));
  });
}

ElfBuilder& ElfBuilder::import(std::string name, std::string library, std::string version, bool weak) {
  return add([=](ElfMember& m, StringPool& pool) {
    need_of(m, pool, library, version);
    const NeedIndex need{static_cast<std::uint32_t>(find_need(*m.facts.dynamic, library, version))};
    m.facts.dynamic->imports.push_back(new_import(pool.add(name), need, weak));
  });
}

ElfBuilder& ElfBuilder::defines(std::string version) {
  return add([=](ElfMember& m, StringPool& pool) { definition_of(m, pool, version); });
}

ElfBuilder& ElfBuilder::exports(std::string name, std::string version) {
  return add([=](ElfMember& m, StringPool& pool) {
    Export symbol;
    symbol.name = pool.add(name);
    symbol.kind = SymbolKind::Function;
    if (!version.empty()) symbol.version = definition_of(m, pool, version);
    m.facts.dynamic->exports.push_back(symbol);
  });
}

ElfBuilder& ElfBuilder::exports(std::string name, SymbolKind kind, Binding binding, std::uint64_t size) {
  return add([=](ElfMember& m, StringPool& pool) {
    m.facts.dynamic->exports.push_back({.name = pool.add(name), .size = size, .kind = kind, .binding = binding});
  });
}

ElfBuilder& ElfBuilder::names_library(std::string text) {
  return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.texts.libraries, pool.add(text)); });
}

ElfBuilder& ElfBuilder::says(std::string text) {
  return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.texts.versions, pool.add(text)); });
}

ElfBuilder& ElfBuilder::comment(std::string text) {
  return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.sections.comments, pool.add(text)); });
}

ElfBuilder& ElfBuilder::facts(std::function<void(ElfFacts&, StringPool&)> change) {
  return add([=](ElfMember& m, StringPool& pool) { change(m.facts, pool); });
}

ElfBuilder& ElfBuilder::executable_stack(std::optional<bool> executable, std::optional<bool> trampolines) {
  return edit([=](ElfMember& m) {
    m.facts.segments.executable_stack = executable;
    m.facts.trampolines = trampolines;
  });
}

ElfBuilder& ElfBuilder::flags(std::function<void(LoaderFlags&)> change) {
  return edit([=](ElfMember& m) { change(m.facts.dynamic->flags); });
}

ElfBuilder& ElfBuilder::flaw(ElfArea area, bool fatal, std::string reason) {
  return edit([=](ElfMember& m) { m.facts.flaws.push_back({area, fatal, reason}); });
}

ElfBuilder& ElfBuilder::no_dynamic() {
  return edit([](ElfMember& m) { m.facts.dynamic.reset(); });
}

ElfBuilder& ElfBuilder::edit(std::function<void(ElfMember&)> change) {
  return add([=](ElfMember& m, StringPool&) { change(m); });
}

ElfBuilder& ElfBuilder::add(Step step) {
  steps_.push_back(std::move(step));
  return *this;
}

ElfMember ElfBuilder::build(MemberIndex member) const {
  ElfMember result{.member = member, .role = role_of_path(path_), .installed = {}, .facts = {}};
  ElfFacts& facts = result.facts;
  facts.arch = Arch::x86_64;
  facts.kind = std::holds_alternative<Program>(result.role) ? ElfKind::Executable : ElfKind::SharedObject;
  facts.bits = 64;
  facts.segments.executable_stack = false;
  facts.segments.smallest_load_align = 0x1000;
  facts.dynamic.emplace();
  result.libc = facts.libc = Libc::Glibc;
  result.installed = "lib/python3.11/site-packages/" + path_;
  auto pool = std::make_unique<StringPool>();
  for (const Step& step : steps_) step(result, *pool);
  if (facts.dynamic) {
    facts.dynamic->symbol_count =
        static_cast<std::uint32_t>(facts.dynamic->imports.size() + facts.dynamic->exports.size());
    refer(*facts.dynamic, facts.dynamic->imports, false);
    refer(*facts.dynamic, facts.dynamic->exports, true);
  }
  facts.strings = std::move(pool);
  return result;
}

ElfRole ElfBuilder::role_of_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  const std::string_view directory = slash == path.npos ? std::string_view() : path.substr(0, slash);
  if (directory.ends_with(".libs")) return BundledLibrary{};
  if (name.find(".so") == name.npos) return Program{};
  if (!name.ends_with(".so") || name.starts_with("lib")) return PlainLibrary{};
  std::string module(directory);
  std::ranges::replace(module, '/', '.');
  if (!module.empty()) module += '.';
  module += name.substr(0, name.find('.'));
  return ExtensionModule{.module = module, .python_major = 3, .stable_abi = name.find(".abi3") != name.npos};
}

}  // namespace wheelcheck::test
