// The pipeline of `sbom`: check the wheel, list what is in it and what it requires, and write a copy with that list.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/rewriting.h"
#include "base/fail.h"
#include "base/text.h"
#include "repair/library_index.h"
#include "report/check/cyclonedx.h"
#include "report/shared/text.h"
#include "wheelcheck/interfaces.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck {
namespace {

// Not the name that `repair` uses: a wheel may have both.
constexpr std::string_view bill_name = "wheelcheck-interfaces.cdx.json";

app::Destination embedded_path(const std::string& output, const std::string& name) {
  std::error_code none;
  if (!output.ends_with(".whl") || std::filesystem::is_directory(output, none)) {
    const std::size_t end = output.find_last_not_of('/');
    return {end == std::string::npos ? "/" : output.substr(0, end + 1), name};
  }
  const std::size_t slash = output.rfind('/');
  if (slash == std::string::npos) return {".", output};
  return {slash == 0 ? "/" : output.substr(0, slash), output.substr(slash + 1)};
}

// RECORD is written anew. If it were wrong before, the new one would attest files that the author's does not.
Result<void> demand_record(const WheelFacts& facts) {
  const std::string file = escape(facts.file);
  if (!facts.dist_info || !facts.record) return fail(ErrorCode::Usage, "{}: has no *.dist-info/RECORD", file);
  for (const WheelFlaw& flaw : facts.flaws)
    if (flaw.area == WheelArea::Record)
      return fail(ErrorCode::Usage, "{}: RECORD does not describe the wheel: {} {}; `wheelcheck fix` rewrites it", file,
                  escape(flaw.subject), escape(flaw.reason));
  for (const char* const signature : {"/RECORD.jws", "/RECORD.p7s"})
    if (find_member(facts.members, *facts.dist_info + signature))
      return fail(ErrorCode::Usage, "{}: contains {}, a signature that a new RECORD would break", file,
                  escape(*facts.dist_info + signature));
  return {};
}

Result<void> embed(const SbomOptions& options, const app::OpenedWheel& wheel, SbomResult& result) {
  const WheelFacts& facts = wheel.judged().facts;
  if (auto good = demand_record(facts); !good) return good;
  rewrite::Edits edits;
  if (find_member(facts.members, result.member))
    edits.changes[result.member].content = result.text;
  else
    edits.added.push_back({.path = result.member, .content = result.text});
  const app::Destination to = embedded_path(options.output, facts.file);
  std::vector<std::string> inputs{options.wheel};
  for (const Provider& provider : options.settings.providers) inputs.push_back(provider.wheel);
  if (auto done = app::demand_new_file(to, inputs); !done) return done;
  auto output = rewrite::OutputFile::create(to.directory);
  if (!output) return std::unexpected(std::move(output.error()));
  const app::Rewriting rewriting{
      .edits = edits, .tools = {}, .source_date_epoch = std::nullopt, .settings = options.settings};
  const auto after = app::write_and_judge(wheel, rewriting, *output, to.directory + "/" + facts.file);
  if (!after) return std::unexpected(after.error());
  for (const WheelFlaw& flaw : after->entries.front().wheel->facts.flaws)
    if (flaw.area == WheelArea::Record || flaw.area == WheelArea::Sbom)
      return fail(ErrorCode::Usage, "nothing was written, because {} {}", escape(flaw.subject), escape(flaw.reason));
  if (auto done = output->keep(to.name); !done) return done;
  result.written = to.directory == "." ? to.name : to.path();
  return {};
}

}  // namespace

Result<LibraryIndexResult> library_index(const LibraryIndexOptions& options) {
  auto indexed =
      repair::index_libraries(options.roots, options.program_path, options.settings.limits, options.settings.jobs);
  if (!indexed) return std::unexpected(std::move(indexed.error()));
  return LibraryIndexResult{.text = std::move(indexed->text), .unowned = indexed->unowned};
}

Result<std::shared_ptr<const repair::LibraryIndex>> load_library_index(const std::string& path) {
  auto index = repair::LibraryIndex::read(path);
  if (!index) return std::unexpected(std::move(index.error()));
  return std::make_shared<const repair::LibraryIndex>(std::move(*index));
}

Result<SbomResult> sbom_of_wheel(const SbomOptions& options) {
  const auto knowledge = load_knowledge(options.settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  const auto wheel = app::open_wheel(options.wheel, options.settings);
  if (!wheel) return std::unexpected(wheel.error());
  const WheelReport& judged = wheel->judged();
  SbomResult result;
  result.text = report::render_sbom(judged, interfaces_of(judged, *knowledge, {}).entries, version());
  if (judged.facts.dist_info) result.member = fmt::format("{}/sboms/{}", *judged.facts.dist_info, bill_name);
  if (!options.output.empty())
    if (auto done = embed(options, *wheel, result); !done) return std::unexpected(std::move(done.error()));
  return result;
}

}  // namespace wheelcheck
