// Fuzz target: any bytes as a facts file, which anybody may have changed on disk. It is rejected, or the facts can be
// written in every output format and are stored as the same lines again.
//
// The seal of a file is a hash that a fuzzer cannot find. So an input is the lines in the file; an input that starts
// like gzip is read as a file.
#include <cstdint>
#include <optional>
#include <string>

#include "cache/cache.h"
#include "cache/packed.h"
#include "facts/cache_format.h"
#include "tests/facts/shown.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judged.h"

namespace wheelcheck::fuzz {
namespace {

struct Kept {
  facts::CacheHeader header;
  WheelFacts wheel;
};

std::optional<Kept> read_lines(std::string_view text) {
  facts::CacheReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!reader.take(text.substr(0, end))) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto header = reader.header();
  auto wheel = reader.finish();
  if (!header || !wheel) return std::nullopt;
  return Kept{*header, std::move(*wheel)};
}

std::string written(const Kept& kept) {
  std::string out;
  facts::write_lines(kept.header, kept.wheel, [&](std::string_view line) { out += std::string(line) + '\n'; });
  return out;
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string_view text = fuzz::text_of(data, size);
  if (text.starts_with("\x1f\x8b")) {
    cache::facts_of(text);
    return 0;
  }
  auto kept = fuzz::read_lines(text);
  if (!kept) return 0;
  const std::string lines = fuzz::written(*kept);
  const auto again = fuzz::read_lines(lines);
  fuzz::demand(again.has_value(), "facts that were read can be kept and read");
  fuzz::demand_same(test::Shown::of(again->wheel), test::Shown::of(kept->wheel), "facts are read as they were kept");
  fuzz::demand_same(fuzz::written(*again), lines, "the same facts are kept as the same lines");
  fuzz::show_everything(std::move(kept->wheel));
  return 0;
}
