// The tree as text and as JSON. The needs of a file are shown where the loader loads it first. A file that is already
// loaded, or was shown in an earlier tree, is listed without its needs.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "model/installed_files.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/answers/tree_facts.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_depth = 48;    // levels; the needs of deeper files are not shown
constexpr std::size_t max_users = 3;     // files listed for one problem
constexpr std::size_t max_headings = 8;  // files that share one tree

// Compares each pair of nodes once: two comparisons for each level of a deep tree would not end.
std::strong_ordering order_of(const TreeNode& a, const TreeNode& b) {
  if (const auto order = a.label <=> b.label; order != 0) return order;
  return std::lexicographical_compare_three_way(a.children.begin(), a.children.end(), b.children.begin(),
                                                b.children.end(), order_of);
}

struct ByContent {
  bool operator()(const TreeNode& a, const TreeNode& b) const { return order_of(a, b) < 0; }
};

// The needs of one root.
class LoadText {
 public:
  LoadText(const Subject& subject, const NeedStatuses& statuses, const Load& load)
      : subject_(subject), statuses_(statuses), root_{WheelIndex{0}, load.root} {
    for (const Load::Need& need : load.needs) needs_[need.user].push_back(&need);
  }

  std::vector<TreeNode> run() const { return children_of(root_, 0); }

 private:
  // The libraries of the platform are summarized in one line, which comes last.
  std::vector<TreeNode> children_of(ElfRef file, std::size_t depth) const {
    const auto needs = needs_.find(file);
    if (needs == needs_.end()) return {};
    if (depth == max_depth) return {{.label = {"... libraries below are not shown", Style::Dim}}};
    std::vector<TreeNode> children;
    std::vector<std::string> platform;
    for (const Load::Need* const need : needs->second) {
      const std::optional<ElfRef>& provider = need->found.provider;
      if (statuses_.of(*need) == NeedStatus::Platform && !need->found.unreached) {
        platform.push_back(escape(need->found.name));
        continue;
      }
      TreeNode& child = children.emplace_back(TreeNode{.label = label_of(*need)});
      if (provider && !need->first && *provider != root_) child.children = children_of(*provider, depth + 1);
    }
    if (!platform.empty()) children.push_back({.label = {join(platform, ", ") + " => from the platform", Style::Dim}});
    return children;
  }

  StyledText label_of(const Load::Need& need) const {
    const NeedStatus status = statuses_.of(need);
    return {fmt::format("{} => {}", escape(need.found.name), provider_text(need)),
            status == NeedStatus::Lucky     ? Style::Doubtful
            : status == NeedStatus::Missing ? Style::Bad
                                            : Style::Plain};
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
      case NeedStatus::Required:
        return source_text(*statuses_.source_of(need));
      case NeedStatus::Missing:
        return fmt::format("NOT FOUND: {}", statuses_.why_missing(subject_, need));
      case NeedStatus::Unknown:
        break;
    }
    if (need.found.unreached)
      return fmt::format("{} has that name, but no search path leads there", elf_path(subject_, *need.found.unreached));
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
  std::map<ElfRef, std::vector<const Load::Need*>> needs_;
};

// True if the import always fails.
bool stops_import(const TreeProblem& problem) {
  return problem.kind == TreeProblem::Kind::NotFound || problem.kind == TreeProblem::Kind::MissingVersion;
}

struct ProblemOfFiles {
  TreeProblem problem;  // of the first file
  std::vector<ElfRef> users;
};

// The trees of one wheel; equal ones share a heading.
class TreeText {
 public:
  TreeText(const Subject& subject, std::span<const Load> loads)
      : subject_(subject), loads_(loads), statuses_(subject.wheel) {}

  void add_to(Document& out, std::size_t left_out) {
    std::vector<TreeNode> trees;
    std::map<TreeNode, std::vector<std::size_t>, ByContent> same;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      trees.push_back({.label = {}, .children = LoadText(subject_, statuses_, loads_[i]).run()});
      same[trees.back()].push_back(i);
    }
    const std::vector<TreeProblem> each = problems_of(subject_, loads_, statuses_);
    const std::vector<ProblemOfFiles> problems = gathered(each);
    for (const ProblemOfFiles& one : problems) (stops_import(one.problem) ? failing_ : doubtful_) += 1;
    const StyledText found =
        !problems.empty()
            ? StyledText(count_of(problems.size(), "problem"), failing_ > 0 ? Style::Bad : Style::Doubtful)
        : has_check_errors(subject_.wheel) ? StyledText("no library is missing, but check fails", Style::Bad)
                                           : StyledText("nothing is wrong", Style::Good);
    out.line(styled("{}: {}; {}", StyledText(escape(subject_.wheel.facts.file), Style::Strong),
                    count_of(loads_.size(), "tree"), found));
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const std::vector<std::size_t>& group = same[trees[i]];
      if (group.front() != i) continue;
      out.blank();
      add_heading(out, group);
      if (trees[i].children.empty())
        out.line("requires nothing");
      else
        out.add(TextTree{cut(trees[i].children)});
    }
    if (left_out > 0) {
      out.blank();
      out.line({fmt::format("{} not shown: name fewer members", count_of(left_out, "more tree")), Style::Doubtful});
    }
    if (any_cut_) {
      out.blank();
      out.line({"(*) its libraries are shown above", Style::Dim});
    }
    if (!problems.empty()) add_problems(out, problems);
    add_check_errors(out, subject_.wheel);
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
  void add_heading(Document& out, const std::vector<std::size_t>& group) const {
    const std::size_t shown = group.size() > max_headings ? max_headings - 1 : group.size();
    for (std::size_t i = 0; i < shown; ++i)
      out.line({elf_path(subject_.wheel.facts, loads_[group[i]].root), Style::Strong});
    out.and_more("", group.size() - shown);
  }

  // Without the libraries of files that were shown before.
  std::vector<TreeNode> cut(const std::vector<TreeNode>& nodes) {
    std::vector<TreeNode> out;
    for (const TreeNode& node : nodes) {
      TreeNode& shown = out.emplace_back(TreeNode{.label = node.label});
      if (node.children.empty()) continue;
      if (shown_.insert(node).second) {
        shown.children = cut(node.children);
      } else {
        shown.label += " (*)";
        any_cut_ = true;
      }
    }
    return out;
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

  void add_problems(Document& out, const std::vector<ProblemOfFiles>& problems) const {
    out.blank();
    for (const auto& [problem, users] : problems) {
      std::vector<std::string> files;
      for (const ElfRef user : users) files.push_back(elf_path(subject_, user));
      const StyledText label("problem  ", stops_import(problem) ? Style::Bad : Style::Doubtful);
      out.line(label,
               fmt::format("{}{} {}: {}", problem.subject,
                           problem.kind == TreeProblem::Kind::AbsolutePath ? " in" : ", needed by",
                           first_few(files, max_users), problem.text),
               label.width());
    }
    const std::string file = escape(subject_.wheel.facts.file);
    // What repair bundles. `check` has the advice about the others.
    const auto missing = std::ranges::find_if(problems, [&](const ProblemOfFiles& one) {
      return one.problem.kind == TreeProblem::Kind::NotFound && !one.problem.in_wheel &&
             !is_out_of_reach(member_of(subject_.wheel.facts, one.problem.user.elf).path.text());
    });
    out.blank();
    out.line("fix: ",
             missing == problems.end()
                 ? fmt::format("`wheelcheck {}` shows the fix of each", file)
                 : fmt::format("bundle what is missing: `wheelcheck repair {}`; or declare the provider: --wheel "
                               "OTHER.whl, or --external '{}'",
                               file, missing->problem.subject),
             5);
  }

  const Subject subject_;
  const std::span<const Load> loads_;
  const NeedStatuses statuses_;
  std::set<TreeNode, ByContent> shown_;  // the nodes that were shown with their needs
  bool any_cut_ = false;
  std::size_t failing_ = 0, doubtful_ = 0;  // problems
};

Document document_of(std::span<const Tree> trees, std::span<const WheelFacts> providers) {
  Document out;
  std::size_t count = 0, failing = 0, doubtful = 0, unknown = 0;
  bool failed = false;
  for (const Tree& tree : trees) {
    if (!out.empty()) out.blank();
    TreeText text({tree.wheel, providers}, tree.loads);
    text.add_to(out, tree.left_out);
    count += tree.loads.size();
    failing += text.failing();
    doubtful += text.doubtful();
    unknown += text.unknown();
    failed = failed || has_check_errors(tree.wheel);
  }
  if (trees.empty()) return out;
  const std::string all = count_of(count, "tree");
  const std::string more =
      unknown == 0 ? "" : fmt::format("; {} not judged", count_of(unknown, "library is", "libraries are"));
  if (failing > 0)
    out.outcome(styled("{}: {} in {}, {} of which {} an import fail", StyledText("NOT FOUND", Style::Bad),
                       count_of(failing + doubtful, "problem"), all, failing, failing == 1 ? "makes" : "make"));
  else
    out.outcome(styled("{}: no library is missing in {}{}{}{}",
                       failed         ? StyledText("FAILED", Style::Bad)
                       : doubtful > 0 ? StyledText("FOUND", Style::Doubtful)
                                      : StyledText("FOUND", Style::Good),
                       all, more, doubtful > 0 ? "; " + count_of(doubtful, "problem") : "",
                       failed ? "; check reports errors" : ""));
  return out;
}

}  // namespace

// The tree as JSON. It is flat, with the files in loading order, so that a reader needs no recursion.
namespace {

constexpr int tree_version = 1;

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
                      {"problems", problems_json(subject, tree.loads, statuses)},
                      {"check_errors", check_errors_json(tree.wheel)}});
  }
  const Json document = {{"schema", "wheelcheck-tree"},
                         {"version", tree_version},
                         {"wheels", std::move(wheels)},
                         {"providers", std::move(beside)}};
  return document_text(document);
}

}  // namespace

Answer tree_answer(std::span<const Tree> trees, std::span<const WheelFacts> providers) {
  const bool fails_any = std::ranges::any_of(trees, [&](const Tree& tree) {
    const std::vector<TreeProblem> problems =
        problems_of({tree.wheel, providers}, tree.loads, NeedStatuses(tree.wheel));
    return has_check_errors(tree.wheel) || std::ranges::any_of(problems, stops_import);
  });
  return {.document = [=] { return document_of(trees, providers); },
          .json = [=] { return tree_json(trees, providers); },
          .fails = fails_any,
          .graph = [=] { return tree_graph(trees, providers); }};
}

}  // namespace wheelcheck::report
