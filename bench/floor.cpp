// The minimum cost of an audit, for comparison: one pass over a wheel that inflates what an audit must read and hashes
// it, with the fastest maintained libraries, and does nothing else. docs/performance.md compares wheelcheck with it.
#include <libdeflate.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/first_bytes.h"
#include "bench/inflate.h"
#include "bench/zip.h"

namespace bench {
namespace {

struct Options {
  const char* wheel = nullptr;
  bool elf_only = false, python_too = false;
  unsigned jobs = 1;
  std::uint64_t whole = default_whole;
};

struct Totals {
  std::atomic<std::uint64_t> members = 0, bytes = 0, damaged = 0;
};

// CRC-32, and SHA-256 if requested, of one member after another.
class Digests final : public Sink {
 public:
  explicit Digests(EVP_MD* algorithm)
      : algorithm_(algorithm), context_(algorithm != nullptr ? EVP_MD_CTX_new() : nullptr) {}
  Digests(const Digests&) = delete;
  Digests& operator=(const Digests&) = delete;
  ~Digests() override { EVP_MD_CTX_free(context_); }

  void start() {
    crc_ = 0;
    if (context_ != nullptr) EVP_DigestInit_ex2(context_, algorithm_, nullptr);
  }
  void take(std::span<const std::uint8_t> bytes) override {
    crc_ = libdeflate_crc32(crc_, bytes.data(), bytes.size());
    if (context_ != nullptr) EVP_DigestUpdate(context_, bytes.data(), bytes.size());
  }
  std::uint32_t finish() {
    if (context_ != nullptr) EVP_DigestFinal_ex(context_, digest_.data(), nullptr);
    return crc_;
  }

 private:
  EVP_MD* algorithm_;
  EVP_MD_CTX* context_;
  std::uint32_t crc_ = 0;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest_{};
};

class Worker {
 public:
  Worker(const Wheel& wheel, const Options& options, EVP_MD* algorithm, Totals& totals)
      : wheel_(wheel),
        elf_only_(options.elf_only),
        python_too_(options.python_too),
        inflater_(wheel, options.whole),
        digests_(algorithm),
        totals_(totals) {}

  void read(const Member& member) {
    // The member's first bytes are read together with its local header, in one call.
    std::array<std::uint8_t, local_length + 1200> head;
    const auto targets = std::span(head).first(elf_only_ ? head.size() : local_length);
    const auto got = targets.first(wheel_.read(member.header, targets));
    if (got.size() < local_length) return damaged();
    const std::size_t skipped = length_of_local(got);
    const bool is_asked_for = !elf_only_ || (python_too_ && member.python);
    if (!is_asked_for && !may_be_elf(member, got.subspan(std::min(skipped, got.size())))) return;
    digests_.start();
    if (!inflater_.unpack(member, member.header + skipped, digests_)) return damaged();
    if (digests_.finish() != member.crc) return damaged();
    ++totals_.members;
    totals_.bytes += member.size;
  }

 private:
  // If the first bits are not sufficient, the member is read, which happens once in many wheels.
  static bool may_be_elf(const Member& member, std::span<const std::uint8_t> start) {
    if (member.size < 4) return false;
    if (start.size() < 600 && start.size() < member.packed) return true;
    return (member.method == 0 ? start_of_stored(start) : start_of_deflated(start)) != Start::Other;
  }
  void damaged() { ++totals_.damaged; }

  const Wheel& wheel_;
  bool elf_only_, python_too_;
  Inflater inflater_;
  Digests digests_;
  Totals& totals_;
};

// The largest member comes first, so that no thread works alone on a large one at the end.
void read_all(const Options& options, Totals& totals) {
  const Wheel wheel(options.wheel);
  std::vector<const Member*> order;
  order.reserve(wheel.members().size());
  for (const Member& member : wheel.members()) order.push_back(&member);
  if (options.jobs > 1) std::ranges::stable_sort(order, std::greater{}, [](const Member* one) { return one->size; });

  EVP_MD* algorithm = nullptr;
  if (!options.elf_only) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr);
    algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Worker worker(wheel, options, algorithm, totals);
    for (std::size_t i = next++; i < order.size(); i = next++) worker.read(*order[i]);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < options.jobs; ++i) others.emplace_back(work);
  work();
}

int usage() {
  std::fputs("floor [--elf-only [--python-too]] [-j THREADS] [--whole-below BYTES] WHEEL\n", stderr);
  return 2;
}

int run(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--elf-only") {
      options.elf_only = true;
    } else if (word == "--python-too") {
      options.python_too = true;
    } else if (word == "-j" && has_value) {
      options.jobs = static_cast<unsigned>(std::max(1L, std::strtol(words[++i], nullptr, 10)));
    } else if (word == "--whole-below" && has_value) {
      options.whole = std::strtoull(words[++i], nullptr, 10);
    } else if (!word.starts_with('-') && options.wheel == nullptr) {
      options.wheel = words[i];
    } else {
      return usage();
    }
  }
  if (options.wheel == nullptr) return usage();
  Totals totals;
  read_all(options, totals);
  std::printf("%llu members, %llu bytes, %llu damaged\n", static_cast<unsigned long long>(totals.members),
              static_cast<unsigned long long>(totals.bytes), static_cast<unsigned long long>(totals.damaged));
  return totals.damaged == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int count, char** words) { return bench::run(count, words); }
