// The pipeline of `sbom`: check the wheel, list what is in it and what it requires, and write a copy with that list.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/rewriting.h"
#include "base/fail.h"
#include "base/text.h"
#include "elf/code_digest.h"
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

// The packages of the files that are libraries of the index.
Result<report::FilePackages> packages_of(const repair::LibraryIndex& index, const SbomOptions& options,
                                         const app::OpenedWheel& wheel) {
  report::FilePackages out;
  if (options.library_index.empty()) return out;
  const WheelFacts& facts = wheel.judged().facts;
  for (std::uint32_t i = 0; i < facts.elfs.size(); ++i) {
    const ElfMember& elf = facts.elfs[i];
    if (!is_host_code(elf) || !elf.facts.dynamic) continue;
    const auto bytes = app::text_of_member(wheel.archive, facts.members[elf.member.value].path.text());
    if (!bytes) return std::unexpected(report::named(options.wheel, bytes.error()));
    const std::string code = elf::code_digest(std::as_bytes(std::span(*bytes)), elf.facts);
    if (const auto* const found = index.find(code, elf.facts.build_id.value_or("")))
      out.emplace(ElfIndex{i},
                  report::FilePackage{.purl = found->purl, .name = found->name, .version = found->version});
  }
  return out;
}

}  // namespace

Result<LibraryIndexResult> library_index(const LibraryIndexOptions& options) {
  auto indexed =
      repair::index_libraries(options.roots, options.program_path, options.settings.limits, options.settings.jobs);
  if (!indexed) return std::unexpected(std::move(indexed.error()));
  return LibraryIndexResult{.text = std::move(indexed->text), .unowned = indexed->unowned};
}

Result<SbomResult> sbom_of_wheel(const SbomOptions& options) {
  const auto knowledge = load_knowledge(options.settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  // Before the wheel is opened, which may close the file system.
  const auto index =
      options.library_index.empty() ? repair::LibraryIndex() : repair::LibraryIndex::read(options.library_index);
  if (!index) return std::unexpected(index.error());
  const auto wheel = app::open_wheel(options.wheel, options.settings);
  if (!wheel) return std::unexpected(wheel.error());
  const WheelReport& judged = wheel->judged();
  SbomResult result;
  const auto packages = packages_of(*index, options, *wheel);
  if (!packages) return std::unexpected(packages.error());
  result.text = report::render_sbom(judged, interfaces_of(judged, *knowledge, {}).entries, *packages, version());
  if (judged.facts.dist_info) result.member = fmt::format("{}/sboms/{}", *judged.facts.dist_info, bill_name);
  if (!options.output.empty())
    if (auto done = embed(options, *wheel, result); !done) return std::unexpected(std::move(done.error()));
  return result;
}

}  // namespace wheelcheck
