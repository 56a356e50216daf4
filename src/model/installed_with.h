// The distributions that pip installs with a wheel on Linux, as far as Requires-Dist and the tables of data/ show.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// How a distribution comes to be installed.
struct InstalledBy {
  std::string distribution;      // normalised (PEP 503); "" if none is installed
  std::set<std::string> extras;  // of the wheel; empty if it is always installed
};

// Indexed once, because a wheel may have thousands of requirements and of libraries. Contains views into the tables.
class InstalledWith {
 public:
  InstalledWith(const WheelFacts& wheel, std::span<const KnownDistribution> known);
  InstalledWith(const InstalledWith&) = delete;  // it contains views into itself
  InstalledWith& operator=(const InstalledWith&) = delete;

  // The first of `distributions` that is installed, directly or because another one of the tables requires it. One that
  // is always installed comes before one under an extra.
  InstalledBy first_of(const std::vector<std::string>& distributions) const;
  // By name, the extras under which the wheel itself requires each; empty: always.
  const std::map<std::string, std::set<std::string>, std::less<>>& direct() const { return direct_; }
  // The direct requirement of that normalised name, or of that name but for what only packaging adds: "librmm-cu12" for
  // "rmm". "" if there is none.
  std::string_view named(std::string_view name) const;
  // The same, or of a name that ends with it: "stemkratosmultiphysics" for the package "kratosmultiphysics".
  std::string_view named_with(std::string_view name) const;
  // The direct requirement that a library is called like: "rapids-logger" for librapids_logger.so.1, "librmm-cu12" for
  // librmm.so. "" if there is none.
  std::string_view called_like(std::string_view library) const;
  // "torch>=2.4,<2.11" for `torch>=2.4` if only releases of torch before 2.11 require one of the distributions. "" if
  // there is no such requirement.
  std::string older_with(const std::vector<std::string>& distributions) const;

 private:
  struct Indirect {
    std::string_view pattern;  // of names
    std::set<std::string> extras;
    std::vector<const DroppedRequirement*> dropped;  // by the newest release that the requirement allows
    std::string start;                               // of a requirement with one more limit: "torch>=2.4,"
  };
  std::map<std::string, std::set<std::string>, std::less<>> direct_;
  std::map<std::string_view, std::string_view> by_plain_name_;  // views into direct_; of several, the first
  std::vector<Indirect> indirect_;

  static const DroppedRequirement* dropped_for(const Indirect& one, std::string_view name);
};

// Whether the library is the runtime of a compiler: libgomp.so.1. No requirement of a wheel has it for others.
bool is_of_compiler(std::string_view library);

// "librmm-cu12" -> "rmm": the name of a distribution without what only packaging adds.
std::string_view plain_name(std::string_view distribution);

}  // namespace wheelcheck
