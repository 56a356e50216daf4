// Two inflate libraries are used, each where it is fastest (docs/performance.md). libdeflate needs all bytes at once
// and is best for small members. ISA-L streams through a window, so memory does not grow with the member. zlib starts
// fastest and is used if only the first bytes are needed.
//
// libdeflate and ISA-L accept every stream that zlib accepts, and a few that zlib refuses (code sets with gaps, symbols
// 286 and 287, distances 30 and 31). Such a member passes only if its size and CRC-32 are correct, so its content is
// still unambiguous.
#include "archive/inflate.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

#include "archive/fields.h"
#include "archive/scratch_buffer.h"
#include "base/memory.h"

namespace wheelcheck::archive {
namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

// Working memory of one thread, kept between members because a wheel may have 20,000 of them.
struct Scratch {
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> whole{allocated(libdeflate_alloc_decompressor())};
  std::unique_ptr<inflate_state> stream;
  ScratchBuffer in, out;

  inflate_state& state() {
    if (!stream) stream = std::make_unique_for_overwrite<inflate_state>();
    return *stream;
  }
};
Scratch& scratch() {
  static thread_local Scratch of_this_thread;
  return of_this_thread;
}

std::unexpected<Error> wrong_size(const Entry& e, std::uint64_t size) {
  return reject_member(e.path.text(), "it inflates to {} bytes, not the {} that are declared", size, e.size);
}

// Counts and checks the bytes that go to the sink.
class Checked {
 public:
  Checked(const Entry& entry, Sink& sink) : entry_(entry), sink_(sink) {}
  std::uint64_t taken() const { return taken_; }
  std::span<std::byte> buffer() {
    const std::span<std::byte> wanted = sink_.buffer();
    return wanted.empty() ? scratch().out.get(chunk_size) : wanted;
  }
  void take(std::span<const std::byte> chunk) {
    if (chunk.empty()) return;
    crc_ = libdeflate_crc32(crc_, chunk.data(), chunk.size());
    taken_ += chunk.size();
    sink_.take(chunk);
  }
  Result<void> finish() const {
    if (taken_ != entry_.size) return wrong_size(entry_, taken_);
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

bool is_small(const Entry& entry) { return entry.packed_size <= whole_limit && entry.size <= whole_limit; }

Result<void> copy_whole(const File& file, const Entry& entry, Checked& checked) {
  const auto bytes = scratch().out.get(static_cast<std::size_t>(entry.size));
  if (auto ok = file.read_at(entry.data_offset, bytes); !ok) return ok;
  checked.take(bytes);
  return checked.finish();
}

Result<void> copy_stream(const File& file, const Entry& entry, Checked& checked) {
  for (std::uint64_t at = 0; at < entry.size;) {
    const auto bytes =
        checked.buffer().first(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, entry.size - at)));
    if (auto ok = file.read_at(entry.data_offset + at, bytes); !ok) return ok;
    checked.take(bytes);
    at += bytes.size();
  }
  return checked.finish();
}

Result<void> inflate_whole(const File& file, const Entry& entry, Checked& checked) {
  const auto in = scratch().in.get(static_cast<std::size_t>(entry.packed_size));
  if (auto ok = file.read_at(entry.data_offset, in); !ok) return ok;
  const auto out = scratch().out.get(static_cast<std::size_t>(entry.size));
  std::size_t used = 0, made = 0;

  switch (libdeflate_deflate_decompress_ex(scratch().whole.get(), in.data(), in.size(), out.data(), out.size(), &used,
                                           &made)) {
    case LIBDEFLATE_SUCCESS:
      break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return too_long(entry);
    default:
      return damaged(entry);
  }
  if (used != in.size()) return followed(entry, in.size() - used);
  // A sink that keeps pages accepts a chunk that is not a multiple of the page size only at the end of the member.
  if (made != out.size()) return wrong_size(entry, made);
  checked.take(out.first(made));
  return checked.finish();
}

}  // namespace

struct Trail::Mark {
  std::uint64_t in = 0, out = 0;  // packed and inflated bytes before it
  // An inflate_state without what is not valid of its last member, the window of 32 to 64 KB.
  std::unique_ptr<std::byte[]> state;
  std::size_t size = 0;  // bytes
};
Trail::Trail() = default;
Trail::~Trail() = default;

// A deflate stream that is passed to ISA-L in pieces far smaller than the 32-bit counters of its state allow.
class Stream {
 public:
  Stream(const File& file, const Entry& entry) : file_(file), entry_(entry), state_(scratch().state()) {
    isal_inflate_init(&state_);
    state_.avail_in = 0;
  }
  // Resumes at the last mark before `place`.
  Stream(const File& file, const Entry& entry, const Trail& trail, std::uint64_t place) : Stream(file, entry) {
    const auto after = std::ranges::upper_bound(trail.marks_, place, {}, [](const auto& mark) { return mark->out; });
    const Trail::Mark* mark = after == trail.marks_.begin() ? nullptr : std::prev(after)->get();
    const Trail::Mark* const last = trail.last_.get();
    if (last != nullptr && last->out <= place && (mark == nullptr || mark->out < last->out)) mark = last;
    if (mark == nullptr) return;
    std::memcpy(&state_, mark->state.get(), mark->size);
    state_.avail_in = 0;
    read_ = mark->in;
    made_ = mark->out;
  }

  std::uint64_t made() const { return made_; }
  bool ended() const { return state_.block_state == ISAL_BLOCK_FINISH; }
  std::uint64_t unused() const {
    return entry_.packed_size - read_ + state_.avail_in + static_cast<std::uint64_t>(state_.read_in_length / 8);
  }

  // Fills `out` as far as the stream reaches. Returns the number of bytes written.
  Result<std::size_t> fill(std::span<std::byte> out) {
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = static_cast<std::uint32_t>(out.size());
    while (state_.avail_out != 0 && !ended()) {
      if (auto ok = refill(); !ok) return pass_on(ok);
      const auto before = std::pair(state_.avail_in, state_.avail_out);
      if (isal_inflate(&state_) != ISAL_DECOMP_OK) return damaged(entry_);
      const bool stuck = before == std::pair(state_.avail_in, state_.avail_out) && !ended();
      if (stuck && state_.avail_in == 0 && read_ == entry_.packed_size)
        return reject_member(entry_.path.text(), "its deflate stream ends too early");
      if (stuck) return damaged(entry_);
    }
    const std::size_t made = out.size() - state_.avail_out;
    made_ += made;
    return made;
  }

  void mark(Trail& trail) const { trail.marks_.push_back(here()); }
  void mark_end(Trail& trail) const { trail.last_ = here(); }

 private:
  std::unique_ptr<const Trail::Mark> here() const {
    auto mark = std::make_unique<Trail::Mark>();
    mark->in = read_ - state_.avail_in;
    mark->out = made_;
    mark->size = offsetof(inflate_state, tmp_out_buffer) + static_cast<std::size_t>(state_.tmp_out_valid);
    mark->state = std::make_unique_for_overwrite<std::byte[]>(mark->size);
    std::memcpy(mark->state.get(), &state_, mark->size);
    return mark;
  }

  Result<void> refill() {
    const std::uint64_t left = entry_.packed_size - read_;
    if (state_.avail_in != 0 || left == 0) return {};
    const auto bytes = scratch().in.get(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, left)));
    if (auto ok = file_.read_at(entry_.data_offset + read_, bytes); !ok) return ok;
    read_ += bytes.size();
    state_.next_in = reinterpret_cast<std::uint8_t*>(bytes.data());
    state_.avail_in = static_cast<std::uint32_t>(bytes.size());
    return {};
  }

  const File& file_;
  const Entry& entry_;
  inflate_state& state_;
  std::uint64_t read_ = 0, made_ = 0;  // packed and inflated bytes
};

namespace {

// Bytes between two marks of a trail. It balances the bytes that a second pass inflates in vain against 55 KB per mark.
std::uint64_t spacing(std::uint64_t size) {
  const std::uint64_t least = std::uint64_t{1} << 20, max_marks = 96;
  return std::max(least, size / max_marks / chunk_size * chunk_size);
}

Result<void> inflate_stream(const File& file, const Entry& entry, Checked& checked, Trail* trail) {
  Stream stream(file, entry);
  const std::uint64_t apart = spacing(entry.size);
  std::uint64_t next_mark = apart;
  while (!stream.ended()) {
    // Space for one byte more than declared, to detect a stream that is too long.
    const std::uint64_t max = entry.size + 1 - checked.taken();
    const auto out = checked.buffer().first(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, max)));
    const auto made = stream.fill(out);
    if (!made) return std::unexpected(made.error());
    if (*made > entry.size - checked.taken()) return too_long(entry);
    if (stream.ended() && checked.taken() + *made != entry.size) return wrong_size(entry, checked.taken() + *made);
    checked.take(out.first(*made));
    if (trail != nullptr && stream.made() >= next_mark && !stream.ended()) {
      stream.mark(*trail);
      next_mark = stream.made() + apart;
    }
  }
  if (stream.unused() != 0) return followed(entry, stream.unused());
  return checked.finish();
}

Result<std::uint64_t> copy_again(const File& file, const Entry& entry, std::uint64_t begin, std::uint64_t end,
                                 Sink& sink) {
  for (std::uint64_t at = begin; at < end;) {
    const auto bytes = scratch().out.get(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, end - at)));
    if (auto ok = file.read_at(entry.data_offset + at, bytes); !ok) return pass_on(ok);
    sink.take(bytes);
    at += bytes.size();
  }
  return end - begin;
}

}  // namespace

Result<void> unpack(const File& file, const Entry& entry, Sink& sink, Trail* trail) {
  Checked checked(entry, sink);
  if (entry.method == 0) return is_small(entry) ? copy_whole(file, entry, checked) : copy_stream(file, entry, checked);
  if (scratch().whole != nullptr && is_small(entry)) return inflate_whole(file, entry, checked);
  return inflate_stream(file, entry, checked, trail);
}

Result<std::uint64_t> unpack_again(const File& file, const Entry& entry, Trail& trail, std::uint64_t begin,
                                   std::uint64_t end, Sink& sink) {
  if (entry.method == 0) return copy_again(file, entry, begin, end, sink);
  Stream stream(file, entry, trail, begin);
  const std::uint64_t from = stream.made();
  while (stream.made() < end) {
    const std::uint64_t at = stream.made();
    const auto out = scratch().out.get(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, end - at)));
    const auto made = stream.fill(out);
    if (!made) return std::unexpected(made.error());
    if (*made != out.size()) return damaged(entry);
    const std::uint64_t first = std::max(begin, at), last = at + *made;
    if (first < last) sink.take(out.subspan(first - at));
  }
  stream.mark_end(trail);
  return stream.made() - from;
}

void release_working_memory() {
  scratch().in.give_back();
  scratch().out.give_back();
}

std::optional<FirstBytes> read_start(const File& file, const Entry& entry) {
  std::array<std::byte, FirstBytes::max> out;
  const auto start = std::span(out).first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), entry.size)));
  // The header and tables of a deflate block are smaller than this.
  std::array<std::byte, 1024> in;
  const auto head =
      std::span(in).first(static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), entry.packed_size)));
  if (!file.read_at(entry.data_offset, head)) return std::nullopt;
  if (entry.method == 0) return FirstBytes(head);
  static thread_local struct Beginning {
    z_stream stream{};
    bool usable = inflateInit2(&stream, -MAX_WBITS) == Z_OK;
    ~Beginning() { inflateEnd(&stream); }
  } beginning;
  z_stream& stream = beginning.stream;
  if (!beginning.usable || inflateReset(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(head.data());
  stream.avail_in = static_cast<uInt>(head.size());
  stream.next_out = reinterpret_cast<Bytef*>(start.data());
  stream.avail_out = static_cast<uInt>(start.size());
  const int status = ::inflate(&stream, Z_SYNC_FLUSH);
  const bool known = (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) && stream.avail_out == 0;
  return known ? std::optional(FirstBytes(start)) : std::nullopt;
}

}  // namespace wheelcheck::archive
