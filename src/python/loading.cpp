#include "python/loading.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/lines.h"

namespace wheelcheck::python {
namespace {

constexpr auto words = std::to_array<std::string_view>(
    {"setdlopenflags", "CDLL", "PyDLL", "LoadLibrary", "cdll", "pydll", "dlopen", "find_library"});

// After so many rounds the rest is kept: a file may be a chain of functions, each found by the one below it.
constexpr int most_rounds = 40;

enum class Word : std::uint8_t { None, Define, Class, Import, From, As, For, In, Global, Condition, Return, Keyword };

Word word_of(std::string_view name) {
  static const std::unordered_map<std::string_view, Word> known = {{"def", Word::Define},
                                                                   {"class", Word::Class},
                                                                   {"import", Word::Import},
                                                                   {"from", Word::From},
                                                                   {"as", Word::As},
                                                                   {"for", Word::For},
                                                                   {"in", Word::In},
                                                                   {"global", Word::Global},
                                                                   {"if", Word::Condition},
                                                                   {"elif", Word::Condition},
                                                                   {"while", Word::Condition},
                                                                   {"return", Word::Return},
                                                                   {"yield", Word::Return},
                                                                   {"and", Word::Keyword},
                                                                   {"assert", Word::Keyword},
                                                                   {"async", Word::Keyword},
                                                                   {"await", Word::Keyword},
                                                                   {"break", Word::Keyword},
                                                                   {"continue", Word::Keyword},
                                                                   {"del", Word::Keyword},
                                                                   {"else", Word::Keyword},
                                                                   {"except", Word::Keyword},
                                                                   {"finally", Word::Keyword},
                                                                   {"is", Word::Keyword},
                                                                   {"lambda", Word::Keyword},
                                                                   {"nonlocal", Word::Keyword},
                                                                   {"not", Word::Keyword},
                                                                   {"or", Word::Keyword},
                                                                   {"pass", Word::Keyword},
                                                                   {"raise", Word::Keyword},
                                                                   {"try", Word::Keyword},
                                                                   {"with", Word::Keyword},
                                                                   {"None", Word::Keyword},
                                                                   {"True", Word::Keyword},
                                                                   {"False", Word::Keyword},
                                                                   {"self", Word::Keyword}};
  const auto found = known.find(name);
  return found == known.end() ? Word::None : found->second;
}

// A name as it stands in a line.
struct Mention {
  std::uint32_t name = 0;
  bool called = false;   // "(" follows
  bool taken = false;    // "." or "[" follows, so something of it is meant; or it is a type
  bool handed = false;   // "," or ")" follows: what is done with it is not followed
  bool defined = false;  // "class" stands before it, or "def"
  bool of_self = false;  // "self." stands before it
  bool bound = false;    // the line may change what it stands for, in the eyes of other functions
};
struct Statement {
  std::uint32_t first = 0, count = 0;  // mentions
  Word word = Word::None;              // that it begins with
  bool loads = false;                  // holds a loading word
};
struct Name {
  bool loads = false;   // holds a loading word
  bool loader = false;  // stands for something that opens libraries once it is called
  bool maker = false;   // gives such a thing when it is called
  bool wanted = false;  // its value matters
  bool called = false;  // who uses it matters
  bool runs = false;    // an import may call it
};

// The statements of a text, by their names.
class Reader {
 public:
  explicit Reader(const Lines& code) : code_(code) {
    names.reserve(256);
    statements.reserve(code.lines.size());
    auto function = code.functions.begin();
    for (std::size_t i = 0; i < code.lines.size(); ++i) {
      while (function != code.functions.end() && function->last <= i) ++function;
      inside_ = function != code.functions.end() && i + 1 >= function->first;
      read(i);
    }
  }

  std::uint32_t id_of(std::string_view name) {
    const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
    if (is_new) {
      const bool loads = is_loading_word(name);
      names.push_back({.loads = loads, .loader = loads});
    }
    return at->second;
  }

  std::vector<Name> names;
  std::vector<Statement> statements;  // by line
  std::vector<Mention> mentions;

 private:
  void read(std::size_t line) {
    statements.push_back({.first = static_cast<std::uint32_t>(mentions.size())});
    Statement& statement = statements.back();
    if (code_.is_text(code_.lines[line])) return;
    in_type_ = false;
    unbound_ = mentions.size();
    const std::string_view text = code_.line(line);
    std::size_t depth = 0;
    Word before = Word::None;
    bool of_self = false, annotated = false, assigned = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      const Token token = next_token(text, at);
      at = std::min(at, text.size());
      const std::string_view piece = text.substr(begin, at - begin);
      if (token == Token::Open) ++depth;
      if (token == Token::Close && depth > 0) --depth;
      if (token == Token::String && is_loading_word(piece)) mention(statement, {.name = id_of(words.front())});
      const bool assigns = depth == 0 && is_assignment(text, begin);
      const bool annotates = depth == 0 && piece == ":" && statement.word == Word::None && !assigned;
      if (annotates || (assigns && !annotated)) bind();
      annotated = annotated || annotates;
      assigned = assigned || assigns;
      in_type_ = (in_type_ || annotates) && !assigns;
      if (token == Token::Name) {
        const Word word = word_of(piece);
        if (statement.word == Word::None && before == Word::None && statement.count == 0) statement.word = word;
        if (word == Word::In && statement.word == Word::For) bind();
        if (word == Word::None) name(statement, piece, text.substr(at), before, of_self);
        before = word;
        of_self = piece == "self";
      } else if (token != Token::Blank && piece != ".") {
        before = Word::None;
        of_self = false;
      }
    }
  }

  void name(Statement& statement, std::string_view piece, std::string_view rest, Word before, bool of_self) {
    if (before == Word::Define && inside_) return;
    const std::size_t next = rest.find_first_not_of(' ');
    const char after = next == rest.npos ? '\n' : rest[next];
    const bool called = after == '(';
    if (called && (piece == "append" || piece == "extend")) bind();
    const bool target = before == Word::As || before == Word::Class || before == Word::Define;
    mention(statement, {.name = id_of(piece),
                        .called = called,
                        .taken = in_type_ || after == '.' || after == '[',
                        .handed = after == ',' || after == ')',
                        .defined = before == Word::Class || before == Word::Define,
                        .of_self = of_self,
                        .bound = statement.word == Word::Global || (target && !inside_)});
  }

  void mention(Statement& statement, const Mention& mention) {
    mentions.push_back(mention);
    ++statement.count;
    statement.loads = statement.loads || names[mention.name].loads;
  }

  // What a function changes for others is what it says of `self` and of global names. Each mention is looked at once.
  void bind() {
    for (; unbound_ < mentions.size(); ++unbound_) {
      Mention& mention = mentions[unbound_];
      mention.bound = mention.bound || !inside_ || mention.of_self;
    }
  }

  static bool is_assignment(std::string_view text, std::size_t at) {
    if (text[at] != '=' || (at + 1 < text.size() && text[at + 1] == '=')) return false;
    return at == 0 || std::string_view("=!<>").find(text[at - 1]) == std::string_view::npos;
  }

  const Lines& code_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  bool inside_ = false;      // the line is one of a function, or that of its `def`
  std::size_t unbound_ = 0;  // the first mention of the line that no assignment was seen behind
  bool in_type_ = false;     // behind the ':' of an annotated name
};

// Follows names until nothing new matters: those that code uses which loads, and those that use it.
class Follower {
 public:
  Follower(const Lines& code, Reader& read)
      : code_(code), read_(read), kept_(code.functions.size()), runs_(code.functions.size()) {
    for (const Function& function : code.functions) named_.push_back(read.id_of(function.name));
  }

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
  std::span<const Mention> mentions(const Statement& statement) const {
    return std::span(read_.mentions).subspan(statement.first, statement.count);
  }
  std::span<const Statement> statements(const Function& function) const {
    return std::span(read_.statements).subspan(function.first - 1, function.last - function.first + 1);
  }
  void set(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }
  void want(const Statement& statement) {
    for (const Mention& mention : mentions(statement)) set(read_.names[mention.name].wanted);
  }
  bool uses(const Statement& statement) const {
    return statement.loads || std::ranges::any_of(mentions(statement), [this](const Mention& mention) {
             return read_.names[mention.name].called;
           });
  }
  // It uses, or sets, what matters.
  bool touches(const Statement& statement) const {
    return uses(statement) || std::ranges::any_of(mentions(statement), [this](const Mention& mention) {
             return mention.bound && read_.names[mention.name].wanted;
           });
  }

  void run(const Statement& statement) {
    for (const Mention& mention : mentions(statement))
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
    Name& name = read_.names[named_[index]];
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
    const auto mentions = this->mentions(statement);
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
  Reader& read_;
  std::vector<bool> kept_;            // by function: it matters to loading
  std::vector<bool> runs_;            // by function: an import may run it
  std::vector<std::uint32_t> named_;  // its name
  bool changed_ = false;
};

}  // namespace

bool is_loading_word(std::string_view name) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

std::optional<std::string> loading_code(std::string_view source) {
  const auto code = lines_of(source);
  if (!code) return std::string(source);
  Reader read(*code);
  if (std::ranges::none_of(read.statements, &Statement::loads)) return std::nullopt;
  return code->with(Follower(*code, read).follow());
}

}  // namespace wheelcheck::python
