// The pipeline of `release`: list the wheels of a version and of the one before, check those for Linux, compare them.
#include "wheelcheck/release.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "archive/archive.h"
#include "archive/file.h"
#include "base/fail.h"
#include "base/text.h"
#include "base/text_file.h"
#include "diff/release.h"
#include "json/json.h"
#include "knowledge/tables.h"
#include "model/pep440.h"
#include "model/requirement.h"
#include "report/shared/text.h"
#include "wheel/filename.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

namespace fs = std::filesystem;
using Topic = ReleaseFinding::Topic;
using Json = nlohmann::json;

// The page of a project with thousands of files has some MB; a release has a few hundred wheels.
constexpr std::uint64_t largest_list = std::uint64_t{64} << 20;
constexpr std::size_t max_name = 512, max_wheels = 1'000, max_python_tags = 100;

struct Listing {
  std::vector<ReleaseFile> files;
  std::vector<std::string> bad;  // names that end in .whl and are none of a wheel
  bool index = false;            // the files of an index, of many versions
};

void add_file(Listing& listing, ReleaseFile file) {
  if (!file.file.ends_with(".whl")) return;
  auto name = wheel::parse_filename(file.file.substr(0, max_name));
  if (!name) {
    listing.bad.push_back(std::move(name.error().message));
    return;
  }
  file.name = std::move(*name);
  listing.files.push_back(std::move(file));
}

// An entry of "files" (PEP 691), or of "urls" and "releases" (the older JSON of PyPI). Withdrawn files are left out.
void add_entry(Listing& listing, const Json& entry) {
  if (!entry.is_object()) return;
  const auto text = [&](const char* key) -> std::optional<std::string> {
    const auto at = entry.find(key);
    return at != entry.end() && at->is_string() ? std::optional(at->get<std::string>()) : std::nullopt;
  };
  const auto yanked = entry.find("yanked"), size = entry.find("size");
  if (yanked != entry.end() && (yanked->is_string() || *yanked == true)) return;
  const auto file = text("filename");
  if (!file) return;
  const auto python = text("requires-python"), older = text("requires_python");
  add_file(listing, {.file = *file,
                     .name = {},
                     .size = size != entry.end() && size->is_number_unsigned() ? size->get<std::uint64_t>() : 0,
                     .requires_python = python ? *python : older.value_or("")});
}

Result<Listing> read_index(const std::string& path, const std::string& text) {
  Listing listing{.index = true};
  const auto document = json::parse(text);
  if (!document) return fail(ErrorCode::Usage, "{} {}", escape(path), document.error().front());
  const auto add_all = [&](const Json& files) {
    for (const Json& entry : files) add_entry(listing, entry);
  };
  if (!document->is_object()) return fail(ErrorCode::Usage, "{} is not the JSON of an index", escape(path));
  for (const char* const key : {"files", "releases", "urls"}) {
    const auto at = document->find(key);
    if (at == document->end()) continue;
    if (at->is_object())
      for (const Json& files : *at) add_all(files);
    else
      add_all(*at);
    break;  // "urls" repeats files of "releases"
  }
  return listing;
}

Result<Listing> read_listing(const std::string& path) {
  std::error_code error;
  Listing listing;
  if (fs::is_directory(path, error)) {
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      std::error_code none;
      const std::string file = it->path().filename().string();
      if (file.ends_with(".whl") && it->is_regular_file(none))
        add_file(listing, {.file = file,
                           .name = {},
                           .size = it->file_size(none),
                           .path = path + (path.ends_with('/') ? "" : "/") + file});
    }
    if (error) return fail(ErrorCode::NotFound, "{}: {}", escape(path), error.message());
  } else {
    const auto text = read_text_file(path, largest_list);
    if (!text) return fail(ErrorCode::NotFound, "{}: {}", escape(path), text.error());
    if (const auto first = text->find_first_not_of(" \t\r\n"); first != text->npos && (*text)[first] == '{') {
      auto index = read_index(path, *text);
      if (!index) return index;
      listing = std::move(*index);
    } else {
      for (const std::string_view line : split(*text, '\n'))
        add_file(listing, {.file = std::string(base_name(trim(line))), .name = {}});
    }
  }
  std::ranges::sort(listing.files, {}, &ReleaseFile::file);
  return listing;
}

// The comparison looks at each Python on each platform.
Result<std::vector<ReleaseFile>> within_limits(const std::string& path, std::vector<ReleaseFile> files) {
  std::set<std::string_view> tags;
  for (const ReleaseFile& file : files) tags.insert(file.name.python.begin(), file.name.python.end());
  if (files.size() <= max_wheels && tags.size() <= max_python_tags) return files;
  return fail(ErrorCode::OverLimit, "{} has more than {} wheels or {} Python tags of one version", escape(path),
              max_wheels, max_python_tags);
}

std::string key_of(const WheelName& name) {
  const auto version = parse_package_version(name.version);
  return normal_project_name(name.distribution) + "-" + (version ? to_string(*version) : name.version);
}

// The files of the release: of an index those of the newest final version, otherwise those of the project and version
// with the most wheels. The others are named in a finding.
Result<std::vector<ReleaseFile>> choose_release(const std::string& path, Listing listing,
                                                std::vector<ReleaseFinding>& findings) {
  if (listing.files.empty()) return fail(ErrorCode::NotFound, "{} contains no wheel", escape(path));
  std::map<std::string, std::vector<ReleaseFile>> releases;
  for (ReleaseFile& file : listing.files) releases[key_of(file.name)].push_back(std::move(file));
  const auto rank = [&](const auto& release) {
    const auto version = parse_package_version(release.second.front().name.version);
    return listing.index ? std::tuple(std::size_t{!version->is_prerelease()}, *version)
                         : std::tuple(release.second.size(), *version);
  };
  const auto chosen = std::ranges::max_element(releases, {}, rank);
  for (std::string& bad : listing.bad)
    if (!listing.index)
      findings.push_back({Topic::Version, Severity::Error, std::move(bad), "rename it: pip does not see it", {}, {}});
  if (listing.index) return within_limits(path, std::move(chosen->second));
  for (const auto& [key, files] : releases) {
    if (key == chosen->first) continue;
    std::vector<std::string> names;
    for (const ReleaseFile& file : files) names.push_back(file.file);
    findings.push_back({Topic::Version,
                        Severity::Error,
                        fmt::format("{} of {} beside {}: {}", count_of(files.size(), "wheel"), escape(key),
                                    escape(chosen->first), list_of(names, 3)),
                        "remove them from the directory: they would be uploaded with the others",
                        std::move(names),
                        {}});
  }
  return within_limits(path, std::move(chosen->second));
}

// The files of the highest version below that of the release; a pre-release only if there is no final one.
Result<std::vector<ReleaseFile>> choose_previous(const std::string& path, Listing listing, const WheelName& name) {
  const auto now = parse_package_version(name.version);
  const std::string project = normal_project_name(name.distribution);
  std::map<std::pair<bool, PackageVersion>, std::vector<ReleaseFile>> releases;
  for (ReleaseFile& file : listing.files) {
    const auto version = parse_package_version(file.name.version);
    if (normal_project_name(file.name.distribution) == project && *version < *now)
      releases[{!version->is_prerelease(), *version}].push_back(std::move(file));
  }
  if (releases.empty())
    return fail(ErrorCode::Usage, "{} contains no wheel of {} before {}", escape(path), escape(project),
                escape(name.version));
  return within_limits(path, std::move(releases.rbegin()->second));
}

bool is_read(const ReleaseFile& file) { return !file.path.empty() && !is_for_other_systems(file.name.platforms); }

}  // namespace

Result<ReleaseReport> judge_release(const std::string& directory, const std::string& previous, const std::string& sdist,
                                    const Settings& settings) {
  const auto knowledge = knowledge::shared_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  ReleaseReport out{.version = std::string(version())};
  auto listing = read_listing(directory);
  if (!listing) return std::unexpected(listing.error());
  auto now = choose_release(directory, std::move(*listing), out.findings);
  if (!now) return std::unexpected(now.error());
  std::vector<ReleaseFile> old;
  if (!previous.empty()) {
    auto before = read_listing(previous);
    if (!before) return std::unexpected(before.error());
    auto files = choose_previous(previous, std::move(*before), now->front().name);
    if (!files) return std::unexpected(files.error());
    old = std::move(*files);
  }
  const archive::SecondReader reader;
  std::optional<archive::File> source;  // opened before the sandbox is entered
  if (!sdist.empty()) {
    auto file = archive::File::open(sdist);
    if (!file) return std::unexpected(report::named(sdist, file.error()));
    source.emplace(std::move(*file));
  }

  std::vector<std::string> paths;
  for (const auto* const files : {&std::as_const(*now), &std::as_const(old)})
    for (const ReleaseFile& file : *files)
      if (is_read(file)) paths.push_back(file.path);
  Settings ours = settings;
  ours.drop_symbols = true;
  auto report = check(paths, ours);
  if (!report) return std::unexpected(report.error());
  const auto count = static_cast<std::size_t>(std::ranges::count_if(*now, is_read));
  std::vector<const WheelReport*> wheels, all;
  for (std::size_t i = 0; i < report->entries.size(); ++i) {
    if (!report->entries[i].wheel) continue;
    all.push_back(&*report->entries[i].wheel);
    if (i < count) wheels.push_back(all.back());
  }
  for (ReleaseFile& file : *now)
    for (const WheelReport* const wheel : wheels)
      if (wheel->facts.path == file.path && wheel->facts.metadata)
        file.requires_python = wheel->facts.metadata->requires_python;

  const auto add = [&](std::vector<ReleaseFinding> more) { std::ranges::move(more, std::back_inserter(out.findings)); };
  add(diff::find_holes(*now, old));
  add(diff::compare_wheels(wheels, **knowledge));
  if (source) {
    const auto files = reader.tar_files(*source, settings.limits);
    if (!files) return std::unexpected(report::named(sdist, files.error()));
    add(diff::compare_sdist(*files, wheels));
  }
  out.sizes = diff::compare_release_sizes(*now, old, all, **knowledge);
  add(diff::find_growth(out.sizes));
  std::ranges::stable_sort(out.findings, [](const ReleaseFinding& a, const ReleaseFinding& b) {
    return std::pair(b.severity, a.topic) < std::pair(a.severity, b.topic);
  });
  out.distribution = now->front().name.distribution;
  out.release = {old.empty() ? "" : old.front().name.version, now->front().name.version};
  out.wheels = {old.size(), now->size()};
  out.grid = diff::grid_of(*now);
  // Of the wheels before, those remain that could not be read: their comparison is missing.
  const auto before =
      std::remove_if(report->entries.begin() + static_cast<std::ptrdiff_t>(count), report->entries.end(),
                     [](const Report::Entry& entry) { return entry.wheel.has_value(); });
  report->entries.erase(before, report->entries.end());
  out.read = std::move(*report);
  return out;
}

}  // namespace wheelcheck
