// The reference interpreter and platform, and the libraries that every system is assumed to have.
#include "environment/reference.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const PackedFile embedded_reference[];  // written by the build
extern const std::size_t embedded_reference_count;

namespace environment {
namespace {

constexpr std::string_view python_stem = "python-";

std::span<const PackedFile> shipped() { return {embedded_reference, embedded_reference_count}; }

Result<facts::Stored> unpack(std::string_view name) {
  const auto broken = [&](std::string_view what) {
    return std::unexpected(Error{ErrorCode::NotFound, fmt::format("the reference {} {}", name, what)});
  };
  const auto file = std::ranges::find(shipped(), name, &PackedFile::name);
  if (file == shipped().end()) return broken("was not compiled in");
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string text(file->size, '\0');
  const auto done = libdeflate_deflate_decompress(unpacker.get(), file->bytes.data(), file->bytes.size(), text.data(),
                                                  text.size(), nullptr);
  if (done != LIBDEFLATE_SUCCESS) return broken("cannot be unpacked");
  return facts::read(text, name);
}

}  // namespace

std::vector<std::string> reference_pythons() {
  std::vector<std::string> out;
  for (const PackedFile& file : shipped())
    if (file.name.starts_with(python_stem)) out.emplace_back(file.name.substr(python_stem.size()));
  std::ranges::sort(out);
  return out;
}

Result<facts::Stored> reference_python(std::string_view name) { return unpack(fmt::format("{}{}", python_stem, name)); }

Result<facts::Stored> reference_platform() { return unpack("platform"); }

}  // namespace environment

}  // namespace wheelcheck

namespace wheelcheck::environment {

bool is_versioned(std::string_view name) {
  static constexpr std::string_view stems[] = {"libc.so.",     "libm.so.",       "libpthread.so.", "libdl.so.",
                                               "librt.so.",    "libutil.so.",    "libresolv.so.",  "libmvec.so.",
                                               "libanl.so.",   "libnsl.so.",     "libcrypt.so.",   "ld-linux",
                                               "libgcc_s.so.", "libstdc++.so.6", "libgomp.so.",    "libatomic.so."};
  return std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

namespace {

// Threads are often left to whoever brings them, so these names come without a version. libc has some functions of libm
// as well, and comes first; from 2.34 on it has all of the others (glibc NEWS).
process::Assumed assumed_libc(const process::Glibc& glibc) {
  process::Assumed out{.prefixes = {"pthread_", "__pthread_", "sem_"}};
  for (const std::string stem : {"copysign", "frexp", "ldexp", "modf", "scalbn", "finite", "__finite", "__signbit"})
    for (const char* const type : {"", "f", "l"}) out.also.push_back(stem + type);
  if (glibc >= process::Glibc{2, 34})
    out.speaks_for = {"libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1", "libanl.so.1"};
  return out;
}

}  // namespace

// What the names of the other libraries of the policies begin with; of one that is not listed, anything.
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc) {
  if (name == "libc.so.6") return assumed_libc(glibc);
  static const std::map<std::string_view, std::vector<std::string>> prefixes = {
      {"libz.so.1", {"adler32", "compress", "crc32", "deflate", "get_crc_table", "gz", "inflate", "uncompress", "z"}},
      {"libexpat.so.1", {"XML_"}},
      {"libX11.so.6", {"X", "_X"}},
      {"libXext.so.6", {"X", "_X"}},
      {"libXrender.so.1", {"XRender"}},
      {"libICE.so.6", {"Ice", "_Ice"}},
      {"libSM.so.6", {"Sm", "_Sm"}},
      {"libGL.so.1", {"gl"}},
      {"libglib-2.0.so.0", {"g_", "glib_"}},
      {"libgobject-2.0.so.0", {"g_"}},
      {"libgthread-2.0.so.0", {"g_"}}};
  const auto known = prefixes.find(name);
  return {.versioned = is_versioned(name),
          .prefixes = known == prefixes.end() ? std::vector<std::string>{} : known->second};
}

namespace {

// "3.11" of python3.11, libpython3.11.so.1.0 and python3.13t; "" of python3.
std::string_view version_in(std::string_view name) {
  const std::size_t at = name.find("python3.");
  if (at == std::string_view::npos) return {};
  std::string_view version = name.substr(at + std::string_view("python").size());
  std::size_t end = 2;
  while (end < version.size() && version[end] >= '0' && version[end] <= '9') ++end;
  if (end < version.size() && version[end] == 't') ++end;
  return end == 2 ? std::string_view{} : version.substr(0, end);
}

}  // namespace

std::string_view version_of(const process::File& program) {
  if (const auto version = version_in(base_name(program.path)); !version.empty()) return version;
  if (program.facts->dynamic)
    for (const std::string_view needed : program.facts->dynamic->needed)
      if (const auto version = version_in(needed); !version.empty()) return version;
  return {};
}

std::optional<unsigned> release_to_stand_for(const process::File& program, const PythonReleases& to_find) {
  constexpr std::string_view stem = "3.";
  const std::string_view version = version_of(program);
  std::uint64_t own = 0;
  if (!version.starts_with(stem) || !parse_number(version.substr(stem.size()), own)) return std::nullopt;
  const auto nearest = std::clamp<std::uint64_t>(own, to_find.oldest, std::max(to_find.oldest, to_find.newest));
  return nearest == own ? std::nullopt : std::optional(static_cast<unsigned>(nearest));
}

}  // namespace wheelcheck::environment
