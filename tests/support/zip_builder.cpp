#include "tests/support/zip_builder.h"

#include <libdeflate.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace wheelcheck::test {
namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xFF);
  return out;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "zip_builder: %s\n", what.c_str());
  std::abort();
}

std::string local_bytes(const ZipHeader& h) {
  return u32(h.signature) + u16(h.version) + u16(h.flags) + u16(h.method) + u32(0x58210000) + u32(h.crc32) +
         u32(h.packed_size) + u32(h.size) + u16(static_cast<std::uint16_t>(h.name.size())) +
         u16(static_cast<std::uint16_t>(h.extra.size())) + h.name + h.extra;
}

std::string central_bytes(const ZipHeader& h) {
  return u32(h.signature) + u16(h.made_by) + u16(h.version) + u16(h.flags) + u16(h.method) + u32(0x58210000) +
         u32(h.crc32) + u32(h.packed_size) + u32(h.size) + u16(static_cast<std::uint16_t>(h.name.size())) +
         u16(static_cast<std::uint16_t>(h.extra.size())) + u16(static_cast<std::uint16_t>(h.comment.size())) +
         u16(h.disk) + u16(0) + u32(h.attributes) + u32(h.offset) + h.name + h.extra + h.comment;
}

std::string end_bytes(const ZipEnd& e) {
  return u32(0x06054b50) + u16(e.disk) + u16(e.directory_disk) + u16(e.members_here) + u16(e.members) +
         u32(e.directory_size) + u32(e.directory_offset) +
         u16(e.comment_length.value_or(static_cast<std::uint16_t>(e.comment.size()))) + e.comment;
}

std::string zip64_end_bytes(const Zip64End& e) {
  return u32(e.signature) + u64(e.length) + u16(e.made_by) + u16(e.version) + u32(e.disk) + u32(e.directory_disk) +
         u64(e.members_here) + u64(e.members) + u64(e.directory_size) + u64(e.directory_offset) + e.extensible +
         u32(0x07064b50) + u32(e.locator_disk) + u64(e.offset) + u32(e.disks);
}

struct Written {
  std::string local;    // header, data, descriptor
  ZipHeader directory;  // without the offset
};

Written write_member(const ZipMember& m) {
  const bool is_directory = m.name.ends_with('/');
  const std::uint16_t method = is_directory || m.data.empty() ? (m.packed ? m.method : 0) : m.method;
  const std::string packed = m.packed ? *m.packed : method == 8 ? deflate(m.data) : m.data;
  ZipHeader h{.signature = 0x02014b50,
              .flags = static_cast<std::uint16_t>(m.descriptor ? 1 << 3 : 0),
              .method = method,
              .crc32 = crc32_of(m.data),
              .packed_size = static_cast<std::uint32_t>(packed.size()),
              .size = static_cast<std::uint32_t>(m.data.size()),
              .name = m.name,
              .attributes = (is_directory ? 0040755u : m.mode) << 16 | (is_directory ? 0x10u : 0u)};
  ZipHeader local = h;
  local.signature = 0x04034b50;
  if (m.descriptor) local.crc32 = local.packed_size = local.size = 0;
  if (m.zip64) {
    local.extra = extra_field(1, u64(local.size) + u64(local.packed_size));
    h.extra = extra_field(1, u64(h.size) + u64(h.packed_size));
    h.version = local.version = 45;
    h.size = h.packed_size = local.size = local.packed_size = 0xFFFFFFFF;
  }
  if (m.local) m.local(local);
  std::string descriptor;
  if (m.descriptor_bytes) {
    descriptor = *m.descriptor_bytes;
  } else if (m.descriptor) {
    const int width = m.zip64 ? 8 : 4;
    descriptor = (m.descriptor_signature ? u32(0x08074b50) : "") + u32(crc32_of(m.data)) +
                 little(packed.size(), width) + little(m.data.size(), width);
  }
  return {local_bytes(local) + packed + descriptor, std::move(h)};
}

}  // namespace

std::string u16(std::uint16_t value) { return little(value, 2); }
std::string u32(std::uint32_t value) { return little(value, 4); }
std::string u64(std::uint64_t value) { return little(value, 8); }

std::string extra_field(std::uint16_t id, std::string_view payload) {
  return u16(id) + u16(static_cast<std::uint16_t>(payload.size())) + std::string(payload);
}

std::uint32_t crc32_of(std::string_view data) { return libdeflate_crc32(0, data.data(), data.size()); }

std::string deflate(std::string_view data, int level) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(level);
  if (compressor == nullptr) fail("no memory");
  std::string out(libdeflate_deflate_compress_bound(compressor, data.size()), '\0');
  out.resize(libdeflate_deflate_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  if (out.empty()) fail("cannot deflate");
  return out;
}

std::string make_zip(const std::vector<ZipMember>& members, const ZipOptions& options) {
  std::string out = options.before, directory;
  const std::size_t base = options.counts_before ? 0 : options.before.size();
  std::uint16_t count = 0;
  for (const ZipMember& m : members) {
    out += m.before;
    Written written = write_member(m);
    written.directory.offset = static_cast<std::uint32_t>(out.size() - base);
    if (m.central) m.central(written.directory);
    out += written.local;
    if (!m.listed) continue;
    directory += central_bytes(written.directory);
    ++count;
  }
  out += options.before_directory;
  const std::size_t directory_offset = out.size() - base;
  out += directory + options.before_end;
  ZipEnd end{.members_here = count,
             .members = count,
             .directory_size = static_cast<std::uint32_t>(directory.size()),
             .directory_offset = static_cast<std::uint32_t>(directory_offset),
             .comment = options.comment};
  if (options.zip64) {
    Zip64End zip64{.members_here = count,
                   .members = count,
                   .directory_size = directory.size(),
                   .directory_offset = directory_offset,
                   .offset = out.size() - base};
    if (options.zip64_end) options.zip64_end(zip64);
    out += zip64_end_bytes(zip64);
    end.members_here = end.members = 0xFFFF;
    end.directory_size = end.directory_offset = 0xFFFFFFFF;
  }
  if (options.end) options.end(end);
  return out + end_bytes(end) + options.after;
}

std::string write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) fail("cannot write " + path);
  return path;
}

TemporaryDirectory::TemporaryDirectory() {
  path_ = (std::filesystem::temp_directory_path() / "wheelcheck-test-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) fail("cannot make " + path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace wheelcheck::test
