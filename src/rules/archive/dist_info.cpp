// Files of the .dist-info directory that contradict the wheel, or that tools cannot read.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/archive/sbom_match.h"
#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

// WC706: file name, .dist-info directory, WHEEL and METADATA must agree.
namespace wheelcheck::rules::metadata_mismatch {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Name, WheelArea::DistInfo, WheelArea::Wheel, WheelArea::Metadata},
                   [](const WheelFlaw& flaw) -> std::string {
                     if (flaw.area == WheelArea::Name) return "let the build back end name the wheel";
                     return "correct it where the wheel is built, and build it again";
                   });
}

}  // namespace

extern const Rule rule{
    .code = "WC706",
    .name = "metadata-mismatch",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::metadata_mismatch

// WC702: RECORD differs from the archive; every difference is reported.
namespace wheelcheck::rules::record_mismatch {
namespace {

void check(const WheelView& view, const Emit& emit) {
  // `wheel unpack` refuses a wheel whose hashes differ, and `wheel pack` names the result after the tags of WHEEL.
  const std::string file = shell_word(view.wheel.file);
  const std::string fix = view.wheel.dist_info && view.wheel.record
                              ? fmt::format("write RECORD again: wheelcheck fix {}", file)
                              : fmt::format("write RECORD: unzip -d unpacked {} && wheel pack unpacked", file);
  emit_wheel_flaws(view, emit, {WheelArea::Record, WheelArea::Absent}, [&](const WheelFlaw&) { return fix; });
}

}  // namespace

extern const Rule rule{
    .code = "WC702",
    .name = "record-mismatch",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::record_mismatch

// WC716: a software bill of materials that scanners cannot use, or that lists what the wheel does not contain.
namespace wheelcheck::rules::sbom_invalid {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Sbom}, [](const WheelFlaw&) {
    return "write it with a tool for CycloneDX or SPDX, or repair the wheel with auditwheel 6.5 or newer";
  });
  for (const SbomMatch::Absent& absent : match_sboms(view).absent)
    emit({.place = AtMember{absent.sbom},
          .message = fmt::format("names {}, and the wheel contains no such library", escape(absent.what, 100)),
          .evidence = {},
          .fix = "write it after the last step that adds, renames or removes libraries",
          .severity = {},
          .confidence = Confidence::Medium});
}

}  // namespace

extern const Rule rule{
    .code = "WC716",
    .name = "sbom-invalid",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::sbom_invalid

// WC713: RECORD.jws and RECORD.p7s are signatures that no tool verifies.
namespace wheelcheck::rules::signature_file {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberPath& path = view.wheel.members[i].path;
    if (path.directory() != *view.wheel.dist_info || (path.name() != "RECORD.jws" && path.name() != "RECORD.p7s"))
      continue;
    emit({.place = AtMember{MemberIndex{i}},
          .message = "is a signature that no installer checks",
          .evidence = {},
          .fix = fmt::format("leave {} out and publish with attestations of the index instead", path.name()),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC713",
    .name = "signature-file",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::signature_file

// WC714: a variant label and variant.json belong together (PEP 825, a draft).
namespace wheelcheck::rules::variant_invalid {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  const std::string path = *view.wheel.dist_info + "/variant.json";
  const bool labelled = !view.wheel.name.variant.empty();
  const std::optional<MemberIndex> metadata = find_member(view.wheel.members, path);
  if (labelled && !metadata)
    emit({.place = WholeWheel{},
          .message = fmt::format("has the variant label {} and no variant.json", view.wheel.name.variant),
          .evidence = {{"missing", path}},
          .fix = "build it with a backend that writes variant.json, or remove the label from the file name",
          .severity = {},
          .confidence = {}});
  if (!labelled && metadata)
    emit({.place = AtMember{*metadata},
          .message = "describes a variant, but the file name has no variant label",
          .evidence = {},
          .fix = "add the label after the platform tag (NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl), or leave "
                 "variant.json out",
          .severity = {},
          .confidence = {}});
  emit_wheel_flaws(
      view, emit, {WheelArea::Variant},
      [](const WheelFlaw&) { return "write variant.json by the schema of PEP 825, with the label of the file name"; },
      Severity::Error);
}

}  // namespace

extern const Rule rule{
    .code = "WC714",
    .name = "variant-invalid",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::variant_invalid
