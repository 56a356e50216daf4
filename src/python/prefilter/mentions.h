// The names in a text, statement by statement, and how a statement uses each of them, as far as tokens show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "python/prefilter/lines.h"

namespace wheelcheck::python {

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
  Async,
  Await,
  Lambda,
  Keyword,
};

inline constexpr std::uint32_t no_name = UINT32_MAX;

// A name at one place in a line.
struct Mention {
  std::uint32_t name = 0;
  std::uint32_t of = no_name;  // the name that it is an attribute of
  bool called = false;         // followed by "("
  bool taken = false;          // followed by "." or "[": an attribute or item is used
  bool indexed = false;        // followed by "["
  bool typed = false;          // in an annotation, where its value is not used
  bool handed = false;         // followed by "," or ")": an argument, whose use is not tracked
  bool defined = false;        // preceded by "class" or "def"
  bool loader = false;         // a loading word that may have the meaning of ctypes or cffi
  bool of_self = false;        // preceded by "self."
  bool plain = false;          // not preceded by "."
  bool parameter = false;      // parameter of a `def`
  bool bound = false;          // the line may change its value for other functions
  bool target = false;         // the line may change its value for any code
};
struct Statement {
  std::uint32_t first = 0, count = 0;  // range of mentions
  Word word = Word::None;              // first keyword
  bool loads = false;                  // contains a loading word, possibly in a string
  bool calls = false;                  // contains a call; of a `def`: in the line of the `def`
  bool simple = false;                 // one expression or assignment without a `yield`
  bool plain = false;                  // simple, an assignment, and without a call
  bool names = false;                  // contains a named expression: (a := 1)
};
// What is known about a name in the whole text.
struct Name {
  bool spelled = false;   // it is a loading word
  bool loader = false;    // its value opens libraries when it is called
  bool maker = false;     // it returns such a value when it is called
  bool relevant = false;  // its value is relevant
  bool called = false;    // its users are relevant
  bool runs = false;      // an import may call it
  // imported: bound by an import. rebound: bound by something else. inner: bound inside a function, and may load.
  bool imported = false, rebound = false, inner = false;
};

class Mentions {
 public:
  explicit Mentions(const Lines& code);

  std::span<const Mention> of(const Statement& statement) const {
    return std::span(mentions).subspan(statement.first, statement.count);
  }
  // True for an attribute of a module that this file does not bind or define. evaluate.cpp treats it in the same way.
  bool is_foreign(const Mention& mention) const {
    return mention.of != no_name && names[mention.of].imported && !names[mention.of].rebound;
  }

  // It calls a parameter, a nested function, or a variable that may load.
  bool calls_inner(const Statement& statement) const;
  // It may change the value of a relevant name.
  bool changes(const Statement& statement) const;
  // The statements of a function, starting with its `def`.
  std::span<const Statement> of(const Function& function) const {
    return std::span(statements).subspan(function.first - 1, function.last - function.first + 1);
  }
  // The return value of the function, or of a nested function, may be relevant.
  bool gives(std::size_t function) const;

  std::vector<Name> names;
  std::vector<Statement> statements;  // by line
  std::vector<Mention> mentions;
  std::vector<std::uint32_t> functions;  // by function of the text: its name
  bool mixed = false;                    // a line has an import and behind it another statement: import a; a.b()

 private:
  // The token before a name.
  struct Before {
    Word word = Word::None;
    bool is_self = false;
    bool dot = false;    // a dot is between them
    bool opens = false;  // not a name: "(", "," or "*", which start a parameter
    std::uint32_t name = no_name;
  };

  std::uint32_t id_of(std::string_view name);
  void read(std::size_t line);
  Before word_or_name(Statement& statement, std::string_view piece, std::string_view rest, Word word,
                      const Before& before);
  std::uint32_t name(Statement& statement, std::string_view piece, std::string_view rest, const Before& before);
  void string(Statement& statement, std::string_view piece, bool holds_expressions);
  void mention(Statement& statement, const Mention& mention);
  void bind();
  void bind(Mention& mention) const;
  void add_names();
  void add_statements();

  const Lines& code_;
  std::map<std::string_view, std::uint32_t> ids_;
  bool inside_ = false;      // the line is in a function or is its `def`
  bool nested_ = false;      // the line is in the body of a function
  std::size_t unbound_ = 0;  // the first mention in the line that is not followed by an assignment yet
  bool has_star_ = false;    // there is a star import
  bool hands_cdll_ = false;  // ctypes.cdll has other names too, so that any name["x"] may load
  bool in_type_ = false;     // after the ':' of an annotation or the "->" of a `def`
};

}  // namespace wheelcheck::python
