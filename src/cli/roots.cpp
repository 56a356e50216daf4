#include "cli/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wheelcheck::cli {

CLI::Option& add_roots_option(CLI::App& app, std::vector<std::string>& words) {
  return *app.add_option("--root", words,
                         "A system: a directory with its files or its packages (.deb, .rpm, .apk), a package or a tar "
                         "archive; the same label again adds to it")
              ->type_name("LABEL=PATH");
}

Result<std::vector<Root>> read_roots(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::vector<std::string>>> named;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    if (at == word.npos || at == 0 || at + 1 == word.size())
      return std::unexpected(Error{
          ErrorCode::Usage, fmt::format("--root {}: write it as LABEL=PATH, debian-13=packages/trixie", escape(word))});
    const std::string label = word.substr(0, at);
    auto root = std::ranges::find_if(named, [&](const auto& one) { return one.first == label; });
    if (root == named.end()) root = named.insert(named.end(), {label, {}});
    root->second.push_back(word.substr(at + 1));
  }
  std::vector<Root> roots;
  for (const auto& [label, paths] : named) {
    auto root = read_root(label, paths, Limits{});
    if (!root) return std::unexpected(std::move(root.error()));
    roots.push_back(std::move(*root));
  }
  return roots;
}

}  // namespace wheelcheck::cli
