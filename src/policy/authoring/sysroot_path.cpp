#include "policy/authoring/sysroot_path.h"

#include <algorithm>
#include <array>

namespace wheelcheck::sysroot {

std::string_view in_root(std::string_view path) {
  while (path.starts_with("./") || path.starts_with('/')) path.remove_prefix(path.starts_with('/') ? 1 : 2);
  return path;
}

std::optional<unsigned> rank_of(std::string_view path) {
  path = in_root(path);
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return std::nullopt;
  std::string_view directory = path.substr(0, slash);
  const bool below_usr = directory.starts_with("usr/");
  if (below_usr) directory.remove_prefix(4);
  constexpr std::array<std::string_view, 5> plain = {"lib64/lp64d", "lib64", "lib", "lib32", "local/lib"};
  if (const auto at = std::ranges::find(plain, directory); at != plain.end())
    return 2 + 2 * static_cast<unsigned>(at - plain.begin()) + (below_usr ? 1 : 0);
  const std::string_view multiarch = "lib/";
  if (!directory.starts_with(multiarch)) return std::nullopt;
  directory.remove_prefix(multiarch.size());
  const bool is_triplet = directory.find('/') == directory.npos && directory.find("-linux-") != directory.npos;
  return is_triplet ? std::optional<unsigned>(below_usr ? 1 : 0) : std::nullopt;
}

}  // namespace wheelcheck::sysroot
