// The parser (tree-sitter) with the evaluation of its tree needs most of the time that the Python code of a wheel
// costs: 3 to 5 MB of code a second. Files without a word that loading code must contain are not parsed at all; that
// leaves 0.7 % of the code of 93 installed distributions. In the files that are left, most functions have nothing to do
// with loading, so this pass removes them before the parser runs. It reads tokens and names only. A function stays if
// it contains such a word, uses a name that does, or provides a value to one: names are followed until nothing new is
// found. Everything that tokens cannot decide stays, so the result is the same as that of the whole file
// (tests/prefilter_oracle).
//
// Measured in one run, CPU time of all such files, whole and with this pass: 138 and 52 ms for 28 files (0.6 MB, of
// 98 MB of code), 291 and 166 ms for 18 files (0.8 MB, of 20 MB).
#include "python/prefilter/prune.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/byte_scan.h"
#include "python/prefilter/lines.h"
#include "python/prefilter/mentions.h"

namespace wheelcheck::python {

namespace {

// The number of rounds is limited, because a file can be a chain of assignments of which each round finds one. The
// remaining ones are kept.
constexpr int max_prune_rounds = 40;

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

  // Classifies the lines: candidates for removal, removed lines, and kept lines whose names are used.
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

  // A function whose body is removed.
  void define(std::size_t function) {
    const Statement& statement = read_.statements[code_.functions[function].first - 1];
    if (!loads(statement) && statement.word == Word::Define && !statement.calls)
      definitions_.push_back(function);
    else
      show(statement);
  }

  // `whole`: all code here is relevant.
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

  // Removes a definition with its decorators, which do not affect the loading calls.
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
        const bool stays = round >= max_prune_rounds ||
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
  std::vector<bool> shown_;               // by name: used in a kept line
  std::vector<bool> made_;                // by name: the name of a kept function
  bool gives_ = false;                    // the return value of the function may be relevant
  std::vector<std::size_t> assignments_;  // lines that may be removed
  std::vector<std::size_t> definitions_;  // functions whose parameters are removed
};

}  // namespace

std::vector<Cut> prune(const Lines& code, const Mentions& read, const Parts& parts) {
  return Pruner(code, read, parts).cut();
}

namespace {

class Cutter {
 public:
  explicit Cutter(Lines code) : code_(std::move(code)) {}

  std::string cut() {
    const std::vector<Function>& functions = code_.functions;
    for (std::uint32_t i = 0; i < functions.size(); ++i) by_name_[functions[i].name].functions.push_back(i);
    keep_.assign(functions.size(), false);
    find_aliases();
    std::size_t from = 0;
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
      mention(from, functions[i].first);
      from = functions[i].last;
      if (matters(body(functions[i]))) keep(i);
    }
    mention(from, code_.lines.size());
    while (!open_.empty()) {
      const Function& function = functions[open_.back()];
      open_.pop_back();
      mention(function.first, function.last);
    }
    return code_.with(keep_, cuts());
  }
  std::string cut_all() {
    keep_.assign(code_.functions.size(), false);
    return code_.with(keep_, cuts());
  }

 private:
  // The parameters of a function that is not kept go, unless a default or an annotation may be a call.
  std::vector<Cut> cuts() const {
    std::vector<Cut> out(code_.lines.size(), Cut::None);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (code_.is_text(code_.lines[i])) out[i] = Cut::Gone;
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      const std::size_t line = code_.functions[i].first - 1;
      if (!keep_[i] && std::ranges::count(code_.line(line), '(') == 1) out[line] = Cut::Bare;
    }
    return out;
  }

  std::string_view body(const Function& function) const {
    const std::size_t begin = code_.lines[function.first].begin;
    return code_.text.substr(begin, code_.lines[function.last - 1].end - begin);
  }
  // Documentation often shows imports, so only names count.
  static bool matters(std::string_view text) {
    const auto is_one = [](std::string_view name) { return name.contains("import") || name.contains("global"); };
    if (!is_one(text)) return false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      if (next_token(text, at) == Token::Name && is_one(text.substr(begin, at - begin))) return true;
    }
    return false;
  }

  void keep(std::uint32_t function) {
    if (keep_[function]) return;
    keep_[function] = true;
    open_.push_back(function);
  }

  // True for an argument of a call, as in `register(name)`. Such uses are not tracked.
  bool is_handed_over(std::size_t at) const {
    while (at < code_.text.size() && code_.text[at] == ' ') ++at;
    return at < code_.text.size() && (code_.text[at] == ',' || code_.text[at] == ')');
  }

  // The two names of `kernel = kernel_of_base`, which calls nothing; empty for other lines, and for special methods,
  // whose names need not occur where they are called.
  static std::pair<std::string_view, std::string_view> alias(std::string_view line) {
    const std::size_t sign = line.find('=');
    if (sign == line.npos) return {};
    const std::string_view name = trim(line.substr(0, sign)), target = trim(line.substr(sign + 1));
    const bool plain = !target.empty() && !is_digit(target.front()) && std::ranges::all_of(target, is_name_byte) &&
                       std::ranges::all_of(name, is_name_byte) && !name.starts_with("__");
    return plain ? std::pair(name, target) : std::pair<std::string_view, std::string_view>();
  }

  void find_aliases() {
    for (std::size_t i = 0; i < code_.lines.size(); ++i)
      if (const auto [name, target] = alias(code_.line(i)); !name.empty()) by_name_[name].aliases.push_back(target);
  }

  void use(std::string_view name) {
    std::vector<std::string_view> names = {name};
    while (!names.empty()) {
      const auto found = by_name_.find(names.back());
      names.pop_back();
      if (found == by_name_.end()) continue;
      const Named named = std::exchange(found->second, {});
      for (const std::uint32_t function : named.functions) keep(function);
      names.insert(names.end(), named.aliases.begin(), named.aliases.end());
    }
  }

  // Keeps the functions that these lines mention, except the name in a definition or of an alias.
  void mention(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (!alias(code_.line(i)).first.empty()) continue;
      bool defines = false;
      for (std::size_t at = code_.lines[i].begin; at < code_.lines[i].end;) {
        const std::size_t begin = at;
        if (next_token(code_.text, at) != Token::Name) continue;
        const std::string_view name = code_.text.substr(begin, at - begin);
        const bool is_use = !std::exchange(defines, name == "def" || name == "class");
        if (is_use && !is_handed_over(at)) use(name);
      }
    }
  }

  // What a name stands for, until it is used.
  struct Named {
    std::vector<std::uint32_t> functions;
    std::vector<std::string_view> aliases;  // other names of functions
  };

  Lines code_;
  std::map<std::string_view, Named> by_name_;
  std::vector<bool> keep_;
  std::vector<std::uint32_t> open_;  // kept functions whose names are not read yet
};

}  // namespace

std::string skeleton(std::string_view source) {
  auto code = lines_of(source);
  return code ? Cutter(std::move(*code)).cut() : std::string(source);
}

std::string without_functions(std::string_view source) {
  auto code = lines_of(source);
  return code ? Cutter(std::move(*code)).cut_all() : std::string(source);
}

namespace {

// Finds the elements of lists, tuples, sets and dictionaries that consist of numbers, but for the last of each run.
class NumberTables {
 public:
  // False if the text cannot be split.
  bool find(std::string_view text) {
    Token before = Token::Newline;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      const Token token = next_token(text, at);
      if (at == text.npos) return false;
      if (token == Token::Open)
        open(text[begin] == '(' && (before == Token::Name || before == Token::Close), at);
      else if (token == Token::Close)
        close();
      else if (text[begin] == ',')
        separate(at);
      else if (!is_filler(token) && !is_number(text.substr(begin, at - begin)))
        interrupt();
      if (!is_filler(token)) before = token;
    }
    std::ranges::sort(runs_, {}, &Run::begin);
    return true;
  }

  std::string without(std::string_view text) const {
    std::string out;
    std::size_t at = 0;
    for (const Run& run : runs_) {
      if (run.begin < at) continue;  // within the one before
      out += text.substr(at, run.begin - at);
      out.append(static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(run.begin),
                                                     text.begin() + static_cast<std::ptrdiff_t>(run.end), '\n')),
                 '\n');
      at = run.end;
    }
    return out.append(text.substr(at));
  }

 private:
  // Bytes from behind a bracket or comma to behind a later comma.
  struct Run {
    std::size_t begin = 0, end = 0;
    bool pure = true;   // the element that follows consists of numbers so far
    bool call = false;  // arguments stay, because their positions count
  };

  // 1.5e-3 is split into 1 . 5e - 3.
  static bool is_number(std::string_view piece) {
    const char c = piece.front();
    return is_digit(c) || std::string_view(".+-:").contains(c) ||
           ((c == 'e' || c == 'E') && std::ranges::all_of(piece.substr(1), is_digit));
  }

  void take(const Run& run) {
    constexpr std::size_t min_size = 64;
    if (run.end - run.begin < min_size) return;
    runs_.push_back(run);
  }
  void open(bool call, std::size_t at) {
    if (call) interrupt();
    open_.push_back({.begin = at, .end = at, .pure = !call, .call = call});
  }
  void separate(std::size_t at) {
    if (open_.empty() || open_.back().call) return;
    Run& run = open_.back();
    if (!run.pure) run = {.begin = at, .end = at};
    run.end = at;
  }
  // All runs end at this token. The pure ones are the last ones.
  void interrupt() {
    std::size_t first = open_.size();
    while (first > 0 && open_[first - 1].pure) --first;
    for (; first < open_.size(); ++first) {
      take(open_[first]);
      open_[first].pure = false;
    }
  }
  void close() {
    if (open_.empty()) return;
    if (open_.back().pure) take(open_.back());
    open_.pop_back();
  }

  std::vector<Run> open_;  // a run for each open bracket
  std::vector<Run> runs_;  // disjoint or nested
};

}  // namespace

std::string without_numbers(std::string_view source) {
  NumberTables numbers;
  return numbers.find(source) ? numbers.without(source) : std::string(source);
}

namespace {

// The number of rounds is limited, because a file can be a chain of functions of which each round finds one. The
// remaining ones are kept.
constexpr int max_rounds = 40;

// Tracks names until no further name is relevant: names that loading code uses, and names of code that uses loading
// code.
class NameTracer {
 public:
  NameTracer(const Lines& code, Mentions& read, Detail detail)
      : code_(code), read_(read), detail_(detail), keep_(code.functions.size()), runs_(code.functions.size()) {}

  // Returns false if the limit of rounds was reached: not all relevant names are known then.
  bool follow() {
    for (int round = 0; round < max_rounds; ++round) {
      changed_ = false;
      std::size_t line = 0;
      for (std::size_t i = 0; i < keep_.size(); ++i) {
        for (; line + 1 < code_.functions[i].first; ++line) outside(read_.statements[line]);
        line = code_.functions[i].last;
        function(i);
      }
      for (; line < read_.statements.size(); ++line) outside(read_.statements[line]);
      if (!changed_) return true;
    }
    return false;
  }

  // True if the code does more with a loading name than to import it under the same name.
  bool finds_use() const {
    return imports_as_ || std::ranges::any_of(read_.statements, [this](const Statement& statement) {
             return statement.word != Word::Import && statement.word != Word::From && uses(statement);
           });
  }

  Parts parts() const {
    Parts parts{.kept = keep_, .whole = runs_, .module = detail_ == Detail::Events};
    for (std::size_t i = 0; i < keep_.size(); ++i) parts.kept[i] = keep_[i] || runs_[i];
    return parts;
  }

 private:
  void set(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }
  void mark_relevant(const Statement& statement) {
    for (const Mention& mention : read_.of(statement))
      if (!read_.is_foreign(mention)) set(read_.names[mention.name].relevant);
  }
  bool uses(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return read_.names[mention.name].called && !mention.typed && !read_.is_foreign(mention);
           });
  }
  // It uses or sets something relevant.
  bool touches(const Statement& statement) const {
    return uses(statement) || std::ranges::any_of(read_.of(statement), [this](const Mention& mention) {
             return mention.bound && read_.names[mention.name].relevant;
           });
  }

  // True if the statement determines what a kept function loads, or under which condition.
  bool matters(const Statement& statement, bool gives) const {
    if (uses(statement) || read_.calls_inner(statement)) return true;
    if (statement.simple) return read_.changes(statement);
    if (statement.word == Word::Return) return gives;
    return statement.word != Word::Import && statement.word != Word::From && statement.word != Word::Raise;
  }

  void run(const Statement& statement) {
    if (detail_ == Detail::Calls) return;
    for (const Mention& mention : read_.of(statement))
      if (!mention.handed && !mention.defined) set(read_.names[mention.name].runs);
  }

  // A statement outside of functions always runs.
  void outside(const Statement& statement) {
    run(statement);
    const bool decides = statement.word == Word::Condition || statement.word == Word::For;
    if (decides || touches(statement)) mark_relevant(statement);
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
    if (!keep_[index]) {
      if (!name.relevant && std::ranges::none_of(statements, [this](const auto& one) { return touches(one); })) return;
      keep_[index] = true;
      changed_ = true;
    }
    const bool gives = read_.gives(index);
    for (const Statement& statement : statements)
      if (runs_[index] || matters(statement, gives)) mark_relevant(statement);
    if (!name.called && std::ranges::any_of(statements, [this](const auto& one) { return uses(one); }))
      set(name.called);
    for (const Statement& statement : statements)
      if (find_loaders(statement) && statement.word == Word::Return) set(name.maker);
  }

  // `load = ctypes.CDLL` makes `load` a loading name. Returns true if the statement passes one on.
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
  const Detail detail_;
  std::vector<bool> keep_;  // by function: relevant to loading
  std::vector<bool> runs_;  // by function: an import may run it
  bool changed_ = false;
  bool imports_as_ = false;  // an import gives a loading name another name
};

}  // namespace

namespace {

// Calls `is_word` with the surroundings of each place where a loading word may be.
bool any_word(std::string_view text, auto is_word) {
  // Each word contains dl, dL, DL or d_, which is rare, followed by one of a few letters.
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'd') & ((d == 'l') | (d == 'L') | (d == '_'))) | ((c == 'D') & (d == 'L'));
  };
  return any_pair(text, 0, text.size(), is_mark, [&](std::size_t at) {
    const char mark = text[at + 1], after = at + 2 < text.size() ? text[at + 2] : '\0';
    if (after != 'l' && !(mark == 'l' && after == 'o') && !(mark == 'L' && (after == 'L' || after == 'i'))) {
      return false;
    }
    return is_word(text.substr(at - std::min<std::size_t>(at, 8), 32));
  });
}

bool has_word(std::string_view around) {
  return std::ranges::any_of(loading_words, [&](std::string_view word) { return around.find(word) != around.npos; });
}

// Python joins texts that stand side by side: 'setdlopen' 'flags'.
bool has_split_word(std::string_view around) {
  constexpr std::string_view quotes = "'\"", blanks = " \n\\";
  std::string joined;
  for (std::size_t at = 0; at < around.size(); ++at) {
    const std::size_t next = std::min(around.find_first_not_of(blanks, at + 1), around.size());
    const bool joins = quotes.contains(around[at]) && next < around.size() && quotes.contains(around[next]);
    if (joins)
      at = next;
    else
      joined += around[at];
  }
  return std::ranges::any_of(loading_words, [&](std::string_view word) {
    return joined.find(word) != joined.npos && around.find(word) == around.npos;
  });
}

}  // namespace

std::optional<std::string> loading_code(std::string_view source, Detail detail) {
  const auto code = lines_of(source);
  if (!code || any_word(source, has_split_word)) return std::string(source);
  if (!code->may_load) return std::nullopt;
  Mentions read(*code);
  if (std::ranges::none_of(read.statements, &Statement::loads)) return std::nullopt;
  // Each line counts as one statement, so the other ones would be lost.
  if (read.mixed) return std::string(source);
  NameTracer tracer(*code, read, detail);
  const bool followed = tracer.follow();
  if (followed && !tracer.finds_use()) return std::nullopt;
  const std::vector<bool> all(code->functions.size(), true);
  const Parts parts = followed ? tracer.parts() : Parts{.kept = all, .whole = all, .module = true};
  return code->with(parts.kept, prune(*code, read, parts));
}

// --- search for loading words: every Python file is searched, and few contain one ---------------------------------

bool holds_loading_word(std::string_view text) {
  return any_word(text, [](std::string_view around) { return has_word(around) || has_split_word(around); });
}

bool holds_flags_word(std::string_view text) {
  constexpr std::string_view word = loading_words.front();
  constexpr std::size_t pair = word.find("dl");
  const auto is_mark = [](const auto& c, const auto& d, auto& marks) { marks = (c == 'd') & (d == 'l'); };
  const auto is_word = [&](std::size_t at) { return at >= pair && text.substr(at - pair).starts_with(word); };
  return any_pair(text, 0, text.size(), is_mark, is_word) || any_word(text, has_split_word);
}

}  // namespace wheelcheck::python
