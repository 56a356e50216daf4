// The names of a text, statement by statement, and what a statement does with each: what can be told without parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
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

// A name as it stands in a line.
struct Mention {
  std::uint32_t name = 0;
  std::uint32_t of = no_name;  // whose attribute it is
  bool called = false;         // "(" follows
  bool taken = false;          // "." or "[" follows, so something of it is meant
  bool indexed = false;        // "[" follows
  bool typed = false;          // stands in an annotation, where nothing is done with what it stands for
  bool handed = false;         // "," or ")" follows: what is done with it is not followed
  bool defined = false;        // "class" stands before it, or "def"
  bool loader = false;         // a loading word that may mean what ctypes or cffi mean by it
  bool of_self = false;        // "self." stands before it
  bool plain = false;          // no "." stands before it
  bool parameter = false;      // of a `def`
  bool bound = false;          // the line may change what it stands for, in the eyes of other functions
  bool target = false;         // the line may change what it stands for, in the eyes of any code
};
struct Statement {
  std::uint32_t first = 0, count = 0;  // mentions
  Word word = Word::None;              // that it begins with
  bool loads = false;                  // holds a loading word, maybe in a string
  bool calls = false;                  // calls something; a `def`: before its body
  bool simple = false;                 // one expression or assignment, which pauses nothing
  bool plain = false;                  // simple, assigns, and calls nothing
  bool names = false;                  // names a value inside an expression: (a := 1)
};
struct Name {
  bool spelled = false;   // a loading word
  bool loader = false;    // stands for something that opens libraries once it is called
  bool maker = false;     // gives such a thing when it is called
  bool relevant = false;  // its value matters
  bool called = false;    // who uses it matters
  bool runs = false;      // an import may call it
  // What it stands for: what an import gives; something else; what is known inside a function and may load.
  bool imported = false, rebound = false, inner = false;
};

class Mentions {
 public:
  explicit Mentions(const Lines& code);

  std::span<const Mention> of(const Statement& statement) const {
    return std::span(mentions).subspan(statement.first, statement.count);
  }
  // Of a module, so nothing that this file binds or defines: evaluate.cpp sees it so.
  bool is_foreign(const Mention& mention) const {
    return mention.of != no_name && names[mention.of].imported && !names[mention.of].rebound;
  }

  // It calls a parameter, a function inside a function, or a variable that may hold what loads.
  bool calls_inner(const Statement& statement) const;
  // It may change what a name stands for whose value matters.
  bool changes(const Statement& statement) const;
  std::span<const Statement> of(const Function& function) const {  // its `def` first
    return std::span(statements).subspan(function.first - 1, function.last - function.first + 1);
  }
  // What it, or a function inside it, returns may matter.
  bool gives(std::size_t function) const;

  std::vector<Name> names;
  std::vector<Statement> statements;  // by line
  std::vector<Mention> mentions;
  std::vector<std::uint32_t> functions;  // by function of the text: its name

 private:
  struct Before {  // a name
    Word word = Word::None;
    bool is_self = false;
    bool dot = false;    // between them
    bool opens = false;  // not a name: what begins a parameter, "(" or "," or "*"
    std::uint32_t name = no_name;
  };

  std::uint32_t id_of(std::string_view name);
  void read(std::size_t line);
  std::uint32_t name(Statement& statement, std::string_view piece, std::string_view rest, const Before& before);
  void string(Statement& statement, std::string_view piece, bool holds_expressions);
  void mention(Statement& statement, const Mention& mention);
  void bind();
  void bind(Mention& mention) const;
  void add_names();
  void add_statements();

  const Lines& code_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  bool inside_ = false;      // the line is one of a function, or that of its `def`
  bool nested_ = false;      // the line is one of a function's body
  std::size_t unbound_ = 0;  // the first mention of the line that no assignment was seen behind
  bool has_star_ = false;    // of an import
  bool hands_cdll_ = false;  // ctypes.cdll goes by other names too, so that any name["x"] may load
  bool in_type_ = false;     // behind the ':' of an annotated name, or the "->" of a `def`
};

}  // namespace wheelcheck::python
