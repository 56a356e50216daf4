// Two distributions install the same path or the same module.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/installed_files.h"
#include "rules/sets/set_common.h"

// WC542: two distributions install a file to the same path.
namespace wheelcheck::rules::one_path_two_wheels {
namespace {

struct Installed {
  DistributionIndex distribution;
  std::string hash;  // "" if unknown
  bool is_namespace = false;
};

// The path below site-packages; "" for files that are specific to a distribution.
std::string installed_path(const WheelFacts& wheel, std::string_view path) {
  const std::string_view top = path.substr(0, path.find('/'));
  if (top.ends_with(".dist-info") || top.ends_with(".egg-info")) return "";
  const auto data = data_path(path);
  if (!data || !wheel.dist_info) return std::string(path);
  return is_site(data->scheme) ? std::string(data->rest) : fmt::format("../{}/{}", data->scheme, data->rest);
}

// Hashes by path. An environment has only the file that was installed last, but the RECORD of each distribution.
std::map<std::string_view, std::string_view> files_of(const WheelFacts& wheel) {
  std::map<std::string_view, std::string_view> out;
  if (wheel.record)
    for (const RecordRow& row : *wheel.record)
      if (!row.hash.empty() && !row.path.starts_with("../")) out.emplace(row.path, row.hash);
  for (const MemberFacts& member : wheel.members) out.emplace(member.path.text(), member.sha256);
  return out;
}

constexpr std::string_view scripts = "../scripts/";

// A path of installed_path() as somebody sees it who looks into the environment.
std::string shown_path(const std::string& path) {
  if (path.starts_with(scripts)) return "bin/" + path.substr(scripts.size());
  return path.starts_with("../data/") ? path.substr(8) : path;
}

// The sizes of the files __init__.py that only call pkgutil.extend_path or pkg_resources.declare_namespace, by path:
// the packages of a namespace have the same code in it, below different comments.
std::map<std::string_view, std::uint64_t> namespace_files(const WheelFacts& wheel) {
  constexpr std::uint64_t max = 2048;  // bytes
  std::map<std::string_view, std::uint64_t> out;
  if (!wheel.all_python) return out;
  const auto shares = [](const PythonEvent& event) {
    const std::string_view module = std::string_view(event.name).substr(0, event.name.find('.'));
    return module == "pkgutil" || module == "pkg_resources";
  };
  for (const PythonFile& file : wheel.python) {
    const MemberFacts& member = wheel.members[file.member.value];
    if (member.path.text().ends_with("/__init__.py") && member.size <= max && !file.broken &&
        file.cut == PythonCut::None && file.units.size() == 1 && !file.events.empty() &&
        std::ranges::all_of(file.events, shares))
      out.emplace(member.path.text(), member.size);
  }
  // An environment has the file of another distribution if that one was installed later.
  if (wheel.record)
    for (const RecordRow& row : *wheel.record)
      if (const auto found = out.find(row.path); found != out.end() && row.size && *row.size != found->second)
        out.erase(found);
  return out;
}

// The paths with different content, by both distributions.
std::map<std::pair<DistributionIndex, DistributionIndex>, std::vector<std::string>> clashes(const Installation& all) {
  std::map<std::string, std::vector<Installed>> paths;
  std::map<std::pair<DistributionIndex, DistributionIndex>, std::vector<std::string>> out;
  for (std::uint32_t p = 0; p < all.distributions.size(); ++p) {
    const WheelFacts& wheel = all.distributions[p].facts;
    const auto namespaces = namespace_files(wheel);
    const auto add = [&](std::string path, std::string hash, bool is_namespace) {
      std::vector<Installed>& owners = paths[path];
      // Compared with the first owner only: a path in many distributions is a namespace package.
      if (!owners.empty() && owners.front().distribution != DistributionIndex{p}) {
        const Installed& first = owners.front();
        if ((hash.empty() || hash != first.hash) && !(first.is_namespace && is_namespace))
          out[{first.distribution, DistributionIndex{p}}].push_back(std::move(path));
        return;
      }
      owners.push_back({{p}, std::move(hash), is_namespace});
    };
    // Installers write the script from the name of the object, and an environment has the file as well.
    std::set<std::string> written;
    for (const ScriptEntry& script : wheel.scripts)
      if (std::string path = std::string(scripts) + script.name; written.insert(path).second)
        add(std::move(path), script.object, false);
    for (const auto& [listed, content] : files_of(wheel))
      if (std::string path = installed_path(wheel, listed);
          !path.empty() && !path.ends_with(".pyc") && !written.contains(path))
        add(std::move(path), std::string(content), namespaces.contains(listed));
  }
  return out;
}

// What only compilers read.
bool is_for_compilers(std::string_view path) {
  constexpr auto endings =
      std::to_array<std::string_view>({".h", ".hh", ".hpp", ".hxx", ".inl", ".f90", ".pxd", ".pyi", ".cmake", ".pc"});
  return path.contains("/include/") ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

// Overwriting it is harmless: nobody imports it, or it is a command, which is usually one program (tensorboard in
// tensorflow and tensorboard).
bool is_stray(const std::string& path) {
  return is_stray_directory(std::string_view(path).substr(0, path.find('/'))) ||
         (path.find('/') == path.npos && !path.ends_with(".so")) || path.starts_with(scripts);
}

std::string fix_of(const Installation& all, DistributionIndex first, DistributionIndex second) {
  const std::string one = name_of(all, first), two = name_of(all, second);
  if (all.projects.contains(one) || all.projects.contains(two))
    return fmt::format("these are one project: pip uninstall {} {}, then install the one that is wanted",
                       shell_word(one), shell_word(two));
  // A user cannot leave out one of them.
  const bool by_first = requirement_on(all, first, second).has_value();
  if (by_first || requirement_on(all, second, first))
    return fmt::format("{} requires {}: its wheel must not contain the files of {}", by_first ? one : two,
                       by_first ? two : one, by_first ? two : one);
  return fmt::format(
      "to keep {1}: pip uninstall {0}, then pip install --force-reinstall --no-deps {1}; their authors "
      "must rename the files",
      shell_word(one), shell_word(two));
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (auto& [pair, different] : clashes(all)) {
    // What Python loads decides what fails, not a header.
    std::ranges::sort(different, {}, [](const std::string& path) {
      const bool library = path.ends_with(".so") || path.find(".so.") != path.npos;
      return std::pair(library ? 0 : path.ends_with(".py") ? 1 : 2, std::string_view(path));
    });
    const std::string first = name_of(all, pair.first), second = name_of(all, pair.second);
    const bool unused = std::ranges::all_of(different, is_for_compilers);
    const bool harmless = std::ranges::all_of(
        different, [](const std::string& path) { return is_stray(path) || is_for_compilers(path); });
    std::ranges::transform(different, different.begin(), shown_path);
    emit(
        {.place = AtPath{different.front()},
         .message = fmt::format("{} and {} both install {} with different content", first, second, first_of(different)),
         .evidence = {{"paths", list_of(different)},
                      {"winner",
                       fmt::format("the one that is installed last: {} if {} comes after {}", second, second, first)},
                      {"also", "uninstalling either removes the files of both"}},
         .fix = fix_of(all, pair.first, pair.second),
         .severity = unused     ? Severity::Note
                     : harmless ? Severity::Warning
                                : Severity::Error});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC542",
    .name = "one-path-two-wheels",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::one_path_two_wheels

// WC550: two distributions have a module of one name in different forms, and Python finds only one of them.
namespace wheelcheck::rules::module_hidden {
namespace {

// The forms in the order in which importlib looks for them in a directory (CPython
// Lib/importlib/_bootstrap_external.py, FileFinder.find_spec and _get_supported_file_loaders).
enum class Form : std::uint8_t { Package, Extension, Source };

struct Found {
  Form form = Form::Source;
  std::string path;
};

bool is_module_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '_'; });
}

// "semver" of semver.py, semver/__init__.py and semver.cpython-311-x86_64-linux-gnu.so.
std::optional<std::pair<std::string, Found>> module_at(std::string_view path) {
  if (is_stray_directory(path.substr(0, path.find('/')))) return std::nullopt;
  constexpr std::string_view init = "/__init__.py";
  std::string_view name = path;
  Form form = Form::Package;
  if (path.ends_with(init)) {
    name.remove_suffix(init.size());
  } else {
    form = path.ends_with(".so") ? Form::Extension : Form::Source;
    if (form == Form::Source && !path.ends_with(".py")) return std::nullopt;
    const std::size_t base = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    name = path.substr(0, path.find('.', base));
  }
  if (!is_module_name(base_name(name))) return std::nullopt;
  return std::pair(std::string(name), Found{form, std::string(path)});
}

// The modules of a distribution, by path without the ending; of several forms, the one that Python finds.
std::map<std::string, Found> modules_of(const WheelFacts& wheel) {
  std::map<std::string, Found> out;
  for (const MemberFacts& member : wheel.members) {
    auto module = module_at(below_site(member.path.text()));
    if (!module) continue;
    const auto [at, is_new] = out.try_emplace(std::move(module->first), module->second);
    if (!is_new && module->second.form < at->second.form) at->second = std::move(module->second);
  }
  return out;
}

struct Owner {
  DistributionIndex distribution;
  Found found;
};

void report(const Installation& all, const Owner& one, const Owner& two, const Emit& emit) {
  const bool one_wins = one.found.form < two.found.form;
  const Owner& winner = one_wins ? one : two;
  const Owner& hidden = one_wins ? two : one;
  const std::string first = name_of(all, winner.distribution), second = name_of(all, hidden.distribution);
  std::string name = module_at(hidden.found.path)->first;
  std::ranges::replace(name, '/', '.');
  emit(
      {.place = AtPath{hidden.found.path},
       .message = fmt::format("`import {}` finds {} of {}, not {} of {}", name, winner.found.path, first,
                              hidden.found.path, second),
       .evidence = {{"because", "Python looks for a package first, then for an extension module, then for a .py file"},
                    {"also", "the order of installation does not matter"}},
       .fix = fmt::format("to use that of {1}: pip uninstall {0}; to use that of {0}: pip uninstall {1}; their authors "
                          "must rename the module",
                          shell_word(first), shell_word(second))});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<std::string, Owner> owners;  // the first distribution with the module
  for (std::uint32_t i = 0; i < all.distributions.size(); ++i)
    for (auto& [name, found] : modules_of(all.distributions[i].facts)) {
      const auto [at, is_new] = owners.try_emplace(name, Owner{{i}, found});
      if (!is_new && at->second.found.form != found.form) report(all, at->second, {{i}, found}, emit);
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC550",
    .name = "module-hidden",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::module_hidden
