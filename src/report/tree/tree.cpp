// The tree as text and as JSON. The needs of a file are shown where the loader loads it first. A file that is already
// loaded, or was shown in an earlier tree, is listed without its needs.
#include "report/tree/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "report/shared/json_text.h"
#include "report/tree/tree_facts.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t deepest = 48;       // levels; the needs of deeper files are not shown
constexpr std::size_t most_users = 3;     // files listed for one problem
constexpr std::size_t most_headings = 8;  // files that share one tree
constexpr std::string_view shown_mark = " (*)";

struct Node {
  std::string label;
  std::vector<Node> children;
  std::string body;  // the rendered children
};

// The lines of the children, each with the branch that leads to it. body_of returns the text after a child's label and
// the lines below it.
std::string lines_of(const std::vector<Node>& children, auto body_of) {
  std::string out;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool last = i + 1 == children.size();
    const auto [mark, body] = body_of(children[i]);
    const std::string lines = fmt::format("{}{}\n{}", children[i].label, mark, body);
    std::string_view branch = last ? "└── " : "├── ";
    for (const std::string_view line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
      out += fmt::format("{}{}\n", branch, line);
      branch = last ? "    " : "│   ";
    }
  }
  return out;
}

class LoadText {
 public:
  LoadText(const Subject& subject, const NeedStatuses& statuses, const Load& load, const Paint& paint)
      : subject_(subject), statuses_(statuses), root_{WheelIndex{0}, load.root}, paint_(paint) {
    for (const Load::Need& need : load.needs) needs_[need.user].push_back(&need);
  }

  Node run() { return node_of("", root_, 0); }

 private:
  Node node_of(std::string label, ElfRef file, std::size_t depth) {
    Node node{.label = std::move(label), .children = {}, .body = {}};
    const auto needs = needs_.find(file);
    if (needs == needs_.end()) return node;
    if (depth == deepest) {
      node.children.push_back({.label = paint_.dim("... libraries below are not shown"), .children = {}, .body = {}});
    } else {
      add_children(node, needs->second, depth);
    }
    node.body = lines_of(node.children, [](const Node& child) { return std::pair("", std::string_view(child.body)); });
    return node;
  }

  // The libraries of the platform are summarized in one line, which comes last.
  void add_children(Node& node, const std::vector<const Load::Need*>& needs, std::size_t depth) {
    std::vector<std::string> platform;
    for (const Load::Need* const need : needs) {
      const std::optional<ElfRef>& provider = need->found.provider;
      if (statuses_.of(*need) == NeedStatus::Platform && !need->found.unreached) {
        platform.push_back(escape(need->found.name));
      } else if (provider && !need->first && *provider != root_) {
        node.children.push_back(node_of(label_of(*need, depth), *provider, depth + 1));
      } else {
        node.children.push_back({.label = label_of(*need, depth), .children = {}, .body = {}});
      }
    }
    if (platform.empty()) return;
    node.children.push_back({.label = paint_.dim(fitted(join(platform, ", ") + " => from the platform", depth)),
                             .children = {},
                             .body = {}});
  }

  std::string fitted(const std::string& text, std::size_t depth) const {
    constexpr std::size_t branch = 4;
    const std::size_t used = branch * (depth + 1);
    return wrapped(text, 0, 2, std::max<std::size_t>(40, paint_.width() - std::min(paint_.width(), used)));
  }

  std::string label_of(const Load::Need& need, std::size_t depth) const {
    const std::string text = fitted(fmt::format("{} => {}", escape(need.found.name), provider_text(need)), depth);
    const NeedStatus status = statuses_.of(need);
    return status == NeedStatus::Lucky ? paint_.yellow(text) : status == NeedStatus::Missing ? paint_.red(text) : text;
  }

  std::string provider_text(const Load::Need& need) const {
    switch (statuses_.of(need)) {
      case NeedStatus::Here:
        return fmt::format("{} ({})", file_text(need), how_text(need));
      case NeedStatus::Lucky:
        return fmt::format("{} (only because {} loads it before; no search path leads there)", file_text(need),
                           first_text(need));
      case NeedStatus::Platform:
        return fmt::format("from the platform; {} has that name, but no search path leads there",
                           elf_path(subject_, *need.found.unreached));
      case NeedStatus::Declared:
        return "another distribution (--external)";
      case NeedStatus::Missing:
        return fmt::format("NOT FOUND: {}", statuses_.why_missing(subject_, need));
      case NeedStatus::Unknown:
        break;
    }
    return "not in these wheels";
  }

  // The directory, where the file has the name that is needed.
  std::string file_text(const Load::Need& need) const {
    const ElfRef file = *need.found.provider;
    const WheelFacts& wheel = wheel_of(subject_, file.wheel);
    const auto& dynamic = wheel.elfs[file.elf.value].facts.dynamic;
    std::string out = elf_path(subject_, file);
    if (const std::string name = "/" + escape(need.found.name); out.ends_with(name))
      out.resize(out.size() - name.size() + 1);
    if (dynamic && dynamic->soname && *dynamic->soname != base_name(member_of(wheel, file.elf).path.text()))
      out += fmt::format(" [soname {}]", escape(*dynamic->soname));
    return out;
  }

  std::string first_text(const Load::Need& need) const {
    if (!need.first || *need.first == root_) return "the root";
    return std::string(base_name(elf_path(subject_, *need.first)));
  }

  std::string how_text(const Load::Need& need) const {
    const NeededFound& found = need.found;
    if (*found.provider == root_) return "the root itself";
    if (found.how == How::AlreadyLoaded || need.first) return fmt::format("already loaded, for {}", first_text(need));
    if (found.how == How::Path) return "by its path";
    const std::string of = found.by && *found.by != need.user
                               ? fmt::format(" of {}", *found.by == root_ ? "the root" : elf_path(subject_, *found.by))
                               : "";
    return fmt::format("{} {}{}", found.how == How::Rpath ? "RPATH" : "RUNPATH", escape(found.element), of);
  }

  const Subject& subject_;
  const NeedStatuses& statuses_;
  const ElfRef root_;
  const Paint& paint_;
  std::map<ElfRef, std::vector<const Load::Need*>> needs_;
};

constexpr std::size_t indent = 9;  // of the text after "problem"

// True if the import always fails.
bool fails(const TreeProblem& problem) {
  return problem.kind == TreeProblem::Kind::NotFound || problem.kind == TreeProblem::Kind::MissingVersion;
}

struct ProblemOfFiles {
  TreeProblem problem;  // of the first file
  std::vector<ElfRef> users;
};

// The trees of one wheel; equal ones share a heading.
class TreeText {
 public:
  TreeText(const Subject& subject, std::span<const Load> loads, const Paint& paint)
      : subject_(subject), loads_(loads), paint_(paint), statuses_(subject.wheel) {}

  std::string run(std::size_t left_out) {
    std::vector<Node> trees;
    std::map<std::string, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      trees.push_back(LoadText(subject_, statuses_, loads_[i], paint_).run());
      same[trees.back().body].push_back(i);
    }
    const std::vector<TreeProblem> each = problems_of(subject_, loads_, statuses_);
    const std::vector<ProblemOfFiles> problems = gathered(each);
    const std::string listed = problems.empty() ? paint_.green("nothing is wrong") : count_text(problems);
    std::string out = fmt::format("{}: {}; {}\n", paint_.bold(escape(subject_.wheel.facts.file)),
                                  plural(loads_.size(), "tree"), listed);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const std::vector<std::size_t>& group = same[trees[i].body];
      if (group.front() != i) continue;
      out += '\n';
      out += heading(group);
      out += trees[i].body.empty() ? "requires nothing\n" : cut(trees[i]);
    }
    if (left_out > 0)
      out += fmt::format("\n{}\n",
                         paint_.yellow(fmt::format("{} not shown: name fewer members", plural(left_out, "more tree"))));
    if (any_cut_) out += fmt::format("\n{}\n", paint_.dim("(*) its libraries are shown above"));
    for (const ProblemOfFiles& one : problems) (fails(one.problem) ? failing_ : doubtful_) += 1;
    return out + problems_text(problems) + fix_text(problems);
  }
  std::size_t failing() const { return failing_; }
  std::size_t doubtful() const { return doubtful_; }
  // Libraries that no known wheel contains and that no level is compared with.
  std::size_t unknown() const {
    std::set<std::string_view> names;
    for (const Load& load : loads_)
      for (const Load::Need& need : load.needs)
        if (statuses_.of(need) == NeedStatus::Unknown) names.insert(need.found.name);
    return names.size();
  }

 private:
  std::string count_text(const std::vector<ProblemOfFiles>& problems) const {
    const std::string count = plural(problems.size(), "problem");
    return std::ranges::any_of(problems, fails, &ProblemOfFiles::problem) ? paint_.red(count) : paint_.yellow(count);
  }

  std::string heading(const std::vector<std::size_t>& group) const {
    const std::size_t shown = group.size() > most_headings ? most_headings - 1 : group.size();
    std::string out;
    for (std::size_t i = 0; i < shown; ++i)
      out += fmt::format("{}\n", paint_.bold(elf_path(subject_.wheel.facts, loads_[group[i]].root)));
    if (shown < group.size()) out += fmt::format("and {} more\n", group.size() - shown);
    return out;
  }

  std::string cut(const Node& node) {
    return lines_of(node.children, [&](const Node& child) -> std::pair<std::string_view, std::string> {
      if (child.body.empty()) return {"", ""};
      if (shown_.insert({child.label, child.body}).second) return {"", cut(child)};
      any_cut_ = true;
      return {shown_mark, ""};
    });
  }

  // Merges equal problems of several files.
  static std::vector<ProblemOfFiles> gathered(const std::vector<TreeProblem>& problems) {
    std::vector<ProblemOfFiles> out;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
    for (const TreeProblem& problem : problems) {
      const auto [at, fresh] = known.try_emplace({problem.subject, problem.text}, out.size());
      if (fresh) out.push_back({problem, {}});
      out[at->second].users.push_back(problem.user);
    }
    return out;
  }

  std::string problems_text(const std::vector<ProblemOfFiles>& problems) const {
    std::string out;
    for (const auto& [problem, users] : problems) {
      std::vector<std::string> files;
      for (const ElfRef user : users) files.push_back(elf_path(subject_, user));
      const bool is_path = problem.kind == TreeProblem::Kind::AbsolutePath;
      const std::string line = fmt::format("{}{} {}: {}", problem.subject, is_path ? " in" : ", needed by",
                                           first_few(files, most_users), problem.text);
      const std::string text = paint_.wrapped(line, indent, indent);
      out += fmt::format("{}{}\n", fails(problem) ? paint_.red("problem  ") : paint_.yellow("problem  "), text);
    }
    return out.empty() ? out : "\n" + out;
  }

  std::string fix_text(const std::vector<ProblemOfFiles>& problems) const {
    if (problems.empty()) return "";
    const std::string file = escape(subject_.wheel.facts.file);
    const auto missing = std::ranges::find(problems, TreeProblem::Kind::NotFound,
                                           [](const ProblemOfFiles& one) { return one.problem.kind; });
    const std::string what =
        missing == problems.end()
            ? fmt::format("`wheelcheck {}` shows the fix of each", file)
            : fmt::format(
                  "bundle what is missing: `wheelcheck repair {}`; or declare the provider: --wheel OTHER.whl, "
                  "or --external '{}'",
                  file, missing->problem.subject);
    return fmt::format("\nfix: {}\n", paint_.wrapped(what, 5, 5));
  }

  const Subject subject_;
  const std::span<const Load> loads_;
  const Paint& paint_;
  const NeedStatuses statuses_;
  std::set<std::pair<std::string, std::string>> shown_;  // label and body of the nodes that were shown with their needs
  bool any_cut_ = false;
  std::size_t failing_ = 0, doubtful_ = 0;  // problems
};

}  // namespace

std::string render_trees(std::span<const Tree> trees, std::span<const WheelFacts> providers,
                         const TreeOptions& options) {
  if (options.json) return tree_json(trees, providers);
  const Paint& paint = options.paint;
  std::string out;
  std::size_t count = 0, failing = 0, doubtful = 0, unknown = 0;
  for (const Tree& tree : trees) {
    if (!out.empty()) out += '\n';
    TreeText text({tree.wheel, providers}, tree.loads, paint);
    out += text.run(tree.left_out);
    count += tree.loads.size();
    failing += text.failing();
    doubtful += text.doubtful();
    unknown += text.unknown();
  }
  if (trees.empty()) return out;
  const std::string all = plural(count, "tree");
  if (failing > 0)
    return out + fmt::format("\n{}: {} in {}, {} of which {} an import fail\n", paint.red("NOT FOUND"),
                             plural(failing + doubtful, "problem"), all, failing, failing == 1 ? "makes" : "make");
  const std::string more =
      unknown == 0 ? "" : fmt::format("; {} not judged", plural(unknown, "library is", "libraries are"));
  if (doubtful > 0)
    return out + fmt::format("\n{}: no library is missing in {}{}; {}\n", paint.yellow("FOUND"), all, more,
                             plural(doubtful, "problem"));
  return out + fmt::format("\n{}: no library is missing in {}{}\n", paint.green("FOUND"), all, more);
}

// The tree as JSON. It is flat, with the files in loading order, so that a reader needs no recursion.
namespace {

constexpr int tree_version = 1;

Json reference(const Subject& subject, const std::optional<ElfRef>& ref) {
  if (!ref) return nullptr;
  const WheelFacts& wheel = wheel_of(subject, ref->wheel);
  return {{"wheel", safe(wheel.file)}, {"member", safe(member_of(wheel, ref->elf).path.text())}};
}

Json need_json(const Subject& subject, const NeedStatuses& statuses, const Load::Need& need) {
  const NeededFound& found = need.found;
  const bool searched = found.how == How::Rpath || found.how == How::Runpath;
  return {{"name", safe(found.name)},
          {"standing", name_of(statuses.of(need))},
          {"how", name_of(found.how)},
          {"provider", reference(subject, found.provider)},
          {"search_path_of", reference(subject, found.by)},
          {"search_path_element", searched ? Json(safe(found.element)) : Json(nullptr)},
          {"loaded_before_for", reference(subject, need.first)},
          {"own_search_finds_it", need.own_search && found.provider.has_value()},
          {"unreached", reference(subject, found.unreached)}};
}

Json file_json(const Subject& subject, ElfRef file, Json needed) {
  const WheelFacts& wheel = wheel_of(subject, file.wheel);
  const auto& dynamic = wheel.elfs[file.elf.value].facts.dynamic;
  Json out = reference(subject, file);
  out["soname"] = dynamic ? maybe(dynamic->soname) : Json(nullptr);
  out["rpath"] = dynamic ? texts(dynamic->search.rpath) : Json::array();
  out["runpath"] = dynamic ? texts(dynamic->search.runpath) : Json::array();
  out["needed"] = std::move(needed);
  return out;
}

// The root comes first. A file of a provider is listed only if it is loaded.
Json load_json(const Subject& subject, const NeedStatuses& statuses, const Load& load) {
  std::vector<ElfRef> order = {{WheelIndex{0}, load.root}};
  std::map<ElfRef, Json> needed;
  needed[order.front()] = Json::array();
  for (const Load::Need& need : load.needs) {
    if (need.found.provider && needed.try_emplace(*need.found.provider, Json::array()).second)
      order.push_back(*need.found.provider);
    needed[need.user].push_back(need_json(subject, statuses, need));
  }
  Json files = Json::array();
  for (const ElfRef file : order) files.push_back(file_json(subject, file, std::move(needed[file])));
  const auto* const module = std::get_if<ExtensionModule>(&subject.wheel.facts.elfs[load.root.value].role);
  return {{"root", safe(member_of(subject.wheel.facts, load.root).path.text())},
          {"module", module != nullptr ? Json(safe(module->module)) : Json(nullptr)},
          {"files", std::move(files)}};
}

Json problems_json(const Subject& subject, std::span<const Load> loads, const NeedStatuses& statuses) {
  Json out = Json::array();
  for (const TreeProblem& problem : problems_of(subject, loads, statuses))
    out.push_back({{"kind", name_of(problem.kind)},
                   {"member", safe(member_of(subject.wheel.facts, problem.user.elf).path.text())},
                   {"subject", problem.subject},
                   {"text", problem.text}});
  return out;
}

}  // namespace

std::string tree_json(std::span<const Tree> trees, std::span<const WheelFacts> providers) {
  Json wheels = Json::array(), beside = Json::array();
  for (const WheelFacts& provider : providers) beside.push_back(safe(provider.file));
  for (const Tree& tree : trees) {
    const Subject subject{tree.wheel, providers};
    const NeedStatuses statuses(tree.wheel);
    Json loads = Json::array();
    for (const Load& load : tree.loads) loads.push_back(load_json(subject, statuses, load));
    wheels.push_back({{"file", safe(tree.wheel.facts.file)},
                      {"trees", std::move(loads)},
                      {"left_out", tree.left_out},
                      {"problems", problems_json(subject, tree.loads, statuses)}});
  }
  const Json document = {{"schema", "wheelcheck-tree"},
                         {"version", tree_version},
                         {"wheels", std::move(wheels)},
                         {"providers", std::move(beside)}};
  return document_text(document);
}

}  // namespace wheelcheck::report
