// The name comes from the directory, which is spelled as the wheel's file was; the tags from WHEEL.
#include "wheel/dist_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "wheel/metadata.h"
#include "wheel/pep440.h"
#include "wheel/record.h"

namespace wheelcheck::wheel {
namespace {

constexpr std::string_view dist_info_suffix = ".dist-info", egg_info_suffix = ".egg-info";

class Texts {
 public:
  Texts(const archive::Folder& folder, std::span<const archive::Entry> files, const std::string& directory,
        const Limits& limits)
      : folder_(folder), files_(files), directory_(directory), limits_(limits) {}

  std::optional<std::string> read(std::string_view name, std::uint64_t most) const {
    const auto text = [](const archive::Entry& entry) { return std::string_view(entry.path.text()); };
    const std::string path = fmt::format("{}/{}", directory_, name);
    const auto at = std::ranges::lower_bound(files_, std::string_view(path), {}, text);
    if (at == files_.end() || text(*at) != path || at->size > most) return std::nullopt;
    const auto content = folder_.read(*at, {.keep = archive::Keep::Everything}, limits_);
    if (!content) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(content->bytes.data()), content->bytes.size());
  }

 private:
  const archive::Folder& folder_;
  const std::span<const archive::Entry> files_;
  const std::string& directory_;
  const Limits& limits_;
};

void add_new(std::vector<std::string>& list, std::string_view set) {
  for (const std::string_view tag : split(set, '.'))
    if (!tag.empty() && std::ranges::find(list, tag) == list.end()) list.emplace_back(tag);
}

// The sets of the file name, of which each Tag line is one combination.
void take_tags(WheelName& name, const WheelFile& wheel) {
  std::vector<std::string> platforms;
  for (const std::string& tag : wheel.tags) {
    const std::vector<std::string_view> parts = split(tag, '-');
    if (parts.size() != 3) continue;
    add_new(name.python, parts[0]);
    add_new(name.abi, parts[1]);
    add_new(platforms, parts[2]);
  }
  for (const std::string& platform : platforms) name.platforms.push_back(parse_platform_tag(platform));
}

// Name and version may each hold a dash where a tool did not escape it: the first dash with a version behind it.
// foo-1.0-py3.11.egg-info names the interpreter as well.
void take_name(WheelName& name, std::string_view directory, const Metadata& metadata) {
  const bool egg = directory.ends_with(egg_info_suffix);
  std::string_view stem = directory;
  stem.remove_suffix(egg ? egg_info_suffix.size() : dist_info_suffix.size());
  if (const std::size_t python = stem.rfind("-py"); egg && python != stem.npos) stem = stem.substr(0, python);
  for (std::size_t dash = stem.find('-'); dash != stem.npos; dash = stem.find('-', dash + 1)) {
    if (!comparable_version(stem.substr(dash + 1))) continue;
    name.distribution = stem.substr(0, dash);
    name.version = stem.substr(dash + 1);
    return;
  }
  name.distribution = metadata.name.empty() ? std::string(stem) : metadata.name;
  name.version = metadata.version;
}

bool says_editable(std::string_view json) {
  std::string text(json);
  std::erase_if(text, is_blank);
  return text.find("\"editable\":true") != text.npos;
}

std::vector<std::string> names_of(std::string_view lines) {
  std::vector<std::string> names;
  for (const std::string_view line : split(lines, '\n'))
    if (const std::string_view name = trim(line); MemberPath::parse(name) && name.find('/') == name.npos)
      names.emplace_back(name);
  return names;
}

}  // namespace

bool is_dist_info(std::string_view directory) {
  const bool named = directory.ends_with(dist_info_suffix) || directory.ends_with(egg_info_suffix);
  return named && !directory.starts_with('~');
}

DistInfo read_dist_info(const archive::Folder& folder, std::span<const archive::Entry> files, std::string directory,
                        const Limits& limits) {
  DistInfo out;
  const Texts texts(folder, files, directory, limits);
  const bool egg = directory.ends_with(egg_info_suffix);
  std::vector<WheelFlaw> known_later;  // the flaws of these files are told when the distribution is read
  Metadata metadata;
  if (const auto text = texts.read(egg ? "PKG-INFO" : "METADATA", limits.metadata_bytes))
    metadata = parse_metadata(*text, {}, directory, known_later);
  take_name(out.name, directory, metadata);
  out.requires_dist = std::move(metadata.requires_dist);
  if (const auto text = texts.read("WHEEL", limits.wheel_bytes))
    take_tags(out.name, parse_wheel_file(*text, {}, directory, known_later));
  if (const auto text = texts.read("RECORD", limits.record_bytes))
    if (auto rows = parse_record(*text, {}, directory, limits, known_later)) out.record = std::move(*rows);
  if (const auto text = texts.read("top_level.txt", limits.wheel_bytes)) out.top_level = names_of(*text);
  if (const auto text = texts.read("direct_url.json", limits.wheel_bytes)) out.editable = says_editable(*text);
  out.project = normal_name(out.name.distribution);
  out.directory = std::move(directory);
  return out;
}

std::string shown_name(const WheelName& name) {
  return name.version.empty() ? name.distribution : fmt::format("{} {}", name.distribution, name.version);
}

}  // namespace wheelcheck::wheel
