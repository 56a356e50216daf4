// Validates policy files: each document by itself (validate.h), and the levels in comparison with each other. All
// problems are reported at once.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "policy/authoring/source_location.h"
#include "policy/builtin.h"
#include "policy/load.h"
#include "policy/requirements.h"
#include "policy/set_operations.h"
#include "policy/validate.h"
#include "wheelcheck/derive.h"

namespace wheelcheck {
namespace policy {
namespace {

constexpr std::size_t shown_words = 8;

std::string some(const std::vector<std::string>& words) {
  std::vector<std::string> shown(words.begin(),
                                 words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), shown_words)));
  for (std::string& word : shown) word = escape(word, 100);
  const std::string more = words.size() > shown_words ? fmt::format(" and {} more", words.size() - shown_words) : "";
  return join(shown, ", ") + more;
}

// The words of `set` that `other` does not contain, with a prefix for messages.
std::vector<std::string> missing(const StringSet& set, const StringSet& other, std::string_view prefix = "") {
  std::vector<std::string> out = in_natural_order(without(set, other));
  for (std::string& word : out) word.insert(0, prefix);
  return out;
}

class Check {
 public:
  explicit Check(PolicyCheck& out) : out_(out) {}

  void add(std::string_view code, Severity severity, const Origin& origin, std::string pointer, std::string message) {
    out_.problems.push_back({code, severity, origin.file, std::move(pointer), std::move(message)});
  }

  // WC904. PEP 600: a name belongs to one level, and each of the three old names to a fixed one.
  void names(const std::vector<Placed>& files, const std::vector<Placed>& builtin) {
    std::map<std::string, const Placed*, std::less<>> first;
    for (const Placed& one : files) {
      old_names(one);
      for (const std::string_view name : names_of(one.level)) {
        const auto [at, fresh] = first.try_emplace(std::string(name), &one);
        const Placed& other = *at->second;
        if (!fresh && &other != &one)
          same_name(one, name, fmt::format("{} in {}", other.level.name, escape(other.origin.file)));
      }
      for (const Placed& other : builtin)
        if (other.level.name != one.level.name) one_name(one, other, fmt::format("the built-in {}", other.level.name));
    }
  }

  // WC902. PEP 600: a wheel that is compatible with an older level is compatible with a newer one.
  void newer_holds_older(const Placed& older, const Placed& newer) {
    for (const auto& [arch, before] : older.level.policies) {
      const auto found = newer.level.policies.find(arch);
      if (found == newer.level.policies.end()) continue;
      const Policy& after = found->second;
      for (const auto& [family, nodes] : before.versions)
        lacks(older, newer, missing(nodes, list_of(after.versions, family), family + "_"), "allows", arch,
              [&](const Origin& at) { return at.versions(arch, family); });
      lacks(older, newer, missing(before.libraries, after.libraries), "allows", arch,
            [&](const Origin& at) { return at.libraries(arch); });
      for (const auto& [library, symbols] : after.denied_symbols)
        if (before.libraries.contains(library))
          denies(older, newer, missing(symbols, list_of(before.denied_symbols, library)), library, arch);
    }
  }

  // WC903: an architecture that an older and a newer level have is missing.
  void gaps(const Placed& one, const std::vector<const Placed*>& older, const std::vector<const Placed*>& newer) {
    const auto with = [](const std::vector<const Placed*>& levels, Arch arch) {
      return std::ranges::find_if(levels, [&](const Placed* at) { return at->level.policies.contains(arch); });
    };
    std::set<Arch> arches;
    for (const Placed* const level : older)
      for (const auto& [arch, promised] : level->level.policies) arches.insert(arch);
    for (const Arch arch : arches) {
      const auto before = with(older, arch), after = with(newer, arch);
      if (one.level.policies.contains(arch) || after == newer.end()) continue;
      add("WC903", Severity::Warning, one.origin, one.origin.architectures(),
          fmt::format("has no {}, which {} and {} have; add it, or its wheels must claim the newer level",
                      name_of(arch), (*before)->level.name, (*after)->level.name));
    }
  }

  // WC905. Nodes of a known family that no level lists, and GLIBC nodes newer than the libc itself, which only a system
  // with backports has (manylinux_2_17 on aarch64 lists GLIBC_2.18).
  void nodes(const Placed& one, const std::vector<Placed>& builtin) {
    for (const auto& [arch, promised] : one.level.policies) {
      for (const auto& [family, nodes] : promised.versions) {
        const StringSet known = known_nodes(one.level, arch, family, builtin, false);
        if (known.empty()) continue;
        const StringSet in_time = known_nodes(one.level, arch, family, builtin, true);
        std::vector<std::string> late, unknown;
        for (const std::string_view node : nodes) {
          Version version;
          const bool is_late = family == "GLIBC" && one.level.family == PlatformTag::Family::Manylinux &&
                               parse_version(node, version) && version > one.level.libc && !in_time.contains(node);
          if (is_late) late.push_back(fmt::format("{}_{}", family, node));
          if (!is_late && !known.contains(node)) unknown.push_back(fmt::format("{}_{}", family, node));
        }
        std::ranges::sort(late, NaturalLess{});
        std::ranges::sort(unknown, NaturalLess{});
        const std::string pointer = one.origin.versions(arch, family);
        if (!late.empty())
          add("WC905", Severity::Warning, one.origin, pointer,
              fmt::format("lists {}, newer than glibc {}, whose level this is; remove it, or explain in $comment which "
                          "systems have it",
                          some(late), to_string(one.level.libc)));
        if (!unknown.empty())
          add("WC905", Severity::Warning, one.origin, pointer,
              fmt::format(
                  "lists {}, which no built-in level for {} lists; check the spelling, or explain in $comment which "
                  "systems have it",
                  some(unknown), name_of(arch)));
      }
    }
  }

  // WC905 and WC906, in comparison with a root.
  void root(const Placed& one, const Root& root) {
    for (const auto& [arch, promised] : one.level.policies) {
      const auto there = root.libraries.find(arch);
      if (there == root.libraries.end()) continue;
      std::vector<std::string> defined, absent;
      for (const auto& [soname, library] : there->second)
        if (promised.libraries.contains(soname) || is_loader(soname, one.level.family))
          defined.insert(defined.end(), library.versions.begin(), library.versions.end());
      for (const std::string_view library : promised.libraries)
        if (!there->second.contains(library) && !is_given_by_loader(library, one.level.family))
          absent.emplace_back(library);
      if (!absent.empty())
        add("WC906", Severity::Warning, one.origin, one.origin.libraries(arch),
            fmt::format("lists {}, which {} lacks on {}; remove it, or explain in $comment why every system has it",
                        some(absent), escape(root.label, 100), name_of(arch)));
      const StringSet known(defined.begin(), defined.end());
      for (const auto& [family, nodes] : promised.versions) {
        std::vector<std::string> lacking;
        for (const std::string& node : in_natural_order(nodes))
          if (std::string whole = fmt::format("{}_{}", family, node); !known.contains(whole))
            lacking.push_back(std::move(whole));
        if (!lacking.empty())
          add("WC905", Severity::Warning, one.origin, one.origin.versions(arch, family),
              fmt::format(
                  "lists {}, which no listed library of {} defines on {}; remove it, or explain in $comment which "
                  "systems have it",
                  some(lacking), escape(root.label, 100), name_of(arch)));
      }
    }
  }

 private:
  static StringSet names_of(const Level& level) {
    StringSet names(level.aliases.begin(), level.aliases.end());
    names.insert(level.name);
    return names;
  }

  void one_name(const Placed& one, const Placed& other, const std::string& who) {
    const StringSet names = names_of(other.level);
    for (const std::string_view name : names_of(one.level))
      if (names.contains(name)) same_name(one, name, who);
  }
  void same_name(const Placed& one, std::string_view name, const std::string& who) {
    add("WC904", Severity::Error, one.origin, one.origin.name(),
        fmt::format("has the name {}, like {}; rename one of them", escape(name, 100), who));
  }

  void old_names(const Placed& one) {
    for (const std::string& alias : one.level.aliases) {
      Level alias_level;
      if (!read_level_name(alias, alias_level) || alias_level.name == one.level.name) continue;
      add("WC904", Severity::Error, one.origin, pointer_of_aliases(one.origin),
          fmt::format("gives the name {} to {}, but that name means {} (PEP 600); remove it", escape(alias, 100),
                      one.level.name, alias_level.name));
    }
  }
  static std::string pointer_of_aliases(const Origin& origin) { return origin.entry + "/aliases"; }

  template <class Pointer>
  void lacks(const Placed& older, const Placed& newer, const std::vector<std::string>& words, std::string_view verb,
             Arch arch, Pointer pointer) {
    if (words.empty()) return;
    if (!newer.origin.is_builtin())
      add("WC902", Severity::Error, newer.origin, pointer(newer.origin),
          fmt::format("lacks {} on {}, which the older {} {}; add what is missing", some(words), name_of(arch),
                      older.level.name, verb));
    else
      add("WC902", Severity::Error, older.origin, pointer(older.origin),
          fmt::format("{} {} on {}, which the newer {} lacks; remove it", verb, some(words), name_of(arch),
                      newer.level.name));
  }

  void denies(const Placed& older, const Placed& newer, const std::vector<std::string>& symbols,
              const std::string& library, Arch arch) {
    if (symbols.empty()) return;
    if (!newer.origin.is_builtin())
      add("WC902", Severity::Error, newer.origin, newer.origin.denied(arch, library),
          fmt::format("denies {} of {} on {}, which the older {} allows; remove it, or deny it there too",
                      some(symbols), escape(library, 100), name_of(arch), older.level.name));
    else
      add("WC902", Severity::Error, older.origin, older.origin.denied(arch, library),
          fmt::format("allows {} of {} on {}, which the newer {} denies; deny it", some(symbols), escape(library, 100),
                      name_of(arch), newer.level.name));
  }

  // The nodes in the built-in levels of this libc, or in those that are not newer than `level`.
  static StringSet known_nodes(const Level& level, Arch arch, const std::string& family,
                               const std::vector<Placed>& builtin, bool in_time) {
    std::vector<std::string_view> out;
    for (const Placed& one : builtin) {
      const auto at = one.level.policies.find(arch);
      if (one.level.family != level.family || at == one.level.policies.end()) continue;
      if (in_time && one.level.libc > level.libc) continue;
      std::ranges::copy(list_of(at->second.versions, family), std::back_inserter(out));
    }
    return {out.begin(), out.end()};
  }

  PolicyCheck& out_;
};

// A level with a name of its own, mylinux_1, is for wheels of one organization: no PEP orders it with the others.
bool is_private(const Level& level) {
  Level named;
  return !read_level_name(level.name, named);
}

// The levels of one C library, oldest first, without private ones. Levels of files replace built-in ones.
std::vector<const Placed*> policy_levels(PlatformTag::Family family, const std::vector<Placed>& files,
                                         const std::vector<Placed>& builtin) {
  std::vector<const Placed*> out;
  const auto is_replaced = [&](const Placed& one) {
    return std::ranges::any_of(files, [&](const Placed& file) { return file.level.name == one.level.name; });
  };
  for (const Placed& one : builtin)
    if (one.level.family == family && !is_replaced(one)) out.push_back(&one);
  for (const Placed& one : files)
    if (one.level.family == family && !is_private(one.level)) out.push_back(&one);
  std::ranges::stable_sort(out, {}, [](const Placed* one) { return one->level.libc; });
  return out;
}

void check_level_set(const std::vector<const Placed*>& levels, Check& check) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (i > 0 && !(levels[i]->origin.is_builtin() && levels[i - 1]->origin.is_builtin()))
      check.newer_holds_older(*levels[i - 1], *levels[i]);
    if (levels[i]->origin.is_builtin()) continue;
    const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(i);
    check.gaps(*levels[i], {levels.begin(), middle}, {middle + 1, levels.end()});
  }
}

}  // namespace
}  // namespace policy

constexpr std::size_t max_levels = 1024;  // they are compared with each other

Result<PolicyCheck> validate_policies(std::span<const std::string> files) { return validate_policies(files, {}); }

Result<PolicyCheck> validate_policies(std::span<const std::string> files, std::span<const Root> roots) {
  using policy::Placed;
  const auto documents = policy::documents_of(files);
  if (!documents) return std::unexpected(documents.error());
  PolicyCheck out;
  policy::Check check(out);
  std::vector<Placed> read, builtin;
  for (policy::Level& level : policy::builtin_levels()) builtin.push_back({std::move(level), {}});
  for (const policy::Document& document : *documents) {
    policy::Problems problems;
    std::vector<policy::Level> levels = policy::read_levels(document.text, problems);
    for (const policy::Problem& problem : problems.all())
      out.problems.push_back({"WC901", Severity::Error, document.file, problem.pointer, problem.text});
    if (problems.left_out() > 0)
      out.problems.push_back({"WC901", Severity::Error, document.file, "",
                              fmt::format("has {}, not listed", count_of(problems.left_out(), "more problem"))});
    if (problems.empty() && levels.empty())
      out.problems.push_back({"WC901", Severity::Error, document.file, "", "contains no policy but linux; add one"});
    out.files += 1;
    out.levels += levels.size();
    // Complete levels of a document with problems are still checked.
    for (Placed& one : policy::placed(document, std::move(levels)))
      if (!one.level.name.empty()) read.push_back(std::move(one));
  }
  if (read.size() > max_levels)
    return std::unexpected(
        Error{ErrorCode::BadPolicy, fmt::format("the files contain more than {} levels", max_levels)});
  check.names(read, builtin);
  using Family = PlatformTag::Family;
  for (const Family family : {Family::Manylinux, Family::Musllinux, Family::Android})
    policy::check_level_set(policy::policy_levels(family, read, builtin), check);
  for (const Placed& one : read) check.nodes(one, builtin);
  for (const Root& root : roots)
    for (const Placed& one : read) check.root(one, root);
  std::map<std::string_view, std::size_t> order;
  for (const policy::Document& document : *documents) order.emplace(document.file, order.size());
  std::ranges::stable_sort(out.problems, {}, [&](const PolicyProblem& problem) { return order[problem.file]; });
  return out;
}

}  // namespace wheelcheck
