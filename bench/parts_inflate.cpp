// Benchmarks of the two inflate libraries of bench/floor, each alone, on machine code (this program's own). The size at
// which they are equally fast is the limit below which libdeflate inflates a member.
#include <benchmark/benchmark.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

namespace bench {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t window = std::size_t{256} << 10;

Bytes code(std::size_t size) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const Bytes all{std::istreambuf_iterator<char>(file), {}};
  Bytes bytes;
  while (bytes.size() < size) bytes.insert(bytes.end(), all.begin(), all.end());
  bytes.resize(size);
  return bytes;
}

Bytes packed(const Bytes& bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> packer(
      libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  Bytes out(libdeflate_deflate_compress_bound(packer.get(), bytes.size()));
  out.resize(libdeflate_deflate_compress(packer.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

// Both compute the checksum of their output, as bench/floor does, because a stream's window is still in the cache then.
void libdeflate(benchmark::State& state) {
  const Bytes in = packed(code(static_cast<std::size_t>(state.range(0))));
  Bytes out(static_cast<std::size_t>(state.range(0)));
  libdeflate_decompressor* const inflater = libdeflate_alloc_decompressor();
  for (auto _ : state) {
    libdeflate_deflate_decompress(inflater, in.data(), in.size(), out.data(), out.size(), nullptr);
    benchmark::DoNotOptimize(libdeflate_crc32(0, out.data(), out.size()));
  }
  libdeflate_free_decompressor(inflater);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void isal(benchmark::State& state) {
  Bytes in = packed(code(static_cast<std::size_t>(state.range(0))));
  Bytes out(window);
  const auto inflater = std::make_unique_for_overwrite<inflate_state>();
  for (auto _ : state) {
    isal_inflate_init(inflater.get());
    inflater->next_in = in.data();
    inflater->avail_in = static_cast<std::uint32_t>(in.size());
    std::uint32_t crc = 0;
    while (inflater->block_state != ISAL_BLOCK_FINISH) {
      inflater->next_out = out.data();
      inflater->avail_out = window;
      if (isal_inflate(inflater.get()) != ISAL_DECOMP_OK) return state.SkipWithError("the stream is damaged");
      crc = libdeflate_crc32(crc, out.data(), window - inflater->avail_out);
    }
    benchmark::DoNotOptimize(crc);
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void sizes(benchmark::internal::Benchmark* of) {
  of->RangeMultiplier(8)->Range(1 << 10, 1 << 28)->Unit(benchmark::kMicrosecond);
}
BENCHMARK(libdeflate)->Apply(sizes);
BENCHMARK(isal)->Apply(sizes);

}  // namespace
}  // namespace bench
