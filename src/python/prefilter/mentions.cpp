// Reads the names of each statement from its tokens.
#include "python/prefilter/mentions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "python/prefilter/prune.h"

namespace wheelcheck::python {
namespace {

struct Known {
  std::string_view name;
  Word word;
};
constexpr auto keywords = std::to_array<Known>({
    {"as", Word::As},           {"if", Word::Condition},     {"in", Word::In},
    {"is", Word::Keyword},      {"or", Word::Keyword},       {"and", Word::Keyword},
    {"def", Word::Define},      {"del", Word::Keyword},      {"for", Word::For},
    {"not", Word::Keyword},     {"try", Word::Keyword},      {"None", Word::Keyword},
    {"True", Word::Keyword},    {"elif", Word::Condition},   {"else", Word::Keyword},
    {"from", Word::From},       {"pass", Word::Keyword},     {"self", Word::Keyword},
    {"with", Word::Keyword},    {"False", Word::Keyword},    {"async", Word::Async},
    {"await", Word::Await},     {"break", Word::Keyword},    {"class", Word::Class},
    {"raise", Word::Raise},     {"while", Word::Condition},  {"yield", Word::Return},
    {"assert", Word::Keyword},  {"except", Word::Keyword},   {"global", Word::Global},
    {"import", Word::Import},   {"lambda", Word::Lambda},    {"return", Word::Return},
    {"finally", Word::Keyword}, {"continue", Word::Keyword}, {"nonlocal", Word::Keyword},
});
static_assert(std::ranges::is_sorted(keywords, {}, [](const Known& one) { return one.name.size(); }));

// By length: the index of the first keyword of that length.
constexpr auto first_of_length = [] {
  std::array<std::uint8_t, 10> first{};
  for (std::size_t length = 0; length < first.size(); ++length)
    while (first[length] < keywords.size() && keywords[first[length]].name.size() < length) ++first[length];
  return first;
}();

Word word_of(std::string_view name) {
  if (name.size() + 1 >= first_of_length.size()) return Word::None;
  for (std::size_t i = first_of_length[name.size()]; i < first_of_length[name.size() + 1]; ++i)
    if (keywords[i].name.front() == name.front() && keywords[i].name == name) return keywords[i].word;
  return Word::None;
}

bool is_assignment(std::string_view text, std::size_t at) {
  if (text[at] != '=' || (at + 1 < text.size() && text[at + 1] == '=')) return false;
  return at == 0 || std::string_view("=!<>").find(text[at - 1]) == std::string_view::npos;
}

// True for a keyword that can be part of an expression without a call or a pause.
bool is_of_value(Word word) {
  return word == Word::None || word == Word::Keyword || word == Word::For || word == Word::In ||
         word == Word::Condition || word == Word::Lambda;
}

// Tracks where the annotations of a line are. After a `lambda` in a `def` no annotation is detected, because a lambda
// has a ':' and commas of its own. An annotation with a call is not treated as one.
class Annotations {
 public:
  // Returns true if what follows is in an annotation. `sign`: the token, or any character of a name or string; `depth`:
  // number of open brackets after it; `annotates`, `assigns`: it is the ':' or '=' after a variable.
  bool take(char sign, std::size_t depth, Word word, bool annotates, bool assigns) {
    signature(sign, depth, word);
    calls_ = calls_ || (here_ && sign == '(');
    of_variable_ = (of_variable_ || annotates) && !assigns;
    here_ = !calls_ && (of_variable_ || place_ == Place::Type);
    return here_;
  }

 private:
  enum class Place : std::uint8_t { Before, Name, Type, Default, Behind };  // in a `def`

  void signature(char sign, std::size_t depth, Word word) {
    if (word == Word::Define && place_ == Place::Before) place_ = Place::Name;
    if (word == Word::Lambda) place_ = Place::Behind;
    if (place_ == Place::Before || place_ == Place::Behind) return;
    const bool is_arrow = std::exchange(last_, sign) == '-' && sign == '>';
    if (depth > 1) return;
    if (depth == 0) {
      const bool stays = place_ == Place::Type && sign != ')';
      place_ = sign == ':' ? Place::Behind : is_arrow || stays ? Place::Type : Place::Name;
    } else if (sign == ',' || sign == '(') {
      place_ = Place::Name;
    } else if (sign == '=') {
      place_ = Place::Default;
    } else if (sign == ':' && place_ == Place::Name) {
      place_ = Place::Type;
    }
  }

  Place place_ = Place::Before;
  char last_ = '\0';
  bool of_variable_ = false, calls_ = false, here_ = false;
};

// True if the statement does not start with a statement keyword.
bool is_expression(const Statement& statement, std::string_view text) {
  return statement.word == Word::None || (statement.word == Word::Keyword && text.starts_with("self"));
}

// A name before it is then a string prefix.
bool begins_string(std::string_view text) { return text.starts_with('"') || text.starts_with('\''); }

// `case` and `match` can be names too.
bool is_match(std::string_view text) { return text.starts_with("case") || text.starts_with("match"); }

// True if the code after a name uses it further; a comment may hide the rest.
bool goes_on(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(" \t\r\n");
  return next != rest.npos && std::string_view("([.#\\").find(rest[next]) != std::string_view::npos;
}

// True if the prefix of the string at `at` is that of an f-string or t-string: f"{x}", t"{x}".
bool holds_expressions(std::string_view text, std::size_t at) {
  for (std::size_t i = at; i > 0 && at - i < 2; --i)
    if (std::string_view("fFtT").find(text[i - 1]) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Mentions::Mentions(const Lines& code) : code_(code) {
  names.reserve(512);
  mentions.reserve(code.text.size() / 16);
  statements.reserve(code.lines.size());
  auto function = code.functions.begin();
  for (std::size_t i = 0; i < code.lines.size(); ++i) {
    while (function != code.functions.end() && function->last <= i) ++function;
    inside_ = function != code.functions.end() && i + 1 >= function->first;
    nested_ = inside_ && i >= function->first;
    read(i);
  }
  functions.reserve(code.functions.size());
  for (const Function& one : code.functions) functions.push_back(id_of(one.name));
  add_names();
  add_statements();
}

void Mentions::add_names() {
  for (const std::uint32_t function : functions) names[function].rebound = true;
  for (const Statement& statement : statements) {
    const bool imports = statement.word == Word::Import || statement.word == Word::From;
    const auto line = static_cast<std::size_t>(&statement - statements.data());
    has_star_ = has_star_ || (imports && code_.line(line).find('*') != std::string_view::npos);
    for (const Mention& one : of(statement)) {
      if (one.of != no_name) continue;
      Name& name = names[one.name];
      name.imported = name.imported || imports;
      name.inner = name.inner || one.parameter;
      name.rebound = name.rebound || (!imports && (one.bound || one.target || one.defined || one.parameter));
    }
  }
}

// A loading word as an attribute of `self` or as a variable loads only if it was assigned something that loads.
void Mentions::add_statements() {
  for (Statement& statement : statements) {
    for (std::size_t i = 0; i < statement.count; ++i) {
      Mention& one = mentions[statement.first + i];
      const Name& name = names[one.name];
      if (!name.spelled || one.typed || one.of_self) continue;
      if (one.plain && name.rebound && !name.imported && !has_star_) continue;
      one.loader = true;
      statement.loads = true;
      hands_cdll_ = hands_cdll_ || !(one.called || one.taken || statement.word == Word::From);
    }
  }
}

std::uint32_t Mentions::id_of(std::string_view name) {
  const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back({.spelled = is_loading_word(name)});
  return at->second;
}

// Takes a keyword or a name. Returns what stands before the next token.
Mentions::Before Mentions::word_or_name(Statement& statement, std::string_view piece, std::string_view rest, Word word,
                                        const Before& before) {
  if (statement.word == Word::None && before.word == Word::None && statement.count == 0) statement.word = word;
  if (word == Word::In && statement.word == Word::For) bind();
  const bool counts = word == Word::None && !begins_string(rest);
  return {.word = word, .is_self = piece == "self", .name = counts ? name(statement, piece, rest, before) : no_name};
}

void Mentions::read(std::size_t line) {
  statements.push_back({.first = static_cast<std::uint32_t>(mentions.size())});
  Statement& statement = statements.back();
  if (code_.is_text(code_.lines[line])) return;
  in_type_ = false;
  unbound_ = mentions.size();
  const std::string_view text = code_.line(line);
  std::size_t depth = 0;
  Before before;
  Annotations annotations;
  bool annotated = false, assigned = false, begins_with_name = false, is_simple = true;
  bool runs_text = false, ends_statement = false;  // the line names exec or eval; the previous token is ';'
  bool can_be_called = false, defined = false;     // of the previous token; of the name after `def`
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char sign = text[begin];
    const Token token = next_token(text, at);
    at = std::min(at, text.size());
    if (is_filler(token)) continue;
    if (sign == '(' && can_be_called) {
      statement.calls = statement.calls || statement.word != Word::Define || defined;
      defined = true;
    }
    if (token == Token::Open) ++depth;
    if (token == Token::Close && depth > 0) --depth;
    const std::string_view piece = text.substr(begin, at - begin);
    const Word word = token == Token::Name ? word_of(piece) : Word::None;
    const bool assigns = depth == 0 && is_assignment(text, begin);
    const bool annotates = depth == 0 && sign == ':' && !assigned && is_expression(statement, text);
    if (annotates || (assigns && !annotated)) bind();
    annotated = annotated || annotates;
    assigned = assigned || assigns;
    in_type_ = annotations.take(sign, depth, word, annotates && !is_match(text), assigns);
    if (token == Token::String) string(statement, piece, holds_expressions(text, begin));
    runs_text = runs_text || piece == "exec" || piece == "eval";
    if (token == Token::String && runs_text && holds_loading_word(piece)) statement.loads = true;
    const bool walrus = sign == '=' && begin > 0 && text[begin - 1] == ':';
    statement.names = statement.names || walrus;
    if (walrus && statement.count > 0) bind(mentions.back());
    is_simple = is_simple && sign != ';' && !statement.names;
    const auto imports = [](Word one) { return one == Word::Import || one == Word::From; };
    if (ends_statement) mixed = mixed || (imports(statement.word) && !imports(word));
    ends_statement = sign == ';';
    if (token == Token::Name) {
      begins_with_name = begins_with_name || begin == 0;
      is_simple = is_simple && is_of_value(word) && !(begin == 0 && (piece == "case" || piece == "match"));
      before.opens = before.opens && depth == 1;
      before = word_or_name(statement, piece, text.substr(at), word, before);
      can_be_called = word == Word::None || before.is_self;
    } else if (sign == '.') {
      before.dot = true;
    } else {
      before = {.opens = sign == '(' || sign == ',' || sign == '*'};
      can_be_called = token == Token::Close || token == Token::String;
    }
  }
  statement.simple = is_simple && is_expression(statement, text) && begins_with_name;
  statement.plain = statement.simple && assigned && !statement.calls;
}

// Returns the number of the name, or no_name if it is not relevant.
std::uint32_t Mentions::name(Statement& statement, std::string_view piece, std::string_view rest,
                             const Before& before) {
  const bool defined = before.word == Word::Class || before.word == Word::Define;
  if (defined && nested_) names[id_of(piece)].inner = true;
  if (before.word == Word::Define && inside_) return no_name;
  std::size_t next = 0;
  while (next < rest.size() && rest[next] == ' ') ++next;
  const char after = next == rest.size() ? '\n' : rest[next];
  const bool called = after == '(';
  if (called && (piece == "append" || piece == "extend")) bind();
  const bool target = before.word == Word::As || defined;
  const std::uint32_t id = id_of(piece);
  mention(statement, {.name = id,
                      .of = before.dot ? before.name : no_name,
                      .called = called,
                      .taken = after == '.' || after == '[',
                      .indexed = after == '[',
                      .typed = in_type_ && !goes_on(rest),
                      .handed = after == ',' || after == ')',
                      .defined = defined,
                      .of_self = before.dot && before.is_self,
                      .plain = !before.dot,
                      .parameter = before.opens && (statement.word == Word::Define || statement.word == Word::Async),
                      .bound = statement.word == Word::Global || (target && !inside_),
                      .target = target});
  return id;
}

void Mentions::string(Statement& statement, std::string_view piece, bool holds_expressions) {
  std::string_view inner = piece;
  while (!inner.empty() && (inner.front() == '"' || inner.front() == '\'')) inner.remove_prefix(1);
  while (!inner.empty() && (inner.back() == '"' || inner.back() == '\'')) inner.remove_suffix(1);
  if (is_loading_word(inner) && !in_type_) {  // for example getattr(ctypes, "CDLL")
    mention(statement, {.name = id_of(inner), .loader = true});
    statement.loads = true;
  }
  if (!holds_expressions) return;
  for (std::size_t at = std::min(piece.find('{'), piece.size()); at < piece.size();) {
    const std::size_t begin = at;
    if (is_name_byte(piece[at])) {
      while (at < piece.size() && is_name_byte(piece[at])) ++at;
      name(statement, piece.substr(begin, at - begin), piece.substr(at), {});
    } else {
      statement.calls = statement.calls || piece[at] == '(';
      ++at;
    }
  }
}

void Mentions::mention(Statement& statement, const Mention& mention) {
  mentions.push_back(mention);
  ++statement.count;
}

bool Mentions::calls_inner(const Statement& statement) const {
  return std::ranges::any_of(of(statement), [this](const Mention& one) {
    return (one.called || (one.indexed && hands_cdll_)) && names[one.name].inner;
  });
}

bool Mentions::changes(const Statement& statement) const {
  return std::ranges::any_of(of(statement),
                             [this](const Mention& one) { return one.target && names[one.name].relevant; });
}

bool Mentions::gives(std::size_t function) const {
  const auto inner = of(code_.functions[function]).subspan(1);
  return names[functions[function]].relevant || std::ranges::any_of(inner, [](const Statement& one) {
           return one.word == Word::Define || one.word == Word::Async;
         });
}

// A function changes the value of attributes of `self` and of global names for others; assignments to other objects are
// ignored. Each mention is processed once.
void Mentions::bind() {
  for (; unbound_ < mentions.size(); ++unbound_) bind(mentions[unbound_]);
}

void Mentions::bind(Mention& mention) const {
  if (mention.of != no_name) return;
  mention.bound = mention.bound || !inside_ || mention.of_self;
  mention.target = true;
}

}  // namespace wheelcheck::python
