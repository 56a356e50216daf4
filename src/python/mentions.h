// The names of a text, statement by statement, and what a statement does with each: what can be told without parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "python/lines.h"

namespace wheelcheck::python {

// The words without which no call that opens a library can be written; a longer name may hold one.
bool is_loading_word(std::string_view name);

enum class Word : std::uint8_t {
  None,
  Define,
  Class,
  Import,
  From,
  As,
  For,
  In,
  Global,
  Condition,
  Return,
  Raise,
  Await,
  Keyword,
};

// A name as it stands in a line.
struct Mention {
  std::uint32_t name = 0;
  bool called = false;   // "(" follows
  bool taken = false;    // "." or "[" follows, so something of it is meant; or it is a type
  bool handed = false;   // "," or ")" follows: what is done with it is not followed
  bool defined = false;  // "class" stands before it, or "def"
  bool of_self = false;  // "self." stands before it
  bool bound = false;    // the line may change what it stands for, in the eyes of other functions
  bool target = false;   // the line may change what it stands for, in the eyes of any code
};
struct Statement {
  std::uint32_t first = 0, count = 0;  // mentions
  Word word = Word::None;              // that it begins with
  bool loads = false;                  // holds a loading word
  bool calls = false;                  // calls something; a `def`: before its body
  bool plain = false;                  // assigns, and neither calls anything nor waits for it
};
struct Name {
  bool loads = false;   // holds a loading word
  bool loader = false;  // stands for something that opens libraries once it is called
  bool maker = false;   // gives such a thing when it is called
  bool wanted = false;  // its value matters
  bool called = false;  // who uses it matters
  bool runs = false;    // an import may call it
};

class Mentions {
 public:
  explicit Mentions(const Lines& code);

  std::span<const Mention> of(const Statement& statement) const {
    return std::span(mentions).subspan(statement.first, statement.count);
  }

  std::vector<Name> names;
  std::vector<Statement> statements;  // by line
  std::vector<Mention> mentions;
  std::vector<std::uint32_t> functions;  // by function of the text: its name

 private:
  std::uint32_t id_of(std::string_view name);
  void read(std::size_t line);
  void name(Statement& statement, std::string_view piece, std::string_view rest, Word before, bool of_self);
  void string(Statement& statement, std::string_view piece, bool holds_expressions);
  void mention(Statement& statement, const Mention& mention);
  void bind();

  const Lines& code_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  bool inside_ = false;      // the line is one of a function, or that of its `def`
  std::size_t unbound_ = 0;  // the first mention of the line that no assignment was seen behind
  bool in_type_ = false;     // behind the ':' of an annotated name
};

}  // namespace wheelcheck::python
