#include "python/prefilter/loading.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "python/prefilter/lines.h"
#include "python/prefilter/mentions.h"
#include "python/prefilter/prune.h"

namespace wheelcheck::python {
namespace {

// After so many rounds the rest is kept: a file may be a chain of functions, each found by the one below it.
constexpr int most_rounds = 40;

// Follows names until nothing new matters: those that code uses which loads, and those that use it.
class Follower {
 public:
  Follower(const Lines& code, Mentions& read, Told told)
      : code_(code), read_(read), told_(told), kept_(code.functions.size()), runs_(code.functions.size()) {}

  // False where that took too long: then not all that matters is known.
  bool follow() {
    for (int round = 0; round < most_rounds; ++round) {
      changed_ = false;
      std::size_t line = 0;
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        for (; line + 1 < code_.functions[i].first; ++line) outside(read_.statements[line]);
        line = code_.functions[i].last;
        function(i);
      }
      for (; line < read_.statements.size(); ++line) outside(read_.statements[line]);
      if (!changed_) return true;
    }
    return false;
  }

  // Whether code does more with what loads than to import it under its own name.
  bool finds_use() const {
    return imports_as_ || std::ranges::any_of(read_.statements, [this](const Statement& statement) {
             return statement.word != Word::Import && statement.word != Word::From && uses(statement);
           });
  }

  Parts parts() const {
    Parts parts{.kept = kept_, .whole = runs_, .module = told_ == Told::Events};
    for (std::size_t i = 0; i < kept_.size(); ++i) parts.kept[i] = kept_[i] || runs_[i];
    return parts;
  }

 private:
  void set(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }
  void want(const Statement& statement) {
    for (const Mention& mention : read_.of(statement))
      if (!read_.is_foreign(mention)) set(read_.names[mention.name].wanted);
  }
  bool uses(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return read_.names[mention.name].called && !mention.typed && !read_.is_foreign(mention);
           });
  }
  // It uses, or sets, what matters.
  bool touches(const Statement& statement) const {
    return uses(statement) || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return mention.bound && read_.names[mention.name].wanted;
           });
  }

  // Whether it says what a function that stays loads, or under which condition.
  bool matters(const Statement& statement, bool gives) const {
    if (uses(statement) || read_.calls_inner(statement)) return true;
    if (statement.simple) return read_.changes(statement);
    if (statement.word == Word::Return) return gives;
    return statement.word != Word::Import && statement.word != Word::From && statement.word != Word::Raise;
  }

  void run(const Statement& statement) {
    if (told_ == Told::Calls) return;
    for (const Mention& mention : read_.of(statement))
      if (!mention.handed && !mention.defined) set(read_.names[mention.name].runs);
  }

  // A statement of no function always runs.
  void outside(const Statement& statement) {
    run(statement);
    const bool decides = statement.word == Word::Condition || statement.word == Word::For;
    if (decides || touches(statement)) want(statement);
    find_loaders(statement);
  }

  void function(std::size_t index) {
    const auto statements = read_.of(code_.functions[index]);
    Name& name = read_.names[read_.functions[index]];
    if (name.runs && !runs_[index]) {
      runs_[index] = true;
      changed_ = true;
      for (const Statement& statement : statements) run(statement);
    }
    if (!kept_[index]) {
      if (!name.wanted && std::ranges::none_of(statements, [this](const auto& one) { return touches(one); })) return;
      kept_[index] = true;
      changed_ = true;
    }
    const bool gives = read_.gives(index);
    for (const Statement& statement : statements)
      if (runs_[index] || matters(statement, gives)) want(statement);
    if (!name.called && std::ranges::any_of(statements, [this](const auto& one) { return uses(one); }))
      set(name.called);
    for (const Statement& statement : statements)
      if (find_loaders(statement) && statement.word == Word::Return) set(name.maker);
  }

  // `load = ctypes.CDLL` makes `load` another word that loads. Whether one is handed on.
  bool find_loaders(const Statement& statement) {
    const auto mentions = read_.of(statement);
    const auto hands_on = [this](const Mention& mention) {
      const Name& name = read_.names[mention.name];
      // ctypes.cdll.x and cdll["x"] are libraries.
      return !mention.typed &&
             (name.maker || ((name.loader || mention.loader) && !mention.called && !(mention.loader && mention.taken)));
    };
    const auto is_function = [this](const Mention& mention) {
      return read_.names[mention.name].called && !mention.called && !mention.target && !mention.typed;
    };
    const bool imports = statement.word == Word::Import || statement.word == Word::From;
    if (std::ranges::none_of(mentions, hands_on)) {
      if (!imports && std::ranges::any_of(mentions, is_function))
        for (const Mention& mention : mentions)
          if (mention.target) set(read_.names[mention.name].inner);
      return false;
    }
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      if (imports && (i == 0 || !hands_on(mentions[i - 1]))) continue;
      Name& name = read_.names[mentions[i].name];
      if (mentions[i].target) set(name.inner);
      imports_as_ = imports_as_ || (imports && mentions[i].target);
      if (!mentions[i].bound) continue;
      set(name.loader);
      set(name.called);
    }
    return !imports;
  }

  const Lines& code_;
  Mentions& read_;
  const Told told_;
  std::vector<bool> kept_;  // by function: it matters to loading
  std::vector<bool> runs_;  // by function: an import may run it
  bool changed_ = false;
  bool imports_as_ = false;  // an import gives another name to what loads
};

}  // namespace

std::optional<std::string> loading_code(std::string_view source, Told told) {
  const auto code = lines_of(source);
  if (!code) return std::string(source);
  if (!code->may_load) return std::nullopt;
  Mentions read(*code);
  if (std::ranges::none_of(read.statements, &Statement::loads)) return std::nullopt;
  Follower follower(*code, read, told);
  const bool followed = follower.follow();
  if (followed && !follower.finds_use()) return std::nullopt;
  const std::vector<bool> all(code->functions.size(), true);
  const Parts parts = followed ? follower.parts() : Parts{.kept = all, .whole = all, .module = true};
  return code->with(parts.kept, prune(*code, read, parts));
}

}  // namespace wheelcheck::python
