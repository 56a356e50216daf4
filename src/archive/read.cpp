// One pass over a member's bytes: hash them, see whether they are ELF, keep them, or a part of them, if asked to.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/hashing.h"
#include "archive/inflate.h"

namespace wheelcheck::archive {
namespace {

// Pages of a member that is inflated again, where its first reading did not keep them.
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

std::unique_ptr<SparseBytes> sparse_member(const File& file, const Entry& entry, std::shared_ptr<const Trail> trail) {
  return SparseBytes::reserve(
      entry.size, [&file, &entry, trail = std::move(trail)](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
        Refill sink(into, begin);
        return unpack_again(file, entry, *trail, begin, end, sink);
      });
}

class Keeper final : public Sink {
 public:
  Keeper(const File& file, const Entry& entry, const Wish& wish)
      : file_(file), entry_(entry), wish_(wish), hashing_(wish.idle) {}

  std::span<std::byte> room() override { return wish_.hash ? hashing_.room() : std::span<std::byte>{}; }

  void take(std::span<const std::byte> chunk) override {
    if (wish_.hash) hashing_.update(chunk);
    if (at_ == 0) begin(chunk);
    if (content_.pages)
      wish_.watch->take(chunk);
    else if (keeps_ && chunk.size() == entry_.size)
      content_.bytes = chunk;
    else if (keeps_)
      content_.owned.insert(content_.owned.end(), chunk.begin(), chunk.end());
    at_ += chunk.size();
  }
  std::shared_ptr<Trail> trail() const { return trail_; }
  bool out_of_memory() const { return out_of_memory_; }
  Content finish() {
    if (wish_.hash) content_.sha256 = hashing_.hex();
    if (!content_.owned.empty()) content_.bytes = content_.owned;
    return std::move(content_);
  }

 private:
  void begin(std::span<const std::byte> chunk) {
    content_.elf = has_elf_magic(chunk);
    keeps_ = wish_.keep == Keep::Everything || (wish_.keep == Keep::IfElf && content_.elf);
    const bool in_part = keeps_ && wish_.watch != nullptr && chunk.size() < entry_.size;
    if (!in_part) return;
    content_.pages = sparse_member(file_, entry_, trail_);
    if (content_.pages) return wish_.watch->start(*content_.pages);
    out_of_memory_ = true;
    keeps_ = false;
  }

  const File& file_;
  const Entry& entry_;
  const Wish& wish_;
  std::shared_ptr<Trail> trail_ = std::make_shared<Trail>();
  Content content_;
  std::uint64_t at_ = 0;
  bool keeps_ = false, out_of_memory_ = false;
  Hashing hashing_;
};

}  // namespace

bool has_elf_magic(std::span<const std::byte> bytes) {
  static constexpr std::array magic = {std::byte{0x7F}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return bytes.size() >= magic.size() && std::ranges::equal(bytes.first(magic.size()), magic);
}

Result<Content> Archive::read(const Entry& entry, const Wish& wish) const {
  if (!wish.hash && wish.keep == Keep::IfElf && !may_be_elf(*file_, entry)) return Content{};
  Keeper keeper(*file_, entry, wish);
  if (auto done = unpack(*file_, entry, keeper, keeper.trail().get()); !done) return pass_on(done);
  if (keeper.out_of_memory())
    return refuse(ErrorCode::Io, "member {}: not enough memory for its {} bytes", escape(entry.path.text()),
                  entry.size);
  return keeper.finish();
}

bool Archive::unchanged() const { return file_->unchanged(); }
void Archive::release() const { release_working_memory(); }

}  // namespace wheelcheck::archive
