// Reads NVIDIA fat binaries and clang's offload bundles. The first format is described by no document of NVIDIA but
// fatbinary.h of the toolkit (magic, version, header size, size); its entries are as free readers found them, and as
// cuobjdump tells them for real files: kind at 0, header size at 4, size at 8, SM number at 28, flags at 40. The second
// is LLVM's "Clang Offload Bundler" page.
#include "elf/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/bytes.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t most_images = 1000;  // kinds times targets; a real file has some twenty

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
      // In a name of AMD the last two digits are hexadecimal and the rest has no fixed width, so the length decides.
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
  void add(DeviceImage::Kind kind, std::string target, std::uint64_t bytes) {
    const std::pair key(kind, std::move(target));
    auto at = images_.find(key);
    if (at == images_.end() && images_.size() == most_images) return;
    if (at == images_.end()) at = images_.try_emplace(key).first;
    ++at->second.count;
    at->second.bytes += bytes;
  }
  std::vector<DeviceImage> take() const {
    std::vector<DeviceImage> out;
    for (const auto& [key, sum] : images_) out.push_back({key.first, key.second, sum.count, sum.bytes});
    return out;
  }

 private:
  struct Sum {
    std::uint32_t count = 0;
    std::uint64_t bytes = 0;
  };
  std::map<std::pair<DeviceImage::Kind, std::string>, Sum, NaturalOrder> images_;
};

// --- NVIDIA -------------------------------------------------------------------------------------------------------
constexpr std::uint32_t nvidia_magic = 0xBA55ED50;
constexpr std::uint64_t least_entry = 64, most_entry = 4096;

void add_entry(const Bytes& entry, std::uint64_t size, Images& images) {
  constexpr std::uint16_t ptx = 1, cubin = 2, other_cubin = 16;
  // As fatbinary of CUDA 13 writes them: "a" runs on that very architecture, "f" on its family.
  constexpr std::uint64_t this_architecture = 0x100000, this_family = 0x200000;
  const std::uint16_t kind = *entry.read<std::uint16_t>(0);
  const std::uint64_t flags = *entry.read<std::uint64_t>(40);
  const std::string_view suffix = (flags & this_architecture) != 0 ? "a" : (flags & this_family) != 0 ? "f" : "";
  const std::string target = fmt::format("{}{}", *entry.read<std::uint32_t>(28), suffix);
  if (kind == ptx)
    images.add(DeviceImage::Kind::Ptx, "compute_" + target, size);
  else if (kind == cubin || kind == other_cubin)
    images.add(DeviceImage::Kind::Cubin, "sm_" + target, size);
  else
    images.add(DeviceImage::Kind::Other, "sm_" + target, size);
}

// One container at `at`; where to go on. What cannot be a container is passed over word by word, and what was read once
// is not read again, so the time is linear whatever the bytes say.
std::uint64_t read_container(const Bytes& data, std::uint64_t at, Images& images, std::uint64_t& bytes) {
  const auto header_size = data.read<std::uint16_t>(at + 6);
  const auto size = data.read<std::uint64_t>(at + 8);
  if (!size || data.read<std::uint16_t>(at + 4) != 1 || *header_size < 16 || !data.contains(at, *header_size) ||
      !data.contains(at + *header_size, *size))
    return at + 8;
  const std::uint64_t begin = at, end = at + *header_size + *size;
  at += *header_size;
  while (end - at >= least_entry) {
    const auto entry_size = data.read<std::uint32_t>(at + 4);
    const auto payload = data.read<std::uint64_t>(at + 8);
    if (*entry_size < least_entry || *entry_size > most_entry || *entry_size > end - at ||
        *payload > end - at - *entry_size)
      break;
    add_entry(*data.slice(at, least_entry), *payload, images);
    at += *entry_size + *payload;
  }
  bytes += at - begin;
  return std::min(end, (at + 7) & ~std::uint64_t{7});
}

std::uint64_t read_nvidia(std::span<const std::byte> data, Images& images) {
  const Bytes bytes(data);
  std::uint64_t read = 0;
  for (std::uint64_t at = 0; at + 16 <= data.size();) {
    if (bytes.read<std::uint32_t>(at) == nvidia_magic)
      at = read_container(bytes, at, images, read);
    else
      at += 8;
  }
  return read;
}

// --- AMD ----------------------------------------------------------------------------------------------------------
constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__", packed_magic = "CCOB";

// "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-" -> "gfx90a:xnack-"; "" for the host's part.
std::string_view target_of(std::string_view id) {
  const std::size_t at = id.find("gfx");
  return id.starts_with("host") || at == std::string_view::npos ? std::string_view() : id.substr(at);
}

std::uint64_t read_bundle(const Bytes& data, std::uint64_t at, Images& images, std::uint64_t& bytes) {
  const std::uint64_t begin = at;
  std::uint64_t end = at + bundle_magic.size();
  const std::uint64_t count = data.read<std::uint64_t>(end).value_or(0);
  at = end + 8;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto offset = data.read<std::uint64_t>(at), size = data.read<std::uint64_t>(at + 8),
               name_size = data.read<std::uint64_t>(at + 16);
    if (!name_size || *name_size > 1024) break;
    const auto name = data.slice(at + 24, *name_size);
    if (!name || *offset > data.size() - begin || *size > data.size() - begin - *offset) break;
    at += 24 + *name_size;
    end = std::max(end, begin + *offset + *size);
    if (const std::string_view target = target_of(name->as_text()); !target.empty())
      images.add(DeviceImage::Kind::AmdGpu, std::string(target.substr(0, 64)), *size);
  }
  end = std::max(end, std::min(at, data.size()));
  bytes += end - begin;
  return end;
}

// Version 1 does not tell its size, later ones do (llvm/Object/OffloadBundle.h). What it is for is compressed too.
std::uint64_t read_packed(const Bytes& data, std::uint64_t at, Images& images, std::uint64_t& bytes) {
  const auto version = data.read<std::uint16_t>(at + 4);
  std::optional<std::uint64_t> size;
  if (version == 2) size = data.read<std::uint32_t>(at + 8);
  if (version >= 3) size = data.read<std::uint64_t>(at + 8);
  if (!version || *version == 0 || *version > 16 || (size && !data.contains(at, *size)))
    return at + packed_magic.size();
  images.add(DeviceImage::Kind::AmdGpu, "compressed", size.value_or(0));
  bytes += size.value_or(0);
  return at + std::max<std::uint64_t>(size.value_or(0), packed_magic.size());
}

std::uint64_t read_amd(std::span<const std::byte> data, bool packed, Images& images) {
  const Bytes bytes(data);
  const std::string_view text = bytes.as_text();
  std::uint64_t read = 0;
  for (std::uint64_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(bundle_magic)) {
      at = read_bundle(bytes, at, images, read);
    } else if (packed && text.substr(at).starts_with(packed_magic)) {
      at = read_packed(bytes, at, images, read);
    } else {
      // The first letters of the two magics; memchr is faster than a search for either.
      const auto next = [&](char c) {
        const auto* const found = static_cast<const char*>(std::memchr(text.data() + at + 1, c, text.size() - at - 1));
        return found == nullptr ? text.size() : static_cast<std::uint64_t>(found - text.data());
      };
      at = packed ? std::min(next('_'), next('C')) : next('_');
    }
  }
  return read;
}

}  // namespace

DeviceCode read_device_code(std::span<const std::byte> file, const Places& places, bool sections) {
  Images images;
  const auto part = [&](const FileRange& range) { return file.subspan(range.begin, range.end - range.begin); };
  // Containers are aligned in memory and so in the file; a range that another one cut off need not be.
  const auto words = [&](const FileRange& range) {
    return part({std::min((range.begin + 7) & ~std::uint64_t{7}, range.end), range.end});
  };
  for (const FileRange& range : places.nvidia) read_nvidia(words(range), images);
  for (const FileRange& range : places.amd) read_amd(part(range), true, images);
  std::uint64_t bytes = total(places.nvidia) + total(places.amd);
  // "CCOB" by itself is too short to be looked for in all of the data.
  if (!sections)
    for (const FileRange& range : places.data)
      bytes += read_nvidia(words(range), images) + read_amd(part(range), false, images);
  return {.images = images.take(), .bytes = bytes};
}

}  // namespace wheelcheck::elf
