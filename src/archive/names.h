// Names of members: which are refused because they could leave the directory they are unpacked to or mean two files,
// and which are only odd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/central_directory.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

// Why no installer should accept this name (a directory's '/' at its end is fine); nothing where it is safe.
std::optional<std::string> unsafe_name(std::string_view name, const Limits& limits);
// What is odd about a safe name: characters that hide or reorder, blanks that get lost, UTF-8 without its flag.
std::vector<std::string> odd_name(std::string_view name, std::uint16_t flags);
// Every name by itself, then against all others: no two members of one name, no file that is also a directory. Gives
// the members in the order of their paths.
Result<std::vector<std::uint32_t>> check_names(std::span<const Member> members, const Limits& limits);

// Files that fall together where case or accents are ignored: indexes into `names`, each with the one before it.
struct Collision {
  std::size_t name, other;
};
std::vector<Collision> find_collisions(std::span<const std::string_view> names);

}  // namespace wheelcheck::archive
