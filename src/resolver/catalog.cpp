// Builds the catalog: the installed path of each file, the names that lead to it, and the directories of its search
// paths.
#include "resolver/catalog.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/installed_files.h"

namespace wheelcheck::resolver {
namespace {

// The installed path of site-packages with a final '/'. It is derived from a file in the root of the wheel or in
// *.data/platlib; empty if there is none.
std::string_view site_of(const WheelFacts& wheel) {
  for (const ElfMember& elf : wheel.elfs) {
    const std::string_view installed = elf.installed;
    if (elf.member.value >= wheel.members.size()) continue;
    const std::string_view member = wheel.members[elf.member.value].path.text(), inside = below_site(member);
    if (inside == member && data_path(member)) continue;
    if (installed.size() > inside.size() && installed.ends_with(inside))
      return installed.substr(0, installed.size() - inside.size());
  }
  return {};
}

// False for a file that no loader maps, for any machine (glibc elf/dl-load.c, open_verify and _dl_map_object_from_fd):
// EI_OSABI other than SYSV (0) and GNU (3), not a shared object, no dynamic section.
bool is_loadable(const ElfMember& member) {
  const ElfFacts& facts = member.facts;
  return !std::holds_alternative<BrokenElf>(member.role) && (facts.os_abi == 0 || facts.os_abi == 3) &&
         facts.kind == ElfKind::SharedObject && facts.dynamic && !facts.debug_only;
}

}  // namespace

NameIndex Names::add(std::string_view text) {
  const auto [place, fresh] = index_.try_emplace(text, NameIndex{static_cast<std::uint32_t>(texts_.size())});
  if (fresh) texts_.push_back(text);
  return place->second;
}

std::optional<NameIndex> Names::find(std::string_view text) const {
  const auto found = index_.find(text);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

DirectoryIndex Directories::add(DirectoryIndex base, std::string_view path) {
  DirectoryIndex at = base;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const NameIndex name = names_.add(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
    const DirectoryIndex next{static_cast<std::uint32_t>(directories_.size())};
    const auto [place, fresh] = children_.try_emplace(pair_key(at.value, name.value), next);
    if (fresh) directories_.push_back({at, name});
    at = place->second;
  }
  return at;
}

std::optional<DirectoryIndex> Directories::find(std::string_view path) const {
  DirectoryIndex at = prefix;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (at == prefix) return std::nullopt;
      at = directories_[at.value].parent;
      continue;
    }
    const auto name = names_.find(part);
    if (!name) return std::nullopt;
    const auto child = children_.find(pair_key(at.value, name->value));
    if (child == children_.end()) return std::nullopt;
    at = child->second;
  }
  return at;
}

std::string Directories::path(DirectoryIndex directory) const {
  std::vector<std::string_view> parts;
  for (; directory != prefix; directory = directories_[directory.value].parent)
    parts.push_back(names_.text(directories_[directory.value].name));
  std::string out;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!out.empty()) out += '/';
    out += *part;
  }
  return out;
}

Catalog::Catalog(const WheelFacts& wheel, std::span<const WheelFacts> providers) {
  std::string_view site = site_of(wheel);
  for (std::size_t i = 0; site.empty() && i < providers.size(); ++i) site = site_of(providers[i]);
  if (site.ends_with('/')) site_ = directories_.add(Directories::prefix, site.substr(0, site.size() - 1));
  const auto add_wheel = [&](const WheelFacts& facts, std::uint32_t number) {
    const std::string_view own_site = site_of(facts);
    for (std::uint32_t i = 0; i < facts.elfs.size(); ++i)
      add_elf(facts.elfs[i], {WheelIndex{number}, ElfIndex{i}}, own_site);
  };
  add_wheel(wheel, 0);
  for (std::uint32_t i = 0; i < providers.size(); ++i) add_wheel(providers[i], i + 1);
  add_members(wheel);
  for (const WheelFacts& provider : providers) add_members(provider);
  index_names();
}

void Catalog::add_elf(const ElfMember& member, ElfRef ref, std::string_view site) {
  // A wheel for another Python version is also installed into the same site-packages.
  std::string_view path = member.installed;
  DirectoryIndex base = Directories::prefix;
  if (!site.empty() && path.starts_with(site)) {
    base = site_;
    path.remove_prefix(site.size());
  }
  const ElfFacts& facts = member.facts;
  const auto machine = machines_.try_emplace({facts.bits, facts.little_endian, facts.machine},
                                             static_cast<std::uint32_t>(machines_.size()));
  File file{.ref = ref,
            .member = &member,
            .machine = machine.first->second,
            .directory = directories_.add(base, directory_name(path)),
            .base = names_.add(base_name(path)),
            .soname = {},
            .needed = {},
            .filters = {},
            .auxiliaries = {},
            .versioned = {}};
  if (facts.dynamic) {
    const auto number = [&](std::string_view text) { return names_.add(text); };
    if (facts.dynamic->soname) file.soname = number(*facts.dynamic->soname);
    std::ranges::transform(facts.dynamic->needed, std::back_inserter(file.needed), number);
    std::ranges::transform(facts.dynamic->filters, std::back_inserter(file.filters), number);
    std::ranges::transform(facts.dynamic->auxiliaries, std::back_inserter(file.auxiliaries), number);
    for (std::uint32_t i = 0; i < facts.dynamic->needs.size(); ++i) {
      const VersionNeed& need = facts.dynamic->needs[i];
      if (need.weak) continue;
      const NameIndex library = number(need.library);
      if (file.versioned.empty() || file.versioned.back().library != library) file.versioned.push_back({library, {}});
      file.versioned.back().needs.push_back(NeedIndex{i});
    }
  }
  const FileIndex index{static_cast<std::uint32_t>(files_.size())};
  directories_.put(file.directory, file.base, index);
  files_.push_back(std::move(file));
}

// Adds directories without libraries, because paths can lead through them, and files with the name of a library that
// are not ELF files. For example, a symbolic link that was packed as text ends a search with "file too short".
void Catalog::add_members(const WheelFacts& wheel) {
  std::vector<bool> is_elf(wheel.members.size());
  for (const ElfMember& elf : wheel.elfs)
    if (elf.member.value < is_elf.size()) is_elf[elf.member.value] = true;
  for (std::size_t i = 0; i < wheel.members.size(); ++i) {
    std::string_view path = wheel.members[i].path.text();
    DirectoryIndex base = site_;
    if (const auto data = data_path(path)) {
      const bool to_site = is_site(data->scheme);
      // scripts and headers contain no libraries
      if (data->rest.empty() || (!to_site && data->scheme != "data")) continue;
      if (!to_site) base = Directories::prefix;
      path = data->rest;
    }
    const DirectoryIndex directory = directories_.add(base, directory_name(path));
    // The loader opens a directory, and fails when it reads it.
    for (std::string_view inner = directory_name(path); !inner.empty(); inner = directory_name(inner))
      if (base_name(inner).contains(".so"))
        put_other(directories_.add(base, directory_name(inner)), names_.add(base_name(inner)));
    if (is_elf[i]) continue;
    const auto name = names_.find(base_name(path));
    if (!name) continue;  // no file needs this name
    put_other(directory, *name);
  }
}

void Catalog::put_other(DirectoryIndex directory, NameIndex name) {
  directories_.put(directory, name, std::nullopt);
  if (is_file_name_.size() <= name.value) is_file_name_.resize(name.value + 1);
  is_file_name_[name.value] = true;
}

void Catalog::index_names() {
  called_.resize(names_.size());
  is_file_name_.resize(names_.size());
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    const File& file = files_[i];
    called_[file.base.value].push_back({i});
    is_file_name_[file.base.value] = true;
    if (file.soname && *file.soname != file.base) called_[file.soname->value].push_back({i});
  }
}

Fit Catalog::fit(FileIndex file, FileIndex process, LoaderKind loader_kind) const {
  const File& candidate = files_[file.value];
  const File& opened = files_[process.value];
  if (candidate.machine == opened.machine) return is_loadable(*candidate.member) ? Fit::Loads : Fit::Refused;
  // musl opens the first file that exists, and does not continue the search.
  if (loader_kind != LoaderKind::Glibc) return Fit::Refused;
  // glibc checks the class, byte order, OS ABI and then the machine. It continues only after a mismatch of the class or
  // the machine.
  const ElfFacts& facts = candidate.member->facts;
  if (std::holds_alternative<BrokenElf>(candidate.member->role)) return Fit::Refused;
  if (facts.bits != opened.member->facts.bits) return Fit::Skipped;
  if (facts.little_endian != opened.member->facts.little_endian) return Fit::Refused;
  return facts.os_abi == 0 || facts.os_abi == 3 ? Fit::Skipped : Fit::Refused;
}

std::vector<SearchElement> Catalog::elements(const std::vector<std::string_view>& texts, const File& file,
                                             LoaderKind loader_kind) const {
  std::vector<SearchElement> out;
  if (loader_kind == LoaderKind::Musl && std::ranges::any_of(texts, has_unknown_token_for_musl)) return out;
  const std::string origin = directories_.path(file.directory);
  std::set<std::vector<DirectoryIndex>> seen;
  for (const std::string_view text : texts) {
    const std::vector<std::string> paths = expand(text, origin, file.member->facts.arch, loader_kind);
    SearchElement element{text, {}};
    for (const std::string& path : paths)
      if (const auto directory = directories_.find(path)) element.directories.push_back(*directory);
    // All meanings of $LIB and $PLATFORM must exist, because the element works only on some distributions otherwise.
    if (paths.empty() || element.directories.size() != paths.size()) continue;
    if (seen.insert(element.directories).second) out.push_back(std::move(element));
  }
  return out;
}

SearchPaths Catalog::search_paths(FileIndex index, LoaderKind loader_kind) const {
  SearchPaths out;
  const File& file = files_[index.value];
  if (!file.member->facts.dynamic) return out;
  const SearchPath& search = file.member->facts.dynamic->search;
  const bool has_runpath = !search.runpath.empty();
  switch (loader_kind) {
    case LoaderKind::Glibc:  // elf/get-dynamic-info.h ignores DT_RPATH if DT_RUNPATH is present
      out.own_only = has_runpath;
      if (has_runpath)
        out.own = elements(search.runpath, file, loader_kind);
      else
        out.inherited = elements(search.rpath, file, loader_kind);
      break;
    case LoaderKind::Musl:  // ldso/dynlink.c, decode_dyn: one path, from either of the two tags
      out.inherited_how = has_runpath ? How::Runpath : How::Rpath;
      out.inherited = elements(has_runpath ? search.runpath : search.rpath, file, loader_kind);
      break;
    case LoaderKind::Bionic:  // linker.cpp supports only DT_RUNPATH
      out.own_only = true;
      out.own = elements(search.runpath, file, loader_kind);
      break;
  }
  return out;
}

std::vector<const Entry*> Catalog::places(std::string_view name, FileIndex user, LoaderKind loader_kind) const {
  std::vector<const Entry*> out;
  // elf/dl-deps.c replaces tokens in DT_NEEDED; the other loaders open it unchanged.
  if (loader_kind != LoaderKind::Glibc) return out;
  const File& file = files_[user.value];
  for (const std::string& path :
       expand(name, directories_.path(file.directory), file.member->facts.arch, loader_kind)) {
    const auto directory = directories_.find(directory_name(path));
    const auto base = names_.find(base_name(path));
    const Entry* const entry = directory && base ? directories_.at(*directory, *base) : nullptr;
    if (!entry) return {};
    out.push_back(entry);
  }
  return out;
}

}  // namespace wheelcheck::resolver
