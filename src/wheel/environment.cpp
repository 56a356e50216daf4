// Reads the distributions of an environment, each like a wheel that consists of the files in its RECORD.

#include "wheel/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/installed_files.h"
#include "model/pep440.h"
#include "model/protobuf_code.h"
#include "model/requirement.h"
#include "model/requires_dist.h"
#include "wheel/installed.h"
#include "wheel/read.h"
#include "wheel/read_environment.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

namespace wheel {
namespace {

// An environment may have more members than a single wheel.
constexpr std::uint64_t environment_factor = 16;

class Environment {
 public:
  Environment(const std::string& directory, const Limits& limits, unsigned jobs, const Progress& progress,
              const EnvironmentOptions& options)
      : directory_(directory), limits_(limits), jobs_(jobs), progress_(progress), options_(options) {}

  Result<std::vector<WheelFacts>> run(std::span<const std::string> names) {
    const Result<Site> site = find_site(directory_);
    if (!site) return std::unexpected(site.error());
    Result<archive::Listing> files = site->folder.walk(site->below, limits_.members * environment_factor, limits_);
    if (!files) return fail(files.error());
    for (std::string& directory : site->folder.directories(site->below))
      if (is_dist_info(directory))
        infos_.push_back(read_dist_info(site->folder, files->entries, std::move(directory), limits_));
    if (infos_.empty()) return fail({ErrorCode::NotFound, "contains no distribution: no .dist-info or .egg-info"});
    const auto order = in_import_order(infos_, names, site->python);
    if (!order) return fail(order.error());
    shares_ = share_out(*site, std::move(*files), infos_, *order, limits_);

    const auto wanted = [&](const DistInfo& info) {
      return std::ranges::any_of(names,
                                 [&](std::string_view name) { return parse_dependency(name).name == info.project; });
    };
    for (const DistInfo& info : infos_) {
      if (info.project == "protobuf") protobuf_ = info.name.version;
      if (options_.left_out != nullptr) options_.left_out->insert(info.project);
    }
    const std::vector<bool> disturbing = disturb_others();
    for (const std::size_t index : *order)
      if (auto done = read_one(site->folder, index, wanted(infos_[index]) || disturbing[index]); !done)
        return fail(done.error());
    if (options_.left_out != nullptr)
      for (const WheelFacts& facts : out_) options_.left_out->erase(normal_project_name(facts.name.distribution));
    if (names.empty())
      if (auto done = read_rest(site->folder); !done) return fail(done.error());
    return std::move(out_);
  }

 private:
  std::unexpected<Error> fail(const Error& error) const {
    return std::unexpected(Error{error.code, fmt::format("{}: {}", escape(directory_), error.message)});
  }

  // The distributions without machine code that can break with one that has it: they install a module to the same path
  // (bson and pymongo), or require another release of it (pydantic and pydantic-core, jax and jaxlib; psycopg and
  // psycopg-binary, under an extra). A distribution whose files were all overwritten (qiskit-terra by qiskit) is one of
  // them.
  std::vector<bool> disturb_others() const {
    std::vector<bool> out(infos_.size()), compiled(infos_.size());
    std::map<std::string_view, std::vector<std::size_t>> projects;
    std::map<std::string_view, std::pair<std::size_t, std::string_view>> modules;  // the owner and the hash
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      projects[infos_[i].project].push_back(i);
      if (const auto& record = infos_[i].record)
        compiled[i] = std::ranges::any_of(*record, [](const RecordRow& row) { return row.path.ends_with(".so"); });
    }
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (infos_[i].record)
        for (const RecordRow& row : *infos_[i].record) {
          if (row.hash.empty() || !is_module_of_package(row.path)) continue;
          const auto& [other, hash] = modules.try_emplace(row.path, i, row.hash).first->second;
          if (other != i && hash != row.hash && (compiled[i] || compiled[other])) out[i] = out[other] = true;
        }
      for (const std::string& line : infos_[i].requires_dist)
        if (const std::string wanted = specifier_of(line);
            !wanted.empty() && (!line.contains(';') || is_optional_part(line, infos_[i].name.version)))
          for (const std::size_t other : projects[parse_dependency(line).name])
            if (compiled[other] && allows(wanted, infos_[other].name.version) == false) out[i] = true;
    }
    return out;
  }
  static bool is_module_of_package(std::string_view path) {
    const std::size_t slash = path.find('/');
    return slash != path.npos && !path.starts_with("..") && (path.ends_with(".py") || path.ends_with(".so")) &&
           !is_dist_info(path.substr(0, slash)) && !is_stray_directory(path.substr(0, slash));
  }

  Result<void> read_one(const archive::Folder& folder, std::size_t index, bool wanted) {
    const DistInfo& info = infos_[index];
    WheelFacts facts;
    facts.file = shown_name(info.name);
    facts.name = info.name;
    facts.dist_info = info.directory;
    return take(folder, shares_[index], std::move(facts), wanted);
  }
  Result<void> read_rest(const archive::Folder& folder) {
    WheelFacts facts;
    facts.file = not_installed;
    return take(folder, shares_.back(), std::move(facts), false);
  }

  Result<void> take(const archive::Folder& folder, Share& share, WheelFacts named, bool wanted) {
    named.path = directory_;
    named.flaws = std::move(share.flaws);
    const std::string name = named.file;
    const archive::FolderSource source(folder, std::move(share.listing), limits_);
    const auto fail = [&](const Error& error) {
      return std::unexpected(Error{error.code, fmt::format("{}: {}", name, error.message)});
    };
    const auto changes_loading = [](const PythonFile& file) {
      return std::ranges::any_of(
          file.calls, [](const PythonCall& call) { return call.global || call.call == LoadCall::SetDlopenFlags; });
    };
    const auto lost_library = [](const WheelFlaw& flaw) {
      return flaw.area == WheelArea::Absent && base_name(flaw.subject).contains(".so");
    };
    // Old generated code alone is why a program fails with the protobuf that is here (streamlit 1.9.0,
    // protobuf 4.21.1).
    const auto matters = [&](const WheelFacts& facts) {
      return !facts.elfs.empty() || std::ranges::any_of(facts.python, changes_loading) ||
             !refusing_code(generated_code(facts), protobuf_).empty();
    };
    const bool kept = wanted || options_.every || std::ranges::any_of(named.flaws, lost_library);
    const archive::State state = options_.store ? source.state() : archive::State{};
    const auto is_unchanged = [&] { return source.state() == state; };
    const auto hash = [&]() -> Result<std::string> {
      if (!options_.store) return std::string();
      return options_.digests({.sha256 = sha256_hex(std::as_bytes(std::span(state.text))),
                               .changed = state.changed,
                               .is_unchanged = is_unchanged},
                              [&] { return source.sha256(jobs_); });
    };
    const Result<std::string> sha256 = hash();
    if (!sha256) return fail(sha256.error());
    if (!kept && limits_.imports && !has_library(source.entries())) {
      // To find out whether pure Python code matters is much faster without its imports.
      Limits calls = limits_;
      calls.imports = false;
      WheelFacts same;
      same.file = named.file;
      same.name = named.name;
      same.dist_info = named.dist_info;
      const Result<WheelFacts> facts = facts_of(source, std::move(same), calls, *sha256, is_unchanged);
      if (!facts) return fail(facts.error());
      if (!matters(*facts)) return {};
    }
    Result<WheelFacts> facts = facts_of(source, std::move(named), limits_, *sha256, is_unchanged);
    if (!facts) return fail(facts.error());
    if (kept || matters(*facts)) out_.push_back(std::move(*facts));
    return {};
  }
  // sha256: of the source; empty if there is no store.
  Result<WheelFacts> facts_of(const archive::FolderSource& source, WheelFacts named, const Limits& limits,
                              const std::string& sha256, const std::function<bool()>& is_unchanged) {
    if (!options_.store) return read_source(source, std::move(named), limits, jobs_, progress_);
    // Files that this distribution lists and another one has are flaws that were found before.
    std::string key = sha256 + named.dist_info.value_or("");
    for (const WheelFlaw& flaw : named.flaws) key += fmt::format("\n{}: {}", flaw.subject, flaw.reason);
    const InstalledContent content{.file = named.file,
                                   .sha256 = sha256_hex(std::as_bytes(std::span(key))),
                                   .limits = limits,
                                   .is_unchanged = is_unchanged};
    Result<WheelFacts> facts =
        options_.store(content, [&] { return read_source(source, std::move(named), limits, jobs_, progress_); });
    if (facts) facts->path = directory_;
    return facts;
  }
  static bool has_library(std::span<const archive::Entry> entries) {
    return std::ranges::any_of(entries, [](const archive::Entry& entry) { return entry.path.name().contains(".so"); });
  }

  const std::string& directory_;
  const Limits& limits_;
  const unsigned jobs_;
  const Progress& progress_;
  const EnvironmentOptions& options_;
  std::vector<DistInfo> infos_;
  std::vector<Share> shares_;
  std::string protobuf_;  // the version that is installed; "" if there is none
  std::vector<WheelFacts> out_;
};

}  // namespace

Result<std::vector<WheelFacts>> read_environment(const std::string& directory, std::span<const std::string> names,
                                                 const Limits& limits, unsigned jobs, const Progress& progress,
                                                 const EnvironmentOptions& options) {
  return Environment(directory, limits, jobs, progress, options).run(names);
}

}  // namespace wheel

Result<std::string> environment_root(const std::string& directory) {
  const Result<wheel::Site> site = wheel::find_site(directory);
  if (!site) return std::unexpected(site.error());
  return site->folder.place().empty() ? "/" : site->folder.place();
}

Result<std::vector<WheelFacts>> read_environment_distributions(const std::string& directory,
                                                               std::span<const std::string> names, const Limits& limits,
                                                               unsigned jobs, const Progress& progress) {
  return wheel::read_environment(directory, names, limits, jobs, progress, {});
}

}  // namespace wheelcheck

namespace wheelcheck::wheel {

// Paths in RECORD are only looked up among the files that were found, so a row cannot cause a file elsewhere to be
// opened. If two RECORDs list one file, it belongs to the one whose size is that of the file, because that distribution
// wrote it last.

namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

struct Owner {
  std::uint32_t distribution = nobody;
  bool of_this_size = false;
};

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

// The path in the folder that `row`, such as "../../../bin/foo", denotes from `below`; nothing if it leaves the folder.
std::optional<MemberPath> place_in_folder(std::string_view below, std::string_view row) {
  std::vector<std::string_view> parts;
  if (!below.empty()) parts = split(below, '/');
  for (const std::string_view part : split(row, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  return MemberPath::parse(fmt::format("{}", fmt::join(parts, "/")));
}

class Sharing {
 public:
  Sharing(const Site& site, archive::Listing files, std::span<const DistInfo> distributions,
          std::span<const std::size_t> selected, const Limits& limits)
      : site_(site),
        files_(std::move(files)),
        distributions_(distributions),
        limits_(limits),
        owners_(files_.entries.size()),
        shares_(distributions.size() + 1),
        selected_(distributions.size()) {
    for (const std::size_t each : selected) selected_[each] = true;
  }

  std::vector<Share> run() {
    for (std::uint32_t i = 0; i < distributions_.size(); ++i) own_directory(i);
    for (std::uint32_t i = 0; i < distributions_.size(); ++i)
      if (distributions_[i].record) listed(i);
    for (std::uint32_t i = 0; i < distributions_.size(); ++i) unlisted(i);
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      const std::uint32_t owner = owners_[i].distribution;
      Share& share = shares_[owner == nobody ? distributions_.size() : owner];
      share.listing.entries.push_back(std::move(files_.entries[i]));
    }
    shares_.back().listing.warnings = std::move(files_.warnings);
    for (Share& share : shares_) std::ranges::sort(share.listing.entries, {}, &archive::Entry::path);
    return std::move(shares_);
  }

 private:
  void complain(std::uint32_t distribution, std::string subject, std::string reason,
                WheelArea area = WheelArea::Record) {
    shares_[distribution].flaws.push_back(
        {.area = area, .member = {}, .subject = std::move(subject), .reason = std::move(reason)});
  }
  std::string record_of(std::uint32_t distribution) const {
    return fmt::format("{}/RECORD", distributions_[distribution].directory);
  }

  std::size_t first_at(std::string_view path) const {
    const auto text = [](const archive::Entry& entry) { return std::string_view(entry.path.text()); };
    return static_cast<std::size_t>(std::ranges::lower_bound(files_.entries, path, {}, text) - files_.entries.begin());
  }
  // Calls f(i) for each file in the directory and its subdirectories.
  void each_below(const std::string& directory, auto f) {
    const std::string prefix = directory + '/';
    for (std::size_t i = first_at(prefix); i < owners_.size() && files_.entries[i].path.text().starts_with(prefix); ++i)
      f(i);
  }

  // Assigns the distribution's own .dist-info, which no other RECORD can claim.
  void own_directory(std::uint32_t distribution) {
    each_below(distributions_[distribution].directory,
               [&](std::size_t i) { owners_[i] = {.distribution = distribution, .of_this_size = true}; });
  }

  void listed(std::uint32_t distribution) {
    for (const RecordRow& row : *distributions_[distribution].record) {
      if (const auto path = MemberPath::parse(row.path)) {
        claim(distribution, row, path->text());
      } else if (row.path.starts_with('/')) {
        complain(distribution, row.path, "is an absolute path in RECORD, which is not read");
      } else if (const auto place = place_in_folder(site_.below, row.path)) {
        outside(distribution, row, *place);
      } else {
        complain(distribution, row.path, "leaves the environment by RECORD, and is not read");
      }
    }
  }

  void claim(std::uint32_t distribution, const RecordRow& row, std::string_view path) {
    const std::size_t at = first_at(path);
    if (at == owners_.size() || files_.entries[at].path.text() != path) {
      if (!path.ends_with(".pyc"))
        complain(distribution, row.path, "is in RECORD but no file of the directory", WheelArea::Absent);
      return;
    }
    Owner& owner = owners_[at];
    const bool of_this_size = row.size == files_.entries[at].size;
    if (owner.distribution == distribution) return;
    const bool has_reader = owner.distribution != nobody && selected_[owner.distribution];
    if (has_reader && !selected_[distribution]) return;
    if (owner.distribution == nobody || (selected_[distribution] && !has_reader)) {
      owner = {distribution, of_this_size};
    } else if (of_this_size && !owner.of_this_size) {
      overwritten(std::exchange(owner, {distribution, true}).distribution, distribution, row.path);
    } else if (owner.of_this_size && !of_this_size && row.size) {
      overwritten(distribution, owner.distribution, row.path);
    }
  }
  void overwritten(std::uint32_t loser, std::uint32_t winner, const std::string& path) {
    complain(loser, path, fmt::format("was overwritten by {}", shown_name(distributions_[winner].name)));
  }

  // A file outside the packages. Files that are not Python code cannot be excluded by name, so all are read.
  void outside(std::uint32_t distribution, const RecordRow& row, const MemberPath& place) {
    const std::string& text = place.text();
    if (!site_.below.empty() && text.starts_with(site_.below + '/'))
      return claim(distribution, row, std::string_view(text).substr(site_.below.size() + 1));
    const WheelName& name = distributions_[distribution].name;
    const bool script = text.starts_with("bin/");
    auto path = MemberPath::parse(fmt::format("{}-{}.data/{}/{}", name.distribution, name.version,
                                              script ? "scripts" : "data", script ? text.substr(4) : text));
    if (!path || path->text().size() > limits_.name_bytes) return;
    auto& entries = shares_[distribution].listing.entries;
    if (auto entry = site_.folder.find(place, std::move(*path))) entries.push_back(std::move(*entry));
  }

  void unlisted(std::uint32_t distribution) {
    const DistInfo& info = distributions_[distribution];
    if (info.editable) complain(distribution, record_of(distribution), "is an editable install: its code is elsewhere");
    if (info.record) return;
    std::vector<std::string> tops = info.top_level;
    if (tops.empty()) tops.push_back(info.name.distribution);
    complain(distribution, record_of(distribution),
             fmt::format("is missing: what {} names is taken, {}",
                         info.top_level.empty() ? "the distribution's name" : "top_level.txt", join(tops, ", ")));
    for (const std::string& top : tops) take_top(distribution, top);
    take_top(distribution, info.name.distribution + ".libs");
  }
  // Assigns the package or module: top/..., top.py, top.cpython-311-x86_64-linux-gnu.so.
  void take_top(std::uint32_t distribution, const std::string& top) {
    if (!taken_.insert(top).second) return;
    const auto take = [&](std::size_t i) {
      if (owners_[i].distribution == nobody) owners_[i].distribution = distribution;
    };
    each_below(top, take);
    for (std::size_t i = first_at(top + '.'); i < owners_.size(); ++i) {
      const std::string& path = files_.entries[i].path.text();
      if (!path.starts_with(top + '.')) break;
      if (first_part(path) == path && (path.ends_with(".py") || path.ends_with(".so"))) take(i);
    }
  }

  const Site& site_;
  archive::Listing files_;
  const std::span<const DistInfo> distributions_;
  const Limits& limits_;
  std::vector<Owner> owners_;    // by file
  std::set<std::string> taken_;  // top-level names of files that no RECORD lists
  std::vector<Share> shares_;
  std::vector<bool> selected_;  // by distribution: it is read
};

}  // namespace

std::vector<Share> share_out(const Site& site, archive::Listing files, std::span<const DistInfo> distributions,
                             std::span<const std::size_t> selected, const Limits& limits) {
  return Sharing(site, std::move(files), distributions, selected, limits).run();
}

}  // namespace wheelcheck::wheel
