// One pass over a member's bytes: hashes them, detects ELF, and keeps all or part of them if requested.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/hashing.h"
#include "archive/inflate.h"

namespace wheelcheck::archive {
namespace {

// Receives pages of a member that is inflated again, because the first pass did not keep them.
class Refill final : public Sink {
 public:
  Refill(SparseBytes& into, std::uint64_t at) : into_(into), at_(at) {}
  void take(std::span<const std::byte> chunk) override {
    into_.keep(at_, chunk);
    at_ += chunk.size();
  }

 private:
  SparseBytes& into_;
  std::uint64_t at_;
};

std::unique_ptr<SparseBytes> sparse_member(const File& file, const Entry& entry, std::shared_ptr<Trail> trail) {
  return SparseBytes::reserve(
      entry.size, [&file, &entry, trail = std::move(trail)](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
        Refill sink(into, begin);
        return unpack_again(file, entry, *trail, begin, end, sink);
      });
}

// Searches a stream of chunks for an ELF header: the magic, followed by a valid class, byte order and version (gABI
// 4.1, "ELF Identification").
class Inside {
 public:
  void take(std::span<const std::byte> chunk) {
    if (found_) return;
    if (carried_ > 0) {
      const std::size_t more = std::min(chunk.size(), ident - 1);
      std::ranges::copy(chunk.first(more), carry_.begin() + static_cast<std::ptrdiff_t>(carried_));
      found_ = holds_header(std::span(carry_).first(carried_ + more));
    }
    found_ = found_ || holds_header(chunk);
    carried_ = std::min(chunk.size(), ident - 1);
    std::ranges::copy(chunk.last(carried_), carry_.begin());
  }
  bool found() const { return found_; }

 private:
  static constexpr std::size_t ident = 7;
  static bool holds_header(std::span<const std::byte> bytes) {
    while (bytes.size() >= ident) {
      const void* const at = std::memchr(bytes.data(), 0x7F, bytes.size() - ident + 1);
      if (at == nullptr) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(static_cast<const std::byte*>(at) - bytes.data()));
      const auto is = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
      if (has_elf_magic(bytes) && (is(4) == 1 || is(4) == 2) && (is(5) == 1 || is(5) == 2) && is(6) == 1) return true;
      bytes = bytes.subspan(1);
    }
    return false;
  }

  std::array<std::byte, 2 * (ident - 1)> carry_{};
  std::size_t carried_ = 0;
  bool found_ = false;
};

class MemberSink final : public Sink {
 public:
  MemberSink(const File& file, const Entry& entry, const ReadOptions& options)
      : file_(file), entry_(entry), options_(options), hashing_(options.idle, options.digest) {}

  std::span<std::byte> buffer() override { return options_.hash ? hashing_.buffer() : std::span<std::byte>{}; }

  void take(std::span<const std::byte> chunk) override {
    if (options_.hash) hashing_.update(chunk);
    if (at_ == 0) begin(chunk);
    if (!content_.elf) inside_.take(chunk);
    if (content_.pages)
      options_.selector->take(chunk);
    else if (keep_ && chunk.size() == entry_.size)
      content_.bytes = chunk;
    else if (keep_)
      content_.owned.insert(content_.owned.end(), chunk.begin(), chunk.end());
    at_ += chunk.size();
  }
  std::shared_ptr<Trail> trail() const { return trail_; }
  Content finish() {
    if (options_.hash) content_.digest = hashing_.hex();
    if (!content_.owned.empty()) content_.bytes = content_.owned;
    content_.elf_inside = inside_.found();
    return std::move(content_);
  }

 private:
  void begin(std::span<const std::byte> chunk) {
    content_.elf = has_elf_magic(chunk);
    content_.start = FirstBytes(chunk);
    keep_ = options_.keep == Keep::Everything || (options_.keep == Keep::IfElf && content_.elf);
    const bool in_part = keep_ && options_.selector != nullptr && chunk.size() < entry_.size;
    if (!in_part) return;
    content_.pages = sparse_member(file_, entry_, trail_);
    options_.selector->start(*content_.pages);
  }

  const File& file_;
  const Entry& entry_;
  const ReadOptions& options_;
  std::shared_ptr<Trail> trail_ = std::make_shared<Trail>();
  Content content_;
  Inside inside_;
  std::uint64_t at_ = 0;
  bool keep_ = false;
  Hashing hashing_;
};

}  // namespace

FirstBytes::FirstBytes(std::span<const std::byte> bytes)
    : size_(static_cast<std::uint8_t>(std::min(bytes.size(), max))) {
  std::ranges::copy(bytes.first(size_), bytes_.begin());
}

bool has_elf_magic(std::span<const std::byte> bytes) {
  static constexpr std::array magic = {std::byte{0x7F}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return bytes.size() >= magic.size() && std::ranges::equal(bytes.first(magic.size()), magic);
}

Result<Content> Archive::read(const Entry& entry, const ReadOptions& options) const {
  if (!options.hash && options.keep == Keep::IfElf)
    if (std::optional<FirstBytes> start = read_start(*file_, entry); start && !has_elf_magic(start->bytes()))
      return Content{.bytes = {}, .pages = {}, .digest = {}, .start = *start};
  MemberSink member_sink(*file_, entry, options);
  if (auto done = unpack(*file_, entry, member_sink, member_sink.trail().get()); !done) return pass_on(done);
  return member_sink.finish();
}

bool Archive::unchanged() const { return file_->unchanged(); }
void Archive::release() const { release_working_memory(); }

}  // namespace wheelcheck::archive
