// What each root of a wheel loads, as nested lists. A file stands in full where it is met first.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/check/elf_text.h"
#include "report/html/html_parts.h"
#include "report/shared/markup.h"
#include "report/shared/text.h"

namespace wheelcheck::report::html {
namespace {

constexpr std::size_t deepest = 24;       // levels
constexpr std::size_t open_roots = 5;     // more are folded
constexpr std::size_t most_items = 5000;  // of one wheel

class Tree {
 public:
  explicit Tree(const Subject& subject) : subject_(subject), promises_(subject.wheel) {}

  std::string root(ElfIndex elf, bool open) {
    seen_.insert(elf);
    const std::string below = children(elf, 0);
    const std::string name = fmt::format("<code>{}</code>", path_of(elf));
    if (below.empty()) return fmt::format("<li>{}</li>\n", name);
    return fmt::format("<li><details{}><summary>{}</summary>{}</details></li>\n", open ? " open" : "", name, below);
  }
  bool full() const { return items_ >= most_items; }

 private:
  std::string path_of(ElfIndex elf) const { return markup_shown(elf_path(subject_.wheel.facts, elf)); }

  // Needs that are met alike share an item; what the platform has comes last.
  std::string children(ElfIndex elf, std::size_t depth) {
    if (elf.value >= subject_.wheel.resolution.needed.size()) return "";
    std::string inside, platform;
    std::vector<std::pair<std::string, std::string>> rest;  // how, names
    for (const NeededFound& needed : subject_.wheel.resolution.needed[elf.value]) {
      const std::string how = found_text(subject_, promises_, elf, needed);
      if (needed.provider && needed.provider->wheel.value == 0) {
        inside += child(needed, how, depth);
        continue;
      }
      const auto same = std::ranges::find(rest, how, &std::pair<std::string, std::string>::first);
      if (same == rest.end())
        rest.emplace_back(how, markup(needed.name));
      else
        same->second += ", " + markup(needed.name);
    }
    for (const auto& [how, names] : rest) {
      ++items_;
      std::string& part = how.starts_with("from the platform") ? platform : inside;
      part += fmt::format("<li><code>{}</code> <span class=\"{}\">{}</span></li>\n", names,
                          is_missing(how) ? "lost" : "how", markup_shown(how));
    }
    if (inside.empty() && platform.empty()) return "";
    return fmt::format("<ul>\n{}{}</ul>\n", inside, platform);
  }

  std::string child(const NeededFound& needed, const std::string& how, std::size_t depth) {
    ++items_;
    const ElfIndex file = needed.provider->elf;
    const bool fresh = seen_.insert(file).second && depth < deepest && !full();
    const std::string below = fresh ? children(file, depth + 1) : "";
    return fmt::format("<li><code>{}</code> <span class=\"how\">&rarr; {}{}</span>{}</li>\n", markup(needed.name),
                       markup_shown(how), fresh ? "" : ", as above", below);
  }

  const Subject& subject_;
  const LibraryLevels promises_;
  std::set<ElfIndex> seen_;
  std::size_t items_ = 0;
};

}  // namespace

std::string needs(const Subject& subject) {
  const std::vector<ElfIndex>& roots = subject.wheel.resolution.roots;
  if (roots.empty()) return "";
  Tree tree(subject);
  std::string items;
  std::size_t shown = 0;
  for (; shown < roots.size() && !tree.full(); ++shown) items += tree.root(roots[shown], roots.size() <= open_roots);
  std::string out = fmt::format("<h3>What is loaded <small>{}</small></h3>\n<ul class=\"tree\">\n{}</ul>\n",
                                plural(roots.size(), "root"), items);
  if (shown < roots.size())
    out += fmt::format("<p class=\"none\">and {} more; wheelcheck tree lists them</p>\n", roots.size() - shown);
  return out;
}

}  // namespace wheelcheck::report::html
