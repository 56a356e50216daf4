// Shared by the text and the JSON form of a tree: how each needed library is found, and which problems there are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/answers/answers.h"
#include "report/check/facts_text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {

enum class NeedStatus {
  Here,      // a file of these wheels
  Platform,  // the claimed tags allow it, or the process already has it
  Declared,  // --external
  Required,  // of a distribution that METADATA requires, or of a driver
  Lucky,     // a file of these wheels, but only found because another file loads it first
  Missing,   // no known provider
  Unknown,   // not judged: needed by another wheel's file, or by a file that is not host code
};
std::string_view name_of(NeedStatus status);  // "missing"

// The standings in one wheel.
class NeedStatuses {
 public:
  explicit NeedStatuses(const WheelReport& wheel);
  NeedStatus of(const Load::Need& need) const;
  const LibrarySource* source_of(const Load::Need& need) const;  // set for Required
  // "not in the wheel, allowed by no manylinux level"; for Missing
  std::string why_missing(const Subject& subject, const Load::Need& need) const;

 private:
  const Resolution& resolution_;
  LibraryLevels promises_;
  // library -> claimed tags that do not allow it
  std::map<std::string, std::vector<std::string>, std::less<>> not_allowed_;
};

struct TreeProblem {
  enum class Kind { NotFound, LoadedByAnother, AbsolutePath, MissingVersion };
  Kind kind = Kind::NotFound;
  ElfRef user;
  std::string subject;    // the library, the path or the version
  std::string text;       // one clause
  bool in_wheel = false;  // NotFound: a file of these wheels has the name, but no search path leads there
  auto operator<=>(const TreeProblem&) const = default;
};
std::string_view name_of(TreeProblem::Kind kind);  // "not-found"

// In the order of the loads, without repetitions.
std::vector<TreeProblem> problems_of(const Subject& subject, std::span<const Load> loads, const NeedStatuses& statuses);

// The elements of DT_RUNPATH, or of DT_RPATH if there is no DT_RUNPATH.
struct PathInForce {
  std::string_view kind;  // "RUNPATH"
  const std::vector<std::string_view>& elements;
};
PathInForce path_in_force(const DynamicFacts& dynamic);

// The load graph as DOT.
std::string tree_graph(std::span<const Tree> trees, std::span<const WheelFacts> providers);

}  // namespace wheelcheck::report
