// Converts a path in the archive to the path below the prefix, as pip installs it.
#include "wheel/install_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/installed_files.h"
#include "model/pep440.h"
#include "model/python_tag.h"
#include "model/requirement.h"
#include "wheel/entry_points.h"

namespace wheelcheck::wheel {
namespace {

constexpr std::string_view dist_info_ending = ".dist-info", data_suffix = ".data";
constexpr std::array<std::string_view, 5> schemes = {"purelib", "platlib", "scripts", "headers", "data"};

// The directory below lib/: python3.11 for cp311, pypy3.10 for pp310, python3 for py3.
std::string library_directory(const PythonTag& tag) {
  const std::string_view name = tag.implementation == Implementation::PyPy ? "pypy" : "python";
  return tag.version.minor ? fmt::format("{}{}.{}", name, tag.version.major, *tag.version.minor)
                           : fmt::format("{}{}", name, tag.version.major);
}

// One interpreter is chosen for all tags: the most specific kind of tag, and of these the first, except that py3 is
// preferred to py2.
std::string library_directory(const WheelName& name) {
  using enum Implementation;
  for (const Implementation implementation : {CPython, PyPy, Any}) {
    std::string best;
    for (const std::string& text : name.python) {
      const auto tag = parse_python_tag(text);
      if (!tag || tag->implementation != implementation || !tag->version.flags.empty()) continue;
      const std::string directory = library_directory(*tag);
      if (best.empty() || (implementation == Any && directory > best)) best = directory;
    }
    if (best.empty()) continue;
    // A free-threaded build has its own directory: lib/python3.13t (CPython, Lib/sysconfig, abi_thread).
    const bool free_threaded =
        std::ranges::any_of(name.abi, [](const std::string& abi) { return abi != "abi3t" && is_free_threaded(abi); });
    return implementation == CPython && free_threaded ? best + 't' : best;
  }
  return "python3";
}

// Removes the first part from a path and returns it: "a/b/c" gives "a" and leaves "b/c". A path of one part becomes
// empty.
std::string_view take_part(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return part;
}

// Below the prefix: bin/python3, pyvenv.cfg, and the standard library.
bool replaces_interpreter(std::string_view place) {
  if (place == "pyvenv.cfg") return true;
  const std::string_view directory = take_part(place);
  if (directory == "bin") return is_interpreter(place);
  if (directory != "lib" && directory != "lib64") return false;
  const bool is_python = take_part(place).starts_with("python");
  const std::string_view packages = take_part(place);
  return is_python && !packages.empty() && packages != "dist-packages" && packages != "site-packages";
}

// The project of .egg-info/PKG-INFO, or of a file .egg-info, in which importlib.metadata finds a
// distribution; "" for other files of site-packages.
std::string_view egg_of(std::string_view directory, std::string_view below) {
  constexpr std::string_view ending = ".egg-info";
  if (!directory.ends_with(ending) || (!below.empty() && below != "PKG-INFO")) return "";
  directory.remove_suffix(ending.size());
  return directory.substr(0, directory.find('-'));
}
bool is_project_of(std::string_view dist_info, std::string_view project) {
  return normal_project_name(dist_info.substr(0, dist_info.find('-'))) == normal_project_name(project);
}

}  // namespace

InstallLayout::InstallLayout(const WheelName& name) {
  const std::string directory = library_directory(name);
  site_packages_ = fmt::format("lib/{}/site-packages", directory);
  headers_ = fmt::format("include/{}/{}", directory, name.distribution);
}

bool InstallLayout::knows(const MemberPath& member) {
  const auto data = data_path(member.text());
  return !data || (!data->rest.empty() && std::ranges::find(schemes, data->scheme) != schemes.end());
}

bool InstallLayout::is_in_other_data(const MemberPath& member, std::string_view dist_info) {
  std::string_view rest = member.text();
  const std::string_view top = take_part(rest);
  if (!top.ends_with(data_suffix) || rest.empty()) return false;
  return top.substr(0, top.size() - data_suffix.size()) !=
         dist_info.substr(0, dist_info.size() - dist_info_ending.size());
}

std::string InstallLayout::problem(const MemberPath& member, std::string_view dist_info) const {
  const std::string_view path = member.text();
  std::string_view rest = path;
  const std::string_view top = take_part(rest);
  if (top == dist_info && !top.empty()) {
    // PEP 376, PEP 627, PEP 610; uv removes or writes all of them.
    constexpr std::array<std::string_view, 4> of_installers = {"INSTALLER", "REQUESTED", "direct_url.json",
                                                               "uv_cache.json"};
    return std::ranges::find(of_installers, rest) == of_installers.end() ? "" : "is a file that installers replace";
  }
  const bool moved = top.ends_with(data_suffix);
  if (moved && take_part(rest) == "scripts" && rest.find('/') != std::string_view::npos)
    return "is in a directory below scripts: uv refuses the wheel";
  const std::string place = shared_site_packages(this->place(member).path);
  if (moved && replaces_interpreter(place)) return fmt::format("replaces {} of the environment", escape(place));
  std::string_view below = place;
  if (take_part(below) != "site-packages" || below.empty()) return "";
  const std::string_view directory = take_part(below);
  if (moved && !below.empty() && directory.ends_with(dist_info_ending))
    return fmt::format("is installed into {}, which installers write themselves", escape(directory));
  if (const std::string_view other = egg_of(directory, below); !other.empty() && !is_project_of(dist_info, other))
    return fmt::format("makes another distribution, {}, appear as installed", escape(other));
  return "";
}

std::string shared_site_packages(std::string path) {
  for (const std::string_view start : {"lib/python", "lib64/python"}) {
    constexpr std::string_view site_packages = "/site-packages/";
    if (!path.starts_with(start)) continue;
    const std::size_t slash = path.find('/', start.size());
    if (slash != std::string::npos && std::string_view(path).substr(slash).starts_with(site_packages))
      return path.substr(slash + 1);
  }
  return path;
}

// Follows pip (src/pip/_internal/operations/install/wheel.py, make_data_scheme_file).
Installed InstallLayout::place(const MemberPath& member) const {
  if (const auto data = data_path(member.text()); data && !data->rest.empty()) {
    const auto below = [&](std::string_view directory) { return fmt::format("{}/{}", directory, data->rest); };
    if (is_site(data->scheme)) return {.path = below(site_packages_), .in_purelib = data->scheme == "purelib"};
    if (data->scheme == "scripts") return {.path = below("bin")};
    if (data->scheme == "headers") return {.path = below(headers_)};
    if (data->scheme == "data") return {.path = std::string(data->rest)};
  }
  return {.path = fmt::format("{}/{}", site_packages_, member.text())};
}

Result<std::optional<std::string>> find_dist_info(const std::vector<MemberFacts>& members) {
  std::set<std::string_view> found;
  for (const MemberFacts& member : members) {
    std::string_view rest = member.path.text();
    const std::string_view top = take_part(rest);
    if (top.ends_with(dist_info_ending) && !rest.empty()) found.insert(top);
  }
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    return std::unexpected(Error{
        ErrorCode::Rejected, fmt::format("has {} .dist-info directories, '{}' and '{}'; a wheel has one", found.size(),
                                         escape(*found.begin()), escape(*std::next(found.begin())))});
  }
  return std::string(*found.begin());
}

bool names_wheel(std::string_view dist_info, const WheelName& name) {
  if (!dist_info.ends_with(dist_info_ending)) return false;
  dist_info.remove_suffix(dist_info_ending.size());
  // Name and version may contain a dash if a tool did not escape it, so every dash is tried.
  for (std::size_t dash = dist_info.find('-'); dash != std::string_view::npos; dash = dist_info.find('-', dash + 1)) {
    if (normal_project_name(dist_info.substr(0, dash)) == normal_project_name(name.distribution) &&
        same_version(dist_info.substr(dash + 1), name.version))
      return true;
  }
  return false;
}

}  // namespace wheelcheck::wheel
