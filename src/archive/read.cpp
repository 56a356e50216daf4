// One pass over a member's bytes: hash them, see whether they are ELF, keep them if asked to.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/inflate.h"
#include "base/sha256.h"

namespace wheelcheck::archive {
namespace {

class Keeper : public Sink {
 public:
  Keeper(std::uint64_t size, Keep keep) : size_(size), keep_(keep) {}

  void take(std::span<const std::byte> chunk) override {
    hash_.update(chunk);
    if (at_ == 0) {
      elf_ = has_elf_magic(chunk);
      if (keep_ == Keep::Everything || (keep_ == Keep::IfElf && elf_)) {
        bytes_ = Buffer::make(size_);
        out_of_memory_ = !bytes_;
      }
    }
    if (bytes_) std::memcpy(bytes_->data() + at_, chunk.data(), chunk.size());  // unpack never sends more than size_
    at_ += chunk.size();
  }
  bool out_of_memory() const { return out_of_memory_; }
  Content finish() { return {bytes_ ? std::move(*bytes_) : Buffer(), hash_.hex(), elf_}; }

 private:
  Sha256 hash_;
  std::optional<Buffer> bytes_;
  std::uint64_t size_, at_ = 0;
  Keep keep_;
  bool elf_ = false, out_of_memory_ = false;
};

}  // namespace

bool has_elf_magic(std::span<const std::byte> bytes) {
  static constexpr std::array magic = {std::byte{0x7F}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return bytes.size() >= magic.size() && std::ranges::equal(bytes.first(magic.size()), magic);
}

std::optional<Buffer> Buffer::make(std::uint64_t size) {
  Buffer buffer;
  if (size == 0) return buffer;
  buffer.bytes_.reset(new (std::nothrow) std::byte[size]);
  if (!buffer.bytes_) return std::nullopt;
  buffer.size_ = static_cast<std::size_t>(size);
  return buffer;
}

void Buffer::forget(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uintptr_t page = 4096;  // where pages are larger, the kernel refuses what is not aligned to them
  const auto start = reinterpret_cast<std::uintptr_t>(bytes_.get());
  const std::uintptr_t first = (start + std::min<std::uint64_t>(begin, size_) + page - 1) & ~(page - 1),
                       last = (start + std::min<std::uint64_t>(end, size_)) & ~(page - 1);
  if (first < last) (void)madvise(bytes_.get() + (first - start), last - first, MADV_DONTNEED);
}

Result<Content> Archive::read(const Entry& entry, Keep keep) const {
  Keeper keeper(entry.size, keep);
  if (auto done = unpack(*file_, entry, keeper); !done) return pass_on(done);
  if (keeper.out_of_memory())
    return refuse(ErrorCode::Io, "member {}: not enough memory for its {} bytes", escape(entry.path.text()),
                  entry.size);
  return keeper.finish();
}

}  // namespace wheelcheck::archive
