// Fuzz target: any bytes as the stream of a member, with any declared size. The output never exceeds that size by more
// than one byte, and for a stream that zlib accepts both inflaters return the output of zlib.
//
// The reverse is not true: a few streams that zlib rejects are accepted (src/archive/inflate.cpp lists them).
#include <libdeflate.h>
#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/fields.h"
#include "archive/inflate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_file.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::uint64_t small_sizes = std::uint64_t{1} << 18, large_sizes = std::uint64_t{2} << 20;

class Collect final : public archive::Sink {
 public:
  explicit Collect(std::uint64_t declared) : declared_(declared) {}
  void take(std::span<const std::byte> chunk) override {
    demand(!ended_, "every chunk but the last is a whole one");
    ended_ = chunk.size() != archive::chunk_size;
    bytes.append(reinterpret_cast<const char*>(chunk.data()), chunk.size());
    demand(bytes.size() <= declared_ + 1, "no more than one byte past the declared size is inflated");
  }
  std::string bytes;

 private:
  std::uint64_t declared_;
  bool ended_ = false;
};

// The output of zlib, if zlib consumes all input and returns `size` bytes.
std::optional<std::string> by_zlib(std::string_view packed, std::uint64_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("zlib can be used");
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  std::string in(packed);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::inflate(&stream, Z_FINISH);
  const bool good = status == Z_STREAM_END && stream.avail_in == 0 && stream.total_out == size;
  inflateEnd(&stream);
  out.resize(static_cast<std::size_t>(size));
  return good ? std::optional(std::move(out)) : std::nullopt;
}

std::uint32_t crc_of(std::string_view bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

void demand_same_again(const archive::File& file, const archive::Entry& entry, archive::Trail& trail,
                       std::string_view bytes, std::uint64_t where) {
  constexpr std::uint64_t page = 4096;
  const std::uint64_t begin = where % (bytes.size() / page + 1) * page;
  const std::uint64_t end = std::min<std::uint64_t>(bytes.size(), begin + 3 * page);
  struct Again final : archive::Sink {
    void take(std::span<const std::byte> chunk) override {
      bytes.append(reinterpret_cast<const char*>(chunk.data()), chunk.size());
    }
    std::string bytes;
  } again;
  if (begin == end) return;
  const auto done = archive::unpack_again(file, entry, trail, begin, end, again);
  demand(done.has_value(), "what was inflated can be inflated again");
  demand_same(again.bytes, bytes.substr(begin, end - begin), "a piece is inflated to the same bytes again");
}

void try_member(std::uint64_t how, std::uint64_t number, std::string_view packed) {
  static MemoryFile place;
  place.write(packed);
  const auto file = archive::File::open(place.path());
  demand(file.has_value(), "the file can be opened");
  // Above the limit a member is streamed, below it is inflated as a whole.
  const bool stored = (how & 1) != 0, large = (how & 6) == 6;
  const std::uint64_t declared = stored  ? packed.size()
                                 : large ? archive::whole_limit + number % large_sizes
                                         : number % small_sizes;
  archive::Entry entry{.path = *MemberPath::parse("member"),
                       .size = declared,
                       .packed_size = packed.size(),
                       .method = static_cast<std::uint16_t>(stored ? 0 : 8)};
  Collect first(declared);
  const bool lucky = archive::unpack(*file, entry, first).has_value();
  demand(!lucky || crc_of(first.bytes) == 0, "a member with another CRC-32 is refused");

  entry.crc32 = crc_of(first.bytes);
  Collect second(declared);
  archive::Trail trail;
  const bool taken = archive::unpack(*file, entry, second, &trail).has_value();
  const auto right = stored ? std::optional(std::string(packed)) : by_zlib(packed, declared);
  if (right) {
    demand(taken, "what zlib takes is taken");
    demand_same(second.bytes, *right, "the content is what zlib makes of it");
  }
  if (!taken) return;
  demand(second.bytes.size() == declared, "a member that is taken has its declared size");
  if (const auto start = archive::read_start(*file, entry))
    demand_same(archive::text_of(start->bytes()), std::string_view(second.bytes).substr(0, archive::FirstBytes::max),
                "a member starts as its start does");
  if (!stored && declared > 0) demand_same_again(*file, entry, trail, second.bytes, number);
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck::fuzz;
  Input input(text_of(data, size));
  const std::uint64_t how = input.number(1), number = input.number(4);
  try_member(how, number, input.rest());
  return 0;
}
