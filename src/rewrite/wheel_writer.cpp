// Writes a changed wheel. The packed bytes of unchanged members are copied, so they stay the same bytes; only changed
// and added members are compressed again, in parallel, and RECORD is written last with the new hashes.
//
// ELF files are edited by patchelf alone, one run per file with all edits of that file, on a copy in memory: its output
// depends on the order of edits, and the sandbox has no directory for temporary files. The result gets its name only
// after the same pipeline as for any wheel has checked it (output_file.cpp), so a mistake leaves no file behind.
#include "rewrite/wheel_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/text.h"
#include "wheel/record.h"

namespace wheelcheck::rewrite {
namespace {

std::span<const std::byte> bytes_in(std::string_view text) { return std::as_bytes(std::span(text)); }

struct Item {
  const archive::Entry* entry = nullptr;  // null for an added member
  const Added* added = nullptr;
  const Change* change = nullptr;
  Header header;
  std::optional<Packed> packed;  // otherwise copied from the old archive
  std::string sha256;
  std::uint64_t size = 0;
  std::optional<Error> error;
};

bool changes_bytes(const Change& change) { return change.content || !is_empty(change.elf); }

// RECORD as Python's csv module writes it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

class Writer {
 public:
  Writer(const archive::Archive& archive, const archive::File& file, const WheelFacts& wheel, const Edits& edits,
         const ElfTools& tools, const WriteOptions& options)
      : archive_(archive), file_(file), wheel_(wheel), edits_(edits), tools_(tools), options_(options) {}

  Result<void> run(int descriptor) {
    if (auto done = collect(); !done) return done;
    parallel_for(items_.size(), options_.jobs, [&](std::size_t i) { prepare(items_[i]); });
    for (const Item& item : items_)
      if (item.error) return fail(item.error->code, "{}: {}", escape(item.header.name), item.error->message);
    if (record_) write_record();
    ZipWriter zip(descriptor);
    for (const Item& item : items_)
      if (auto done = item.packed ? zip.add(item.header, *item.packed) : zip.copy(item.header, file_, *item.entry);
          !done)
        return done;
    if (!archive_.unchanged()) return fail(ErrorCode::Io, "the wheel was changed while it was read");
    return zip.finish();
  }

 private:
  bool is_dist_info(std::string_view path) const {
    return wheel_.dist_info && path.starts_with(*wheel_.dist_info) &&
           path.substr(wheel_.dist_info->size()).starts_with('/');
  }
  int group(const Item& item) const {
    if (record_path_ == item.header.name) return 3;
    return is_dist_info(item.header.name) ? 2 : item.added != nullptr ? 1 : 0;
  }

  Result<void> collect() {
    if (wheel_.dist_info) record_path_ = *wheel_.dist_info + "/RECORD";
    std::vector<const archive::Entry*> entries;
    // A signature of the old RECORD says nothing about the new one, so it is not copied.
    for (const archive::Entry& entry : archive_.entries())
      if (edits_.empty() || !is_signature(wheel_, entry.path.text())) entries.push_back(&entry);
    std::ranges::sort(entries, {}, &archive::Entry::header_offset);
    DosTime record_time;
    for (const archive::Entry* const entry : entries) {
      Item item{.entry = entry};
      const std::string& path = entry->path.text();
      if (const auto found = edits_.changes.find(path); found != edits_.changes.end()) item.change = &found->second;
      const auto time = time_of(file_, *entry);
      if (!time) return std::unexpected(time.error());
      item.header = {.name = path, .mode = entry->unix_mode == 0 ? 0100644 : entry->unix_mode, .time = *time};
      if (item.change != nullptr && item.change->mode) item.header.mode = *item.change->mode;
      if (item.change != nullptr && item.change->moved_to) item.header.name = *item.change->moved_to;
      if (path == record_path_) record_time = *time;
      items_.push_back(std::move(item));
    }
    for (const Added& added : edits_.added)
      items_.push_back({.added = &added, .header = {.name = added.path, .mode = added.mode, .time = record_time}});
    if (options_.source_date_epoch)
      for (Item& item : items_) item.header.time = dos_time(*options_.source_date_epoch);
    std::ranges::stable_sort(items_, {}, [&](const Item& item) {
      return std::pair(group(item), item.added == nullptr ? std::string_view() : std::string_view(item.added->path));
    });
    record_ = !edits_.empty() && !items_.empty() && items_.back().header.name == record_path_;
    return {};
  }

  std::string known_sha256(const archive::Entry& entry) const {
    const auto member = find_member(wheel_.members, entry.path.text());
    return member ? wheel_.members[member->value].sha256 : std::string();
  }

  // Runs in any thread.
  void prepare(Item& item) const {
    const bool is_changed = item.added != nullptr || (item.change != nullptr && changes_bytes(*item.change));
    if (!is_changed && !options_.level) {
      item.size = item.entry->size;
      item.sha256 = known_sha256(*item.entry);
      if (!item.sha256.empty()) return;
      const auto content = archive_.read(*item.entry, {.hash = true});
      if (!content)
        item.error = content.error();
      else
        item.sha256 = content->digest;
      return;
    }
    if (item.added != nullptr) return store(item, item.added->content, item.added->sha256);
    Result<std::string> bytes = new_bytes(item);
    if (!bytes)
      item.error = std::move(bytes.error());
    else
      store(item, *bytes, "");
  }
  void store(Item& item, std::string_view content, const std::string& sha256) const {
    const auto bytes = bytes_in(content);
    item.sha256 = sha256.empty() ? sha256_hex(bytes) : sha256;
    item.size = bytes.size();
    item.packed = pack(bytes, options_.level.value_or(default_level));
  }

  Result<std::string> new_bytes(const Item& item) const {
    if (item.change != nullptr && item.change->content) return *item.change->content;
    const auto content = archive_.read(*item.entry, {.keep = archive::Keep::Everything, .hash = false});
    if (!content) return std::unexpected(content.error());
    const std::string_view bytes(reinterpret_cast<const char*>(content->bytes.data()), content->bytes.size());
    if (item.change == nullptr || is_empty(item.change->elf)) return std::string(bytes);
    return apply_edit(item.change->elf, bytes, tools_);
  }

  void write_record() {
    std::string text;
    for (const Item& item : items_) {
      const std::string& path = item.header.name;
      text += field(path);
      text +=
          path == record_path_ ? ",,\n" : fmt::format(",sha256={},{}\n", wheel::record_digest(item.sha256), item.size);
    }
    items_.back().packed = pack(bytes_in(text), options_.level.value_or(default_level));
  }

  const archive::Archive& archive_;
  const archive::File& file_;
  const WheelFacts& wheel_;
  const Edits& edits_;
  const ElfTools& tools_;
  const WriteOptions& options_;
  std::string record_path_;
  bool record_ = false;
  std::vector<Item> items_;
};

}  // namespace

bool is_signature(const WheelFacts& wheel, std::string_view path) {
  return wheel.dist_info && (path == *wheel.dist_info + "/RECORD.jws" || path == *wheel.dist_info + "/RECORD.p7s");
}

Result<void> write_wheel(const archive::Archive& archive, const archive::File& file, const WheelFacts& wheel,
                         const Edits& edits, const ElfTools& tools, const WriteOptions& options, int descriptor) {
  return Writer(archive, file, wheel, edits, tools, options).run(descriptor);
}

Result<void> copy_file(const archive::File& file, int descriptor) {
  constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
  std::vector<std::byte> buffer(chunk);
  for (std::uint64_t at = 0; at < file.size(); at += chunk) {
    const auto part = std::span(buffer).first(static_cast<std::size_t>(std::min(chunk, file.size() - at)));
    if (auto done = file.read_at(at, part); !done) return done;
    if (auto done = write_all(descriptor, part); !done) return done;
  }
  return {};
}

std::string with_tags(std::string_view wheel_file, const WheelName& name, const std::vector<std::string>& platforms,
                      bool platlib) {
  std::string tags;
  for (const std::string& python : name.python)
    for (const std::string& abi : name.abi)
      for (const std::string& platform : platforms) tags += fmt::format("Tag: {}-{}-{}\n", python, abi, platform);
  if (platlib) tags = "Root-Is-Purelib: false\n" + tags;
  std::string out;
  bool placed = false, replaced = false, in_body = false;  // `replaced`: the line belongs to a field that `tags` has
  while (!wheel_file.empty()) {
    const std::size_t end = std::min(wheel_file.find('\n'), wheel_file.size() - 1) + 1;
    std::string line(wheel_file.substr(0, end));
    wheel_file.remove_prefix(end);
    in_body = in_body || trim(line).empty();
    if (in_body) {
      if (!placed) out += tags;
      placed = true;
      out += line;
      continue;
    }
    const bool continues = line.front() == ' ' || line.front() == '\t';
    const std::string key = lower(trim(line.substr(0, line.find(':'))));
    replaced = continues ? replaced : key == "tag" || (platlib && key == "root-is-purelib");
    if (!replaced) {
      out += line;
      if (!out.ends_with('\n')) out += '\n';
    } else if (!placed) {
      out += tags;
      placed = true;
    }
  }
  return placed ? out : out + tags;
}

std::string file_name_of(const WheelName& name, const std::vector<std::string>& platforms) {
  std::string out = fmt::format("{}-{}", name.distribution, name.version);
  if (!name.build.empty()) out += "-" + name.build;
  out += fmt::format("-{}-{}-{}", fmt::join(name.python, "."), fmt::join(name.abi, "."), fmt::join(platforms, "."));
  if (!name.variant.empty()) out += "-" + name.variant;
  return out + ".whl";
}

}  // namespace wheelcheck::rewrite
