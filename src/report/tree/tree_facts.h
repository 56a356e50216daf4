// What the text and the JSON of a tree have in common: how each need is met, and what is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/check/facts_text.h"
#include "report/shared/names.h"
#include "report/tree/tree.h"

namespace wheelcheck::report {

enum class Standing {
  Here,      // a file of these wheels
  Platform,  // the claimed tags promise it, or the process has it
  Declared,  // --external
  Lucky,     // a file of these wheels, but only because another one loads it first
  Missing,   // nobody is known to bring it
  Unknown,   // not judged: the need of another wheel's file, or of a file that is no host code
};
std::string_view name_of(Standing standing);  // "missing"

// Of one wheel.
class Standings {
 public:
  explicit Standings(const WheelReport& wheel);
  Standing of(const Load::Need& need) const;
  // "not in the wheel, allowed by no manylinux level"; of Missing
  std::string why_missing(const Subject& subject, const Load::Need& need) const;

 private:
  LibraryLevels promises_;
  std::map<std::string, std::vector<std::string>, std::less<>> unpromised_;  // library -> claimed tags that lack it
};

struct TreeProblem {
  enum class Kind { NotFound, LoadedByAnother, AbsolutePath, MissingVersion };
  Kind kind = Kind::NotFound;
  ElfRef user;
  std::string subject;  // the library, the path or the version
  std::string text;     // a clause
  auto operator<=>(const TreeProblem&) const = default;
};
std::string_view name_of(TreeProblem::Kind kind);  // "not-found"

// In the order of the loads, each once.
std::vector<TreeProblem> problems_of(const Subject& subject, std::span<const Load> loads, const Standings& standings);

// The elements of DT_RUNPATH, or without one of DT_RPATH, that are in force.
struct PathInForce {
  std::string_view kind;  // "RUNPATH"
  const std::vector<std::string_view>& elements;
};
PathInForce path_in_force(const DynamicFacts& dynamic);

std::string tree_json(std::span<const Tree> trees, std::span<const WheelFacts> providers);

}  // namespace wheelcheck::report
