#include "python/loading.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "python/lines.h"
#include "python/mentions.h"
#include "python/prune.h"

namespace wheelcheck::python {
namespace {

// After so many rounds the rest is kept: a file may be a chain of functions, each found by the one below it.
constexpr int most_rounds = 40;

// Follows names until nothing new matters: those that code uses which loads, and those that use it.
class Follower {
 public:
  Follower(const Lines& code, Mentions& read)
      : code_(code), read_(read), kept_(code.functions.size()), runs_(code.functions.size()) {}

  std::vector<bool> follow() {
    for (int round = 0; round < most_rounds; ++round) {
      changed_ = false;
      std::size_t line = 0;
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        for (; line + 1 < code_.functions[i].first; ++line) outside(read_.statements[line]);
        line = code_.functions[i].last;
        function(i);
      }
      for (; line < read_.statements.size(); ++line) outside(read_.statements[line]);
      if (changed_) continue;
      for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = kept_[i] || runs_[i];
      return std::move(kept_);
    }
    return std::vector<bool>(kept_.size(), true);
  }

 private:
  std::span<const Statement> statements(const Function& function) const {
    return std::span(read_.statements).subspan(function.first - 1, function.last - function.first + 1);
  }
  void set(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }
  void want(const Statement& statement) {
    for (const Mention& mention : read_.of(statement)) set(read_.names[mention.name].wanted);
  }
  bool uses(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return read_.names[mention.name].called;
           });
  }
  // It uses, or sets, what matters.
  bool touches(const Statement& statement) const {
    return uses(statement) || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return mention.bound && read_.names[mention.name].wanted;
           });
  }

  void run(const Statement& statement) {
    for (const Mention& mention : read_.of(statement))
      if (!mention.handed && !mention.defined) set(read_.names[mention.name].runs);
  }

  // A statement of no function always runs.
  void outside(const Statement& statement) {
    run(statement);
    if (statement.word == Word::Condition || touches(statement)) want(statement);
    find_loaders(statement);
  }

  void function(std::size_t index) {
    const auto statements = this->statements(code_.functions[index]);
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
      for (const Statement& statement : statements) want(statement);
    }
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
      return name.maker || (name.loader && !mention.called && !(name.loads && mention.taken));
    };
    const bool imports = statement.word == Word::Import || statement.word == Word::From;
    if (std::ranges::none_of(mentions, hands_on)) return false;
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      if (!mentions[i].bound || (imports && (i == 0 || !hands_on(mentions[i - 1])))) continue;
      set(read_.names[mentions[i].name].loader);
      set(read_.names[mentions[i].name].called);
    }
    return !imports;
  }

  const Lines& code_;
  Mentions& read_;
  std::vector<bool> kept_;  // by function: it matters to loading
  std::vector<bool> runs_;  // by function: an import may run it
  bool changed_ = false;
};

}  // namespace

std::optional<std::string> loading_code(std::string_view source) {
  const auto code = lines_of(source);
  if (!code) return std::string(source);
  Mentions read(*code);
  if (std::ranges::none_of(read.statements, &Statement::loads)) return std::nullopt;
  const std::vector<bool> kept = Follower(*code, read).follow();
  return code->with(kept, prune(*code, read, kept));
}

}  // namespace wheelcheck::python
