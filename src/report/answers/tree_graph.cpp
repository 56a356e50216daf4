// The load graph in the language of Graphviz (graphviz.org/doc/info/lang.html): one node for a file of the wheels or a
// library outside of them, one edge for a DT_NEEDED, whatever loads it first. `dot -Tsvg` draws it.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/answers/tree_facts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

// A quoted string; `text` is safe to print.
std::string dot_text(std::string_view text) {
  return fmt::format("\"{}\"", replaced(replaced(text, "\\", "\\\\"), "\"", "\\\""));
}

std::string_view look_of(NeedStatus status) {
  switch (status) {
    case NeedStatus::Here:
      return "";
    case NeedStatus::Missing:
      return "color=red, fontcolor=red";
    case NeedStatus::Lucky:
      return "color=orange";
    case NeedStatus::Platform:
    case NeedStatus::Declared:
    case NeedStatus::Required:
    case NeedStatus::Unknown:
      break;
  }
  return "style=dashed, color=gray50, fontcolor=gray40";
}

class Graph {
 public:
  void add(const Tree& tree, std::span<const WheelFacts> providers) {
    const Subject subject{tree.wheel, providers};
    const NeedStatuses statuses(tree.wheel);
    const auto file = [&](ElfRef elf) { return dot_text(elf_path(subject, elf)); };
    for (const Load& load : tree.loads) {
      nodes_.insert_or_assign(file(ElfRef{WheelIndex{0}, load.root}), "style=bold");
      for (const Load::Need& need : load.needs) {
        const NeedStatus status = statuses.of(need);
        const bool here = need.found.provider && (status == NeedStatus::Here || status == NeedStatus::Lucky);
        const std::string to = here ? file(*need.found.provider) : dot_text(escape(need.found.name));
        nodes_.emplace(file(need.user), "");
        nodes_.emplace(to, here ? "" : look_of(status));
        edges_.emplace(file(need.user) + " -> " + to, look_of(status));
      }
    }
  }

  std::string text() const {
    std::string out = "digraph wheel {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
    for (const auto* const part : {&nodes_, &edges_})
      for (const auto& [name, look] : *part)
        out += look.empty() ? fmt::format("  {};\n", name) : fmt::format("  {} [{}];\n", name, look);
    return out + "}\n";
  }

 private:
  std::map<std::string, std::string_view> nodes_, edges_;
};

}  // namespace

std::string tree_graph(std::span<const Tree> trees, std::span<const WheelFacts> providers) {
  Graph graph;
  for (const Tree& tree : trees) graph.add(tree, providers);
  return graph.text();
}

}  // namespace wheelcheck::report
