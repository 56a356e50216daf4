// A comparison as JSON (docs/diff.schema.json).
#include "report/diff/diff_outline.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

Json pair(const Both<std::string>& both) { return {{"old", safe(both.old)}, {"new", safe(both.now)}}; }
Json pair(const Both<std::vector<std::string>>& both) { return {{"old", texts(both.old)}, {"new", texts(both.now)}}; }
template <class Number>
Json pair(const Both<Number>& both) {
  return {{"old", both.old}, {"new", both.now}};
}

// A name that only one side has is null on the other side.
Json sides(const Both<std::string>& both) {
  const auto side = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); };
  return {{"old", side(both.old)}, {"new", side(both.now)}};
}

template <class Range, class Make>
Json list(const Range& range, Make make) {
  Json out = Json::array();
  for (const auto& one : range) out.push_back(make(one));
  return out;
}

Json reason_json(const LevelReason& reason) {
  return {{"kind", kind_of(reason.required)},
          {"asks", subject_of(reason.required)},
          {"decides", reason.decides},
          {"symbols", texts(reason.symbols)},
          {"files", texts(reason.files)}};
}

Json level_json(const LevelChange& level) {
  return {{"ladder", safe(level.policy_levels)},
          {"fits", sides(level.fits)},
          {"fits_course", name_of(level.fits_course)},
          {"claimed", sides(level.claimed)},
          {"claimed_course", name_of(level.claimed_course)},
          {"reasons", list(level.reasons, reason_json)}};
}

Json floor_json(const FloorChange& floor) {
  return {{"family", safe(floor.family)},
          {"node", sides(floor.node)},
          {"course", name_of(floor.course)},
          {"symbols", texts(floor.symbols)},
          {"files", texts(floor.files)}};
}

Json platform_json(const PlatformChanges& platform) {
  return {{"raised", platform.raised},
          {"claims", pair(platform.claims)},
          {"promise",
           {{"old", tag_result_word(platform.tag_result.old)}, {"new", tag_result_word(platform.tag_result.now)}}},
          {"levels", list(platform.levels, level_json)},
          {"wheel_floors", list(platform.wheel_floors, floor_json)},
          {"file_floors", list(platform.file_floors, floor_json)}};
}

Json finding_json(const FindingChange& change) {
  return {{"course", name_of(change.course)},
          {"code", change.rule->code},
          {"rule", change.rule->name},
          {"severity", name_of(change.severity)},
          {"before", change.before ? Json(name_of(*change.before)) : Json(nullptr)},
          {"member", change.path.empty() ? Json(nullptr) : Json(safe(change.path))},
          {"message", safe(change.message)}};
}

Json findings_json(const FindingChanges& findings) {
  return {{"changes", list(findings.changes, finding_json)},
          {"failed", findings.failed},
          {"unchanged",
           {{"error", findings.unchanged[2]}, {"warning", findings.unchanged[1]}, {"info", findings.unchanged[0]}}}};
}

Json contents_json(const ContentChanges& contents) {
  const auto elf = [](const ElfChange& change) -> Json {
    return {{"path", sides(change.path)},
            {"soname", sides(change.soname)},
            {"matched_by", name_of(change.by)},
            {"role", safe(change.role)}};
  };
  const auto needed = [](const NeededChange& change) -> Json {
    return {{"library", sides(change.library)}, {"whole_wheel", change.whole}, {"files", texts(change.files)}};
  };
  const auto library = [](const LibraryChange& change) -> Json {
    return {{"library", safe(change.id)},
            {"name", safe(change.name)},
            {"versions", pair(change.versions)},
            {"files", pair(change.files)}};
  };
  const auto cxx = [](const CxxChange& change) -> Json {
    return {{"string_abi", pair(change.string_abi)}, {"runtime", pair(change.runtime)}, {"files", texts(change.files)}};
  };
  return {{"elf_files", list(contents.elfs, elf)},
          {"needed", list(contents.needed, needed)},
          {"libraries", list(contents.libraries, library)},
          {"cxx_abi", list(contents.cxx, cxx)},
          {"gpu_targets", {{"added", texts(contents.device_added)}, {"removed", texts(contents.device_removed)}}}};
}

Json symbols_json(const SymbolChange& change) {
  const auto group = [](const SymbolGroup& one) -> Json {
    return {{"kind", name_of(one.kind)},
            {"name", safe(one.name)},
            {"count", pair(one.count)},
            {"gained", one.gained},
            {"lost", one.lost},
            {"gained_names", texts(one.gained_names)},
            {"lost_names", texts(one.lost_names)}};
  };
  const auto file = [](const SymbolFile& one) -> Json {
    return {{"file", safe(one.file)}, {"count", pair(one.count)}};
  };
  return {{"count", pair(change.count)},
          {"gained", change.gained},
          {"lost", change.lost},
          {"groups", list(change.groups, group)},
          {"files", list(change.files, file)}};
}

Json import_floor_json(const ImportFloorChange& floor) {
  return {{"package", safe(floor.package)},
          {"minimum", sides(floor.minimum)},
          {"below", sides(floor.below)},
          {"requirement", safe(floor.requirement)}};
}

Json metadata_json(const MetadataChange& metadata) {
  return {{"python_tags", pair(metadata.python)},
          {"requires_python", pair(metadata.requires_python)},
          {"requires_dist", list(metadata.dependencies, sides)},
          {"extras", pair(metadata.extras)},
          {"import_floors", list(metadata.import_floors, import_floor_json)}};
}

Json sizes_json(const SizeChanges& sizes) {
  const auto member = [](const MemberSize& one) -> Json {
    return {{"path", sides(one.path)}, {"bytes", pair(one.bytes)}};
  };
  const auto folder = [](const FolderSize& one) -> Json {
    return {{"folder", safe(one.folder)}, {"bytes", pair(one.bytes)}, {"files", pair(one.files)}};
  };
  return {{"archive", pair(sizes.archive)},
          {"unpacked", pair(sizes.unpacked)},
          {"files", pair(sizes.files)},
          {"rewritten_files", sizes.rewritten},
          {"members", list(sizes.members, member)},
          {"folders", list(sizes.folders, folder)}};
}

}  // namespace

std::string render_diff_json(const Diff& diff) {
  const Json document = {{"schema", "wheelcheck-diff"},
                         {"version", 1},
                         {"wheelcheck", safe(diff.version)},
                         {"file", pair(diff.file)},
                         {"distribution", pair(diff.distribution)},
                         {"release", pair(diff.release)},
                         {"platform", platform_json(diff.platform)},
                         {"findings", findings_json(diff.findings)},
                         {"contents", contents_json(diff.contents)},
                         {"exports", symbols_json(diff.exports)},
                         {"imports", symbols_json(diff.imports)},
                         {"metadata", metadata_json(diff.metadata)},
                         {"sizes", sizes_json(diff.sizes)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
