// The distributions of an environment, each read like a wheel: its files are those that RECORD gives it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "archive/folder.h"
#include "base/text.h"
#include "model/dependency.h"
#include "wheel/closure.h"
#include "wheel/dist_info.h"
#include "wheel/ownership.h"
#include "wheel/read.h"
#include "wheel/site.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace wheel {
namespace {

// Some environments hold more than any one wheel may.
constexpr std::uint64_t environment_factor = 16;

class Environment {
 public:
  Environment(const std::string& directory, const Limits& limits, unsigned jobs, const Progress& progress)
      : directory_(directory), limits_(limits), jobs_(jobs), progress_(progress) {}

  Result<std::vector<WheelFacts>> run(std::span<const std::string> names) {
    const Result<Site> site = find_site(directory_);
    if (!site) return std::unexpected(site.error());
    Result<archive::Listing> files = site->folder.walk(site->below, limits_.members * environment_factor, limits_);
    if (!files) return fail(files.error());
    for (std::string& directory : site->folder.directories(site->below))
      if (is_dist_info(directory))
        infos_.push_back(read_dist_info(site->folder, files->entries, std::move(directory), limits_));
    const auto order = in_import_order(infos_, names, site->python);
    if (!order) return fail(order.error());
    shares_ = share_out(*site, std::move(*files), infos_, limits_);

    const auto wanted = [&](const DistInfo& info) {
      return std::ranges::any_of(names,
                                 [&](std::string_view name) { return parse_dependency(name).name == info.project; });
    };
    for (const std::size_t index : *order)
      if (auto done = read_one(site->folder, index, wanted(infos_[index])); !done) return fail(done.error());
    if (names.empty())
      if (auto done = read_rest(site->folder); !done) return fail(done.error());
    return std::move(out_);
  }

 private:
  std::unexpected<Error> fail(const Error& error) const {
    return std::unexpected(Error{error.code, fmt::format("{}: {}", escape(directory_), error.message)});
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
    Result<WheelFacts> facts = read_source(source, std::move(named), limits_, jobs_, progress_);
    if (!facts) return std::unexpected(Error{facts.error().code, fmt::format("{}: {}", name, facts.error().message)});
    const auto changes_loading = [](const PythonFile& file) {
      return std::ranges::any_of(
          file.calls, [](const PythonCall& call) { return call.global || call.call == LoadCall::SetDlopenFlags; });
    };
    if (wanted || !facts->elfs.empty() || std::ranges::any_of(facts->python, changes_loading))
      out_.push_back(std::move(*facts));
    return {};
  }

  const std::string& directory_;
  const Limits& limits_;
  const unsigned jobs_;
  const Progress& progress_;
  std::vector<DistInfo> infos_;
  std::vector<Share> shares_;
  std::vector<WheelFacts> out_;
};

}  // namespace
}  // namespace wheel

Result<std::string> environment_root(const std::string& directory) {
  const Result<wheel::Site> site = wheel::find_site(directory);
  if (!site) return std::unexpected(site.error());
  return site->folder.place().empty() ? "/" : site->folder.place();
}

Result<std::vector<WheelFacts>> read_environment_distributions(const std::string& directory,
                                                               std::span<const std::string> names, const Limits& limits,
                                                               unsigned jobs, const Progress& progress) {
  return wheel::Environment(directory, limits, jobs, progress).run(names);
}

}  // namespace wheelcheck
