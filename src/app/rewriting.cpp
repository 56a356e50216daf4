#include "app/rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text.h"
#include "report/shared/text.h"

namespace wheelcheck::app {
namespace {

// Checks one wheel, with the providers of the settings.
Result<Report> judge(const OpenedInput& input, const Settings& settings) {
  std::vector<std::string> paths;
  for (const Provider& provider : settings.providers) paths.push_back(provider.wheel);
  const auto open = [&] {
    auto opened = open_inputs(paths, settings);
    if (opened) opened->push_back(input);
    return opened;
  };
  auto report = check_opened(open, settings);
  if (report && report->entries.front().unreadable)
    return std::unexpected(report::named(input.path, report->entries.front().unreadable->error));
  return report;
}

}  // namespace

Result<OpenedWheel> open_wheel(const std::string& path, const Settings& settings) {
  if (kind_of_input(path) != InputKind::Archive)
    return std::unexpected(report::named(path, {ErrorCode::Usage, "is not a wheel file"}));
  OpenedInput input{.path = path};
  auto file = archive::file_of(input);
  if (!file) return std::unexpected(report::named(path, std::move(file.error())));
  input.file = *file;
  auto report = judge(std::move(input), settings);
  if (!report) return std::unexpected(std::move(report.error()));
  auto archive = archive::Archive::open(*file, settings.limits);
  if (!archive) return std::unexpected(report::named(path, std::move(archive.error())));
  return OpenedWheel{std::move(*file), std::move(*archive), std::move(*report)};
}

std::vector<std::string> platform_tags(const Policy& level, Arch arch) {
  std::vector<std::string> tags{fmt::format("{}_{}", level.name, name_of(arch))};
  for (const std::string& alias : level.aliases) tags.push_back(fmt::format("{}_{}", alias, name_of(arch)));
  return tags;
}

Result<std::string> text_of_member(const archive::Archive& archive, const std::string& path) {
  const auto entries = archive.entries();
  const auto text = [](const archive::Entry& entry) { return std::string_view(entry.path.text()); };
  const auto found = std::ranges::lower_bound(entries, std::string_view(path), {}, text);
  if (found == entries.end() || text(*found) != path) return fail(ErrorCode::NotAWheel, "has no {}", escape(path));
  const auto content = archive.read(*found, {.keep = archive::Keep::Everything, .hash = false});
  if (!content) return std::unexpected(content.error());
  return std::string(reinterpret_cast<const char*>(content->bytes.data()), content->bytes.size());
}

Result<Report> judge_written(const rewrite::OutputFile& output, const std::string& path, const Settings& settings) {
  OpenedInput input{.path = path};
  auto file = archive::File::open(output.descriptor().path());
  if (!file) return std::unexpected(report::named(path, std::move(file.error())));
  input.file = std::make_shared<const archive::File>(std::move(*file));
  return judge(std::move(input), settings);
}

Result<Report> write_and_judge(const OpenedWheel& wheel, const Rewriting& rewriting, rewrite::OutputFile& output,
                               const std::string& path) {
  const rewrite::WriteOptions how{
      .source_date_epoch = rewriting.source_date_epoch, .level = rewriting.level, .jobs = rewriting.settings.jobs};
  const WheelFacts& facts = wheel.judged().facts;
  if (auto done = rewrite::write_wheel(wheel.archive, *wheel.file, facts, rewriting.edits, rewriting.tools, how,
                                       output.descriptor().value());
      !done)
    return std::unexpected(report::named(facts.path, std::move(done.error())));
  return judge_written(output, path, rewriting.settings);
}

Result<void> demand_new_file(const Destination& to, const std::vector<std::string>& protected_files) {
  std::error_code none;
  for (const std::string& file : protected_files)
    if (std::filesystem::equivalent(to.path(), file, none))
      return fail(ErrorCode::Usage,
                  "the result would replace {}, which is an input or another result; name another directory",
                  escape(file));
  return {};
}

}  // namespace wheelcheck::app
