// Measures the cost of unpacking a cache entry, of reading it into facts, and of a JSON parser library on the same
// lines, for docs/cache.md.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cache/packed.h"
#include "facts/cache_format.h"

namespace wheelcheck {
namespace {

double cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// CPU time of the fastest of five runs.
template <class Work>
double cost_of(const Work& work) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 5; ++i) {
    const double start = cpu();
    work();
    least = std::min(least, cpu() - start);
  }
  return least;
}

// Accepts every value and stores none.
struct Nothing : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }
};

int run(const char* entry) {
  std::ifstream in(entry, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  std::size_t bytes = 0;
  const auto unpack = [&](const auto& take) {
    if (!cache::unpack(packed, take)) fmt::print("{} is no whole entry\n", entry);
  };
  const double unpacked = cost_of([&] {
    bytes = 0;
    unpack([&](std::string_view line) { return (bytes += line.size() + 1) > 0; });
  });
  fmt::print("{} MB of {} MB of text unpacked   {:.2f} s\n", packed.size() / 1'000'000, bytes / 1'000'000, unpacked);
  const double facts = cost_of([&] {
    facts::CacheReader reader;
    unpack([&](std::string_view line) { return reader.take(line); });
    if (!reader.finish()) fmt::print("{} holds no facts\n", entry);
  });
  fmt::print("and read into facts           {:.2f} s\n", facts);
  const double parsed = cost_of([&] {
    Nothing sax;
    unpack([&](std::string_view line) { return nlohmann::json::sax_parse(line, &sax); });
  });
  fmt::print("and parsed by nlohmann's SAX  {:.2f} s\n", parsed);
  return 0;
}

}  // namespace
}  // namespace wheelcheck

int main(int count, char** words) {
  if (count == 2) return wheelcheck::run(words[1]);
  fmt::print(stderr, "cache_cost ENTRY\n");
  return 2;
}
