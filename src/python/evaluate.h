// Evaluates expressions of a Python file without running it: the set of values that an expression may have. The work is
// counted and limited. When the limit is reached, every further value is Unknown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "python/model.h"
#include "python/value.h"

namespace wheelcheck::python {

class Evaluator {
 public:
  explicit Evaluator(const Model& model)
      : model_(model), left_(cost_of(model.syntax.source_size(), model.everything)), least_(left_ / 64) {}

  bool is_cut() const { return left_ < least_; }  // nearly all that the file may cost is spent
  // Each call evaluates at most `work` expressions.
  Values evaluate(NodeId node, ScopeId scope, std::uint32_t work);
  // The same for code of a function, for each of its calls in turn, at last those of other files, and for each item of
  // the first loop that unpacks tuples: parameters of one call belong together, and so do the parts of a tuple.
  std::vector<Values> evaluate_in_turn(NodeId node, ScopeId scope, UnitId unit, std::uint32_t work);
  Truth truth(NodeId node, ScopeId scope, std::uint32_t work);
  // The same, under the assumption that the body of that `try` runs to its end, or that it does not.
  Truth truth_if(NodeId node, ScopeId scope, std::uint32_t work, std::uint32_t attempt, bool succeeds);
  // A `try` that a name in the condition depends on; `none` if there is none.
  std::uint32_t attempt_behind(NodeId condition, ScopeId scope) const;

 private:
  Values value(NodeId node, ScopeId scope);
  Values compute(NodeId node, ScopeId scope);
  Truth truth(NodeId node, ScopeId scope);
  Truth boolean(NodeId node, ScopeId scope);
  Truth comparison(NodeId node, ScopeId scope);
  // defined in evaluate_names.cpp
  Values name(std::string_view name, ScopeId scope, std::uint32_t position);
  Values bound(std::span<const Binding> bindings, bool same_scope, std::uint32_t position);
  const std::vector<Binding>* bindings_of(std::string_view name, ScopeId scope, bool& same_scope) const;
  bool is_ruled_out(const Binding& binding) const;
  void apply(const Binding& binding, Values& values);
  Values of_binding(const Binding& binding);
  void take_turn(NodeId loop, Values& tuples);
  Values parameter(const Binding& binding);
  Values passed(const Binding& binding);
  Values attribute(NodeId node, ScopeId scope);
  Values member(const Value& object, std::string_view name);
  Values entry(const Value& mapping, const Values& keys);
  // defined in evaluate.cpp
  Values subscript(NodeId node, ScopeId scope);
  Values string(NodeId node, ScopeId scope);
  Values display(NodeId node, ScopeId scope);
  Values either(NodeId node, ScopeId scope);
  Values operation(NodeId node, ScopeId scope);
  Values comprehension(NodeId node, ScopeId scope);
  // defined in evaluate_calls.cpp
  Values call(NodeId node, ScopeId scope);
  Values method(const Value& object, std::string_view name, NodeId arguments, ScopeId scope);
  Values imported(const Values& names);
  Values library_call(std::string_view name, NodeId arguments, ScopeId scope);
  Values names_call(std::string_view name, NodeId arguments, ScopeId scope);
  Values attributes(const Values& objects, const Values& names);
  Values path_call(std::string_view name, NodeId arguments, ScopeId scope);
  Values package_directory(NodeId arguments, ScopeId scope);
  Values argument(NodeId arguments, std::uint32_t at, std::string_view keyword, ScopeId scope);
  Values joined(Values parts, NodeId arguments, std::uint32_t from, ScopeId scope);
  static Values joined(const Values& parts, const Values& by);
  Values formatted(const Value& text, NodeId arguments, ScopeId scope);

  // Whole files of numpy, scipy and TensorFlow cost up to 100 for a byte, and 3.5 million in all; of what is left of
  // code that loads libraries, a file costs up to 8 for a byte, and 120,000 in all; z3core.py of z3-solver 5.4, whose
  // 190 KB cannot be dropped, 1.02 million.
  static std::uint64_t cost_of(std::uint64_t source_size, bool everything) {
    return everything ? std::min<std::uint64_t>(4'000'000, 100'000 + 200 * source_size)
                      : std::min<std::uint64_t>(2'000'000, 150'000 + 20 * source_size);
  }

  const Model& model_;
  std::uint64_t left_;  // remaining cost for the file; moved to `cost_left` during an evaluation
  std::uint64_t least_;
  bool gave_up_ = false;  // the last evaluation cost too much
  std::uint32_t work_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t assumed_ = none;  // a `try` whose result is assumed
  bool succeeds_ = false;
  struct Turn {
    UnitId unit = none;         // a function of which only one call counts; none: no turns are taken
    std::uint32_t call = 0;     // index into its callers; behind the last: callers in other files
    NodeId loop = no_node;      // what the first loop that unpacks tuples goes over
    std::uint32_t items = 0;    // number of its tuples
    std::uint32_t item = none;  // the one that counts; none: all
  } turn_;
  std::vector<const Binding*> open_;  // parameters that are being evaluated
};

// The argument at that position or with that keyword, also of a list or dictionary that is written there (*[1, 2]);
// no_node if it is absent or unknown (*args).
NodeId argument_of(const Syntax& syntax, NodeId arguments, std::uint32_t at, std::string_view keyword);
// The elements of lists and similar values; Unknown if they are not known.
Values elements_of(const Values& values);
// The value of RTLD_* by its name, as in glibc's dlfcn.h for x86 and most other machines.
bool rtld_flag(std::string_view name, std::uint32_t& bits);

}  // namespace wheelcheck::python
