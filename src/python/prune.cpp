#include "python/prune.h"

#include <algorithm>
#include <cstddef>

namespace wheelcheck::python {
namespace {

// After so many rounds the rest stays: a file may be a chain of assignments, each found by the one below it.
constexpr int most_rounds = 40;

class Pruner {
 public:
  Pruner(const Lines& code, const Mentions& read, const std::vector<bool>& kept)
      : code_(code),
        read_(read),
        kept_(kept),
        cuts_(code.lines.size(), Cut::None),
        shown_(read.names.size()),
        made_(read.names.size()) {
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i]) made_[read.functions[i]] = true;
  }

  std::vector<Cut> cut() {
    sort();
    keep_what_is_shown();
    for (const std::size_t function : definitions_) {
      const std::size_t line = code_.functions[function].first - 1;
      const bool decorated = line > 0 && code_.line(line - 1).starts_with('@');
      cuts_[line] = decorated || shown_[read_.functions[function]] ? Cut::Bare : Cut::Gone;
    }
    return std::move(cuts_);
  }

 private:
  bool loads(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             const Name& name = read_.names[mention.name];
             return name.loader || name.called;
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
      const Statement& statement = read_.statements[i];
      const bool goes = !loads(statement);
      while (function < kept_.size() && code_.functions[function].first <= i) ++function;
      if (function < kept_.size() && code_.functions[function].first == i + 1 && !kept_[function]) {
        if (goes && statement.word == Word::Define && !statement.calls)
          definitions_.push_back(function);
        else
          show(statement);
        i = code_.functions[function].last - 1;
      } else if (code_.is_text(code_.lines[i])) {
        cuts_[i] = Cut::Gone;
      } else if (goes && statement.word == Word::Raise && !makes(statement)) {
        cuts_[i] = Cut::Bare;
      } else if (goes && statement.plain) {
        assignments_.push_back(i);
      } else {
        show(statement);
      }
    }
  }

  void keep_what_is_shown() {
    for (int round = 0; !assignments_.empty(); ++round) {
      const std::size_t before = assignments_.size();
      std::erase_if(assignments_, [&](std::size_t line) {
        const Statement& statement = read_.statements[line];
        const bool stays = round >= most_rounds || std::ranges::any_of(read_.of(statement), [&](const Mention& one) {
                             return one.target && shown_[one.name];
                           });
        if (stays) show(statement);
        return stays;
      });
      if (assignments_.size() == before) break;
    }
    for (const std::size_t line : assignments_) cuts_[line] = Cut::Gone;
  }

  const Lines& code_;
  const Mentions& read_;
  const std::vector<bool>& kept_;
  std::vector<Cut> cuts_;
  std::vector<bool> shown_;               // by name: stands in what stays
  std::vector<bool> made_;                // by name: of a function that stays
  std::vector<std::size_t> assignments_;  // lines that may go
  std::vector<std::size_t> definitions_;  // functions whose parameters go
};

}  // namespace

std::vector<Cut> prune(const Lines& code, const Mentions& read, const std::vector<bool>& kept) {
  return Pruner(code, read, kept).cut();
}

}  // namespace wheelcheck::python
