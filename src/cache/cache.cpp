#include "cache/cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "cache/directory.h"
#include "cache/packed.h"
#include "facts/cache_format.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

extern const char* const reader_fingerprint;  // written by the build: the code that facts come from

namespace cache {
namespace {

// The wheel's file at one moment.
class Seen {
 public:
  explicit Seen(const Wheel& wheel) : descriptor_(wheel.descriptor) {
    struct stat about{};
    if (::fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode)) about_ = about;
  }

  std::optional<std::uint64_t> size() const {
    return about_.transform([](const struct stat& about) { return static_cast<std::uint64_t>(about.st_size); });
  }
  std::optional<std::string> sha256() const {
    std::vector<char> buffer(std::size_t{256} << 10);
    std::uint64_t bytes = 0;
    Sha2 hash;
    for (;;) {
      const ssize_t got = ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(bytes));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      hash.update(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(got))));
      bytes += static_cast<std::uint64_t>(got);
    }
    return bytes == size() ? std::optional(hash.hex()) : std::nullopt;
  }
  // A file that was replaced at its path was unlinked, which changes st_ctim.
  bool is_same(const Seen& before) const {
    if (!about_ || !before.about_) return false;
    const auto same = [](const timespec& a, const timespec& b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return about_->st_size == before.about_->st_size && same(about_->st_mtim, before.about_->st_mtim) &&
           same(about_->st_ctim, before.about_->st_ctim);
  }

 private:
  int descriptor_;
  std::optional<struct stat> about_;
};

// Nothing where the file cannot be read, or where reading it as a wheel would end early.
std::optional<facts::KeptHeader> header_of(const Seen& wheel, const std::string& path, const Limits& limits) {
  const auto size = wheel.size();
  if (!size || *size > limits.total_bytes || !path.ends_with(".whl")) return std::nullopt;
  const auto sha256 = wheel.sha256();
  if (!sha256) return std::nullopt;
  return facts::KeptHeader{.reader = reader_fingerprint,
                           .file = std::string(base_name(path)),
                           .sha256 = *sha256,
                           .size = *size,
                           .limits = limits};
}

// `header`: the first line that it must have; empty: any.
std::optional<WheelFacts> load(std::string_view packed, std::string_view header) {
  facts::KeptReader reader;
  bool first = true;
  const auto take = [&](std::string_view line) {
    if (std::exchange(first, false) && !header.empty() && line != header) return false;
    return reader.take(line);
  };
  return unpack(packed, take) ? reader.finish() : std::nullopt;
}

}  // namespace

void prepare(const Place& place) { Directory(place.directory, place.most_bytes).make(); }

Result<WheelFacts> read(const Wheel& wheel, const Limits& limits, const Place& place,
                        const std::function<Result<WheelFacts>()>& read_wheel) {
  const Seen before(wheel);
  const auto header = header_of(before, wheel.path, limits);
  if (!header) return read_wheel();
  const std::string line = facts::header_line(*header);
  const std::string name =
      fmt::format("{}-{:.16}{}", header->sha256, sha256_hex(std::as_bytes(std::span(line))), kept_ending);
  const Directory directory(place.directory, place.most_bytes);
  if (const auto packed = directory.read(name)) {
    if (auto facts = load(*packed, line)) {
      facts->path = wheel.path;
      return std::move(*facts);
    }
  }
  Result<WheelFacts> facts = read_wheel();
  // What came from other bytes than those that were hashed is not kept.
  if (!facts || !Seen(wheel).is_same(before)) return facts;
  Packer packer;
  facts::keep(*header, *facts, [&](std::string_view each) { packer.add(each); });
  if (const auto packed = packer.finish()) directory.write(name, *packed);
  return facts;
}

std::optional<WheelFacts> facts_of(std::string_view entry) { return load(entry, {}); }

}  // namespace cache
}  // namespace wheelcheck
