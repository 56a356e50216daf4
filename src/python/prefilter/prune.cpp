#include "python/prefilter/prune.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace wheelcheck::python {
namespace {

// After so many rounds the rest stays: a file may be a chain of assignments, each found by the one below it.
constexpr int most_prune_rounds = 40;

class Pruner {
 public:
  Pruner(const Lines& code, const Mentions& read, const Parts& parts)
      : code_(code),
        read_(read),
        parts_(parts),
        cuts_(code.lines.size(), Cut::None),
        shown_(read.names.size()),
        made_(read.names.size()) {
    for (std::size_t i = 0; i < parts.kept.size(); ++i)
      if (parts.kept[i]) made_[read.functions[i]] = true;
  }

  std::vector<Cut> cut() {
    sort();
    keep_what_is_shown();
    for (const std::size_t function : definitions_) leave_out(function);
    return std::move(cuts_);
  }

 private:
  bool loads(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             const Name& name = read_.names[mention.name];
             return (name.loader || name.called) && !mention.typed && !read_.is_foreign(mention);
           });
  }
  bool makes(const Statement& statement) const {
    return std::ranges::any_of(read_.of(statement), [this](const Mention& mention) { return made_[mention.name]; });
  }
  void show(const Statement& statement) {
    for (const Mention& mention : read_.of(statement)) shown_[mention.name] = true;
  }

  // What may go, what goes, and what stays and shows its names.
  void sort() {
    std::size_t function = 0;
    for (std::size_t i = 0; i < code_.lines.size(); ++i) {
      while (function < parts_.kept.size() && code_.functions[function].last <= i) ++function;
      const bool is_next = function < parts_.kept.size();
      const bool defines = is_next && code_.functions[function].first == i + 1;
      if (defines && !parts_.kept[function]) {
        define(function);
        i = code_.functions[function].last - 1;
        continue;
      }
      const bool inside = is_next && code_.functions[function].first <= i;
      if (defines) gives_ = read_.gives(function);
      cuts_[i] = cut(i, inside ? parts_.whole[function] : parts_.module);
    }
  }

  // A function whose body goes.
  void define(std::size_t function) {
    const Statement& statement = read_.statements[code_.functions[function].first - 1];
    if (!loads(statement) && statement.word == Word::Define && !statement.calls)
      definitions_.push_back(function);
    else
      show(statement);
  }

  // `whole`: of code of which all matters.
  Cut cut(std::size_t line, bool whole) {
    const Statement& statement = read_.statements[line];
    if (code_.is_text(code_.lines[line])) return Cut::Gone;
    if (!loads(statement) && !read_.calls_inner(statement) && !statement.names) {
      if (statement.word == Word::Raise && (!whole || !makes(statement))) return Cut::Bare;
      if (!whole && statement.simple && !read_.changes(statement)) return Cut::Gone;
      const bool returns = statement.word == Word::Return && code_.line(line).starts_with('r');  // not `yield`
      if (!whole && !gives_ && returns) return Cut::Bare;
      if (statement.plain) {
        assignments_.push_back(line);
        return Cut::None;
      }
    }
    show(statement);
    return Cut::None;
  }

  // With its decorators, which say nothing of the calls.
  void leave_out(std::size_t function) {
    const std::size_t line = code_.functions[function].first - 1;
    std::size_t first = line;
    while (first > 0 && code_.line(first - 1).starts_with('@')) --first;
    const auto decorators = std::span(read_.statements).subspan(first, line - first);
    const bool stays = shown_[read_.functions[function]] || (parts_.module && first != line) ||
                       std::ranges::any_of(decorators, [this](const Statement& one) { return loads(one); });
    if (stays) first = line;
    std::fill(cuts_.begin() + static_cast<std::ptrdiff_t>(first), cuts_.begin() + static_cast<std::ptrdiff_t>(line) + 1,
              stays ? Cut::Bare : Cut::Gone);
  }

  void keep_what_is_shown() {
    for (int round = 0; !assignments_.empty(); ++round) {
      const std::size_t before = assignments_.size();
      std::erase_if(assignments_, [&](std::size_t line) {
        const Statement& statement = read_.statements[line];
        const bool stays = round >= most_prune_rounds ||
                           std::ranges::any_of(read_.of(statement),
                                               [&](const Mention& one) { return one.target && shown_[one.name]; });
        if (stays) show(statement);
        return stays;
      });
      if (assignments_.size() == before) break;
    }
    for (const std::size_t line : assignments_) cuts_[line] = Cut::Gone;
  }

  const Lines& code_;
  const Mentions& read_;
  const Parts& parts_;
  std::vector<Cut> cuts_;
  std::vector<bool> shown_;               // by name: stands in what stays
  std::vector<bool> made_;                // by name: of a function that stays
  bool gives_ = false;                    // what the function returns may matter
  std::vector<std::size_t> assignments_;  // lines that may go
  std::vector<std::size_t> definitions_;  // functions whose parameters go
};

}  // namespace

std::vector<Cut> prune(const Lines& code, const Mentions& read, const Parts& parts) {
  return Pruner(code, read, parts).cut();
}

}  // namespace wheelcheck::python
