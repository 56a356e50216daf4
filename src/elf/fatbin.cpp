// Reads NVIDIA fat binaries and clang's offload bundles.
//
// The NVIDIA format is documented only by fatbinary.h of the toolkit (magic, version, header size, size). The entries
// are as other open-source readers describe them, and agree with the output of cuobjdump for real files: kind at offset
// 0, header size at 4, size at 8, SM number at 28, flags at 40, size after decompression at 56. The second format is
// LLVM's "Clang Offload Bundler".
#include "elf/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/bytes.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t max_images = 1000;                        // kinds times targets; a real file has about twenty
constexpr std::uint64_t max_unpacked = std::uint64_t{1} << 32;  // of one image; more is not believed

std::uint64_t total(std::span<const FileRange> ranges) {
  std::uint64_t sum = 0;
  for (const FileRange& range : ranges) sum += range.end - range.begin;
  return sum;
}

// "gfx90a" before "gfx1030", "sm_90" before "sm_90a" before "sm_100".
struct NaturalOrder {
  using Key = std::pair<DeviceImage::Kind, std::string>;
  bool operator()(const Key& a, const Key& b) const {
    const auto split = [](const Key& key) {
      const std::size_t digits = std::min(key.second.find_first_of("0123456789"), key.second.size());
      // In a name of AMD the last two digits are hexadecimal and the others have no fixed width, so the length is
      // compared.
      const bool amd = key.first == DeviceImage::Kind::AmdGpu;
      const std::size_t end =
          std::min(amd ? key.second.find(':') : key.second.find_first_not_of("0123456789", digits), key.second.size());
      return std::tuple(key.first, key.second.substr(0, digits), end - digits, std::string_view(key.second));
    };
    return split(a) < split(b);
  }
};

class Images {
 public:
  void add(DeviceImage::Kind kind, std::string target, std::uint64_t bytes, std::uint64_t unpacked) {
    const std::pair key(kind, std::move(target));
    auto at = images_.find(key);
    if (at == images_.end() && images_.size() == max_images) return;
    if (at == images_.end()) at = images_.try_emplace(key).first;
    ++at->second.count;
    at->second.bytes += bytes;
    at->second.unpacked += std::min(unpacked, max_unpacked);
  }
  std::vector<DeviceImage> take() const {
    std::vector<DeviceImage> out;
    for (const auto& [key, sum] : images_) out.push_back({key.first, key.second, sum.count, sum.bytes, sum.unpacked});
    return out;
  }

 private:
  struct Sum {
    std::uint32_t count = 0;
    std::uint64_t bytes = 0, unpacked = 0;
  };
  std::map<std::pair<DeviceImage::Kind, std::string>, Sum, NaturalOrder> images_;
};

// --- NVIDIA -------------------------------------------------------------------------------------------------------
constexpr std::array<unsigned char, 4> nvidia_magic = {0x50, 0xED, 0x55, 0xBA};  // in the order of the file
constexpr std::uint64_t container_head = 16, least_entry = 64, max_entry = 4096;

constexpr std::uint64_t next_word(std::uint64_t at) { return (at + 7) & ~std::uint64_t{7}; }

void add_entry(const Bytes& entry, Images& images) {
  constexpr std::uint16_t ptx = 1, cubin = 2, other_cubin = 16;
  // Flags as written by fatbinary of CUDA 13: "a" runs only on that architecture, "f" on its family.
  constexpr std::uint64_t this_architecture = 0x100000, this_family = 0x200000;
  constexpr std::uint64_t is_compressed = 0x1000 | 0x2000 | 0x8000;  // two forms of LZ4, Zstandard
  const std::uint16_t kind = *entry.read<std::uint16_t>(0);
  const std::uint64_t size = *entry.read<std::uint64_t>(8), flags = *entry.read<std::uint64_t>(40);
  const std::string_view suffix = (flags & this_architecture) != 0 ? "a" : (flags & this_family) != 0 ? "f" : "";
  const std::string target = fmt::format("{}{}", *entry.read<std::uint32_t>(28), suffix);
  const std::uint64_t unpacked = (flags & is_compressed) != 0 ? *entry.read<std::uint64_t>(56) : size;
  if (kind == ptx)
    images.add(DeviceImage::Kind::Ptx, "compute_" + target, size, unpacked);
  else if (kind == cubin || kind == other_cubin)
    images.add(DeviceImage::Kind::Cubin, "sm_" + target, size, unpacked);
  else
    images.add(DeviceImage::Kind::Other, "sm_" + target, size, unpacked);
}

// Reads the container at `at` and returns the offset to continue at. No byte is read twice, so the time is linear for
// any input.
std::uint64_t read_container(const File& file, std::uint64_t at, std::uint64_t limit, Images& images,
                             std::uint64_t& bytes) {
  if (limit - at < container_head) return limit;
  FatbinWalk walk(at, limit);
  for (bool more = true; more;) {
    const FileRange wanted = walk.wanted();
    const Bytes header = *file.slice(wanted.begin, wanted.end - wanted.begin);
    more = walk.take(header.data());
    if (walk.entry()) add_entry(header, images);
  }
  bytes += walk.read();
  return walk.end();
}

std::uint64_t read_nvidia(const File& file, FileRange range, Images& images) {
  std::uint64_t read = 0;
  // Containers are aligned in memory and therefore in the file. A range that another one cut off may not be aligned.
  range.begin = std::min(next_word(range.begin), range.end);
  // Headers are requested one by one, so no bytes around a part are needed.
  file.search(range, 0, File::Search::Marks, [&](FileRange part) {
    std::uint64_t at = part.begin;
    while (at < part.end) {
      at = find_fatbin(file.unchecked(), at, part.end);
      if (at < part.end) at = read_container(file, at, range.end, images, read);
    }
    return at;
  });
  return read;
}

// --- AMD ----------------------------------------------------------------------------------------------------------
constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__", packed_magic = "CCOB";

// "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-" -> "gfx90a:xnack-"; "" for the host's part.
std::string_view target_of(std::string_view id) {
  const std::size_t at = id.find("gfx");
  return id.starts_with("host") || at == std::string_view::npos ? std::string_view() : id.substr(at);
}

std::uint64_t read_bundle(const File& file, std::uint64_t at, std::uint64_t limit, Images& images,
                          std::uint64_t& bytes) {
  const std::uint64_t begin = at;
  std::uint64_t end = at + bundle_magic.size();
  const auto slice = [&](std::uint64_t from, std::uint64_t length) {
    return from <= limit && length <= limit - from ? file.slice(from, length) : std::nullopt;
  };
  const auto head = slice(end, 8);
  const std::uint64_t count = head ? *head->read<std::uint64_t>(0) : 0;
  at = end + 8;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = slice(at, 24);
    if (!entry) break;
    const std::uint64_t offset = *entry->read<std::uint64_t>(0), size = *entry->read<std::uint64_t>(8),
                        name_size = *entry->read<std::uint64_t>(16);
    if (name_size > 1024) break;
    const auto name = slice(at + 24, name_size);
    if (!name || offset > limit - begin || size > limit - begin - offset) break;
    at += 24 + name_size;
    end = std::max(end, begin + offset + size);
    if (const std::string_view target = target_of(name->as_text()); !target.empty())
      images.add(DeviceImage::Kind::AmdGpu, std::string(target.substr(0, 64)), size, size);
  }
  end = std::max(end, std::min(at, limit));
  bytes += end - begin;
  return end;
}

// A compressed bundle. Version 1 contains only the size after decompression, later versions both
// (llvm/Object/OffloadBundle.h). The targets are compressed too.
std::uint64_t read_packed(const File& file, std::uint64_t at, std::uint64_t limit, Images& images,
                          std::uint64_t& bytes) {
  const Bytes data = *file.slice(at, std::min<std::uint64_t>(24, limit - at));
  const auto version = data.read<std::uint16_t>(4);
  std::optional<std::uint64_t> size, unpacked;
  if (version == 1) unpacked = data.read<std::uint32_t>(8);
  if (version == 2) size = data.read<std::uint32_t>(8), unpacked = data.read<std::uint32_t>(12);
  if (version >= 3) size = data.read<std::uint64_t>(8), unpacked = data.read<std::uint64_t>(16);
  if (!version || *version == 0 || *version > 16 || (size && *size > limit - at)) return at + packed_magic.size();
  images.add(DeviceImage::Kind::AmdGpu, "compressed", size.value_or(0), unpacked.value_or(0));
  bytes += size.value_or(0);
  return at + std::max<std::uint64_t>(size.value_or(0), packed_magic.size());
}

std::uint64_t read_amd(const File& file, FileRange range, bool packed, Images& images) {
  const std::string_view text = Bytes(file.unchecked().first(range.end)).as_text();
  std::uint64_t read = 0;
  file.search(range, bundle_magic.size(), File::Search::Everything, [&](FileRange part) {
    std::uint64_t at = part.begin;
    while (at < part.end) {
      if (text.substr(at).starts_with(bundle_magic)) {
        at = read_bundle(file, at, range.end, images, read);
      } else if (packed && text.substr(at).starts_with(packed_magic)) {
        at = read_packed(file, at, range.end, images, read);
      } else {
        // Search for the first characters of the two magics; memchr is faster than a search for either text.
        const auto next = [&](char c) {
          const auto* const found = static_cast<const char*>(std::memchr(text.data() + at + 1, c, part.end - at - 1));
          return found == nullptr ? part.end : static_cast<std::uint64_t>(found - text.data());
        };
        at = packed ? std::min(next('_'), next('C')) : next('_');
      }
    }
    return at;
  });
  return read;
}

}  // namespace

std::uint64_t find_fatbin(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end) {
  const auto magic = std::bit_cast<std::uint32_t>(nvidia_magic);
  // Compares 32 words at a time. Every second word cannot be a start, but one instruction compares four words.
  using Words [[gnu::vector_size(16)]] = std::uint32_t;
  constexpr std::uint64_t stride = 128;
  const Words wanted = {magic, magic, magic, magic};
  const auto words_at = [&](std::uint64_t at) {
    Words words;
    std::memcpy(&words, bytes.data() + at, sizeof words);
    return words;
  };
  const auto matches = [&](std::uint64_t at) {
    return (words_at(at) == wanted) | (words_at(at + 16) == wanted) | (words_at(at + 32) == wanted) |
           (words_at(at + 48) == wanted);
  };
  const auto holds_magic = [&](std::uint64_t at) {
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(matches(at) | matches(at + 64));
    return (halves[0] | halves[1]) != 0;
  };
  for (std::uint64_t at = next_word(begin); at + 4 <= end;) {
    if (at + stride <= end && !holds_magic(at)) {
      at += stride;
      continue;
    }
    for (const std::uint64_t stop = std::min(at + stride, end); at < stop; at += 8) {
      std::uint32_t word = 0;
      if (at + 4 > end) break;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (word == magic) return at;
    }
  }
  return end;
}

FileRange FatbinWalk::wanted() const { return {at_ + have_, at_ + (begin_ == at_ ? container_head : least_entry)}; }

bool FatbinWalk::take(std::span<const std::byte> bytes) {
  entry_ = false;
  std::ranges::copy(bytes, header_.begin() + static_cast<std::ptrdiff_t>(have_));
  have_ += bytes.size();
  if (wanted().begin < wanted().end) return true;
  const bool container = begin_ == at_;
  const std::span<const std::byte> taken(header_);
  const Bytes header(taken.first(have_));
  have_ = 0;
  return container ? enter(header) : step(header);
}

bool FatbinWalk::enter(const Bytes& header) {
  const std::uint64_t head = *header.read<std::uint16_t>(6), size = *header.read<std::uint64_t>(8);
  const std::uint64_t available = limit_ - begin_;
  if (*header.read<std::uint16_t>(4) != 1 || head < container_head || head > available || size > available - head) {
    end_ = begin_ + 8;
    return false;
  }
  last_ = begin_ + head + size;
  return move_to(begin_ + head);
}

bool FatbinWalk::step(const Bytes& header) {
  const std::uint64_t head = *header.read<std::uint32_t>(4), payload = *header.read<std::uint64_t>(8);
  if (head < least_entry || head > max_entry || head > last_ - at_ || payload > last_ - at_ - head) {
    end_ = std::min(last_, next_word(at_));
    return false;
  }
  entry_ = true;
  return move_to(at_ + head + payload);
}

bool FatbinWalk::move_to(std::uint64_t place) {
  at_ = place;
  read_ = at_ - begin_;
  end_ = std::min(last_, next_word(at_));
  return last_ - at_ >= least_entry;
}

DeviceCode read_device_code(const File& file, const DataRanges& places, bool sections) {
  Images images;
  for (const FileRange& range : places.nvidia) read_nvidia(file, range, images);
  for (const FileRange& range : places.amd) read_amd(file, range, true, images);
  std::uint64_t bytes = total(places.nvidia) + total(places.amd);
  // "CCOB" is too short to be searched for in all of the data.
  if (!sections)
    for (const FileRange& range : places.data)
      bytes += read_nvidia(file, range, images) + read_amd(file, range, false, images);
  return {.images = images.take(), .bytes = bytes};
}

}  // namespace wheelcheck::elf
