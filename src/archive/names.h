// Checks of member names. Names are refused if they could leave the directory that the wheel is unpacked to, or if they
// could mean two files. Other unusual names get a warning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/records.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

// Why no installer should accept this name; nothing if it is safe. A directory's trailing '/' is accepted.
std::optional<std::string> unsafe_name(std::string_view name, const Limits& limits);
// Unusual properties of a safe name: characters that hide or reorder text, UTF-8 without its flag.
std::vector<std::string> odd_name(std::string_view name, std::uint16_t flags);
// True if a part of the path ends with a dot or a space, which Windows drops.
bool loses_its_end(std::string_view name);
// Checks every name alone, then all together: no two members with the same name, no file that is also a directory.
// Returns the members in the order of their paths.
Result<std::vector<std::uint32_t>> check_names(std::span<const Member> members, const Limits& limits);

// Files that have the same name if case or accents are ignored: indexes into `names`, each with the one before it.
struct Collision {
  std::size_t name, other;
};
std::vector<Collision> find_collisions(std::span<const std::string_view> names);

// --- File names as a file system compares them that ignores case and the ways to write an accent (macOS, Windows):
// Unicode case folding, then canonical decomposition, by utf8proc.

// Two names with the same result are one file on such a system. Text that is not UTF-8 is returned as it is.
std::string fold(std::string_view text);

// The text in the normal form NFKC, in which Python compares names: `ＣＤＬＬ` is `CDLL`.
std::string compatible_form(std::string_view text);

}  // namespace wheelcheck::archive
