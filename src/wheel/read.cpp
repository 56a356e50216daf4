// Converts a source of files to WheelFacts. It reads every member in one pass, then evaluates the dist-info files, and
// finally determines the role of each ELF file.

#include "elf/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "archive/file.h"
#include "archive/folder.h"
#include "base/parallel.h"
#include "base/text.h"
#include "model/installed_files.h"
#include "python/read.h"
#include "wheel/filename.h"
#include "wheel/index_checks.h"
#include "wheel/install_layout.h"
#include "wheel/installed.h"
#include "wheel/json_files.h"
#include "wheel/metadata.h"
#include "wheel/name_budget.h"
#include "wheel/python_files.h"
#include "wheel/read.h"
#include "wheel/record.h"
#include "wheel/roles.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

namespace wheel {
namespace {

// A dist-info file that is read as text: its name, its member, and its size limit.
struct TextFile {
  std::string_view name;
  WheelArea area;
  std::uint64_t limit;
  std::string_view option;
  std::optional<MemberIndex> member;
};
using TextFiles = std::array<TextFile, 3>;  // WHEEL, METADATA, RECORD

std::vector<MemberFacts> members_of(std::span<const archive::Entry> entries) {
  std::vector<MemberFacts> members;
  members.reserve(entries.size());
  for (const archive::Entry& entry : entries) {
    members.push_back({.path = entry.path,
                       .size = entry.size,
                       .packed_size = entry.packed_size,
                       .crc32 = entry.crc32,
                       .unix_mode = entry.unix_mode,
                       .sha256 = {}});
  }
  return members;
}

Result<TextFiles> find_text_files(const WheelFacts& facts, const Limits& limits) {
  TextFiles files = {{{"WHEEL", WheelArea::Wheel, limits.wheel_bytes, "--limit wheel-file-bytes=N", {}},
                      {"METADATA", WheelArea::Metadata, limits.metadata_bytes, "--limit metadata-bytes=N", {}},
                      {"RECORD", WheelArea::Record, limits.record_bytes, "--limit record-bytes=N", {}}}};
  if (!facts.dist_info) return files;
  if (facts.dist_info->ends_with(".egg-info")) files[1].name = "PKG-INFO";
  for (TextFile& file : files) {
    const std::string path = fmt::format("{}/{}", *facts.dist_info, file.name);
    file.member = find_member(facts.members, path);
    if (!file.member) continue;
    if (const std::uint64_t size = facts.members[file.member->value].size; size > file.limit) {
      return std::unexpected(
          Error{ErrorCode::OverLimit, fmt::format("member {}: it has {} bytes, over the limit of {}; raise it with {}",
                                                  escape(path), size, file.limit, file.option)});
    }
  }
  return files;
}

// A large ELF file, of which a page filter keeps only the necessary pages while it passes.
class FilteredPages final : public archive::PageSelector {
 public:
  void start(SparseBytes& pages) override { page_filter_.start(pages); }
  void take(std::span<const std::byte> chunk) override { page_filter_.take(chunk); }
  const elf::PageFilter& page_filter() const { return page_filter_; }

 private:
  static inline elf::PageFilter::CodeMemory code_memory_{std::uint64_t{96} << 20};
  elf::PageFilter page_filter_{elf::PageFilter::max_tables, &code_memory_};
};

Result<std::unique_ptr<ElfFacts>> read_elf(archive::Content& content, const elf::PageFilter& page_filter,
                                           const Limits& limits) {
  if (!content.pages) return std::make_unique<ElfFacts>(elf::read_elf(content.bytes, limits));
  Result<ElfFacts> facts = elf::read_elf(std::move(content.pages), page_filter, limits);
  if (!facts) return std::unexpected(std::move(facts.error()));
  return std::make_unique<ElfFacts>(std::move(*facts));
}

// What is read of a member beside ELF facts.
struct ReadPlan {
  bool text = false;
  std::size_t rank = 0;  // of its code
  std::optional<WheelArea> json;
};

// Reads one member. Its bytes are freed on return.
Reading read_member(const archive::Source& source, MemberIndex member, const ReadPlan& wanted, const WheelFacts& wheel,
                    const Limits& limits, CodeBudget& budget, NameBudget& names, const import_plan::OwnModules* own,
                    const DataNames& data, Helpers& idle) {
  Reading reading;
  const archive::Entry& entry = source.entries()[member.value];
  const PythonForm form = python_form(entry, limits);
  const bool bytecode = is_bytecode(entry, limits);
  const bool python = form == PythonForm::Module || form == PythonForm::PathFile;
  const bool is_long = is_too_long(entry, limits);
  const bool code = (python && (!is_long || entry.size <= max_searched)) || (form == PythonForm::Script && !is_long);
  if (python && !code) reading.python = not_read(member, PythonCut::Size);
  const bool whole = wanted.text || code || bytecode || wanted.json;
  FilteredPages filtered;
  Result<archive::Content> content =
      source.read(entry, {.keep = whole ? archive::Keep::Everything : archive::Keep::IfElf,
                          .hash = limits.hashes,
                          .selector = &filtered,
                          .idle = &idle});
  if (!content) {
    reading.error = std::make_unique<Error>(std::move(content.error()));
    return reading;
  }
  reading.sha256 = std::move(content->digest);
  if (bytecode && !content->elf && hides_code(entry.path.text(), text_of(content->bytes)))
    reading.python = not_read(member, PythonCut::Bytecode);
  if (form == PythonForm::Script && !code && runs_python(text_of(content->start.bytes())))
    reading.python = not_read(member, PythonCut::Size);
  if (code && !content->elf)
    read_code(reading, entry, text_of(content->bytes), member, limits, budget, wanted.rank, own, data);
  if (wanted.json && !content->elf) {
    auto json = read_dist_info_file(*wanted.json, text_of(content->bytes), member, entry.path.text(), wheel);
    reading.json = std::make_unique<JsonReading>(std::move(json));
  }
  if (wanted.text) reading.text = std::make_unique<std::string>(text_of(content->bytes));
  reading.script_line = script_line(member, entry.path.text(), text_of(content->start.bytes()));
  if (!content->elf) {
    reading.foreign = foreign_kind(entry.path.name(), entry.size, content->start, content->elf_inside);
    return reading;
  }
  Result<std::unique_ptr<ElfFacts>> facts = read_elf(*content, filtered.page_filter(), limits);
  if (facts && names.admits(**facts)) reading.elf = std::move(*facts);
  if (!facts)
    reading.error = std::make_unique<Error>(
        facts.error().code, fmt::format("member {}: {}", escape(entry.path.text()), std::move(facts.error().message)));
  return reading;
}

// For fewer bytes, starting a thread takes longer than reading them.
constexpr std::uint64_t worth_a_thread = std::uint64_t{2} << 20;

// Members up to this many bytes are not sorted by size for the distribution over threads.
constexpr std::uint64_t small_size = std::uint64_t{64} << 10;

// Reads all members, the largest first so that no thread works alone on a large one at the end; small ones in their
// order. The error is that of the first member by path, regardless of the thread that found it.
Result<std::vector<Reading>> read_members(const archive::Source& source, const WheelFacts& facts,
                                          const TextFiles& files, const Limits& limits, unsigned jobs,
                                          const Progress& progress, Members which) {
  const std::span<const archive::Entry> entries = source.entries();
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return entries[i].size; };
  const auto small = std::ranges::stable_partition(order, [&](std::size_t i) { return size(i) > small_size; });
  std::ranges::stable_sort(order.begin(), small.begin(), std::greater{}, size);
  std::vector<Reading> readings(entries.size());
  std::uint64_t total = 0;
  for (const archive::Entry& entry : entries) total += entry.size;
  std::atomic<std::uint64_t> done = 0;
  CodeBudget budget(entries);
  NameBudget names(entries);
  std::optional<import_plan::OwnModules> own;
  if (!limits.imports && import_plan::is_searched(facts.name)) own.emplace(facts.members);
  const DataNames data(facts);
  const CheckedFiles checked = checked_files(facts.members, facts.dist_info);
  parallel_for(order.size(), total < worth_a_thread ? 1 : jobs, [&](std::size_t at, Helpers& idle) {
    const std::size_t i = order[at];
    const MemberIndex member{static_cast<std::uint32_t>(i)};
    ReadPlan wanted = {
        .text = std::ranges::find(files, member, &TextFile::member) != files.end(), .rank = at, .json = std::nullopt};
    if (const auto area = checked.read.find(member); area != checked.read.end()) wanted.json = area->second;
    if (which == Members::Python && !wanted.text && !wanted.json &&
        python_form(entries[i], limits) == PythonForm::None && !is_bytecode(entries[i], limits))
      return;
    readings[i] = read_member(source, member, wanted, facts, limits, budget, names, own ? &*own : nullptr, data, idle);
    if (progress) progress(done += entries[i].size, total);
  });
  source.release();
  budget.refuse(readings, order);
  for (Reading& reading : readings)
    if (reading.error) return std::unexpected(std::move(*reading.error));
  if (names.is_refused())
    return std::unexpected(Error{ErrorCode::OverLimit,
                                 "its ELF files name many times more libraries, versions, directories and symbols than "
                                 "are read of a wheel of its size"});
  for (Reading& reading : readings)
    if (reading.elf) names.take(*reading.elf);
  if (!source.unchanged()) return std::unexpected(Error{ErrorCode::Io, "changed while it was read"});
  return readings;
}

void check_dist_info(WheelFacts& facts) {
  const auto complain = [&](std::string subject, std::string reason) {
    facts.flaws.push_back(
        {.area = WheelArea::DistInfo, .member = {}, .subject = std::move(subject), .reason = std::move(reason)});
  };
  if (!facts.dist_info) return complain(facts.file, "has no .dist-info directory, so no WHEEL, METADATA and RECORD");
  for (const auto& [member, area] : checked_files(facts.members, facts.dist_info).too_long)
    facts.flaws.push_back({area == WheelArea::Sbom ? area : WheelArea::DistInfo, member,
                           facts.members[member.value].path.text(),
                           "is not read: more than 2 MiB, or 8 MiB with the bills of materials before it"});
  const bool has_file_name = facts.size != 0;
  if (has_file_name && !names_wheel(*facts.dist_info, facts.name)) {
    complain(*facts.dist_info, fmt::format("does not name the project and version of the file name, {} {}",
                                           facts.name.distribution, facts.name.version));
  }
}

// Computes a member's digest with another algorithm that RECORD uses; "" if the member cannot be read again.
DigestOf second_reading(const archive::Source& source, const Limits& limits) {
  return [&](MemberIndex member, Digest digest) {
    if (!limits.hashes) return std::string();
    Result<archive::Content> content = source.read(source.entries()[member.value], {.digest = digest});
    source.release();
    return content ? std::move(content->digest) : std::string();
  };
}

// Parses WHEEL, METADATA and RECORD. An absent file is nullopt and a flaw.
Result<void> read_texts(WheelFacts& facts, const archive::Source& source, const TextFiles& files,
                        const std::vector<Reading>& readings, const Limits& limits) {
  if (!facts.dist_info) return {};
  for (const TextFile& file : files) {
    const std::string path = fmt::format("{}/{}", *facts.dist_info, file.name);
    if (!file.member) {
      // reported when the files were assigned to distributions
      if (file.area == WheelArea::Record && is_unpacked(facts)) continue;
      facts.flaws.push_back({.area = file.area, .member = {}, .subject = path, .reason = "is missing"});
      continue;
    }
    const std::string_view text = *readings[file.member->value].text;
    if (file.area == WheelArea::Wheel) facts.wheel = parse_wheel_file(text, *file.member, path, facts.flaws);
    if (file.area == WheelArea::Metadata) {
      facts.metadata = parse_metadata(text, *file.member, path, facts.flaws);
      compare_metadata(*facts.metadata, facts.name, *file.member, path, facts.flaws);
      find_index_flaws(text, *file.member, path, facts);
    }
    if (file.area != WheelArea::Record) continue;
    Result<std::vector<RecordRow>> rows = parse_record(text, *file.member, path, limits, facts.flaws);
    if (!rows) return std::unexpected(std::move(rows.error()));
    // The files of a directory may have been changed, and RECORD is regenerated when they are packed.
    const bool in_archive = facts.size != 0;
    if (in_archive) compare_record(*rows, facts.members, path, second_reading(source, limits), facts.flaws);
    facts.record = std::move(*rows);
  }
  return {};
}

// If two members are installed to the same path, the second overwrites the first, or the installer stops.
void find_same_places(WheelFacts& facts, const InstallLayout& layout) {
  const auto is_moved = [](const MemberFacts& member) { return data_path(member.path.text()).has_value(); };
  if (std::ranges::none_of(facts.members, is_moved)) return;
  std::map<std::string, std::uint32_t> placed;
  for (std::uint32_t i = 0; i < facts.members.size(); ++i) {
    const MemberPath& path = facts.members[i].path;
    const auto [at, first] = placed.try_emplace(shared_site_packages(layout.place(path).path), i);
    if (!first)
      facts.flaws.push_back({.area = WheelArea::Member,
                             .member = MemberIndex{i},
                             .subject = path.text(),
                             .reason = fmt::format("is installed to the same path as '{}'",
                                                   escape(facts.members[at->second].path.text()))});
  }
}

void place_members(WheelFacts& facts, std::vector<Reading>& readings) {
  const InstallLayout layout(facts.name);
  find_same_places(facts, layout);
  for (std::uint32_t i = 0; i < facts.members.size(); ++i) {
    const MemberPath& path = facts.members[i].path;
    if (!InstallLayout::knows(path)) {
      facts.flaws.push_back({.area = WheelArea::Member,
                             .member = MemberIndex{i},
                             .subject = path.text(),
                             .reason = "is below .data, but not in purelib, platlib, scripts, headers or data"});
    }
    // An installed directory has the files of installers by right.
    const bool in_archive = facts.size != 0;
    if (std::string problem = layout.problem(path, facts.dist_info.value_or("")); in_archive && !problem.empty())
      facts.flaws.push_back(
          {.area = WheelArea::Member, .member = MemberIndex{i}, .subject = path.text(), .reason = std::move(problem)});
    if (facts.dist_info && InstallLayout::is_in_other_data(path, *facts.dist_info)) {
      facts.flaws.push_back({.area = WheelArea::Member,
                             .member = MemberIndex{i},
                             .subject = path.text(),
                             .reason =
                                 "is below a .data directory that is not named as the .dist-info directory is: pip "
                                 "moves it, uv does not"});
    }
    if (!readings[i].elf) continue;
    ElfFacts& elf = *readings[i].elf;
    Installed installed = layout.place(path);
    ElfRole role = role_of(elf, installed.path, layout.site_packages());
    const Libc libc = libc_of(elf, path.name(), facts.name);
    facts.elfs.push_back({.member = MemberIndex{i},
                          .role = std::move(role),
                          .libc = libc,
                          .installed = std::move(installed.path),
                          .disguised = is_disguise(path.name()),
                          .in_purelib = installed.in_purelib,
                          .facts = std::move(elf)});
  }
}

void take_python(WheelFacts& facts, std::vector<Reading>& readings) {
  for (Reading& reading : readings)
    if (reading.python &&
        (reading.python->broken || reading.python->cut != PythonCut::None || !reading.python->calls.empty() ||
         !reading.python->names.empty() || !reading.python->events.empty() || !reading.python->descriptors.empty()))
      facts.python.push_back(std::move(*reading.python));
}

void take_script_lines(WheelFacts& facts, std::vector<Reading>& readings) {
  constexpr std::size_t max = 4096;
  for (Reading& reading : readings)
    if (reading.script_line && facts.script_lines.size() < max)
      facts.script_lines.push_back(std::move(*reading.script_line));
}

void take_json(WheelFacts& facts, std::vector<Reading>& readings) {
  for (Reading& reading : readings) {
    if (!reading.json) continue;
    facts.variant_x86_level = std::max(facts.variant_x86_level, reading.json->variant_x86_level);
    std::ranges::move(reading.json->flaws, std::back_inserter(facts.flaws));
    std::ranges::move(reading.json->scripts, std::back_inserter(facts.scripts));
    if (reading.json->sbom) facts.sboms.push_back(std::move(*reading.json->sbom));
  }
}

void take_warnings(WheelFacts& facts, WheelArea area, std::span<const archive::Warning> warnings) {
  const bool only_linux = std::ranges::all_of(facts.name.platforms, [](const PlatformTag& tag) {
    return tag.family == PlatformTag::Family::Manylinux || tag.family == PlatformTag::Family::Musllinux ||
           tag.family == PlatformTag::Family::Linux;
  });
  for (const archive::Warning& warn : warnings) {
    std::optional<MemberIndex> member;
    if (warn.entry) member = MemberIndex{static_cast<std::uint32_t>(*warn.entry)};
    facts.flaws.push_back({.area = area,
                           .member = member,
                           .subject = warn.subject.empty() ? facts.file : warn.subject,
                           .reason = warn.reason,
                           .minor = warn.elsewhere && only_linux});
  }
}

}  // namespace

Result<WheelFacts> read_source(const archive::Source& source, WheelFacts facts, const Limits& limits, unsigned jobs,
                               const Progress& progress, Members which) {
  facts.size = source.size();
  facts.members = members_of(source.entries());
  if (!facts.dist_info) {
    Result<std::optional<std::string>> dist_info = find_dist_info(facts.members);
    if (!dist_info) return std::unexpected(std::move(dist_info.error()));
    facts.dist_info = std::move(*dist_info);
  }

  const Result<TextFiles> files = find_text_files(facts, limits);
  if (!files) return std::unexpected(files.error());
  Result<std::vector<Reading>> readings = read_members(source, facts, *files, limits, jobs, progress, which);
  if (!readings) return std::unexpected(std::move(readings.error()));
  for (std::size_t i = 0; i < facts.members.size(); ++i) {
    facts.members[i].sha256 = std::move((*readings)[i].sha256);
    facts.members[i].foreign = (*readings)[i].foreign;
  }

  Limits code_limits = limits;
  if (!limits.imports && std::ranges::any_of(*readings, &Reading::needs_imports)) {
    code_limits.imports = true;
    if (auto done = read_imports(source, *readings, code_limits, jobs); !done)
      return std::unexpected(std::move(done.error()));
  }
  if (auto done = read_waiting(source, *readings, code_limits, jobs); !done)
    return std::unexpected(std::move(done.error()));
  check_dist_info(facts);
  if (Result<void> texts = read_texts(facts, source, *files, *readings, limits); !texts)
    return std::unexpected(std::move(texts.error()));
  take_json(facts, *readings);
  place_members(facts, *readings);
  take_python(facts, *readings);
  std::set<std::string_view> named;
  for (const Reading& reading : *readings) named.insert(reading.names_data.begin(), reading.names_data.end());
  mark_data(facts, named);
  take_script_lines(facts, *readings);
  facts.all_python = code_limits.imports;
  take_warnings(facts, WheelArea::Member, source.warnings());
  take_warnings(facts, WheelArea::IndexArchive, source.index_refusals());
  return facts;
}

}  // namespace wheel

namespace {

Result<WheelFacts> read_archive(const OpenedInput& input, const Limits& limits, unsigned jobs, const Progress& progress,
                                wheel::Members which) {
  auto file = archive::file_of(input);
  if (!file) return std::unexpected(std::move(file.error()));
  // The archive is opened first: for a text file with a bad name, the more useful error is that it is not an archive.
  Result<archive::Archive> archive = archive::Archive::open(std::move(*file), limits);
  if (!archive) return std::unexpected(std::move(archive.error()));
  WheelFacts facts;
  facts.file = base_name(input.path);
  facts.path = input.path;
  Result<WheelName> name = wheel::parse_filename(facts.file);
  if (!name) return std::unexpected(std::move(name.error()));
  facts.name = std::move(*name);
  return wheel::read_source(*archive, std::move(facts), limits, jobs, progress, which);
}

}  // namespace

Result<std::vector<PythonFile>> wheel::read_python_again(const OpenedInput& input, const Limits& limits,
                                                         unsigned jobs) {
  auto facts = read_archive(input, limits, jobs, {}, Members::Python);
  if (!facts) return std::unexpected(std::move(facts.error()));
  return std::move(facts->python);
}

Result<WheelFacts> read(const OpenedInput& input, const Limits& limits, unsigned jobs, const Progress& progress) {
  return read_archive(input, limits, jobs, progress, wheel::Members::All);
}

Result<WheelFacts> read(const std::string& path, const Limits& limits, unsigned jobs, const Progress& progress) {
  return read(OpenedInput{.path = path}, limits, jobs, progress);
}

// An unpacked wheel: the result of `wheel unpack` or unzip, possibly modified.

Result<WheelFacts> read_unpacked(const std::string& path, const Limits& limits, unsigned jobs,
                                 const Progress& progress) {
  const auto no_wheel = [](std::string message) {
    return std::unexpected(Error{ErrorCode::NotAWheel, std::move(message)});
  };
  const Result<archive::Folder> folder = archive::Folder::open(path);
  if (!folder) return std::unexpected(folder.error());
  std::vector<std::string> found = folder->directories("");
  std::erase_if(found, [](const std::string& name) { return !name.ends_with(".dist-info"); });
  if (found.empty()) return no_wheel("is a directory without a .dist-info, so no unpacked wheel");
  if (found.size() > 1)
    return no_wheel(fmt::format("is a directory with {} .dist-info, '{}' and '{}'; an unpacked wheel has one",
                                found.size(), escape(found[0]), escape(found[1])));
  Result<archive::Listing> listing = folder->walk("", limits.members, limits);
  if (!listing) return std::unexpected(std::move(listing.error()));

  wheel::DistInfo info = wheel::read_dist_info(*folder, listing->entries, found.front(), limits);
  if (info.name.platforms.empty())
    return no_wheel(fmt::format("has no Tag in {}/WHEEL, so its claims are unknown", escape(info.directory)));
  WheelFacts facts;
  facts.file = wheel::shown_name(info.name);
  facts.path = path;
  facts.name = std::move(info.name);
  facts.dist_info = std::move(info.directory);
  const archive::FolderSource source(*folder, std::move(*listing), limits);
  return wheel::read_source(source, std::move(facts), limits, jobs, progress);
}

}  // namespace wheelcheck
