#include "cache/packed.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <span>

#include "base/memory.h"

namespace wheelcheck::cache {
namespace {

constexpr int level = 1;  // higher levels compress 4 % better and take 50 % longer
constexpr std::size_t member_bytes = std::size_t{1} << 20, max_member_bytes = std::size_t{256} << 20;
constexpr std::uint64_t max_bytes = std::uint64_t{4} << 30;
// What an entry may inflate to: facts are packed to a tenth.
constexpr std::size_t base_bytes = std::size_t{16} << 20, for_packed_byte = 100;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string seal_of(Sha2& hash) { return fmt::format("{{\"seal\":\"{}\"}}\n", hash.hex()); }

// Decompresses one member after another into a buffer that grows to the size of the largest.
class Unpacker {
 public:
  explicit Unpacker(std::string_view packed)
      : left_(packed),
        max_(std::min(max_member_bytes, base_bytes + for_packed_byte * packed.size())),
        unpacker_(allocated(libdeflate_alloc_decompressor()), &libdeflate_free_decompressor) {}

  // The text of the next member, valid until the next call. `packed` is set to its compressed bytes.
  std::optional<std::string_view> next(std::string_view& packed) {
    for (;;) {
      std::size_t taken = 0, size = 0;
      const auto done = libdeflate_gzip_decompress_ex(unpacker_.get(), left_.data(), left_.size(), buffer_.data(),
                                                      buffer_.size(), &taken, &size);
      if (done == LIBDEFLATE_INSUFFICIENT_SPACE && buffer_.size() < max_) {
        buffer_.resize(std::min(buffer_.size() * 2, max_));
        continue;
      }
      if (done != LIBDEFLATE_SUCCESS) return std::nullopt;
      packed = left_.substr(0, taken);
      left_.remove_prefix(taken);
      return std::string_view(buffer_).substr(0, size);
    }
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  std::size_t max_;  // bytes of a member
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker_;
  std::string buffer_ = std::string(2 * member_bytes, '\0');
};

}  // namespace

Packer::Packer() : compressor_(allocated(libdeflate_alloc_compressor(level)), &libdeflate_free_compressor) {}
Packer::~Packer() = default;

void Packer::add(std::string_view line) {
  bytes_ += line.size() + 1;
  good_ = good_ && open_.size() + line.size() < max_member_bytes && bytes_ <= max_bytes;
  if (!good_) return;
  open_ += line;
  open_ += '\n';
  if (open_.size() >= member_bytes) flush();
}

void Packer::flush() {
  if (open_.empty()) return;
  const std::size_t before = packed_.size();
  packed_.resize(before + libdeflate_gzip_compress_bound(compressor_.get(), open_.size()));
  packed_.resize(before + libdeflate_gzip_compress(compressor_.get(), open_.data(), open_.size(),
                                                   packed_.data() + before, packed_.size() - before));
  hash_.update(bytes_of(std::string_view(packed_).substr(before)));
  open_.clear();
}

std::optional<std::string> Packer::finish() {
  if (!good_) return std::nullopt;
  flush();
  open_ = seal_of(hash_);
  flush();
  return std::move(packed_);
}

bool unpack(std::string_view packed, const std::function<bool(std::string_view line)>& take) {
  Unpacker members(packed);
  Sha2 hash;
  const std::uint64_t max = std::min<std::uint64_t>(max_bytes, base_bytes + for_packed_byte * packed.size());
  for (std::uint64_t bytes = 0;;) {
    std::string_view member;
    auto text = members.next(member);
    if (!text || !text->ends_with('\n') || (bytes += text->size()) > max) return false;
    if (members.at_end()) return *text == seal_of(hash);
    hash.update(bytes_of(member));
    while (!text->empty()) {
      const std::size_t end = text->find('\n');
      if (!take(text->substr(0, end))) return false;
      text->remove_prefix(end + 1);
    }
  }
}

}  // namespace wheelcheck::cache
