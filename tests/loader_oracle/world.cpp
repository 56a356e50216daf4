// Links, patches, runs and reads files. This file does not contain rules of the loader.
#include "tests/loader_oracle/world.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "tests/loader_oracle/shell.h"

namespace wheelcheck::oracle {
namespace {

namespace fs = std::filesystem;

constexpr const char* site_packages = "lib/python3.11/site-packages";

// The name of a function that represents a version node of a library.
std::string symbol_of(std::string_view version) { return "f_" + std::string(version); }

template <class T>
T read_at(const std::string& bytes, std::uint64_t offset) {
  T out;
  if (offset + sizeof out > bytes.size()) throw std::runtime_error("not the ELF file that was linked");
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}
template <class T>
void write_at(std::string& bytes, std::uint64_t offset, const T& value) {
  if (offset + sizeof value > bytes.size()) throw std::runtime_error("not the ELF file that was linked");
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

Elf64_Shdr section_of(const std::string& bytes, std::uint32_t type) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  for (unsigned i = 0; i < header.e_shnum; ++i)
    if (const auto section = read_at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
        section.sh_type == type)
      return section;
  throw std::runtime_error("no such section");
}

}  // namespace

World::World() : top_(scratch_.path()), site_(top_ / site_packages) {
  fs::create_directories(site_);
  fs::create_directories(top_ / "stubs");
}

fs::path World::at(const std::string& path) const {
  const fs::path full = site_ / path;
  fs::create_directories(full.parent_path());
  return full;
}

// A library that exists only at link time: its DT_SONAME becomes the DT_NEEDED of its user.
std::string World::stub(const std::string& soname, const std::vector<std::string>& versions) {
  const auto [known, fresh] = stubs_.try_emplace({soname, versions});
  if (fresh) {
    known->second = (top_ / "stubs" / std::to_string(stubs_.size())).string() + ".so";
    link({.path = known->second, .soname = soname, .defines = versions});
  }
  return known->second;
}

void World::run_or_throw(const std::vector<std::string>& words) const {
  oracle::run_or_throw(words, top_ / "stubs" / "output");
}

// The functions for the object's versions, compiled. All objects without any are linked from the same empty object
// file.
std::string World::compile(const Object& object) {
  std::string source;
  for (const auto* versions : {&object.defines, &object.exports})
    for (const std::string& version : *versions) source += "void " + symbol_of(version) + "(void) {}\n";
  for (const auto& [library, version] : object.wants) {
    const std::string symbol = symbol_of(version);
    source += "void " + symbol + "(void);\nvoid use_" + version + "(void) { " + symbol + "(); }\n";
  }
  const std::string base = (top_ / "stubs" / (source.empty() ? "empty" : "scratch")).string();
  if (source.empty() && fs::exists(base + ".o")) return base + ".o";
  write(base + ".c", source);
  run_or_throw({ORACLE_CC, "-fPIC", "-c", "-o", base + ".o", base + ".c"});
  return base + ".o";
}

void World::link(const Object& object) {
  const fs::path out = object.path.starts_with('/') ? fs::path(object.path) : at(object.path);
  std::vector<std::string> options{"--no-as-needed", "--allow-shlib-undefined"};
  if (!object.soname.empty()) options.push_back("-soname=" + object.soname);
  if (!object.rpath.empty()) options.insert(options.end(), {"--disable-new-dtags", "-rpath=" + object.rpath});
  if (!object.runpath.empty()) options.insert(options.end(), {"--enable-new-dtags", "-rpath=" + object.runpath});
  if (!object.filter.empty()) options.push_back("--filter=" + object.filter);
  if (!object.auxiliary.empty()) options.push_back("--auxiliary=" + object.auxiliary);
  if (!object.defines.empty()) {
    const std::string script = (top_ / "stubs" / (std::to_string(stubs_.size()) + ".map")).string();
    std::string text;
    for (const std::string& version : object.defines) text += version + " { global: " + symbol_of(version) + "; };\n";
    write(script, text);
    options.push_back("--version-script=" + script);
  }
  std::vector<std::string> words{"ld", "-shared"};
  if (object.program) words = {ORACLE_CC, "-pie", "-fPIE"};
  for (const std::string& option : options) {
    if (object.program) words.push_back("-Xlinker");
    words.push_back(option);
  }
  std::vector<std::string> stubs;
  for (const std::string& needed : object.needed) {
    std::vector<std::string> versions;
    for (const auto& [library, version] : object.wants)
      if (library == needed) versions.push_back(version);
    stubs.push_back(stub(needed, versions));
  }
  words.insert(words.end(), {"-o", out.string(), object.program ? ORACLE_OPEN_SOURCE : compile(object)});
  words.insert(words.end(), stubs.begin(), stubs.end());
  run_or_throw(words);
}

void World::text(const std::string& path, std::string_view content) { write(at(path), content); }

void World::patch(const std::string& path, std::size_t offset, std::string_view bytes) {
  std::string file = contents(at(path));
  if (offset + bytes.size() > file.size()) throw std::runtime_error("cannot patch " + path);
  file.replace(offset, bytes.size(), bytes);
  write(at(path), file);
}

void World::retag(const std::string& path, std::int64_t from, std::int64_t to) {
  std::string file = contents(at(path));
  const Elf64_Shdr section = section_of(file, SHT_DYNAMIC);
  for (std::uint64_t i = 0; i < section.sh_size; i += sizeof(Elf64_Dyn)) {
    auto entry = read_at<Elf64_Dyn>(file, section.sh_offset + i);
    if (entry.d_tag != from) continue;
    entry.d_tag = to;
    write_at(file, section.sh_offset + i, entry);
    return write(at(path), file);
  }
  throw std::runtime_error("no such dynamic entry");
}

void World::weaken_version_needs(const std::string& path) {
  std::string file = contents(at(path));
  std::uint64_t at_need = section_of(file, SHT_GNU_verneed).sh_offset;
  for (auto need = read_at<Elf64_Verneed>(file, at_need);; need = read_at<Elf64_Verneed>(file, at_need)) {
    std::uint64_t at_version = at_need + need.vn_aux;
    for (unsigned i = 0; i < need.vn_cnt; ++i) {
      auto version = read_at<Elf64_Vernaux>(file, at_version);
      version.vna_flags |= VER_FLG_WEAK;
      write_at(file, at_version, version);
      at_version += version.vna_next;
    }
    if (need.vn_next == 0) break;
    at_need += need.vn_next;
  }
  write(at(path), file);
}

Answer World::real(const std::string& root, const std::string& hwcaps_mask) const {
  const std::string file = at(root).string();
  std::vector<std::string> words{ORACLE_OPEN, file};
  if (facts_of(file).interpreter) words = {file};
  if (!hwcaps_mask.empty()) {
    const ElfFacts opener = facts_of(ORACLE_OPEN);
    words.insert(words.begin(), {std::string(opener.interpreter.value()), "--glibc-hwcaps-mask", hwcaps_mask});
  }
  Answer out{.loads = true, .loaded = {}, .reason = run(words, top_ / "stubs" / "output")};
  std::istringstream lines(out.reason);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != line.npos) out.loads = false;
    if (!line.starts_with("loaded /")) continue;
    const std::string below = fs::path(line.substr(7)).lexically_normal().lexically_relative(site_).string();
    if (!below.starts_with("..")) out.loaded.insert(below);
  }
  if (!out.loads)
    out.loaded.clear();
  else
    out.loaded.insert(root);
  return out;
}

// Only the root is a file that would be opened, so that no other walk affects the result.
WheelFacts World::wheel(const std::string& root) const {
  WheelFacts out;
  out.file = "made-1.0-cp311-cp311-linux_x86_64.whl";
  std::set<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(site_))
    if (entry.is_regular_file()) paths.insert(entry.path().lexically_relative(site_).string());
  for (const std::string& path : paths) {
    const MemberIndex member{static_cast<std::uint32_t>(out.members.size())};
    out.members.push_back({.path = *MemberPath::parse(path), .sha256 = {}});
    if (!contents(site_ / path).starts_with(ELFMAG)) continue;
    ElfFacts facts = facts_of(site_ / path);
    ElfRole role = ForeignCode{"not asked about"};
    if (path == root)
      role = facts.interpreter ? ElfRole(Program{}) : ElfRole(ExtensionModule{.module = "root", .python_major = 3});
    out.elfs.push_back({.member = member,
                        .role = role,
                        .libc = facts.libc,
                        .installed = std::string(site_packages) + '/' + path,
                        .facts = std::move(facts)});
  }
  return out;
}

Answer World::predicted(const std::string& root) const {
  const WheelFacts facts = wheel(root);
  const Resolution answer = resolve(facts, {}, {});
  const auto path_of = [&](ElfIndex elf) { return facts.members[facts.elfs[elf.value].member.value].path.text(); };
  Answer out{.loads = true, .loaded = {root}, .reason = {}};
  for (const auto& entries : answer.needed)
    for (const NeededFound& entry : entries) {
      if (entry.found == Found::InWheel) out.loaded.insert(path_of(entry.provider->elf));
      if (entry.found != Found::Outside) continue;
      out.loads = false;
      out.reason += "not found: " + std::string(entry.name) + '\n';
    }
  for (const MissingVersion& missing : answer.missing_versions) {
    out.loads = false;
    out.reason += "version `" +
                  std::string(facts.elfs[missing.user.value].facts.dynamic->needs[missing.need.value].version) +
                  "' not found\n";
  }
  if (!out.loads) out.loaded.clear();
  return out;
}

void expect_loads(const World& world, const std::string& root, const std::set<std::string>& others) {
  std::set<std::string> all = others;
  all.insert(root);
  const Answer real = world.real(root), predicted = world.predicted(root);
  EXPECT_TRUE(real.loads) << "ld.so: " << real.reason;
  EXPECT_EQ(real.loaded, all) << "ld.so";
  EXPECT_TRUE(predicted.loads) << "resolve: " << predicted.reason;
  EXPECT_EQ(predicted.loaded, all) << "resolve";
}

void expect_fails(const World& world, const std::string& root, const std::string& culprit) {
  const Answer real = world.real(root), predicted = world.predicted(root);
  EXPECT_FALSE(real.loads) << "ld.so";
  EXPECT_NE(real.reason.find(culprit), std::string::npos) << "ld.so: " << real.reason;
  EXPECT_FALSE(predicted.loads) << "resolve";
  EXPECT_NE(predicted.reason.find(culprit), std::string::npos) << "resolve: " << predicted.reason;
}

}  // namespace wheelcheck::oracle
