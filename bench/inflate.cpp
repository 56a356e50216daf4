#include "bench/inflate.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <sys/mman.h>

#include <algorithm>

namespace bench {
namespace {

constexpr std::size_t window = std::size_t{256} << 10;  // input and output: fits in the L2 cache

}  // namespace

Buffer::~Buffer() {
  if (bytes_ != nullptr) munmap(bytes_, size_);
}

std::span<std::uint8_t> Buffer::first(std::size_t size) {
  if (size > size_) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    const bool huge = size > huge_page / 2;  // for less, clearing such a page costs more than it saves
    const std::size_t step = huge ? huge_page : window;
    if (bytes_ != nullptr) munmap(bytes_, size_);
    size_ = (size + step - 1) / step * step;
    void* const made = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) give_up("no memory");
    if (huge) madvise(made, size_, MADV_HUGEPAGE);
    bytes_ = static_cast<std::uint8_t*>(made);
  }
  return {bytes_, size};
}

struct Inflater::Libraries {
  libdeflate_decompressor* whole = libdeflate_alloc_decompressor();
  std::unique_ptr<inflate_state> stream = std::make_unique_for_overwrite<inflate_state>();
  Libraries() = default;
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;
  ~Libraries() { libdeflate_free_decompressor(whole); }
};

Inflater::Inflater(const Wheel& wheel, std::uint64_t whole)
    : wheel_(wheel), whole_(whole), libraries_(std::make_unique<Libraries>()) {}
Inflater::~Inflater() = default;

bool Inflater::unpack(const Member& member, std::uint64_t data, Sink& sink) {
  if (member.method == 0) return copy(member, data, sink);
  return member.size <= whole_ ? at_once(member, data, sink) : streamed(member, data, sink);
}

bool Inflater::copy(const Member& member, std::uint64_t data, Sink& sink) {
  for (std::uint64_t at = 0; at < member.size;) {
    const auto piece = in_.first(std::min<std::uint64_t>(window, member.size - at));
    if (wheel_.read(data + at, piece) != piece.size()) return false;
    sink.take(piece);
    at += piece.size();
  }
  return true;
}

bool Inflater::at_once(const Member& member, std::uint64_t data, Sink& sink) {
  const auto packed = in_.first(member.packed), out = out_.first(member.size);
  if (wheel_.read(data, packed) != packed.size()) return false;
  if (libdeflate_deflate_decompress(libraries_->whole, packed.data(), packed.size(), out.data(), out.size(), nullptr) !=
      LIBDEFLATE_SUCCESS)
    return false;
  sink.take(out);
  return true;
}

bool Inflater::streamed(const Member& member, std::uint64_t data, Sink& sink) {
  const auto out = out_.first(window);
  inflate_state& state = *libraries_->stream;
  isal_inflate_init(&state);
  state.avail_in = 0;
  std::uint64_t fed = 0, made = 0;
  while (state.block_state != ISAL_BLOCK_FINISH) {
    state.next_out = out.data();
    state.avail_out = window;
    while (state.avail_out != 0 && state.block_state != ISAL_BLOCK_FINISH) {
      if (state.avail_in == 0) {
        const auto piece = in_.first(std::min<std::uint64_t>(window, member.packed - fed));
        if (piece.empty() || wheel_.read(data + fed, piece) != piece.size()) return false;
        fed += piece.size();
        state.next_in = piece.data();
        state.avail_in = static_cast<std::uint32_t>(piece.size());
      }
      if (isal_inflate(&state) != ISAL_DECOMP_OK) return false;
    }
    const std::size_t got = window - state.avail_out;
    made += got;
    sink.take(out.first(got));
  }
  return made == member.size;
}

}  // namespace bench
