// Reads dist-info directories. The name comes from the directory, which is spelled like the wheel's file; the tags come
// from WHEEL.

#include "wheel/installed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requirement.h"
#include "model/requires_dist.h"
#include "wheel/metadata.h"
#include "wheel/record.h"

namespace wheelcheck::wheel {

namespace {

constexpr std::string_view dist_info_suffix = ".dist-info", egg_info_suffix = ".egg-info";

class Texts {
 public:
  Texts(const archive::Folder& folder, std::span<const archive::Entry> files, const std::string& directory,
        const Limits& limits)
      : folder_(folder), files_(files), directory_(directory), limits_(limits) {}

  std::optional<std::string> read(std::string_view name, std::uint64_t max) const {
    const auto text = [](const archive::Entry& entry) { return std::string_view(entry.path.text()); };
    const std::string path = fmt::format("{}/{}", directory_, name);
    const auto at = std::ranges::lower_bound(files_, std::string_view(path), {}, text);
    if (at == files_.end() || text(*at) != path || at->size > max) return std::nullopt;
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

// Restores the tag sets of the file name; each Tag line is one combination of them.
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

// Name and version may contain a dash if a tool did not escape it; the split is at the first dash that a valid version
// follows. foo-1.0-py3.11.egg-info contains the interpreter as well.
void take_name(WheelName& name, std::string_view directory, const Metadata& metadata) {
  const bool egg = directory.ends_with(egg_info_suffix);
  std::string_view stem = directory;
  stem.remove_suffix(egg ? egg_info_suffix.size() : dist_info_suffix.size());
  if (const std::size_t python = stem.rfind("-py"); egg && python != stem.npos) stem = stem.substr(0, python);
  for (std::size_t dash = stem.find('-'); dash != stem.npos; dash = stem.find('-', dash + 1)) {
    if (!is_package_version(stem.substr(dash + 1))) continue;
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
  std::vector<WheelFlaw> known_later;  // ignored here: the flaws are reported when the distribution is read
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
  out.project = normal_project_name(out.name.distribution);
  out.directory = std::move(directory);
  return out;
}

std::string shown_name(const WheelName& name) {
  return name.version.empty() ? name.distribution : fmt::format("{} {}", name.distribution, name.version);
}

// The layout of CPython's sysconfig: PREFIX/lib/python3.11/site-packages; some systems use lib64, Debian uses
// dist-packages.

namespace {

bool is_packages(std::string_view name) { return name == "site-packages" || name == "dist-packages"; }
bool is_library(std::string_view name) { return name == "lib" || name == "lib64"; }
bool is_python_directory(std::string_view name) { return name.starts_with("python") || name.starts_with("pypy"); }

// "python3.13t" -> "3.13"
std::string version_of(std::string_view directory) {
  const std::size_t first = directory.find_first_of("0123456789");
  if (first == directory.npos) return {};
  const std::string_view version = directory.substr(first, directory.find_first_not_of("0123456789.", first) - first);
  return version.find('.') == version.npos ? std::string() : std::string(version);
}

// Makes the prefix the folder if the packages are inside one, so that RECORD can refer to bin and lib.
Site from_prefix(archive::Folder folder) {
  const std::vector<std::string_view> parts = split(folder.place(), '/');
  const std::size_t n = parts.size();
  if (n < 4 || !is_packages(parts[n - 1]) || !is_python_directory(parts[n - 2]) || !is_library(parts[n - 3]))
    return {.folder = std::move(folder), .below = {}, .python = {}};
  Site site{.folder = folder.above(3),
            .below = fmt::format("{}/{}/{}", parts[n - 3], parts[n - 2], parts[n - 1]),
            .python = version_of(parts[n - 2])};
  return site;
}

std::vector<std::string> packages_below(const archive::Folder& folder) {
  std::vector<std::string> found;
  for (const std::string& library : folder.directories("")) {
    if (!is_library(library)) continue;
    for (const std::string& python : folder.directories(library)) {
      const std::string directory = fmt::format("{}/{}", library, python);
      if (!is_python_directory(python)) continue;
      for (const std::string& packages : folder.directories(directory))
        if (is_packages(packages)) found.push_back(fmt::format("{}/{}", directory, packages));
    }
  }
  return found;
}

}  // namespace

Result<Site> find_site(const std::string& directory) {
  const auto fail = [&](ErrorCode code, std::string_view message) {
    return std::unexpected(Error{code, fmt::format("{}: {}", escape(directory), message)});
  };
  Result<archive::Folder> folder = archive::Folder::open(directory);
  if (!folder) return fail(folder.error().code, folder.error().message);
  const std::string& place = folder->place();
  const bool holds_distributions = std::ranges::any_of(folder->directories(""), is_dist_info);
  if (holds_distributions || is_packages(base_name(place))) return from_prefix(std::move(*folder));
  const std::vector<std::string> found = packages_below(*folder);
  if (found.empty())
    return fail(ErrorCode::NotFound, "no environment: there is neither a .dist-info nor lib/python*/site-packages");
  if (found.size() > 1)
    return fail(ErrorCode::Usage, fmt::format("has several environments; name one: {}", join(found, ", ")));
  const std::vector<std::string_view> parts = split(found.front(), '/');
  return Site{.folder = std::move(*folder), .below = found.front(), .python = version_of(parts[1])};
}

// First determines which distributions are required with which extras, until nothing is added; then does a depth-first
// walk with an explicit stack.

namespace {

// Limits for one distribution; the longest lists in use are a fifth of this.
constexpr std::size_t max_extras = 512, max_lines = 4096;

class Closure {
 public:
  Closure(std::span<const DistInfo> distributions, const std::string& python)
      : distributions_(distributions), python_(python), asked_(distributions.size()), needs_(distributions.size()) {
    for (std::size_t i = 0; i < distributions.size(); ++i) by_project_.try_emplace(distributions[i].project, i);
  }

  Result<std::vector<std::size_t>> run(std::span<const std::string> names) {
    std::vector<std::size_t> roots;
    for (const std::string& name : names) {
      const Dependency requested = parse_dependency(name);
      const auto found = by_project_.find(requested.name);
      if (found == by_project_.end()) return std::unexpected(Error{ErrorCode::NotFound, not_installed(name)});
      roots.push_back(found->second);
      ask(found->second, requested.extras);
    }
    if (names.empty()) {
      for (std::size_t i = 0; i < distributions_.size(); ++i) {
        roots.push_back(i);
        ask(i, {});
      }
      std::ranges::sort(roots, {}, [&](std::size_t i) { return std::pair(distributions_[i].project, i); });
    }
    while (!waiting_.empty()) {
      const auto [distribution, extra] = std::move(waiting_.back());
      waiting_.pop_back();
      find_needs(distribution, extra);
    }
    return order(roots);
  }

 private:
  std::string not_installed(std::string_view name) const {
    std::vector<std::string> known;
    for (const auto& [project, index] : by_project_) known.emplace_back(project);
    static constexpr std::size_t max = 20;
    const bool more = known.size() > max;
    known.resize(std::min(known.size(), max));
    return fmt::format("{} is not installed there; {}{}", escape(name),
                       known.empty() ? "nothing is" : "what is: " + escape(join(known, ", ")), more ? ", ..." : "");
  }

  void ask(std::size_t distribution, const std::vector<std::string>& extras) {
    std::set<std::string>& requested = asked_[distribution];
    if (requested.insert("").second) waiting_.emplace_back(distribution, "");
    for (const std::string& extra : extras)
      if (requested.size() <= max_extras && requested.insert(extra).second) waiting_.emplace_back(distribution, extra);
  }

  void find_needs(std::size_t distribution, const std::string& extra) {
    const std::vector<std::string>& lines = distributions_[distribution].requires_dist;
    for (const std::string& line : std::span(lines).first(std::min(lines.size(), max_lines))) {
      const Dependency needed = parse_dependency(line);
      const auto found = by_project_.find(needed.name);
      if (found == by_project_.end() || !accepts(needed.marker, python_, extra)) continue;
      needs_[distribution].push_back(found->second);
      ask(found->second, needed.extras);
    }
  }

  std::vector<std::size_t> order(const std::vector<std::size_t>& roots) const {
    struct Frame {
      std::size_t distribution, next = 0;
    };
    std::vector<std::size_t> out;
    std::vector<bool> entered(distributions_.size());
    std::vector<Frame> stack;
    const auto admit = [&](std::size_t distribution) {
      if (entered[distribution]) return;
      entered[distribution] = true;
      stack.push_back({distribution});
    };
    for (const std::size_t root : roots) {
      admit(root);
      while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next < needs_[frame.distribution].size()) {
          admit(needs_[frame.distribution][frame.next++]);
          continue;
        }
        out.push_back(frame.distribution);
        stack.pop_back();
      }
    }
    return out;
  }

  const std::span<const DistInfo> distributions_;
  const std::string& python_;
  std::map<std::string_view, std::size_t> by_project_;
  // by distribution: the required extras, "" for the distribution itself; empty: not required
  std::vector<std::set<std::string>> asked_;
  std::vector<std::vector<std::size_t>> needs_;
  std::vector<std::pair<std::size_t, std::string>> waiting_;
};

}  // namespace

Result<std::vector<std::size_t>> in_import_order(std::span<const DistInfo> distributions,
                                                 std::span<const std::string> names, const std::string& python) {
  return Closure(distributions, python).run(names);
}

}  // namespace wheelcheck::wheel
