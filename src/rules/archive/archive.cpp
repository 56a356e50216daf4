// The archive as a whole, and what was not read of it.
#include <fmt/format.h>

#include <algorithm>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"
#include "wheelcheck/rule.h"

// WC703: an archive that has more than one reading, or that is unsafe to read. The reader refuses it, so that no rule
// sees it; reports give the finding for such an input (Unreadable::refused).
namespace wheelcheck::rules::archive_refused {
namespace {

void check(const WheelView&, const Emit&) {}

}  // namespace

extern const Rule rule{
    .code = "WC703",
    .name = "archive-refused",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::archive_refused

// WC704: members with unusual names or types. Unsafe ones are refused before any rule runs.
namespace wheelcheck::rules::zip_unsafe_path {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const auto fix = [](const WheelFlaw&) { return "rename or remove the file and build the wheel again"; };
  const bool unpacked = is_unpacked(view.wheel);
  emit_wheel_flaws(view, emit, {WheelArea::Member}, fix, unpacked ? std::optional(Severity::Warning) : std::nullopt,
                   Severity::Note);
}

}  // namespace

extern const Rule rule{
    .code = "WC704",
    .name = "zip-unsafe-path",
    .severity = Severity::Error,
    .security = "7.5",
    .check = check,
};

}  // namespace wheelcheck::rules::zip_unsafe_path

// WC710: the wheel exceeds the size limit of a package index, which would refuse the upload, or is packed without
// compression.
namespace wheelcheck::rules::size_limit {
namespace {

constexpr std::size_t shown_members = 3;

std::vector<const MemberFacts*> largest_members(const WheelFacts& wheel) {
  std::vector<const MemberFacts*> members;
  for (const MemberFacts& member : wheel.members) members.push_back(&member);
  const std::size_t max = std::min(members.size(), shown_members);
  std::ranges::stable_sort(members, [](const auto* a, const auto* b) { return a->packed_size > b->packed_size; });
  members.resize(max);
  return members;
}

// Machine code that is stored as it is; deflate takes a half to two thirds of it. Python's zipfile stores by default.
void check_compression(const WheelView& view, const Emit& emit) {
  constexpr std::uint64_t least_bytes = 100'000, least_part = 20;  // 5 % of the wheel
  std::vector<std::string> files;
  std::uint64_t stored = 0;
  for (const ElfMember& elf : view.wheel.elfs) {
    const MemberFacts& member = view.wheel.members[elf.member.value];
    if (member.packed_size == 0 || member.packed_size != member.size) continue;
    stored += member.size;
    files.push_back(member.path.text());
  }
  if (stored < least_bytes || stored < view.wheel.size / least_part) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("{} with machine code {} stored without compression: {} of {}",
                               count_of(files.size(), "member"), files.size() == 1 ? "is" : "are", size_text(stored),
                               size_text(view.wheel.size)),
        .evidence = {{"stored", list_of(files)}},
        .fix = "pack the wheel again (wheel unpack, wheel pack); in Python code, ZipFile and each ZipInfo need "
               "compress_type ZIP_DEFLATED",
        .severity = Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  check_compression(view, emit);
  const std::uint64_t size = view.wheel.size, limit = view.options.max_wheel_bytes;
  if (size <= limit || !view.options.index.empty()) return;  // with --index, WC853 reports it
  std::vector<std::string> largest;
  std::uint64_t debug = 0;
  for (const MemberFacts* member : largest_members(view.wheel))
    largest.push_back(fmt::format("{} ({})", member->path.text(), size_text(member->packed_size)));
  for (const ElfMember& elf : view.wheel.elfs) debug += elf.facts.sections.debug_bytes;
  std::vector<Evidence> evidence = {{"largest members, as packed", list_of(largest)}};
  if (debug >= 1'000'000) evidence.push_back({"debug sections, unpacked", size_text(debug)});
  emit({.place = WholeWheel{},
        .message =
            limit == RuleOptions().max_wheel_bytes
                ? fmt::format("is {}: PyPI refuses files above 100 MiB unless the project was granted a higher limit",
                              size_text(size))
                : fmt::format("has {} bytes, {} above the limit of {}", size, size_text(size - limit), limit),
        .evidence = std::move(evidence),
        .fix = fmt::format("{}ask the index for a higher limit; where it was granted: --max-wheel-bytes {}",
                           debug >= 1'000'000 ? "strip the libraries (strip -g), or " : "", size),
        .severity = {},
        .confidence = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC710",
    .name = "size-limit",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::size_limit

// WC717: Python code that exceeds the limits of the reader, so that part of it was not read.
namespace wheelcheck::rules::python_not_read {
namespace {

std::pair<std::string, std::string> texts_of(PythonCut cut) {
  switch (cut) {
    case PythonCut::Bytecode:
      return {"was not read: it is bytecode, which Python runs whatever the source says",
              "leave the bytecode out of the wheel; Python writes it again"};
    case PythonCut::Encoding:
      return {
          "was not read: it is a .pth that is not in UTF-8, or its first lines name an encoding (PEP 263) that is "
          "not one of ASCII",
          "write it in UTF-8"};
    case PythonCut::Text:
      return {"runs a text with exec or eval that was not read: it loads libraries, or it is decoded",
              "look at the text; write its code into the file"};
    case PythonCut::Steps:
      return {"was not read completely: it takes more steps than code that loads libraries or imports modules",
              "look at the file; split generated code into several files"};
    default:
      return {
          "was not read: it is longer than code that loads libraries or imports modules, or the files before it are",
          "store large data in another format; split generated code into several files"};
  }
}

void check(const WheelView& view, const Emit& emit) {
  for (const PythonFile& file : view.wheel.python) {
    if (file.cut == PythonCut::None) continue;
    const auto& [message, fix] = texts_of(file.cut);
    emit({.place = AtMember{file.member}, .message = message, .evidence = {}, .fix = fix, .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC717",
    .name = "python-not-read",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::python_not_read
