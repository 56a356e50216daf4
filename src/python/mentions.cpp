#include "python/mentions.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wheelcheck::python {
namespace {

constexpr auto words = std::to_array<std::string_view>(
    {"setdlopenflags", "CDLL", "PyDLL", "LoadLibrary", "cdll", "pydll", "dlopen", "find_library"});

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
                                                                   {"raise", Word::Raise},
                                                                   {"await", Word::Await},
                                                                   {"and", Word::Keyword},
                                                                   {"assert", Word::Keyword},
                                                                   {"async", Word::Keyword},
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
                                                                   {"try", Word::Keyword},
                                                                   {"with", Word::Keyword},
                                                                   {"None", Word::Keyword},
                                                                   {"True", Word::Keyword},
                                                                   {"False", Word::Keyword},
                                                                   {"self", Word::Keyword}};
  const auto found = known.find(name);
  return found == known.end() ? Word::None : found->second;
}

bool is_assignment(std::string_view text, std::size_t at) {
  if (text[at] != '=' || (at + 1 < text.size() && text[at + 1] == '=')) return false;
  return at == 0 || std::string_view("=!<>").find(text[at - 1]) == std::string_view::npos;
}

// What stands in an expression that is not a call, nor a pause.
bool is_of_value(Word word) {
  return word == Word::None || word == Word::Keyword || word == Word::For || word == Word::In ||
         word == Word::Condition;
}

// Whether the letters before the string that begins at `at` make it one that holds expressions: f"{x}", t"{x}".
bool holds_expressions(std::string_view text, std::size_t at) {
  for (std::size_t i = at; i > 0 && at - i < 2; --i)
    if (std::string_view("fFtT").find(text[i - 1]) != std::string_view::npos) return true;
  return false;
}

}  // namespace

bool is_loading_word(std::string_view name) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

Mentions::Mentions(const Lines& code) : code_(code) {
  names.reserve(256);
  statements.reserve(code.lines.size());
  auto function = code.functions.begin();
  for (std::size_t i = 0; i < code.lines.size(); ++i) {
    while (function != code.functions.end() && function->last <= i) ++function;
    inside_ = function != code.functions.end() && i + 1 >= function->first;
    read(i);
  }
  functions.reserve(code.functions.size());
  for (const Function& one : code.functions) functions.push_back(id_of(one.name));
}

std::uint32_t Mentions::id_of(std::string_view name) {
  const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) {
    const bool loads = is_loading_word(name);
    names.push_back({.loads = loads, .loader = loads});
  }
  return at->second;
}

void Mentions::read(std::size_t line) {
  statements.push_back({.first = static_cast<std::uint32_t>(mentions.size())});
  Statement& statement = statements.back();
  if (code_.is_text(code_.lines[line])) return;
  in_type_ = false;
  unbound_ = mentions.size();
  const std::string_view text = code_.line(line);
  std::size_t depth = 0;
  Word before = Word::None;
  bool of_self = false, annotated = false, assigned = false, begins_with_name = false, is_plain = true;
  bool can_be_called = false, defined = false;  // what stood last; the name behind `def` and what it takes
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const Token token = next_token(text, at);
    at = std::min(at, text.size());
    const std::string_view piece = text.substr(begin, at - begin);
    if (token == Token::Open) {
      ++depth;
      if (piece == "(" && can_be_called) {
        statement.calls = statement.calls || statement.word != Word::Define || defined;
        defined = true;
      }
    }
    if (token == Token::Close && depth > 0) --depth;
    if (token == Token::String) string(statement, piece, holds_expressions(text, begin));
    const bool assigns = depth == 0 && is_assignment(text, begin);
    const bool annotates = depth == 0 && piece == ":" && statement.word == Word::None && !assigned;
    if (annotates || (assigns && !annotated)) bind();
    annotated = annotated || annotates;
    assigned = assigned || assigns;
    in_type_ = (in_type_ || annotates) && !assigns;
    is_plain = is_plain && piece != ";" && !(piece == "=" && begin > 0 && text[begin - 1] == ':');
    if (token == Token::Name) {
      const Word word = word_of(piece);
      begins_with_name = begins_with_name || begin == 0;
      is_plain = is_plain && is_of_value(word) && !(begin == 0 && (piece == "case" || piece == "match"));
      if (statement.word == Word::None && before == Word::None && statement.count == 0) statement.word = word;
      if (word == Word::In && statement.word == Word::For) bind();
      const bool is_prefix = at < text.size() && (text[at] == '"' || text[at] == '\'');  // of a string
      if (word == Word::None && !is_prefix) name(statement, piece, text.substr(at), before, of_self);
      before = word;
      of_self = piece == "self";
      can_be_called = word == Word::None || of_self;
    } else if (token != Token::Blank && piece != ".") {
      before = Word::None;
      of_self = false;
      if (token != Token::Newline && token != Token::Joined && token != Token::Comment)
        can_be_called = token == Token::Close || token == Token::String;
    }
  }
  const bool begins = statement.word == Word::None || (statement.word == Word::Keyword && text.starts_with("self"));
  statement.plain = is_plain && assigned && begins && begins_with_name && !statement.calls;
}

void Mentions::name(Statement& statement, std::string_view piece, std::string_view rest, Word before, bool of_self) {
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

void Mentions::string(Statement& statement, std::string_view piece, bool holds_expressions) {
  if (is_loading_word(piece)) mention(statement, {.name = id_of(words.front())});
  if (!holds_expressions) return;
  for (std::size_t at = std::min(piece.find('{'), piece.size()); at < piece.size();) {
    const std::size_t begin = at;
    if (is_name_byte(piece[at])) {
      while (at < piece.size() && is_name_byte(piece[at])) ++at;
      name(statement, piece.substr(begin, at - begin), piece.substr(at), Word::None, false);
    } else {
      statement.calls = statement.calls || piece[at] == '(';
      ++at;
    }
  }
}

void Mentions::mention(Statement& statement, const Mention& mention) {
  mentions.push_back(mention);
  ++statement.count;
  statement.loads = statement.loads || names[mention.name].loads;
}

// What a function changes for others is what it says of `self` and of global names. Each mention is looked at once.
void Mentions::bind() {
  for (; unbound_ < mentions.size(); ++unbound_) {
    Mention& mention = mentions[unbound_];
    mention.bound = mention.bound || !inside_ || mention.of_self;
    mention.target = true;
  }
}

}  // namespace wheelcheck::python
