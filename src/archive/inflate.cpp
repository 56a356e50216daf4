// Two inflaters, because each is the fastest at its work (docs/performance.md): libdeflate needs all bytes at once and
// is best at small members, ISA-L streams through a window, so that memory does not grow with the member.
// Neither refuses a stream that zlib takes, but each takes a few that zlib refuses (code sets with gaps, symbols 286
// and 287, distances 30 and 31). Such a member passes only if its size and CRC-32 are right, so it still has one
// content.
#include "archive/inflate.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "archive/fields.h"

namespace wheelcheck::archive {
namespace {

constexpr std::uint64_t whole_limit = std::uint64_t{1} << 20;  // packed and inflated, for libdeflate

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

// Working memory of one thread, kept between members: a wheel may have 20,000 of them.
struct Scratch {
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> whole{libdeflate_alloc_decompressor()};
  std::unique_ptr<inflate_state> stream = std::make_unique_for_overwrite<inflate_state>();
  std::vector<std::byte> in, out;

  std::span<std::byte> input(std::size_t size) { return grow(in, size); }
  std::span<std::byte> output(std::size_t size) { return grow(out, size); }

 private:
  static std::span<std::byte> grow(std::vector<std::byte>& bytes, std::size_t size) {
    if (bytes.size() < size) bytes.resize(std::max(size, chunk_size));
    return std::span(bytes).first(size);
  }
};

// Counts and checks what goes to the sink.
class Checked {
 public:
  Checked(const Entry& entry, Sink& sink) : entry_(entry), sink_(sink) {}
  std::uint64_t taken() const { return taken_; }
  void take(std::span<const std::byte> chunk) {
    if (chunk.empty()) return;
    crc_ = libdeflate_crc32(crc_, chunk.data(), chunk.size());
    taken_ += chunk.size();
    sink_.take(chunk);
  }
  Result<void> finish() const {
    if (taken_ != entry_.size)
      return reject_member(entry_.path.text(), "it inflates to {} bytes, not the {} that are declared", taken_,
                           entry_.size);
    if (crc_ != entry_.crc32)
      return reject_member(entry_.path.text(), "its bytes have CRC-32 {:08x}, not {:08x} as declared: it is damaged",
                           crc_, entry_.crc32);
    return {};
  }

 private:
  const Entry& entry_;
  Sink& sink_;
  std::uint64_t taken_ = 0;
  std::uint32_t crc_ = 0;
};

std::unexpected<Error> damaged(const Entry& e) { return reject_member(e.path.text(), "its deflate stream is damaged"); }
std::unexpected<Error> too_long(const Entry& e) {
  return reject_member(e.path.text(), "it inflates to more than the {} bytes that are declared", e.size);
}
std::unexpected<Error> followed(const Entry& e, std::uint64_t bytes) {
  return reject_member(e.path.text(), "{} bytes follow the end of its deflate stream", bytes);
}

Result<void> copy_stored(const File& file, const Entry& entry, Scratch& scratch, Checked& checked) {
  for (std::uint64_t at = 0; at < entry.size;) {
    const auto bytes = scratch.output(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, entry.size - at)));
    if (auto ok = file.read_at(entry.data_offset + at, bytes); !ok) return ok;
    checked.take(bytes);
    at += bytes.size();
  }
  return checked.finish();
}

Result<void> inflate_whole(const File& file, const Entry& entry, Scratch& scratch, Checked& checked) {
  const auto in = scratch.input(static_cast<std::size_t>(entry.packed_size));
  if (auto ok = file.read_at(entry.data_offset, in); !ok) return ok;
  const auto out = scratch.output(static_cast<std::size_t>(entry.size));
  std::size_t used = 0, made = 0;

  switch (libdeflate_deflate_decompress_ex(scratch.whole.get(), in.data(), in.size(), out.data(), out.size(), &used,
                                           &made)) {
    case LIBDEFLATE_SUCCESS:
      break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return too_long(entry);
    default:
      return damaged(entry);
  }
  if (used != in.size()) return followed(entry, in.size() - used);
  checked.take(out.first(made));
  return checked.finish();
}

// The packed bytes of a member, fed to ISA-L in pieces far below the 32-bit counters of its state.
class Feed {
 public:
  Feed(const File& file, const Entry& entry, Scratch& scratch)
      : file_(file), offset_(entry.data_offset), left_(entry.packed_size), scratch_(scratch) {}
  std::uint64_t left() const { return left_; }
  Result<void> refill(inflate_state& state) {
    if (state.avail_in != 0 || left_ == 0) return {};
    const auto bytes = scratch_.input(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, left_)));
    if (auto ok = file_.read_at(offset_, bytes); !ok) return ok;
    offset_ += bytes.size();
    left_ -= bytes.size();
    state.next_in = reinterpret_cast<std::uint8_t*>(bytes.data());
    state.avail_in = static_cast<std::uint32_t>(bytes.size());
    return {};
  }

 private:
  const File& file_;
  std::uint64_t offset_, left_;
  Scratch& scratch_;
};

// Fills `out` as far as the stream goes; the number of bytes made.
Result<std::size_t> fill(inflate_state& state, Feed& feed, std::span<std::byte> out, const Entry& entry) {
  state.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  state.avail_out = static_cast<std::uint32_t>(out.size());
  while (state.avail_out != 0 && state.block_state != ISAL_BLOCK_FINISH) {
    if (auto ok = feed.refill(state); !ok) return pass_on(ok);
    const auto before = std::pair(state.avail_in, state.avail_out);
    if (isal_inflate(&state) != ISAL_DECOMP_OK) return damaged(entry);
    const bool stuck = before == std::pair(state.avail_in, state.avail_out) && state.block_state != ISAL_BLOCK_FINISH;
    if (stuck && state.avail_in == 0 && feed.left() == 0)
      return reject_member(entry.path.text(), "its deflate stream ends too early");
    if (stuck) return damaged(entry);
  }
  return out.size() - state.avail_out;
}

Result<void> inflate_stream(const File& file, const Entry& entry, Scratch& scratch, Checked& checked) {
  inflate_state& state = *scratch.stream;
  isal_inflate_init(&state);
  state.avail_in = 0;
  Feed feed(file, entry, scratch);
  while (state.block_state != ISAL_BLOCK_FINISH) {
    // Room for one byte more than declared, to see that there is none.
    const std::uint64_t room = entry.size + 1 - checked.taken();
    const auto out = scratch.output(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, room)));
    const auto made = fill(state, feed, out, entry);
    if (!made) return std::unexpected(made.error());
    if (*made > entry.size - checked.taken()) return too_long(entry);
    checked.take(out.first(*made));
  }
  const std::uint64_t unused = feed.left() + state.avail_in + static_cast<std::uint64_t>(state.read_in_length / 8);
  if (unused != 0) return followed(entry, unused);
  return checked.finish();
}

}  // namespace

Result<void> unpack(const File& file, const Entry& entry, Sink& sink) {
  static thread_local Scratch scratch;
  Checked checked(entry, sink);
  if (entry.method == 0) return copy_stored(file, entry, scratch, checked);
  if (scratch.whole != nullptr && entry.packed_size <= whole_limit && entry.size <= whole_limit)
    return inflate_whole(file, entry, scratch, checked);
  return inflate_stream(file, entry, scratch, checked);
}

}  // namespace wheelcheck::archive
