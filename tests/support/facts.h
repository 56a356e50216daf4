// Facts about wheels, written in C++: what tests of the rooms above the readers start from. No bytes, no files.
//
//   WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
//                          .elf(ElfBuilder("foo/x.cpython-311-x86_64-linux-gnu.so")
//                                   .needed("libc.so.6")
//                                   .import("memcpy", "libc.so.6", "GLIBC_2.14"))
//                          .build();
//   Resolution resolution = resolve_by_name(wheel);
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/binding.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

// One ELF file. Unless told otherwise: x86_64, glibc, a shared object, with section headers, a PT_GNU_STACK without
// PF_X, and the role that its path suggests (see role_of_path). A builder can be copied and used again.
class ElfBuilder {
 public:
  // What a step changes: the member under construction, and the pool for text that facts point into.
  using Step = std::function<void(ElfMember&, StringPool&)>;

  explicit ElfBuilder(std::string path) : path_(std::move(path)) {}

  ElfBuilder& arch(Arch arch) {
    return edit([=](ElfMember& m) { m.facts.arch = arch; });
  }
  ElfBuilder& libc(Libc libc) {
    return edit([=](ElfMember& m) { m.libc = m.facts.libc = libc; });
  }
  ElfBuilder& role(ElfRole role) {
    return edit([=](ElfMember& m) { m.role = role; });
  }
  ElfBuilder& kind(ElfKind kind) {
    return edit([=](ElfMember& m) { m.facts.kind = kind; });
  }
  ElfBuilder& use(MachineUse use) {
    return edit([=](ElfMember& m) { m.facts.use = use; });
  }
  ElfBuilder& isa(std::uint32_t needed_bits) {  // 2 v2, 4 v3, 8 v4
    return edit([=](ElfMember& m) { m.facts.x86_isa_needed = needed_bits; });
  }
  ElfBuilder& interpreter(std::string path) {
    return add([=](ElfMember& m, StringPool& pool) { m.facts.interpreter = pool.add(path); });
  }
  ElfBuilder& soname(std::string name) {
    return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->soname = pool.add(name); });
  }
  ElfBuilder& needed(std::string library) {
    return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->needed.push_back(pool.add(library)); });
  }
  ElfBuilder& rpath(std::string element) {
    return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->search.rpath.push_back(pool.add(element)); });
  }
  ElfBuilder& runpath(std::string element) {
    return add([=](ElfMember& m, StringPool& pool) { m.facts.dynamic->search.runpath.push_back(pool.add(element)); });
  }
  // A version need without a symbol.
  ElfBuilder& need(std::string library, std::string version, bool weak = false) {
    return add([=](ElfMember& m, StringPool& pool) { need_of(m, pool, library, version).weak = weak; });
  }
  // An unversioned import.
  ElfBuilder& import(std::string name, bool weak = false) {
    return add([=](ElfMember& m, StringPool& pool) {
      m.facts.dynamic->imports.push_back(new_import(pool.add(name), std::nullopt, weak));
    });
  }
  // An import of name@version from `library`; adds the version need, but no DT_NEEDED.
  ElfBuilder& import(std::string name, std::string library, std::string version, bool weak = false) {
    return add([=](ElfMember& m, StringPool& pool) {
      need_of(m, pool, library, version);
      const NeedIndex need{static_cast<std::uint32_t>(find_need(*m.facts.dynamic, library, version))};
      m.facts.dynamic->imports.push_back(new_import(pool.add(name), need, weak));
    });
  }
  ElfBuilder& defines(std::string version) {  // a Verdef
    return add([=](ElfMember& m, StringPool& pool) { definition_of(m, pool, version); });
  }
  // A default-visibility function; with a version, name@@version.
  ElfBuilder& exports(std::string name, std::string version = "") {
    return add([=](ElfMember& m, StringPool& pool) {
      Export symbol;
      symbol.name = pool.add(name);
      symbol.kind = SymbolKind::Function;
      if (!version.empty()) symbol.version = definition_of(m, pool, version);
      m.facts.dynamic->exports.push_back(symbol);
    });
  }
  // A symbol of any kind: data, UNIQUE, sized.
  ElfBuilder& exports(std::string name, SymbolKind kind, Binding binding = Binding::Global, std::uint64_t size = 8) {
    return add([=](ElfMember& m, StringPool& pool) {
      m.facts.dynamic->exports.push_back({.name = pool.add(name), .size = size, .kind = kind, .binding = binding});
    });
  }
  ElfBuilder& names_library(std::string text) {  // a string of the data that holds ".so"
    return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.texts.libraries, pool.add(text)); });
  }
  ElfBuilder& says(std::string text) {  // a string of the data that holds a version
    return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.texts.versions, pool.add(text)); });
  }
  ElfBuilder& comment(std::string text) {  // of .comment
    return add([=](ElfMember& m, StringPool& pool) { insert(m.facts.sections.comments, pool.add(text)); });
  }
  // Anything else.
  ElfBuilder& facts(std::function<void(ElfFacts&, StringPool&)> change) {
    return add([=](ElfMember& m, StringPool& pool) { change(m.facts, pool); });
  }
  ElfBuilder& executable_stack(std::optional<bool> executable) {  // nullopt: there is no PT_GNU_STACK
    return edit([=](ElfMember& m) { m.facts.segments.executable_stack = executable; });
  }
  ElfBuilder& flags(std::function<void(LoaderFlags&)> change) {
    return edit([=](ElfMember& m) { change(m.facts.dynamic->flags); });
  }
  ElfBuilder& flaw(ElfArea area, bool fatal, std::string reason) {
    return edit([=](ElfMember& m) { m.facts.flaws.push_back({area, fatal, reason}); });
  }
  ElfBuilder& no_dynamic() {  // a static program or a relocatable object; later steps must not touch `dynamic`
    return edit([](ElfMember& m) { m.facts.dynamic.reset(); });
  }
  // Anything else. Text must come from the pool, or from a literal.
  ElfBuilder& edit(std::function<void(ElfMember&)> change) {
    return add([=](ElfMember& m, StringPool&) { change(m); });
  }
  ElfBuilder& add(Step step) {
    steps_.push_back(std::move(step));
    return *this;
  }

  const std::string& path() const { return path_; }
  ElfMember build(MemberIndex member) const {
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

  // In *.libs/: a grafted library. NAME.so or NAME.cpython-311-...so: an extension module, unless NAME starts with
  // "lib". A name without ".so": a program. Else a plain library.
  static ElfRole role_of_path(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
    const std::string_view directory = slash == path.npos ? std::string_view() : path.substr(0, slash);
    if (directory.ends_with(".libs")) return GraftedLibrary{};
    if (name.find(".so") == name.npos) return Program{};
    if (!name.ends_with(".so") || name.starts_with("lib")) return PlainLibrary{};
    std::string module(directory);
    std::ranges::replace(module, '/', '.');
    if (!module.empty()) module += '.';
    module += name.substr(0, name.find('.'));
    return ExtensionModule{.module = module, .python_major = 3, .stable_abi = name.find(".abi3") != name.npos};
  }

 private:
  static void refer(DynamicFacts& dynamic, const auto& symbols, bool own) {  // what relocations would look up
    for (std::uint32_t i = 0; i < symbols.size(); ++i)
      if (symbols[i].bound != Bound::Never)
        dynamic.references.push_back({i, own, LookUp::Data, symbols[i].bound == Bound::AtFirstCall});
  }
  static void insert(std::vector<std::string_view>& list, std::string_view text) {  // sorted, once
    const auto at = std::ranges::lower_bound(list, text);
    if (at == list.end() || *at != text) list.insert(at, text);
  }
  static Import new_import(std::string_view name, std::optional<NeedIndex> need, bool weak) {
    Import result;
    result.name = name;
    result.need = need;
    result.kind = SymbolKind::Function;
    result.bound = Bound::AtLoad;
    result.weak = weak;
    return result;
  }
  static std::size_t find_need(const DynamicFacts& dynamic, std::string_view library, std::string_view version) {
    return static_cast<std::size_t>(
        std::ranges::find_if(dynamic.needs,
                             [&](const VersionNeed& n) { return n.library == library && n.version == version; }) -
        dynamic.needs.begin());
  }
  static VersionNeed& need_of(ElfMember& m, StringPool& pool, std::string_view library, std::string_view version) {
    DynamicFacts& dynamic = *m.facts.dynamic;
    const std::size_t at = find_need(dynamic, library, version);
    if (at == dynamic.needs.size()) {
      dynamic.needs.push_back(
          {pool.add(library), pool.add(version), static_cast<std::uint16_t>(2 + dynamic.provides.size() + at), false});
    }
    return dynamic.needs[at];
  }
  static std::uint16_t definition_of(ElfMember& m, StringPool& pool, std::string_view version) {
    std::vector<VersionDefinition>& provides = m.facts.dynamic->provides;
    const auto at = std::ranges::find(provides, version, &VersionDefinition::version);
    const auto index = static_cast<std::uint16_t>(at - provides.begin());
    if (at == provides.end()) provides.push_back({pool.add(version), static_cast<std::uint16_t>(2 + index), false});
    return index;
  }

  std::string path_;
  std::vector<Step> steps_;
};

// A wheel of that file name, with the dist-info files that a correct one has; its WHEEL file claims what the name
// claims.
class WheelBuilder {
 public:
  using Step = std::function<void(WheelFacts&)>;
  explicit WheelBuilder(std::string file) : file_(std::move(file)) {}

  WheelBuilder& elf(ElfBuilder elf) {
    elfs_.push_back(std::move(elf));
    return *this;
  }
  WheelBuilder& member(std::string path, std::uint64_t size = 10) {
    members_.emplace_back(std::move(path), size);
    return *this;
  }
  WheelBuilder& edit(Step step) {  // anything else, when all is in place
    steps_.push_back(std::move(step));
    return *this;
  }

  WheelFacts build() const {
    WheelFacts wheel;
    wheel.file = wheel.path = file_;
    name(wheel);
    auto members = members_;
    for (const ElfBuilder& elf : elfs_) members.emplace_back(elf.path(), 1000);
    for (const char* part : {"METADATA", "RECORD", "WHEEL"}) members.emplace_back(*wheel.dist_info + '/' + part, 100);
    for (const auto& [path, size] : members) wheel.members.push_back(new_member(path, size));
    std::ranges::stable_sort(wheel.members, {}, [](const MemberFacts& m) { return m.path.text(); });
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
      for (const ElfBuilder& elf : elfs_) {
        if (elf.path() == wheel.members[i].path.text()) wheel.elfs.push_back(elf.build(MemberIndex{i}));
      }
    }
    record(wheel);
    for (const Step& step : steps_) step(wheel);
    return wheel;
  }

 private:
  static std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
      if (c == at) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }
  static MemberFacts new_member(const std::string& path, std::uint64_t size) {
    std::optional<MemberPath> parsed = MemberPath::parse(path);
    if (!parsed) throw std::invalid_argument("not a member path: " + path);
    MemberFacts result{
        .path = std::move(*parsed), .size = size, .packed_size = size, .unix_mode = 0100644, .sha256 = {}};
    result.sha256.assign(64, 'a');
    return result;
  }
  void name(WheelFacts& wheel) const {
    if (!file_.ends_with(".whl")) throw std::invalid_argument("not a wheel name: " + file_);
    const std::vector<std::string> parts = split(std::string_view(file_).substr(0, file_.size() - 4), '-');
    if (parts.size() != 5 && parts.size() != 6) throw std::invalid_argument("not a wheel name: " + file_);
    const std::size_t tags = parts.size() - 3;
    wheel.name.distribution = parts[0];
    wheel.name.version = parts[1];
    if (parts.size() == 6) wheel.name.build = parts[2];
    wheel.name.python = split(parts[tags], '.');
    wheel.name.abi = split(parts[tags + 1], '.');
    for (const std::string& text : split(parts[tags + 2], '.'))
      wheel.name.platforms.push_back(parse_platform_tag(text));
    wheel.dist_info = parts[0] + '-' + parts[1] + ".dist-info";
    const bool pure = wheel.name.platforms.front().family == PlatformTag::Family::Any;
    wheel.wheel = WheelFile{.wheel_version = "1.0", .root_is_purelib = pure, .tags = {}};
    for (const std::string& python : wheel.name.python) {
      for (const std::string& abi : wheel.name.abi) {
        for (const PlatformTag& tag : wheel.name.platforms) {
          wheel.wheel->tags.push_back(python + '-' + abi + '-' + tag.text);
        }
      }
    }
    wheel.metadata = Metadata{
        .name = parts[0], .version = parts[1], .requires_python = "", .requires_dist = {}, .provides_extra = {}};
  }
  static void record(WheelFacts& wheel) {
    wheel.record.emplace();
    for (const MemberFacts& member : wheel.members) {
      wheel.size += member.packed_size;
      RecordRow row{.path = member.path.text(), .hash = "", .size = std::nullopt};
      if (member.path.name() != "RECORD") {
        row.hash = "sha256=qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo";  // base64 of 32 bytes 0xaa
        row.size = member.size;
      }
      wheel.record->push_back(std::move(row));
    }
  }

  std::string file_;
  std::vector<ElfBuilder> elfs_;
  std::vector<std::pair<std::string, std::uint64_t>> members_;
  std::vector<Step> steps_;
};

// The file of that path. Throws if there is none, so a test that misspells a path fails.
inline ElfIndex elf_at(const WheelFacts& wheel, std::string_view path) {
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    if (wheel.members[wheel.elfs[i].member.value].path.text() == path) return ElfIndex{i};
  }
  throw std::invalid_argument("no ELF file at " + std::string(path));
}

// What a loader would find if every directory of the wheel were on the search path: a DT_NEEDED entry is InWheel where
// a file has that soname or name; libc, libm, libdl, libpthread, librt and the loader are InProcess; the rest is
// Outside.
inline Resolution resolve_by_name(const WheelFacts& wheel) {
  static constexpr std::string_view process[] = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
                                                 "librt.so.1"};
  Resolution result;
  result.needed.resize(wheel.elfs.size());
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& user = wheel.elfs[i];
    if (std::holds_alternative<ExtensionModule>(user.role) || std::holds_alternative<Program>(user.role)) {
      result.roots.push_back(ElfIndex{i});
    }
    if (!user.facts.dynamic) continue;
    for (const std::string_view name : user.facts.dynamic->needed) {
      NeededFound found;
      found.name = name;
      found.root = {WheelIndex{0}, ElfIndex{i}};
      for (std::uint32_t j = 0; j < wheel.elfs.size() && !found.provider; ++j) {
        const ElfMember& other = wheel.elfs[j];
        const bool same = other.facts.dynamic && other.facts.dynamic->soname == name;
        if (!same && wheel.members[other.member.value].path.name() != name) continue;
        found.found = Found::InWheel;
        found.how = How::Runpath;
        found.provider = ElfRef{WheelIndex{0}, ElfIndex{j}};
        found.by = found.root;
        found.element = "$ORIGIN";
      }
      if (!found.provider && (name.starts_with("ld-linux") || std::ranges::find(process, name) != std::end(process))) {
        found.found = Found::InProcess;
        found.how = How::AlreadyLoaded;
      }
      result.needed[i].push_back(std::move(found));
    }
  }
  return result;
}

}  // namespace wheelcheck::test
