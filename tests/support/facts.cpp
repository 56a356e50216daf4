#include "tests/support/facts.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "wheelcheck/platform.h"

namespace wheelcheck::test {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

MemberFacts new_member(const std::string& path, std::uint64_t size) {
  std::optional<MemberPath> parsed = MemberPath::parse(path);
  if (!parsed) throw std::invalid_argument("not a member path: " + path);
  MemberFacts result{.path = std::move(*parsed), .size = size, .packed_size = size, .unix_mode = 0100644, .sha256 = {}};
  result.sha256.assign(64, 'a');
  return result;
}

void name(WheelFacts& wheel, const std::string& file) {
  if (!file.ends_with(".whl")) throw std::invalid_argument("not a wheel name: " + file);
  const std::vector<std::string> parts = split(std::string_view(file).substr(0, file.size() - 4), '-');
  if (parts.size() != 5 && parts.size() != 6) throw std::invalid_argument("not a wheel name: " + file);
  const std::size_t tags = parts.size() - 3;
  wheel.name.distribution = parts[0];
  wheel.name.version = parts[1];
  if (parts.size() == 6) wheel.name.build = parts[2];
  wheel.name.python = split(parts[tags], '.');
  wheel.name.abi = split(parts[tags + 1], '.');
  for (const std::string& text : split(parts[tags + 2], '.')) wheel.name.platforms.push_back(parse_platform_tag(text));
  wheel.dist_info = parts[0] + '-' + parts[1] + ".dist-info";
  const bool pure = wheel.name.platforms.front().family == PlatformTag::Family::Any;
  wheel.wheel = WheelFile{.wheel_version = "1.0", .root_is_purelib = pure, .tags = {}};
  for (const std::string& python : wheel.name.python) {
    for (const std::string& abi : wheel.name.abi) {
      for (const PlatformTag& tag : wheel.name.platforms) {
        wheel.wheel->tags.push_back(python + '-' + abi + '-' + tag.text);
      }
    }
  }
  wheel.metadata =
      Metadata{.name = parts[0], .version = parts[1], .requires_python = "", .requires_dist = {}, .provides_extra = {}};
}

void record(WheelFacts& wheel) {
  wheel.record.emplace();
  for (const MemberFacts& member : wheel.members) {
    wheel.size += member.packed_size;
    RecordRow row{.path = member.path.text(), .hash = "", .size = std::nullopt};
    if (member.path.name() != "RECORD") {
      row.hash = "sha256=qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo";  // base64 of 32 bytes 0xaa
      row.size = member.size;
    }
    wheel.record->push_back(std::move(row));
  }
}

}  // namespace

WheelBuilder::WheelBuilder(std::string file) : file_(std::move(file)) {}
WheelBuilder::WheelBuilder(const WheelBuilder&) = default;
WheelBuilder::WheelBuilder(WheelBuilder&&) noexcept = default;
WheelBuilder& WheelBuilder::operator=(const WheelBuilder&) = default;
WheelBuilder& WheelBuilder::operator=(WheelBuilder&&) noexcept = default;
WheelBuilder::~WheelBuilder() = default;

WheelBuilder& WheelBuilder::elf(ElfBuilder elf) {
  elfs_.push_back(std::move(elf));
  return *this;
}

WheelBuilder& WheelBuilder::member(std::string path, std::uint64_t size) {
  members_.emplace_back(std::move(path), size);
  return *this;
}

WheelBuilder& WheelBuilder::edit(Step step) {
  steps_.push_back(std::move(step));
  return *this;
}

WheelFacts WheelBuilder::build() const {
  WheelFacts wheel;
  wheel.file = wheel.path = file_;
  name(wheel, file_);
  auto members = members_;
  for (const ElfBuilder& elf : elfs_) members.emplace_back(elf.path(), 1000);
  for (const char* part : {"METADATA", "RECORD", "WHEEL"}) members.emplace_back(*wheel.dist_info + '/' + part, 100);
  for (const auto& [path, size] : members) wheel.members.push_back(new_member(path, size));
  std::ranges::stable_sort(wheel.members, {}, [](const MemberFacts& m) { return m.path.text(); });
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
    for (const ElfBuilder& elf : elfs_) {
      if (elf.path() == wheel.members[i].path.text()) wheel.elfs.push_back(elf.build(MemberIndex{i}));
    }
  }
  record(wheel);
  for (const Step& step : steps_) step(wheel);
  return wheel;
}

ElfIndex elf_at(const WheelFacts& wheel, std::string_view path) {
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    if (wheel.members[wheel.elfs[i].member.value].path.text() == path) return ElfIndex{i};
  }
  throw std::invalid_argument("no ELF file at " + std::string(path));
}

Resolution resolve_by_name(const WheelFacts& wheel) {
  static constexpr std::string_view process[] = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
                                                 "librt.so.1"};
  Resolution result;
  result.needed.resize(wheel.elfs.size());
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& user = wheel.elfs[i];
    if (std::holds_alternative<ExtensionModule>(user.role) || std::holds_alternative<Program>(user.role)) {
      result.roots.push_back(ElfIndex{i});
    }
    if (!user.facts.dynamic) continue;
    for (const std::string_view name : user.facts.dynamic->needed) {
      NeededFound found;
      found.name = name;
      found.root = {WheelIndex{0}, ElfIndex{i}};
      for (std::uint32_t j = 0; j < wheel.elfs.size() && !found.provider; ++j) {
        const ElfMember& other = wheel.elfs[j];
        const bool same = other.facts.dynamic && other.facts.dynamic->soname == name;
        if (!same && wheel.members[other.member.value].path.name() != name) continue;
        found.found = Found::InWheel;
        found.how = How::Runpath;
        found.provider = ElfRef{WheelIndex{0}, ElfIndex{j}};
        found.by = found.root;
        found.element = "$ORIGIN";
      }
      if (!found.provider && (name.starts_with("ld-linux") || std::ranges::find(process, name) != std::end(process))) {
        found.found = Found::InProcess;
        found.how = How::AlreadyLoaded;
      }
      result.needed[i].push_back(std::move(found));
    }
  }
  return result;
}

}  // namespace wheelcheck::test
