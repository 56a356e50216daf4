// Changes inside the wheel: ELF files, known libraries, the C++ ABI, GPU code.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "diff/compare.h"
#include "model/library_name.h"
#include "wheelcheck/version.h"

namespace wheelcheck::diff {

bool is_python(std::string_view path) {
  return path.ends_with(".py") || path.ends_with(".pyi") || base_name(path) == "py.typed";
}

Libraries libraries_of(const WheelReport& wheel) {
  Libraries out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    for (const IdentifiedLibrary& library : analysis_of(wheel, ElfIndex{i}).libraries) {
      LibraryInside& inside = out[library.library];
      inside.name = library.name;
      inside.files.insert(path_of(wheel, ElfIndex{i}));
      if (library.version) inside.versions.insert(*library.version);
    }
  }
  return out;
}

namespace {

const ElfFacts& facts_of(const WheelReport& wheel, ElfIndex elf) { return wheel.facts.elfs[elf.value].facts; }

std::string soname_of(const WheelReport& wheel, ElfIndex elf) {
  const std::optional<DynamicFacts>& dynamic = facts_of(wheel, elf).dynamic;
  return dynamic && dynamic->soname ? plain_library_name(*dynamic->soname) : "";
}

// A file whose name differs only in a hash or suffix counts as not renamed.
bool has_its_name(MatchedBy by) { return by == MatchedBy::Path || by == MatchedBy::Release || by == MatchedBy::Name; }

std::vector<ElfChange> compare_elfs(const Releases& both) {
  std::vector<ElfChange> out;
  for (const ElfPair& pair : both.elfs) {
    ElfChange change{.path = {}, .soname = {}, .by = pair.by, .role = {}};
    if (pair.old) {
      change.path.old = path_of(both.old, *pair.old);
      change.soname.old = soname_of(both.old, *pair.old);
      change.role = wheelcheck::name_of(both.old.facts.elfs[pair.old->value].role);
    }
    if (pair.now) {
      change.path.now = path_of(both.now, *pair.now);
      change.soname.now = soname_of(both.now, *pair.now);
      change.role = wheelcheck::name_of(both.now.facts.elfs[pair.now->value].role);
    }
    if (!has_its_name(pair.by) || change.soname.changed()) out.push_back(std::move(change));
  }
  return out;
}

std::vector<LibraryChange> compare_libraries(const Releases& both) {
  const Libraries old = libraries_of(both.old), now = libraries_of(both.now);
  std::map<std::string, LibraryChange> changes;
  for (const auto& [id, inside] : old) {
    LibraryChange& change = changes[id];
    change.name = inside.name;
    change.versions.old = {inside.versions.begin(), inside.versions.end()};
    change.files.old = {inside.files.begin(), inside.files.end()};
  }
  for (const auto& [id, inside] : now) {
    LibraryChange& change = changes[id];
    change.name = inside.name;
    change.versions.now = {inside.versions.begin(), inside.versions.end()};
    change.files.now = {inside.files.begin(), inside.files.end()};
  }
  std::vector<LibraryChange> out;
  for (auto& [id, change] : changes) {
    if (!change.versions.changed() && change.files.old.empty() == change.files.now.empty()) continue;
    change.id = id;
    out.push_back(std::move(change));
  }
  std::ranges::stable_sort(out, [](const LibraryChange& a, const LibraryChange& b) { return a.name < b.name; });
  return out;
}

std::vector<PackageChange> compare_packages(const Releases& both) {
  std::vector<PackageChange> out;
  const auto url_of = [](const WheelReport& wheel, ElfIndex elf) {
    const auto& package = analysis_of(wheel, elf).package;
    return package ? package->purl : "";
  };
  for (const ElfPair& pair : both.elfs) {
    if (!pair.old || !pair.now) continue;
    PackageChange change{path_of(both, pair), {url_of(both.old, *pair.old), url_of(both.now, *pair.now)}};
    if (change.package.changed()) out.push_back(std::move(change));
  }
  return out;
}

StringAbi spoken(const CxxAbi& cxx) { return cxx.defined != StringAbi::None ? cxx.defined : cxx.imported; }

bool is_told(CxxRuntime runtime) { return runtime != CxxRuntime::None && runtime != CxxRuntime::Undecided; }

// A file that starts or stops to use std::string has not changed its ABI. An unchanged property is empty on both sides.
std::vector<CxxChange> compare_cxx(const Releases& both) {
  std::map<std::tuple<StringAbi, StringAbi, CxxRuntime, CxxRuntime>, std::vector<std::string>> groups;
  for (const ElfPair& pair : both.elfs) {
    if (!pair.old || !pair.now) continue;
    const CxxAbi &old = analysis_of(both.old, *pair.old).cxx, &now = analysis_of(both.now, *pair.now).cxx;
    const bool string = spoken(old) != StringAbi::None && spoken(now) != StringAbi::None && spoken(old) != spoken(now);
    const bool runtime = is_told(old.runtime) && is_told(now.runtime) && old.runtime != now.runtime;
    if (!string && !runtime) continue;
    const auto [old_string, now_string] =
        string ? std::pair(spoken(old), spoken(now)) : std::pair<StringAbi, StringAbi>();
    const auto [was, is] = runtime ? std::pair(old.runtime, now.runtime) : std::pair<CxxRuntime, CxxRuntime>();
    groups[{old_string, now_string, was, is}].push_back(path_of(both, pair));
  }
  std::vector<CxxChange> out;
  for (auto& [key, files] : groups) {
    const auto& [old_string, now_string, old_runtime, now_runtime] = key;
    const auto text = [](auto value) { return std::string(wheelcheck::name_of(value)); };
    out.push_back({.string_abi = {text(old_string), text(now_string)},
                   .runtime = {text(old_runtime), text(now_runtime)},
                   .files = std::move(files)});
  }
  std::ranges::stable_sort(out, [](const CxxChange& a, const CxxChange& b) { return a.files.size() > b.files.size(); });
  return out;
}

std::set<std::string, NaturalLess> device_targets(const WheelReport& wheel) {
  std::set<std::string, NaturalLess> out;
  for (const ElfMember& elf : wheel.facts.elfs)
    for (const DeviceImage& image : elf.facts.device.images)
      if (!image.target.empty()) out.insert(image.target);
  return out;
}

}  // namespace

ContentChanges compare_contents(const Releases& both) {
  ContentChanges out{.elfs = compare_elfs(both),
                     .needed = compare_needed(both),
                     .libraries = compare_libraries(both),
                     .packages = compare_packages(both),
                     .cxx = compare_cxx(both),
                     .device_added = {},
                     .device_removed = {},
                     .python_added = {},
                     .python_removed = {}};
  for (const FilePair& pair : both.files) {
    if (pair.old && pair.now) continue;
    const MemberFacts& member =
        pair.now ? both.now.facts.members[pair.now->value] : both.old.facts.members[pair.old->value];
    if (is_python(member.path.text())) (pair.now ? out.python_added : out.python_removed).push_back(member.path.text());
  }
  const auto old = device_targets(both.old), now = device_targets(both.now);
  std::ranges::set_difference(now, old, std::back_inserter(out.device_added), NaturalLess{});
  std::ranges::set_difference(old, now, std::back_inserter(out.device_removed), NaturalLess{});
  return out;
}

// The members that grew and shrank: the largest by name, the others by folder; and what is in the ELF files.

namespace {

constexpr std::size_t listed = 10;  // for members and for folders
// a difference below this fraction (1/200) of the whole wheel is counted with its folder
constexpr std::uint64_t share = 200;

std::uint64_t difference(const Both<std::uint64_t>& bytes) {
  return std::max(bytes.old, bytes.now) - std::min(bytes.old, bytes.now);
}

std::uint64_t unpacked(const WheelFacts& wheel) {
  std::uint64_t sum = 0;
  for (const MemberFacts& member : wheel.members) sum += member.size;
  return sum;
}

// The first two parts of the path: tensorflow/include for tensorflow/include/absl/base/log.h.
std::string folder_of(const MemberSize& member) {
  const std::string& path = member.path.now.empty() ? member.path.old : member.path.now;
  const std::size_t first = path.find('/');
  const std::size_t second = first == path.npos ? path.npos : path.find('/', first + 1);
  return path.substr(0, second != path.npos ? second : first != path.npos ? first : 0);
}

std::vector<MemberSize> all_members(const Releases& both) {
  std::vector<MemberSize> out;
  for (const FilePair& pair : both.files) {
    MemberSize one;
    if (pair.old) {
      const MemberFacts& member = both.old.facts.members[pair.old->value];
      one.path.old = member.path.text();
      one.bytes.old = member.size;
    }
    if (pair.now) {
      const MemberFacts& member = both.now.facts.members[pair.now->value];
      one.path.now = member.path.text();
      one.bytes.now = member.size;
    }
    out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, std::greater{}, [](const MemberSize& one) { return difference(one.bytes); });
  return out;
}

std::uint64_t rewritten(const Releases& both) {
  return static_cast<std::uint64_t>(std::ranges::count_if(both.files, [&](const FilePair& pair) {
    if (!pair.old || !pair.now) return false;
    const std::string &old = both.old.facts.members[pair.old->value].sha256,
                      &now = both.now.facts.members[pair.now->value].sha256;
    return !old.empty() && !now.empty() && old != now;
  }));
}

std::vector<FolderSize> by_folder(std::span<const MemberSize> members) {
  std::map<std::string, FolderSize> folders;
  for (const MemberSize& member : members) {
    FolderSize& folder = folders[folder_of(member)];
    folder.bytes.old += member.bytes.old;
    folder.bytes.now += member.bytes.now;
    folder.files.old += member.path.old.empty() ? 0u : 1u;
    folder.files.now += member.path.now.empty() ? 0u : 1u;
  }
  std::vector<FolderSize> out;
  for (auto& [name, folder] : folders) {
    if (!folder.bytes.changed() && !folder.files.changed()) continue;
    folder.folder = name;
    out.push_back(std::move(folder));
  }
  std::ranges::stable_sort(out, std::greater{}, [](const FolderSize& one) { return difference(one.bytes); });
  return out;
}

using Parts = std::map<std::string, SizePart, std::less<>>;

void add_parts(const WheelFacts& wheel, std::uint64_t Both<std::uint64_t>::* side, Parts& sections, Parts& gpu_code) {
  for (const ElfMember& elf : wheel.elfs) {
    std::uint64_t rest = wheel.members[elf.member.value].size;
    for (const SectionSize& section : elf.facts.sections.sizes) {
      sections[std::string(section.name)].bytes.*side += section.bytes;
      rest -= std::min(rest, section.bytes);
    }
    sections[""].bytes.*side += rest;
    for (const DeviceImage& image : elf.facts.device.images) {
      SizePart& part = gpu_code[image.target];
      part.bytes.*side += image.bytes;
      part.unpacked.*side += image.unpacked;
    }
  }
}

std::vector<SizePart> largest_first(Parts parts) {
  std::vector<SizePart> out;
  for (auto& [name, part] : parts) {
    part.name = name;
    out.push_back(std::move(part));
  }
  std::ranges::stable_sort(out, std::greater{}, [](const SizePart& one) { return difference(one.bytes); });
  return out;
}

}  // namespace

SizeChanges compare_sizes(const Releases& both) {
  SizeChanges out{.archive = {both.old.facts.size, both.now.facts.size},
                  .unpacked = {unpacked(both.old.facts), unpacked(both.now.facts)},
                  .files = {both.old.facts.members.size(), both.now.facts.members.size()},
                  .rewritten = rewritten(both),
                  .members = {},
                  .folders = {},
                  .sections = {},
                  .gpu_code = {}};
  Parts sections, gpu_code;
  add_parts(both.old.facts, &Both<std::uint64_t>::old, sections, gpu_code);
  add_parts(both.now.facts, &Both<std::uint64_t>::now, sections, gpu_code);
  out.sections = largest_first(std::move(sections));
  out.gpu_code = largest_first(std::move(gpu_code));
  const std::uint64_t least = std::max(out.unpacked.old, out.unpacked.now) / share;
  std::vector<MemberSize> members = all_members(both);
  std::size_t count = 0;
  while (count < members.size() && count < listed && difference(members[count].bytes) > least) ++count;
  out.folders = by_folder(std::span(members).subspan(count));
  members.resize(count);
  out.members = std::move(members);
  return out;
}

}  // namespace wheelcheck::diff
